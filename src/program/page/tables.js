// Sections that are plain tables: comparison, interventions, the scenario.

/// Leaves out local regrets that equal the others, as they do when all clients are alike.
function withoutEqualLocals(comparisons) {
  const means = (c) =>
      JSON.stringify([c.evaluations, list(c.algorithms).map((s) => object(s).mean)]);
  const all = new Set(comparisons.map((c) => c.metric + means(c)));
  return comparisons.filter((c) => {
    const metric = String(c.metric);
    return !(metric.startsWith('local_') && all.has(metric.slice('local_'.length) + means(c)));
  });
}

const comparisonSection = {
  id: 'comparison',
  title: 'Comparison',
  build() {
    this.root = el('div', {});
    return [this.root];
  },
  update() {
    const documents = state.documents.filter((doc) => list(doc.comparisons).length);
    if (!documents.length) return false;
    const key = JSON.stringify(documents.map((doc) => [titleOf(doc), doc.comparisons]));
    if (key === this.key) return true;
    this.key = key;
    replace(this.root, documents.map((doc) => this.card(doc)));
    return true;
  },
  card(doc) {
    const all = withoutEqualLocals(
        list(doc.comparisons).filter((c) => list(object(c).algorithms).length));
    const final = all.filter((c) => !isNumber(c.evaluations)),
          checkpoints = all.filter((c) => isNumber(c.evaluations));
    const repetitions = Math.max(0, ...all.map((c) => c.repetitions || 0)), title = titleOf(doc);
    const head = ['quantity', 'algorithm', 'mean ± sd', 'above the best (95 %)', 'mean rank'];
    const rows = (some) => some.flatMap((c) => this.rows(c));
    return el(
        'article', {class: 'card'},
        state.documents.length > 1 && el('header', {}, el('h3', {}, pathLabel(doc))),
        table(
            head, rows(final),
            {caption: 'Comparison', key: 'comparison' + title, numeric: [2, 3, 4]}),
        checkpoints.length > 0 &&
            el('details', {}, el('summary', {text: `At fractions of the budget (${checkpoints.length})`}),
               table(head, rows(checkpoints), {
                 caption: 'Comparison at fractions of the budget',
                 key: 'checkpoints' + title,
                 numeric: [2, 3, 4]
               })),
        el('p', {
          class: 'note',
          text: `Paired over ${
              plural(
                  repetitions,
                  'repetition')}: in each, all algorithms face the same random numbers.`
        }));
  },
  rows(c) {
    const unit = c.unit || '',
          name = String(c.metric || '').replace(/_(s|bytes)$/, '').replaceAll('_', ' ');
    const standings = list(c.algorithms).map(object);
    const at = isNumber(c.evaluations) &&
        ` at ${significant(c.evaluations)} ${abscissaLabel('evaluations')}`;
    const what =
        el('th', {scope: 'rowgroup', rowspan: standings.length, title: hintOf(name)}, name,
           at && el('small', {text: at}));
    const equal = standings.length > 1 && new Set(standings.map((s) => s.mean)).size === 1;
    if (equal) {
      what.rowSpan = 1;
      return [el(
          'tr', {}, what, cell('all'),
          cell(
              meanAndSd({n: c.repetitions, mean: standings[0].mean, sd: standings[0].sd}, unit),
              {class: 'n'}),
          cell('equal', {class: 'n faint'}), cell(''))];
    }
    standings.sort((a, b) => (a.mean_rank ?? 0) - (b.mean_rank ?? 0));
    return standings.map((s, i) => {
      const difference = object(s.minus_best), interval = list(difference.interval_95),
            best = s.algorithm === c.best;
      return el(
          'tr', {class: i ? 'same' : null}, i === 0 && what, el('td', {text: String(s.algorithm)}),
          cell(meanAndSd({n: c.repetitions, mean: s.mean, sd: s.sd}, unit), {class: 'n'}),
          cell(
              best ? badge(c.clear ? 'clearly best' : 'best, but not clearly', c.clear ? 'good' : '') :
                  isNumber(difference.mean) ? pretty(difference.mean, unit, 3) +
                      (interval.length === 2 ?
                           ` (${pretty(interval[0], unit, 3)} to ${pretty(interval[1], unit, 3)})` :
                           '') :
                                              DASH,
              {class: 'n'}),
          cell(significant(s.mean_rank, 3), {class: 'n'}));
    });
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
    const groups = (i) => list(i.groups).map((g) => list(g).join(', ')).join(' | ');
    replace(
        this.root,
        table(
            ['virtual time', 'action', 'run', 'between'],
            rows.map(
                (i) =>
                    el('tr', {}, cell(pretty(i.virtual_s, 's', 6), {class: 'n'}),
                       cell(String(i.action ?? '')), cell(String(i.run || 'all')),
                       cell(groups(i) || DASH))),
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
