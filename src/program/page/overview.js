// The sections that are tables: figures beside theory, runs, comparisons, interventions, scenario.

const KINDS = {exact: 'exact', derived: 'derived', rate: 'rate', does_not_apply: 'does not apply'};
const KIND_HINTS = {exact: 'all constants are known', derived: 'from the algorithm\u2019s own schedule', rate: 'its constant is fitted',
  does_not_apply: 'an assumption fails; the formula\u2019s value is given still'};
const STRENGTHS = {always: 'always', with_probability: 'with high probability', order_only: 'order only'};
const SIDES = {upper: '≤', lower: '≥', equal: '='};

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
const badge = (text, tone) => el('span', {class: `badge ${tone}`, text: {good: '✓ ', warn: '! ', bad: '✗ '}[tone] ? {good: '✓ ', warn: '! ', bad: '✗ '}[tone] + text : text});

function figureRows(figures, key) {
  return figures.flatMap((figure, i) => {
    const bound = figure.bound && typeof figure.bound === 'object' ? figure.bound : null;
    const id = `${key}/${i}`, unit = figure.unit || '';
    const [verdict, tone] = verdictOf({...figure, bound});
    const open = openNotes.has(id);
    const note = bound ? `${KINDS[bound.kind] || bound.kind}: ${KIND_HINTS[bound.kind] || ''}; ${STRENGTHS[bound.strength] || bound.strength || ''}. ${bound.note || ''}` : '';
    const value = bound && `${SIDES[bound.side] || ''} ${pretty(bound.value, unit)}`;
    const row = el('tr', {},
      el('th', {scope: 'row', text: String(figure.name)}), cell(meanAndSd(figure.measured, unit), {class: 'n'}),
      cell(bound ? (bound.kind === 'does_not_apply' ? `(${value})` : value) : DASH, {class: bound && bound.kind === 'does_not_apply' ? 'n faint' : 'n'}),
      cell(bound ? el('button', {type: 'button', class: 'kind', title: note, 'aria-expanded': String(open), 'data-key': id,
        onclick: () => { if (!openNotes.delete(id)) openNotes.add(id); overviewSection.update(true); }, text: KINDS[bound.kind] || String(bound.kind)}) : ''),
      cell(bound ? badge(verdict, tone) : ''));
    return open ? [row, el('tr', {class: 'noterow'}, cell(note, {colspan: 5}))] : [row];
  });
}

const overviewSection = {
  id: 'overview', title: 'Overview',
  build() {
    this.facts = el('dl', {class: 'facts'});
    this.tables = el('div', {class: 'pair'});
    this.runs = el('div', {});
    return [this.facts, this.tables, this.runs];
  },
  update(force) {
    if (!state.documents.length) return false;
    const key = JSON.stringify(state.documents.map((doc) => [doc.title, doc.status, doc.fingerprint, doc.algorithms, doc.thresholds, doc.metadata,
      list(doc.runs).map((run) => {
        const r = object(run);
        return [r.state, r.status, r.now_virtual_s, r.evaluations, r.rounds, r.report, object(r.regret).cumulative_global, object(r.regret).simple_global, totalsOf(r)];
      })]));
    if (!force && key === this.key) return true;
    this.key = key;
    const many = state.documents.length > 1;
    replace(this.facts, many ? [] : this.factsOf(state.documents[0]));
    replace(this.tables, state.documents.flatMap((doc, d) => [...this.thresholds(doc, many), ...list(doc.algorithms).map((algorithm, a) => this.algorithm(doc, d, object(algorithm), a, many))]));
    replace(this.runs, state.documents.map((doc) => this.runTable(doc, many)));
    return true;
  },
  factsOf(doc) {
    const meta = object(doc.metadata), clients = [...new Set(list(doc.algorithms).map((a) => object(a).clients).filter(isNumber))];
    const fact = (name, value, title) => value !== null && value !== undefined && value !== '' &&
      el('div', {title}, el('dt', {text: name}), el('dd', {text: value}));
    const functional = isFunctional(doc);
    const shift = doc.heterogeneity && doc.heterogeneity !== 'none' ? `, ${doc.heterogeneity}` : '';
    return [
      fact('objective', doc.objective && `${doc.objective}${shift}`), fact('noise', doc.noise && doc.noise !== 'none' ? doc.noise : null),
      fact(functional ? 'arms' : 'clients', clients.length ? (clients.length === 1 ? clients[0] : `${Math.min(...clients)} to ${Math.max(...clients)}`) : null),
      fact(functional ? 'pulls' : 'budget per client', isNumber(doc.budget) ? significant(doc.budget) : null),
      fact('repetitions', doc.repeat), fact('seed', doc.seed), fact('fingerprint', doc.fingerprint, 'equal for equal runs'),
      fact('started', meta.started), fact('wall time', isNumber(meta.wall_s) ? pretty(meta.wall_s, 's', 3) : null),
      fact('version', meta.version && `${meta.version}${meta.commit ? ' (' + meta.commit + ')' : ''}`),
      fact('exit code', isNumber(meta.exit_code) ? meta.exit_code : null),
      fact('left out', doc.runs_left_out > 0 ? `${plural(doc.runs_left_out, 'run')}, for size` : null),
    ].filter(Boolean);
  },
  algorithm(doc, d, algorithm, a, many) {
    const runs = list(doc.runs).filter((run) => run && run.algorithm === a);
    const figures = list(algorithm.figures).concat(list(algorithm.totals)).filter((f) => f && typeof f === 'object');
    const index = state.documents.slice(0, d).reduce((n, other) => n + list(other.algorithms).length, a);
    const finished = algorithm.finished || 0, others = algorithm.not_finished || 0;
    const label = String(algorithm.label ?? ''), kind = algorithm.kind && algorithm.kind !== label ? ` (${algorithm.kind})` : '';
    const rows = figures.length ? figureRows(figures, `${titleOf(doc)}/${a}`) : figureRows(soFar(runs), `${titleOf(doc)}/${a}/so-far`);
    return el('article', {class: 'card'},
      el('header', {}, el('h3', {}, sampleOf({index}, true), ' ', label + kind, many && el('small', {text: ' ' + titleOf(doc)})),
        el('small', {text: figures.length ? (others ? `${finished} finished, ${others} not` : plural(finished, 'run')) : 'so far'})),
      rows.length ? table(['figure', figures.length && finished > 1 ? 'mean ± sd' : 'measured', 'bound', 'kind', 'verdict'], rows,
        {caption: `Figures of ${label} beside their bounds`, key: `figures${d}-${a}`, numeric: [1, 2]}) : el('p', {class: 'note', text: 'Nothing measured yet.'}));
  },
  thresholds(doc, many) {
    const rows = list(doc.thresholds).filter((t) => t && typeof t === 'object');
    if (!rows.length) return [];
    const columns = [...new Set(rows.flatMap(Object.keys))];
    const show = (value) => (isNumber(value) ? significant(value) : typeof value === 'boolean' ? (value ? 'yes' : 'no') : value === null || value === undefined ? DASH : typeof value === 'object' ? JSON.stringify(value) : String(value));
    return [el('article', {class: 'card'}, el('header', {}, el('h3', {text: 'Thresholds' + (many ? ' · ' + titleOf(doc) : '')})),
      table(columns.map((c) => c.replaceAll('_', ' ')), rows.map((row) => el('tr', {}, columns.map((c) => {
        const text = show(row[c]);
        return cell(['held', 'passed'].includes(text) ? badge(text, 'good') : ['failed', 'violated', 'exceeded'].includes(text) ? badge(text, 'bad') : text);
      }))), {caption: 'Thresholds', key: 'thresholds' + titleOf(doc)}))];
  },
  runTable(doc, many) {
    const runs = list(doc.runs).filter((run) => run && typeof run === 'object');
    if (!runs.length) return null;
    const name = (run) => object(list(doc.algorithms)[run.algorithm]).label ?? run.id;
    const id = 'runs/' + titleOf(doc), live = doc.source === 'live';
    const troubled = runs.filter((run) => run.report).length;
    const details = el('details', {class: 'card', open: live ? !closedDetails.has(id) : openNotes.has(id) || troubled > 0 && !closedDetails.has(id)},
      el('summary', {'data-key': id, text: `Runs${many ? ' · ' + titleOf(doc) : ''} (${runs.length})${troubled ? `, ${troubled} with a report` : ''}`}),
      table(['algorithm', 'rep.', 'state', 'virtual time', 'evaluations', 'rounds', 'regret', 'messages', 'payload', 'drops'], runs.flatMap((run) => {
        const totals = totalsOf(run), regret = object(run.regret);
        const status = run.state === 'over' && run.status ? run.status : run.state || DASH;
        const tone = status === 'finished' ? 'good' : ['running', 'waiting', 'paused', DASH].includes(status) ? '' : 'bad';
        return [el('tr', {'aria-current': run === selectedRun().run ? 'true' : null},
          el('th', {scope: 'row'}, el('button', {type: 'button', class: 'link', 'data-key': 'run/' + run.id, title: 'show this run below',
            onclick: () => selectRun(doc, run), text: String(name(run))})),
          cell(run.repetition, {class: 'n'}), cell(badge(String(status), tone)), cell(pretty(run.now_virtual_s, 's'), {class: 'n'}),
          cell(significant(run.evaluations) + (run.state !== 'over' && isNumber(run.evaluations_expected) ? ` of ${significant(run.evaluations_expected)}` : ''), {class: 'n'}),
          cell(significant(run.rounds), {class: 'n'}), cell(significant(regret.cumulative_global), {class: 'n'}), cell(significant(totals.sent), {class: 'n'}),
          cell(pretty(totals.bytes, 'bytes'), {class: 'n'}), cell(significant(totals.dropped), {class: 'n'})),
        run.report && el('tr', {class: 'noterow'}, cell(String(run.report), {colspan: 10}))];
      }), {caption: 'Runs', key: id, numeric: [1, 3, 4, 5, 6, 7, 8, 9]}));
    details.addEventListener('toggle', () => {
      if (details.open) { openNotes.add(id); closedDetails.delete(id); } else { openNotes.delete(id); closedDetails.add(id); }
    });
    return details;
  },
};
const closedDetails = new Set();

/// What is measured of runs under way, beside what was forecast.
function soFar(runs) {
  const begun = runs.filter((run) => run.state !== 'waiting');
  if (!begun.length) return [];
  const mean = (of) => statistics(begun.map(of).filter(isNumber));
  const forecast = (name) => {
    const s = statistics(begun.map((run) => object(run.forecast)[name]).filter((v) => isNumber(v) && v > 0));
    return s.n ? {value: s.mean, side: 'upper', kind: 'derived', strength: 'order_only', note: 'Forecast before the run.'} : null;
  };
  const rows = [
    {name: 'evaluations', unit: '', measured: mean((r) => r.evaluations), bound: forecast('evaluations')},
    {name: 'rounds', unit: '', measured: mean((r) => r.rounds), bound: forecast('rounds')},
    {name: 'messages', unit: '', measured: mean((r) => totalsOf(r).sent), bound: forecast('messages')},
    {name: 'payload', unit: 'bytes', measured: mean((r) => totalsOf(r).bytes), bound: forecast('bytes')},
    {name: 'dropped copies', unit: '', measured: mean((r) => totalsOf(r).dropped), bound: null},
    {name: 'cumulative regret', unit: '', measured: mean((r) => object(r.regret).cumulative_global), bound: null},
    {name: 'simple regret', unit: '', measured: mean((r) => object(r.regret).simple_global), bound: null},
    {name: 'virtual time', unit: 's', measured: mean((r) => r.now_virtual_s), bound: null},
  ];
  return rows.filter((row) => row.measured.n > 0).map((row) => (row.bound ? {...row, verdict: 'forecast'} : row));
}

// ---- comparison -----------------------------------------------------------------------------------------

const comparisonSection = {
  id: 'comparison', title: 'Comparison',
  build() {
    this.root = el('div', {});
    return [this.root];
  },
  update() {
    const documents = state.documents.filter((doc) => list(doc.comparisons).length);
    if (!documents.length) return false;
    const key = JSON.stringify(documents.map((doc) => [doc.title, doc.comparisons]));
    if (key === this.key) return true;
    this.key = key;
    replace(this.root, documents.map((doc) => this.card(doc)));
    return true;
  },
  card(doc) {
    const all = list(doc.comparisons).filter((c) => list(object(c).algorithms).length);
    const final = all.filter((c) => !isNumber(c.evaluations)), along = all.filter((c) => isNumber(c.evaluations));
    const repetitions = Math.max(0, ...all.map((c) => c.repetitions || 0)), title = titleOf(doc);
    const head = ['metric', 'algorithm', 'mean ± sd', 'above the best (95 %)', 'rank'];
    const rows = (some) => some.flatMap((c) => this.rows(c));
    return el('article', {class: 'card'},
      state.documents.length > 1 && el('header', {}, el('h3', {text: title})),
      table(head, rows(final), {caption: 'Comparison', key: 'comparison' + title, numeric: [2, 3, 4]}),
      along.length > 0 && el('details', {}, el('summary', {text: `Along the way (${along.length})`}),
        table(head, rows(along), {caption: 'Comparison along the way', key: 'along' + title, numeric: [2, 3, 4]})),
      el('p', {class: 'note', text: `Paired over ${plural(repetitions, 'repetition')}: in each, all algorithms face the same random numbers.`}));
  },
  rows(c) {
    const unit = c.unit || '', name = String(c.metric || '').replace(/_(s|bytes)$/, '').replaceAll('_', ' ');
    const standings = list(c.algorithms).map(object);
    const what = el('th', {scope: 'rowgroup', rowspan: standings.length}, name, isNumber(c.evaluations) && el('small', {text: ` at ${significant(c.evaluations)}`}));
    const equal = standings.length > 1 && new Set(standings.map((s) => s.mean)).size === 1;
    if (equal) {
      what.rowSpan = 1;
      return [el('tr', {class: 'first'}, what, cell('all'), cell(meanAndSd({n: c.repetitions, mean: standings[0].mean, sd: standings[0].sd}, unit), {class: 'n'}), cell('equal', {class: 'n faint'}), cell(''))];
    }
    standings.sort((a, b) => (a.mean_rank ?? 0) - (b.mean_rank ?? 0));
    return standings.map((s, i) => {
      const difference = object(s.minus_best), interval = list(difference.interval_95), best = s.algorithm === c.best;
      return el('tr', {class: i ? null : 'first'}, i === 0 && what,
        el('td', {text: String(s.algorithm)}), cell(meanAndSd({n: c.repetitions, mean: s.mean, sd: s.sd}, unit), {class: 'n'}),
        cell(best ? badge(c.clear ? 'clearly best' : 'best, not clearly', c.clear ? 'good' : '') : isNumber(difference.mean)
          ? pretty(difference.mean, unit, 3) + (interval.length === 2 ? ` (${pretty(interval[0], unit, 3)} to ${pretty(interval[1], unit, 3)})` : '') : DASH, {class: 'n'}),
        cell(significant(s.mean_rank, 3), {class: 'n'}));
    });
  },
};

// ---- interventions, scenario -------------------------------------------------------------------------------

const interventionsSection = {
  id: 'interventions', title: 'Interventions',
  build() {
    this.root = el('div', {class: 'card'});
    return [this.root];
  },
  update() {
    const rows = state.documents.flatMap((doc) => list(doc.interventions).filter((i) => i && typeof i === 'object'));
    if (!rows.length) return false;
    const key = JSON.stringify(rows);
    if (key === this.key) return true;
    this.key = key;
    const groups = (i) => list(i.groups).map((g) => list(g).join(', ')).join(' | ');
    replace(this.root, table(['virtual time', 'action', 'run', 'between'], rows.map((i) => el('tr', {}, cell(pretty(i.virtual_s, 's', 6), {class: 'n'}),
      cell(String(i.action ?? '')), cell(String(i.run || 'all')), cell(groups(i) || DASH))), {caption: 'Interventions', numeric: [0]}),
      el('p', {class: 'note', text: 'They are kept in the run folder with their virtual time, so the run can be repeated with them.'}));
    return true;
  },
};

const scenarioSection = {
  id: 'scenario', title: 'Scenario',
  build() {
    this.root = el('div', {});
    return [this.root];
  },
  update() {
    const documents = state.documents.filter((doc) => doc.scenario_toml);
    const key = JSON.stringify(documents.map((doc) => [doc.title, doc.scenario_toml, object(doc.metadata).command_line]));
    if (key === this.key) return documents.length > 0;
    this.key = key;
    replace(this.root, documents.map((doc) => {
      const command = list(object(doc.metadata).command_line).join(' ');
      return el('details', {class: 'card'}, el('summary', {text: documents.length > 1 ? titleOf(doc) : 'The resolved scenario, as it can be run again'}),
        command && el('p', {class: 'note'}, 'Command: ', el('code', {text: command})),
        el('pre', {class: 'scroll', tabindex: 0, 'data-scroll': 'scenario'}, el('code', {text: String(doc.scenario_toml)})),
        el('button', {type: 'button', class: 'link', text: 'Save scenario.toml', onclick: () => save('scenario.toml', String(doc.scenario_toml), 'text/plain')}));
    }));
    return documents.length > 0;
  },
};
