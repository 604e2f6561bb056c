// SPDX-License-Identifier: Apache-2.0
// Sections that are plain tables: comparison, simulated beside real runs, interventions, the scenario.

const MOST_ROWS_OPEN = 60;

/// The verdict in sentences, then the table behind it. One run folder compares its algorithms;
/// several are compared with each other.
const comparisonSection = {
  id: 'comparison',
  title: 'Comparison',
  build() {
    this.root = el('div', {class: 'card'});
    return [this.root];
  },
  update() {
    const study = object(
        state.documents.length === 1 ? object(state.documents[0]).study : state.study);
    if (study.problem) return `These runs can’t be compared: ${study.problem}`;
    if (!study.title) return false;
    const key = JSON.stringify(study);
    if (key === this.key) return true;
    this.key = key;
    const sentences = (texts, kind) =>
        list(texts).map((text) => el('p', {class: kind, text: String(text)}));
    replace(
        this.root,
        [study.title, study.conditions].filter(Boolean).map(
            (text) => el('p', {class: 'faint', text: String(text)})),
        sentences(study.headline, 'headline'),
        warningsOf(study.warnings),
        this.tables(list(study.tables).map(list)),
        el('p', {class: 'note', text: String(study.legend || '')}));
    return true;
  },
  /// Long ones are made when they are opened.
  tables(all) {
    const rows = sum(all.map((lines) => lines.length));
    const make = () => all.map((lines, i) => this.table(lines, `comparison ${i}`));
    if (rows <= MOST_ROWS_OPEN) return make();
    const box = el('div', {}), folded = el('details', {
            open: this.open,
            ontoggle: () => {
              this.open = folded.open;
              if (this.open && !box.firstChild) box.append(...make());
            }
          }, el('summary', {text: `Tables with ${significant(rows)} rows`}), box);
    if (this.open) box.append(...make());
    return folded;
  },
  /// Lines without values are headings of those below.
  table([head, ...rows], key) {
    const isName = (value) => /^[^-\d=]/.test(value);
    const numeric = list(head).map((_, i) => i).slice(1).filter(
        (i) => !rows.some((row) => isName(String(list(row)[i] ?? ''))));
    return table(
        list(head).map(String), rows.map((row) => {
          const [name, ...values] = list(row).map(String);
          const heading = values.every((value) => !value);
          return el(
              'tr', {}, el('th', {
                scope: heading ? 'rowgroup' : 'row',
                class: heading ? 'group' : name.startsWith(' ') ? 'member' : null,
                text: name.trim()
              }),
              values.map((value, i) => cell(value, {class: numeric.includes(i + 1) ? 'n' : null})));
        }),
        {caption: 'Comparison', key, numeric});
  },
};

// ---- validation ---------------------------------------------------------------------------------

/// What was simulated beside what real processes did: posse validate.
const validationSection = {
  id: 'validation',
  title: 'Simulated and measured',
  build() {
    this.root = el('div', {class: 'card'});
    return [this.root];
  },
  update() {
    const rows = state.documents.flatMap(
        (doc) => list(doc.validation).filter((i) => i && typeof i === 'object'));
    if (!rows.length) return false;
    const key = JSON.stringify(rows);
    if (key === this.key) return true;
    this.key = key;
    const lines = [];
    rows.forEach((row, i) => {
      if (i === 0 || row.run !== rows[i - 1].run)
        lines.push(
            el('tr', {}, el('th', {scope: 'rowgroup', class: 'group', text: String(row.run)}),
               cell(''), cell(''), cell('')));
      lines.push(
          el('tr', {}, el('th', {scope: 'row', class: 'member', text: String(row.quantity)}),
             cell(String(row.simulated), {class: 'n'}), cell(String(row.measured), {class: 'n'}),
             cell(`${row.holds ? '✓' : '✗'} ${row.verdict}`)));
    });
    replace(
        this.root,
        table(
            ['', 'simulated', 'measured', 'verdict'], lines,
            {caption: 'Simulated and measured', key: 'validation', numeric: [1, 2]}),
        el('p', {
          class: 'note',
          text: 'Measured: what this run, in several real processes, did. Simulated: the same run ' +
              'with the latencies and service times that were measured in it. ✗: not equal, or a ' +
              'time that is off by more than 25 %.'
        }));
    return true;
  },
};

// ---- interventions, scenario --------------------------------------------------------------------

const interventionsSection = {
  id: 'interventions',
  title: 'Interventions',
  build() {
    this.root = el('div', {class: 'card'});
    return [this.root];
  },
  update() {
    const rows = state.documents.flatMap(
        (doc) => list(doc.interventions).filter((i) => i && typeof i === 'object'));
    if (!rows.length) return false;
    const key = JSON.stringify(rows);
    if (key === this.key) return true;
    this.key = key;
    const amount = (i) => !isNumber(i.amount) ? '' :
        i.action === 'pace'                   ? paceText(i.amount) :
        i.unit === 'virtual_s'                ? pretty(i.amount, 's', 6) :
        i.action === 'step'                   ? plural(i.amount, String(i.unit)) :
                                                `${i.unit} ${significant(i.amount)}`;
    const groups = (i) => list(i.groups).map((g) => list(g).join(', ')).join(' | ');
    replace(
        this.root,
        table(
            ['virtual time', 'action', 'run', 'of what'],
            rows.map(
                (i) =>
                    el('tr', {}, cell(pretty(i.virtual_s, 's', 6), {class: 'n'}),
                       cell(String(i.action ?? '')), cell(String(i.run || 'all')),
                       cell(groups(i) || amount(i) || DASH))),
            {caption: 'Interventions', numeric: [0]}),
        el('p', {
          class: 'note',
          text: 'The run folder records interventions, so the run can be repeated with them.'
        }));
    return true;
  },
};

const scenarioSection = {
  id: 'scenario',
  title: 'Scenario',
  build() {
    this.root = el('div', {});
    return [this.root];
  },
  update() {
    const documents = state.documents.filter((doc) => doc.scenario_toml);
    const key = JSON.stringify(documents.map(
        (doc) => [titleOf(doc), doc.scenario_toml, object(doc.metadata).command_line]));
    if (key === this.key) return documents.length > 0;
    this.key = key;
    replace(this.root, documents.map((doc) => {
      const command = list(object(doc.metadata).command_line).join(' ');
      return el(
          'details', {class: 'card'},
          el('summary', {},
             documents.length > 1 ? pathLabel(doc) : 'The resolved scenario, ready to run again'),
          command && el('p', {class: 'note'}, 'Command: ', el('code', {text: command})),
          el('pre', {class: 'scroll', tabindex: 0, 'data-scroll': 'scenario'},
             el('code', {text: String(doc.scenario_toml)})),
          el('button', {
            type: 'button',
            class: 'link',
            text: 'Save scenario.toml',
            onclick: () => save('scenario.toml', String(doc.scenario_toml), 'text/plain')
          }));
    }));
    return documents.length > 0;
  },
};
