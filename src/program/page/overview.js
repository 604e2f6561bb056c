// SPDX-License-Identifier: Apache-2.0
// The overview: the scenario, measured quantities beside bounds and identities, a table of runs.

const KINDS = {
  exact: 'exact',
  derived: 'derived',
  rate: 'rate',
  does_not_apply: 'does not apply',
  ceiling: 'before the run'
};
const KIND_HINTS = {
  exact: 'all constants are known',
  derived: 'computed from the algorithm\u2019s own schedule',
  rate: 'only the rate of growth is known, not the constant',
  does_not_apply: 'an assumption fails; the formula\u2019s value is shown in parentheses',
  ceiling: 'a ceiling that follows from the scenario alone'
};
const STRENGTHS = {
  always: 'always',
  with_probability: 'with high probability',
  order_only: 'unknown constant'
};
const SIDES = {
  upper: '≤',
  lower: '≥',
  equal: '='
};

/// Tooltips for regrets. A functional bandit has a single agent, so there is no mean over clients.
const QUANTITY_HINTS = {
  'cumulative regret': 'mean over the clients, against the maximum of their mean objective',
  'local cumulative regret': 'mean over the clients, each against its own maximum',
  'simple regret': 'of the recommendation, against the maximum of the mean objective',
  'local simple regret': 'mean over the clients, each against its own maximum'
};
const hintOf = (name) =>
    state.documents.every(isFunctional) ? null : QUANTITY_HINTS[name] || null;

const FAILED = ['failed', 'violated', 'exceeded'];  // verdicts on thresholds

const openNotes = new Set();

/// [text, tone] of a quantity's badge.
function verdictOf(quantity) {
  const bound = quantity.bound;
  if (!bound) return [DASH, ''];
  if (typeof quantity.verdict === 'string') {
    const text = quantity.verdict;
    return [text, {held: 'good', exceeded: 'warn', violated: 'bad'}[text] || ''];
  }
  if (bound.kind === 'does_not_apply' || bound.strength === 'order_only') return ['not judged', ''];
  if (bound.vacuous && !quantity.exceeded_in) return ['vacuous', ''];
  const n = quantity.exceeded_in || 0, of = object(quantity.measured).n;
  if (!n) return ['held', 'good'];
  const word = bound.strength === 'always' ? 'violated' : 'exceeded';
  return [of > 1 ? `${word} in ${n} of ${of}` : word, word === 'violated' ? 'bad' : 'warn'];
}
const MARKS = {
  good: '✓',
  warn: '!',
  bad: '✗'
};
/// A word with a mark, so that colour isn't the only cue.
const badge = (text, tone) => el(
    'span', {class: `badge ${tone}`, text: [MARKS[tone], text].filter(Boolean).join(' ')});

const warningsOf = (warnings) =>
    list(warnings).map((text) => el('p', {class: 'caution', text: `Warning: ${text}`}));

const pathLabel = (doc) => el('span', {title: titleOf(doc), text: shortPath(titleOf(doc))});

/// A row for each quantity: first those with bounds or without, then identities, which must hold
/// exactly, in a group of their own.
function quantityRows(quantities, key) {
  const rows = quantities.map((quantity, i) => quantityRow(quantity, `${key}/${i}`)),
        isIdentity = quantities.map((quantity) => object(quantity.bound).side === 'equal');
  if (!isIdentity.includes(true)) return rows.flat();
  const head =
      el('tr', {class: 'group'},
         el('th', {scope: 'rowgroup', colspan: 5}, 'identity ',
            el('small', {text: 'a count that must equal its formula'})));
  return [...rows.filter((_, i) => !isIdentity[i]), head, ...rows.filter((_, i) => isIdentity[i])]
      .flat();
}

function quantityRow(quantity, id) {
  const bound = quantity.bound && typeof quantity.bound === 'object' ? quantity.bound : null;
  const name = String(quantity.name), unit = quantity.unit || '', open = openNotes.has(id);
  const [verdict, tone] = verdictOf({...quantity, bound});
  const note = bound ? noteOf(bound) : '';
  const row =
      el('tr', {}, el('th', {scope: 'row', title: hintOf(name), text: name}),
         cell(meanAndInterval(quantity.measured, unit), {class: 'n'}),
         cell(bound ? boundText(bound, unit) : DASH, {
           class: !bound                                        ? 'n none' :
               bound.kind === 'does_not_apply' || bound.vacuous ? 'n faint' :
                                                                  'n'
         }),
         cell(
             bound ? el('button', {
               type: 'button',
               class: 'kind',
               title: note,
               'aria-expanded': String(open),
               'data-key': id,
               onclick: () => {
                 if (!openNotes.delete(id)) openNotes.add(id);
                 overviewSection.update(true);
               },
               text: bound.side === 'equal' ? 'formula' : KINDS[bound.kind] || String(bound.kind)
             }) :
                     ''),
         cell(
             !bound || !verdict             ? '' :
                 bound.side === 'equal' && tone === 'good' ? badge('', tone) :
                                                             badge(verdict, tone)));
  return open ? [row, el('tr', {class: 'noterow'}, cell(note, {colspan: 5}))] : [row];
}

const VACUOUS_HINT = 'Vacuous: no possible outcome could exceed it.';

/// "≤ 19", "≤ 19 (ceiling)", "= 202"; in parentheses if the bound doesn't apply.
function boundText(bound, unit) {
  const value = `${SIDES[bound.side] || ''} ${pretty(bound.value, unit)}`;
  return [
    bound.kind === 'does_not_apply' ? `(${value})` :
        bound.kind === 'ceiling'    ? `${value} (ceiling)` :
                                      value,
    bound.vacuous && el('small', {title: VACUOUS_HINT, text: ' vacuous'})
  ];
}

function noteOf(bound) {
  const hints = [KIND_HINTS[bound.kind], STRENGTHS[bound.strength] || bound.strength];
  return [
    `${KINDS[bound.kind] || bound.kind}: ${hints.filter(Boolean).join('; ')}.`,
    bound.vacuous && VACUOUS_HINT, bound.note
  ].filter(Boolean)
      .join(' ');
}

const overviewSection = {
  id: 'overview',
  title: 'Overview',
  build() {
    this.facts = el('dl', {class: 'facts'});
    this.tables = el('div', {class: 'pair'});
    this.warnings = el('div', {});
    this.settings = el('div', {});
    this.runs = el('div', {});
    return [this.warnings, this.facts, this.settings, this.tables, this.runs];
  },
  update(force) {
    if (!state.documents.length) return false;
    const key = JSON.stringify(state.documents.map(
        (doc) =>
            [titleOf(doc), doc.status, doc.fingerprint, doc.algorithms, doc.thresholds,
             doc.metadata, doc.warnings, list(doc.runs).map((run) => {
               const r = object(run);
               return [
                 r.state, r.status, r.now_virtual_s, r.evaluations, r.rounds, r.report,
                 object(r.regret).cumulative_regret, object(r.regret).simple_regret, totalsOf(r)
               ];
             })]));
    if (!force && key === this.key) return true;
    this.key = key;
    const many = state.documents.length > 1;
    replace(this.facts, many ? [] : this.factsOf(state.documents[0]));
    // Beside a comparison they stand there.
    replace(
        this.warnings,
        many || state.documents[0].study ? [] : warningsOf(state.documents[0].warnings));
    replace(this.settings, this.differences(state.documents.filter((doc) => doc.scenario_toml)));
    replace(
        this.tables,
        state.documents.flatMap(
            (doc, d) =>
                [...this.thresholds(doc, many),
                 ...list(doc.algorithms)
                     .map((algorithm, a) => this.algorithm(doc, d, object(algorithm), a, many))]));
    replace(this.runs, state.documents.map((doc) => this.runTable(doc, many)));
    return true;
  },
  factsOf(doc) {
    const meta = object(doc.metadata),
          clients =
              [...new Set(list(doc.algorithms).map((a) => object(a).clients).filter(isNumber))];
    const fact = (name, value, title) => value !== null && value !== undefined && value !== '' &&
        el('div', {title}, el('dt', {text: name}), el('dd', {text: value}));
    const functional = isFunctional(doc);
    const arms = Math.max(0, ...list(doc.runs).map((run) => armsOf(run).length));
    const shift = doc.heterogeneity && doc.heterogeneity !== 'none' ? `, ${doc.heterogeneity}` : '';
    return [
      fact('objective', doc.objective && `${doc.objective}${shift}`),
      fact('noise', doc.noise && doc.noise !== 'none' ? doc.noise : null),
      functional ? fact('arms', arms) :
                   fact(
                       'clients',
                       clients.length ? (clients.length === 1 ?
                                             clients[0] :
                                             `${Math.min(...clients)} to ${Math.max(...clients)}`) :
                                        null),
      fact(
          functional ? 'pulls' : 'budget per client',
          isNumber(doc.budget) ? significant(doc.budget) : null),
      fact('repetitions', doc.repeat),
      fact('seed', doc.seed),
      fact('fingerprint', doc.fingerprint, 'equal results have equal fingerprints'),
      fact(
          'clock', meta.clock === 'wall' ? 'wall time' : null,
          'real actors in real time: what is called virtual time is the time since the run began'),
      fact('started', meta.start),
      fact('wall-clock time', isNumber(meta.wall_s) ? pretty(meta.wall_s, 's', 3) : null),
      fact(
          'version',
          meta.version && `${meta.version}${meta.commit ? ' (' + meta.commit + ')' : ''}`),
      fact('exit code', isNumber(meta.exit_code) ? meta.exit_code : null),
      fact('not shown', leftOut(doc), 'to keep this page small; the folder has all'),
    ].filter(Boolean);
  },
  differences(documents) {
    if (documents.length < 2) return [];
    const rows = differences(documents);
    return el(
        'article', {class: 'card'}, el('header', {}, el('h3', {text: 'Settings that differ'})),
        rows.length ? table(
                          ['setting', ...documents.map(pathLabel)],
                          rows.map(
                              ({setting, values}) =>
                                  el('tr', {}, el('th', {scope: 'row', text: setting}),
                                     values.map((value) => cell(value ?? DASH)))),
                          {caption: 'Settings that differ', key: 'differing', kind: 'settings'}) :
                      el('p', {class: 'note', text: 'The scenarios are identical.'}));
  },
  algorithm(doc, d, algorithm, a, many) {
    const runs = list(doc.runs).filter((run) => run && run.algorithm === a);
    const figures = list(algorithm.measurements)
                        .concat(list(algorithm.totals))
                        .filter((f) => f && typeof f === 'object');
    const index =
        state.documents.slice(0, d).reduce((n, other) => n + list(other.algorithms).length, a);
    const finished = algorithm.finished || 0, others = algorithm.not_finished || 0;
    const label = String(algorithm.label ?? ''),
          kind = algorithm.kind && algorithm.kind !== label ? ` (${algorithm.kind})` : '';
    // Before the program has ended: the quantities of the runs that have, or the progress of the
    // first ones.
    const ended = runs.filter((run) => run.state === 'over');
    const shown = figures.length ? figures : ended.length ? summaryOf(ended) : progressRows(runs);
    const rows = quantityRows(shown, `${titleOf(doc)}/${a}`);
    const count = figures.length ?
        (others ? `${finished} finished, ${others} not finished` : plural(finished, 'run')) :
        ended.length ? `${ended.length} of ${plural(runs.length, 'run')} ended` :
        runs.length && runs.every((run) => run.state === 'waiting') ? 'waiting' :
                                                                      'in progress';
    const several = shown.some((quantity) => object(quantity.measured).n > 1);
    return el(
        'article', {class: 'card'},
        el('header', {},
           el('h3', {}, sampleOf({index}, true), ' ', label + kind,
              many && el('small', {}, ' ', pathLabel(doc))),
           el('small', {text: count})),
        rows.length ?
            table(
                ['quantity', several ? 'mean' : 'measured', 'bound', 'kind', 'verdict'], rows,
                {
                  caption: `Measured quantities of ${label} and their bounds`,
                  key: `quantities${d}-${a}`,
                  numeric: [1, 2],
                  kind: 'quantities'
                }) :
            el('p', {class: 'note', text: 'Nothing measured yet.'}),
        several && el('p', {class: 'note', text: INTERVAL_LEGEND + '.'}), this.ties(runs));
  },
  ties(runs) {
    const tied = sum(runs.map((run) => run.tied_rounds || 0));
    const rounds = sum(runs.map((run) => run.rounds || 0));
    return tied ? el('p', {
      class: 'note',
      text: `Ties decided who counted in ${significant(tied)} of ${significant(rounds)} rounds.`
    }) :
                  [];
  },
  thresholds(doc, many) {
    const rows = list(doc.thresholds).filter((t) => t && typeof t === 'object');
    if (!rows.length) return [];
    const columns = [...new Set(rows.flatMap(Object.keys))];
    const show = (value) =>
        (isNumber(value)                           ? significant(value) :
             typeof value === 'boolean'            ? (value ? 'yes' : 'no') :
             value === null || value === undefined ? DASH :
             typeof value === 'object'             ? JSON.stringify(value) :
                                                     String(value));
    return [el(
        'article', {class: 'card'},
        el('header', {}, el('h3', {}, 'Thresholds', many && [' · ', pathLabel(doc)])),
        table(
            columns.map((c) => c.replaceAll('_', ' ')),
            rows.map((row) => el('tr', {}, columns.map((c) => {
                       const text = show(row[c]);
                       return cell(
                           ['held', 'passed'].includes(text) ? badge(text, 'good') :
                               FAILED.includes(text)         ? badge(text, 'bad') :
                                                               text);
                     }))),
            {caption: 'Thresholds', key: 'thresholds' + titleOf(doc)}))];
  },
  runTable(doc, many) {
    const runs = list(doc.runs).filter((run) => run && typeof run === 'object');
    if (!runs.length) return null;
    const name = (run) => object(list(doc.algorithms)[run.algorithm]).label ?? run.id;
    const id = 'runs/' + titleOf(doc), live = doc.source === 'live';
    const failed = runs.filter((run) => run.report).length;
    const details = el(
        'details', {
          class: 'card',
          open: live ? !closedDetails.has(id) :
                       openNotes.has(id) || failed > 0 && !closedDetails.has(id)
        },
        el('summary', {
          'data-key': id,
        },
           'Runs', many && [' · ', pathLabel(doc)],
           ` (${runs.length})${failed ? `, ${failed} with a failure report` : ''}`),
        table(
            [
              'algorithm', 'repetition', 'state', 'virtual time', 'evaluations', 'rounds',
              'cumulative regret', 'payload', 'messages', 'acknowledgements', 'drops'
            ],
            runs.flatMap((run) => {
              const totals = totalsOf(run), regret = object(run.regret);
              const status = statusOf(doc, run);
              return [
                el('tr', {'aria-current': run === selectedRun().run ? 'true' : null},
                   el('th', {scope: 'row'}, el('button', {
                        type: 'button',
                        class: 'link',
                        'data-key': 'run/' + run.id,
                        title: 'show this run below',
                        onclick: () => selectRun(doc, run),
                        text: String(name(run))
                      })),
                   cell(run.repetition, {class: 'n'}), cell(badge(status, toneOf(status))),
                   cell(pretty(run.now_virtual_s, 's'), {class: 'n'}),
                   cell(
                       significant(run.evaluations) +
                           (run.state !== 'over' && isNumber(run.evaluations_expected) ?
                                ` of ${significant(run.evaluations_expected)}` :
                                ''),
                       {class: 'n'}),
                   cell(significant(run.rounds), {class: 'n'}),
                   cell(significant(regret.cumulative_regret), {class: 'n'}),
                   cell(pretty(totals.payload, 'bytes'), {class: 'n'}),
                   cell(significant(totals.messages), {class: 'n'}),
                   cell(significant(totals.acknowledgements), {class: 'n'}),
                   cell(significant(totals.dropped), {class: 'n'})),
                run.report && el('tr', {class: 'noterow'}, cell(String(run.report), {colspan: 11}))
              ];
            }),
            {caption: 'Runs', key: id, numeric: [1, 3, 4, 5, 6, 7, 8, 9, 10]}));
    details.addEventListener('toggle', () => {
      if (details.open) {
        openNotes.add(id);
        closedDetails.delete(id);
      } else {
        openNotes.delete(id);
        closedDetails.add(id);
      }
    });
    return details;
  },
};
const closedDetails = new Set();

/// The quantities of several runs, summarised as in results.json.
function summaryOf(runs) {
  const byName = new Map();
  for (const quantity of runs.flatMap((run) => list(run.measurements))
           .filter((q) => q && typeof q === 'object'))
    byName.set(quantity.name, (byName.get(quantity.name) || []).concat([quantity]));
  return [...byName.values()].map((same) => {
    const bounds = same.map((q) => q.bound).filter((b) => b && isNumber(b.value));
    return {
      name: same[0].name,
      unit: same[0].unit,
      measured: statistics(same.map((q) => q.measured).filter(isNumber)),
      bound: bounds.length ? meanBound(bounds) : same[0].bound,
      exceeded_in: same.filter((q) => q.verdict === 'exceeded' || q.verdict === 'violated').length
    };
  });
}

/// Measurements of unfinished runs beside the ceilings that are known before a run.
function progressRows(runs) {
  const begun = runs.filter((run) => run.state !== 'waiting');
  if (!begun.length) return [];
  const mean = (of) => statistics(begun.map(of).filter(isNumber));
  const ceiling = (name, note = '') => {
    const {n, mean: value} = statistics(
        begun.map((run) => object(run.forecast)[name]).filter((v) => isNumber(v) && v > 0));
    return n ? {value, side: 'upper', kind: 'ceiling', strength: '', note} : null;
  };
  const firstOnly = 'Acknowledgements and retransmissions are not counted.';
  const rows = [
    {
      name: 'evaluations',
      unit: '',
      measured: mean((r) => r.evaluations),
      bound: ceiling('evaluations')
    },
    {name: 'rounds', unit: '', measured: mean((r) => r.rounds), bound: ceiling('rounds')},
    {
      name: 'messages',
      unit: '',
      measured: mean((r) => totalsOf(r).messages),
      bound: ceiling('messages', firstOnly)
    },
    {
      name: 'payload',
      unit: 'bytes',
      measured: mean((r) => totalsOf(r).payload),
      bound: ceiling('payload_bytes', firstOnly)
    },
    {name: 'dropped copies', unit: '', measured: mean((r) => totalsOf(r).dropped), bound: null},
    {
      name: 'cumulative regret',
      unit: '',
      measured: mean((r) => object(r.regret).cumulative_regret),
      bound: null
    },
    {
      name: 'simple regret',
      unit: '',
      measured: mean((r) => object(r.regret).simple_regret),
      bound: null
    },
    {name: 'virtual time', unit: 's', measured: mean((r) => r.now_virtual_s), bound: null},
  ];
  return rows.filter((row) => row.measured.n > 0)
      .map((row) => (row.bound ? {...row, verdict: ''} : row));
}
