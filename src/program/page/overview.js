// The overview: what was run, figures beside what theory says about them, every run in a line.

const KINDS = {
  exact: 'exact',
  derived: 'derived',
  rate: 'rate',
  does_not_apply: 'does not apply',
  forecast: 'forecast'
};
const KIND_HINTS = {
  exact: 'all constants are known',
  derived: 'from the algorithm\u2019s own schedule',
  rate: 'its constant is fitted',
  does_not_apply: 'an assumption fails; the formula\u2019s value is given still',
  forecast: 'made before the run'
};
const STRENGTHS = {
  always: 'always',
  with_probability: 'with high probability',
  order_only: 'order only'
};
const SIDES = {
  upper: '≤',
  lower: '≥',
  equal: '=',
  about: '≈'
};

const FAILED = ['failed', 'violated', 'exceeded'];  // of thresholds

const openNotes = new Set();

/// A badge with a word and a shape, so that colour isn't all that tells.
function verdictOf(figure) {
  const bound = figure.bound;
  if (!bound) return [DASH, ''];
  if (typeof figure.verdict === 'string') {
    const text = figure.verdict;
    return [text, {held: 'good', exceeded: 'warn', violated: 'bad'}[text] || ''];
  }
  if (bound.kind === 'does_not_apply' || bound.strength === 'order_only') return ['not judged', ''];
  const n = figure.exceeded_in || 0, of = object(figure.measured).n;
  if (!n) return ['held', 'good'];
  const word = bound.strength === 'always' ? 'violated' : 'exceeded';
  return [of > 1 ? `${word} in ${n} of ${of}` : word, word === 'violated' ? 'bad' : 'warn'];
}
const badge = (text, tone) => el('span', {
  class: `badge ${tone}`,
  text: {good: '✓ ', warn: '! ', bad: '✗ '}[tone] ?
      {good: '✓ ', warn: '! ', bad: '✗ '}[tone] + text :
      text
});

const placeOf = (doc) => el('span', {title: titleOf(doc), text: shortPath(titleOf(doc))});

function figureRows(figures, key) {
  return figures.flatMap((figure, i) => {
    const bound = figure.bound && typeof figure.bound === 'object' ? figure.bound : null;
    const id = `${key}/${i}`, unit = figure.unit || '';
    const [verdict, tone] = verdictOf({...figure, bound});
    const open = openNotes.has(id);
    const note = bound ?
        `${KINDS[bound.kind] || bound.kind}: ${
                [KIND_HINTS[bound.kind], STRENGTHS[bound.strength] || bound.strength]
                    .filter(Boolean)
                    .join('; ')}. ${bound.note || ''}` :
        '';
    const value = bound && `${SIDES[bound.side] || ''} ${pretty(bound.value, unit)}`;
    const row =
        el('tr', {}, el('th', {scope: 'row', text: String(figure.name)}),
           cell(meanAndSd(figure.measured, unit), {class: 'n'}),
           cell(
               bound ? (bound.kind === 'does_not_apply' ? `(${value})` : value) : DASH,
               {class: !bound                       ? 'n none' :
                    bound.kind === 'does_not_apply' ? 'n faint' :
                                                      'n'}),
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
                 text: KINDS[bound.kind] || String(bound.kind)
               }) :
                       ''),
           cell(bound && verdict ? badge(verdict, tone) : ''));
    return open ? [row, el('tr', {class: 'noterow'}, cell(note, {colspan: 5}))] : [row];
  });
}

const overviewSection = {
  id: 'overview',
  title: 'Overview',
  build() {
    this.facts = el('dl', {class: 'facts'});
    this.tables = el('div', {class: 'pair'});
    this.settings = el('div', {});
    this.runs = el('div', {});
    return [this.facts, this.settings, this.tables, this.runs];
  },
  update(force) {
    if (!state.documents.length) return false;
    const key = JSON.stringify(state.documents.map(
        (doc) =>
            [titleOf(doc), doc.status, doc.fingerprint, doc.algorithms, doc.thresholds,
             doc.metadata, list(doc.runs).map((run) => {
               const r = object(run);
               return [
                 r.state, r.status, r.now_virtual_s, r.evaluations, r.rounds, r.report,
                 object(r.regret).cumulative_global, object(r.regret).simple_global, totalsOf(r)
               ];
             })]));
    if (!force && key === this.key) return true;
    this.key = key;
    const many = state.documents.length > 1;
    replace(this.facts, many ? [] : this.factsOf(state.documents[0]));
    replace(this.settings, this.differing(state.documents.filter((doc) => doc.scenario_toml)));
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
    const arms = Math.max(0, ...list(doc.runs).map((run) => list(object(run).arms).length));
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
      fact('fingerprint', doc.fingerprint, 'equal for equal runs'),
      fact('started', meta.started),
      fact('wall time', isNumber(meta.wall_s) ? pretty(meta.wall_s, 's', 3) : null),
      fact(
          'version',
          meta.version && `${meta.version}${meta.commit ? ' (' + meta.commit + ')' : ''}`),
      fact('exit code', isNumber(meta.exit_code) ? meta.exit_code : null),
      fact(
          'left out',
          doc.runs_left_out > 0 ? `${plural(doc.runs_left_out, 'run')}, for size` : null),
    ].filter(Boolean);
  },
  differing(documents) {
    if (documents.length < 2) return [];
    const rows = differences(documents);
    return el(
        'article', {class: 'card'}, el('header', {}, el('h3', {text: 'What differs'})),
        rows.length ? table(
                          ['setting', ...documents.map(placeOf)],
                          rows.map(
                              ({setting, values}) =>
                                  el('tr', {}, el('th', {scope: 'row', text: setting}),
                                     values.map((value) => cell(value ?? DASH)))),
                          {caption: 'Settings that differ', key: 'differing', kind: 'settings'}) :
                      el('p', {class: 'note', text: 'The scenarios are the same.'}));
  },
  algorithm(doc, d, algorithm, a, many) {
    const runs = list(doc.runs).filter((run) => run && run.algorithm === a);
    const figures = list(algorithm.figures)
                        .concat(list(algorithm.totals))
                        .filter((f) => f && typeof f === 'object');
    const index =
        state.documents.slice(0, d).reduce((n, other) => n + list(other.algorithms).length, a);
    const finished = algorithm.finished || 0, others = algorithm.not_finished || 0;
    const label = String(algorithm.label ?? ''),
          kind = algorithm.kind && algorithm.kind !== label ? ` (${algorithm.kind})` : '';
    // While runs go on: the figures of those that are over, or what the first ones have done so
    // far.
    const over = runs.filter((run) => run.state === 'over');
    const shown = figures.length ? figures : over.length ? figuresOf(over) : soFar(runs);
    const rows = figureRows(shown, `${titleOf(doc)}/${a}`);
    const count = figures.length ?
        (others ? `${finished} finished, ${others} not` : plural(finished, 'run')) :
        over.length ? `${over.length} of ${plural(runs.length, 'run')} over` :
                      'so far';
    const several = shown.some((f) => object(f.measured).n > 1);
    return el(
        'article', {class: 'card'},
        el('header', {},
           el('h3', {}, sampleOf({index}, true), ' ', label + kind,
              many && el('small', {}, ' ', placeOf(doc))),
           el('small', {text: count})),
        rows.length ?
            table(
                ['figure', several ? 'mean ± sd' : 'measured', 'bound', 'kind', 'verdict'], rows, {
                  caption: `Figures of ${label} beside their bounds`,
                  key: `figures${d}-${a}`,
                  numeric: [1, 2],
                  kind: 'figures'
                }) :
            el('p', {class: 'note', text: 'Nothing measured yet.'}));
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
        el('header', {}, el('h3', {}, 'Thresholds', many && [' · ', placeOf(doc)])),
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
    const troubled = runs.filter((run) => run.report).length;
    const details = el(
        'details', {
          class: 'card',
          open: live ? !closedDetails.has(id) :
                       openNotes.has(id) || troubled > 0 && !closedDetails.has(id)
        },
        el('summary', {
          'data-key': id,
        },
           'Runs', many && [' · ', placeOf(doc)],
           ` (${runs.length})${troubled ? `, ${troubled} with a report` : ''}`),
        table(
            [
              'algorithm', 'rep.', 'state', 'virtual time', 'evaluations', 'rounds', 'regret',
              'messages', 'acks', 'payload', 'drops'
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
                   cell(significant(regret.cumulative_global), {class: 'n'}),
                   cell(significant(totals.messages), {class: 'n'}),
                   cell(significant(totals.acknowledgements), {class: 'n'}),
                   cell(pretty(totals.payload, 'bytes'), {class: 'n'}),
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

/// The figures of runs that are over, put together as results.json has them.
function figuresOf(runs) {
  const names = new Map();
  for (const figure of runs.flatMap((run) => list(run.figures))
           .filter((f) => f && typeof f === 'object'))
    names.set(figure.name, (names.get(figure.name) || []).concat([figure]));
  return [...names.values()].map((same) => {
    const bounds = same.map((f) => f.bound).filter((b) => b && isNumber(b.value));
    return {
      name: same[0].name,
      unit: same[0].unit,
      measured: statistics(same.map((f) => f.measured).filter(isNumber)),
      bound: bounds.length ?
          {...bounds[0], value: sum(bounds.map((b) => b.value)) / bounds.length} :
          same[0].bound,
      exceeded_in: same.filter((f) => f.verdict === 'exceeded' || f.verdict === 'violated').length
    };
  });
}

/// What is measured of runs under way, beside what was forecast.
function soFar(runs) {
  const begun = runs.filter((run) => run.state !== 'waiting');
  if (!begun.length) return [];
  const mean = (of) => statistics(begun.map(of).filter(isNumber));
  const forecast = (name) => {
    const s = statistics(
        begun.map((run) => object(run.forecast)[name]).filter((v) => isNumber(v) && v > 0));
    return s.n ? {
      value: s.mean,
      side: name === 'rounds' ? 'upper' : 'about',
      kind: 'forecast',
      strength: '',
      note: name === 'rounds' ? 'A ceiling.' : ''
    } :
                 null;
  };
  const rows = [
    {
      name: 'evaluations',
      unit: '',
      measured: mean((r) => r.evaluations),
      bound: forecast('evaluations')
    },
    {name: 'rounds', unit: '', measured: mean((r) => r.rounds), bound: forecast('rounds')},
    {
      name: 'messages',
      unit: '',
      measured: mean((r) => totalsOf(r).messages),
      bound: forecast('messages')
    },
    {
      name: 'payload',
      unit: 'bytes',
      measured: mean((r) => totalsOf(r).payload),
      bound: forecast('bytes')
    },
    {name: 'dropped copies', unit: '', measured: mean((r) => totalsOf(r).dropped), bound: null},
    {
      name: 'cumulative regret',
      unit: '',
      measured: mean((r) => object(r.regret).cumulative_global),
      bound: null
    },
    {
      name: 'simple regret',
      unit: '',
      measured: mean((r) => object(r.regret).simple_global),
      bound: null
    },
    {name: 'virtual time', unit: 's', measured: mean((r) => r.now_virtual_s), bound: null},
  ];
  return rows.filter((row) => row.measured.n > 0)
      .map((row) => (row.bound ? {...row, verdict: ''} : row));
}
