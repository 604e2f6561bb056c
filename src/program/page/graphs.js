// SPDX-License-Identifier: Apache-2.0
// The chart sections: regret, communication, breakdown by round.

const view = {
  regret: {metric: 'cumulative', scope: 'global', x: 'evaluations', logx: null, logy: null},
  copies: {what: 'bytes-by-type', algorithm: 'all'},
  traffic: {y: 'communication', logx: null, logy: null},
  rounds: {what: 'path'},
  arms: {what: 'pulls'},
};

const SCOPE_HINTS = {
  global: 'against the maximum of the clients\u2019 mean objective',
  local: 'against each client\u2019s own maximum'
};

/// What the bands are, and what is drawn apart from them.
function chartNote(chart) {
  const {band, series, note} = chart;
  return [
    band ? `${band[0].toUpperCase()}${band.slice(1)}.` :
           Math.max(0, ...series.map((s) => s.repetitions || 0)) < 2 && 'A single repetition.',
    series.some((s) => s.plain) && 'Dashed: runs that have not finished, which are in no mean.',
    series.some((s) => s.bound) && 'Long dashes: bounds at the end of the run.',
    note && `${note[0].toUpperCase()}${note.slice(1)}.`
  ].filter(Boolean)
      .join(' ');
}

/// A bound that would flatten the picture is hidden until it is asked for.
function withFarBounds(series, log) {
  let most = 0;
  for (const {bound, points} of series)
    if (!bound)
      for (const {y} of points) most = Math.max(most, y);
  return series.map((s) => ({...s, far: s.bound && s.points[0].y > most * (log ? 10 : 1.5)}));
}

// ---- regret -------------------------------------------------------------------------------------

const regretSection = {
  id: 'regret',
  title: 'Regret',
  build() {
    this.box = new ChartBox('regret', 'Regret', {tall: 360});
    return [this.box.root];
  },
  update() {
    const has = (kind, scope, x = 'evaluations') =>
        state.documents.some((doc) => chartIn(doc, regretId(kind, scope, x)));
    const metrics = ['cumulative', 'simple'].filter((m) => has(m, 'global') || has(m, 'local'));
    if (!metrics.length)
      return state.documents.some((doc) => doc.source === 'live') ?
          'No regret yet.' :
          'Regret is undefined here: nothing was evaluated in these runs.';
    const chosen = view.regret;
    const metric = metrics.includes(chosen.metric) ? chosen.metric : metrics[0];
    const scopes = ['global', 'local'].filter((s) => has(metric, s));
    const scope = scopes.includes(chosen.scope) ? chosen.scope : scopes[0];
    const abscissas = Object.keys(ABSCISSAS).filter((x) => has(metric, scope, x));
    const x = abscissas.includes(chosen.x) ? chosen.x : abscissas[0];
    const chart = chartOf(regretId(metric, scope, x));
    const logx = chosen.logx ?? chart.x.log, logy = chosen.logy ?? chart.y.log;
    const set = (change) => {
      Object.assign(chosen, change);
      this.update();
    };
    this.box.tool(
        segments(
            'regret',
            metrics.map((m) => [m, m]),
            metric,
            (v) => set({metric: v, logx: null, logy: null})),
        scopes.length > 1 &&
            segments(
                'scope',
                scopes.map((s) => [s, `${s === 'local' ? 'local ' : ''}${metric} regret`, SCOPE_HINTS[s]]),
                scope,
                (v) => set({scope: v})),
        choice(
            'against',
            abscissas.map((id) => [id, chartOf(regretId(metric, scope, id)).x.label]),
            x,
            (v) => set({x: v, logx: null}),
            'regret-x'),
        checkbox('log x', logx, (v) => set({logx: v}), 'regret-logx'),
        checkbox('log y', logy, (v) => set({logy: v}), 'regret-logy'));
    const clients = !state.documents.every(isFunctional);
    this.box.draw({
      ...chart,
      x: {...chart.x, log: logx},
      y: {...chart.y, log: logy},
      series: withFarBounds(chart.series, logy),
      note: [
        clients && metric === 'cumulative' && 'Cumulative regret is the mean over the clients.',
        clients && scope === 'local' && 'Local: against each client\u2019s own maximum.',
        chartNote(chart)
      ].filter(Boolean)
                .join(' ')
    });
    return true;
  },
};

// ---- communication ------------------------------------------------------------------------------

const BARS = {
  'bytes-by-type': 'bytes',
  'messages-by-type': 'messages and further copies',
  'values-by-type': 'values',
  'fates-by-type': 'outcome of all copies'
};
const MAX_BARS = 40;

const communicationSection = {
  id: 'communication',
  title: 'Communication',
  build() {
    this.bars = new ChartBox('communication', 'Communication by type and direction');
    this.lines = new ChartBox('traffic', 'Communication against evaluations', {tall: 300});
    this.accounts = el('details', {class: 'card'});
    return [el('div', {class: 'pair'}, this.bars.root, this.lines.root), this.accounts];
  },
  update() {
    const all = Object.fromEntries(Object.keys(BARS).map((id) => [id, barsOf(id)]));
    if (!Object.values(all).every((one) => one && one.bars.length)) return 'No messages yet.';
    this.drawBars(all);
    this.drawLines();
    this.drawAccounts(all);
    return true;
  },
  drawAccounts(all) {
    const [bytes, messages, values, fates] = Object.keys(BARS).map((id) => all[id]);
    const total = (parts, i) => sum(parts.map((part) => part.values[i]));
    const number = (x) => cell(significant(x), {class: 'n'});
    replace(
        this.accounts, el('summary', {'data-key': 'accounts', text: 'By message type, in numbers'}),
        table(
            [
              'type', 'payload', 'bytes on the wire', 'messages', 'values', 'retransmissions',
              'drops'
            ],
            bytes.bars.map(
                (bar, i) => el(
                    'tr', {},
                    el('th', {scope: 'row'}, swatch(typeColour(bar.type)), ` ${bar.label}`),
                    cell(pretty(bytes.parts[0].values[i], 'bytes'), {class: 'n'}),
                    cell(pretty(total(bytes.parts, i), 'bytes'), {class: 'n'}),
                    number(messages.parts[0].values[i]), number(values.parts[0].values[i]),
                    number(messages.parts[1].values[i]),
                    number(total(fates.parts.filter((part) => part.dropped), i)))),
            {caption: 'Communication by message type', key: 'accounts', numeric: [1, 2, 3, 4, 5, 6]}));
  },
  drawBars(all) {
    const chosen = view.copies, shown = all[chosen.what];
    const entries = algorithmsOf(state.documents)
                        .filter(({index}) => shown.bars.some((bar) => bar.algorithm === index));
    if (!entries.some((entry) => String(entry.index) === chosen.algorithm)) chosen.algorithm = 'all';
    const set = (change) => {
      Object.assign(chosen, change);
      this.update();
    };
    this.bars.tool(
        choice('show', Object.entries(BARS), chosen.what, (v) => set({what: v}), 'sent-what'),
        entries.length > 1 &&
            choice(
                'of',
                [
                  ['all', 'all algorithms'],
                  ...entries.map((entry) => [String(entry.index), entry.label])
                ],
                chosen.algorithm,
                (v) => set({algorithm: v}),
                'sent-of'));
    const wanted = shown.bars.map((_, i) => i).filter(
        (i) => chosen.algorithm === 'all' || String(shown.bars[i].algorithm) === chosen.algorithm);
    const rows = wanted.slice(0, MAX_BARS), left = wanted.length - rows.length;
    const hues = rows.map((i) => typeColour(shown.bars[i].type));
    const stacks =
        shown.parts
            .map(({label, strength, dropped, values}) => ({
                   label,
                   values: rows.map((i) => values[i]),
                   hues: hues.map((hue) => faded(dropped ? alarm() : hue, strength)),
                   sample: faded(dropped ? alarm() : inks().text, strength)
                 }))
            .filter((stack) => stack.values.some((v) => v > 0) || shown.parts.length === 1);
    this.bars.draw({
      tall: 76 + 30 * Math.max(rows.length, 2),
      x: shown.axis,
      y: {label: 'message type', unit: ''},
      bars: {categories: rows.map((i) => shown.bars[i].label), horizontal: true, stacks},
      note: [
        'A colour per message type. ↑ to the hub, ↓ from the hub, ↔ between other nodes.',
        shown.note ? `${shown.note[0].toUpperCase()}${shown.note.slice(1)}.` : '',
        left > 0 ? `${plural(left, 'more row')} not drawn.` : ''
      ].filter(Boolean)
                .join(' '),
    });
  },
  drawLines() {
    const chosen = view.traffic;
    const ids = ['communication', 'communication-values', 'communication-rounds'].filter(chartOf);
    this.lines.root.hidden = !ids.length;
    if (!ids.length) {
      this.lines.shown = [];
      return;
    }
    const id = ids.includes(chosen.y) ? chosen.y : ids[0], chart = chartOf(id);
    const logx = chosen.logx ?? chart.x.log, logy = chosen.logy ?? chart.y.log;
    const set = (change) => {
      Object.assign(chosen, change);
      this.update();
    };
    this.lines.tool(
        choice(
            'show', ids.map((one) => [one, chartOf(one).y.label]), id,
            (v) => set({y: v, logy: null}), 'traffic-y'),
        checkbox('log x', logx, (v) => set({logx: v}), 'traffic-logx'),
        checkbox('log y', logy, (v) => set({logy: v}), 'traffic-logy'));
    this.lines.draw({
      ...chart,
      x: {...chart.x, log: logx},
      y: {...chart.y, log: logy},
      note: chartNote(chart)
    });
  },
};

// ---- breakdown by round -------------------------------------------------------------------------

// Parts of time with their colours: on the path to a round's end, and summed over all nodes.
const PATH = [
  ['compute', 2],
  ['queueing', 3],
  ['transfer', 4],
  ['propagation', 5],
  ['retransmission', 1],
  ['timer', 0],
  ['stopped', 6],
  ['unknown', 7]
];
const PHASES =
    [['compute', 2], ['queueing', 3], ['transfer', 4], ['propagation', 5], ['waiting', 1]];

const roundsSection = {
  id: 'rounds',
  title: 'Rounds',
  ofRun: true,
  build() {
    this.box = new ChartBox('rounds', 'Breakdown by round', {tall: 320});
    return [this.box.root];
  },
  update() {
    const {run} = selectedRun();
    if (!run) return false;
    const rows = object(run.rounds_table), numbers = column(rows, 'round');
    if (!numbers.length)
      return run.details_left_out ? DETAILS_LEFT_OUT :
          run.rounds > 0 ?
          'The rounds of this run were not recorded. Select the first repetition to see rounds.' :
          run.state === 'over' ? 'No round was completed.' : 'No round is complete yet.';
    // Of many rounds a row has a block of consecutive ones, and some may be missing.
    const last = column(rows, 'last_round').map((n, i) => isNumber(n) ? n : numbers[i]);
    const counts = last.map((n, i) => n - numbers[i] + 1), most = Math.max(...counts);
    const chosen = view.rounds;
    const paths = column(rows, 'path_compute_virtual_s').some(isNumber);
    const what = chosen.what === 'path' && !paths ? 'phases' : chosen.what;
    this.box.tool(segments(
        'rounds',
        [
          ...(paths ? [['path', 'critical path']] : []),
          ['phases', 'sums over nodes'],
          ['share', 'shares'],
          ['bytes', 'bytes'],
          ['messages', 'messages']
        ],
        what,
        (v) => {
          chosen.what = v;
          this.update();
        }));
    const numbersOf = (name) => {
      const values = column(rows, name);
      return numbers.map((_, i) => (isNumber(values[i]) ? values[i] : 0));
    };
    const parts = what === 'path' ? PATH.map(([label, index]) => [label, index, 'path_']) :
        what === 'phases' || what === 'share' ? PHASES.map((phase) => [...phase, 'sum_']) :
                                                [];
    const stacked =
        parts
            .map(
                ([label, index, prefix]) => ({
                  label,
                  index,
                  values: numbersOf(`${prefix}${label}_virtual_s`)
                }))
            .filter((part) => what !== 'path' || part.values.some((v) => v > 0));
    const totals = numbers.map((_, i) => sum(stacked.map((part) => part.values[i])));
    const stacks = !parts.length ?
        [{label: what, index: 0, values: numbersOf(what)}] :
        what !== 'share' ?
        stacked :
        stacked.map((part) => ({
                      ...part,
                      values: part.values.map((v, i) => (totals[i] > 0 ? (100 * v) / totals[i] : 0))
                    }));
    const active = column(rows, 'active_cells');
    // What the algorithm compares: cells, arms, or points and instances ("candidates").
    const compared = column(run.cells, 'depth').length ? 'cells' :
        armsOf(run).length                 ? 'arms' :
                                                            'candidates';
    this.box.draw({
      x: {label: 'round', unit: ''},
      y: {
        label: what === 'path' ? 'virtual time on the path to the end of the round' :
            what === 'share'   ? 'share of the round\u2019s time, %' :
            what === 'phases'  ? 'virtual time, summed over nodes and messages' :
                                 what,
        unit: what === 'path' || what === 'phases' ? 's' :
            what === 'bytes'                       ? 'bytes' :
                                                     ''
      },
      bars: {
        categories: numbers.map((n, i) => last[i] > n ? `${n} to ${last[i]}` : n),
        at: numbers.map((n, i) => (n + last[i]) / 2),
        stacks,
        line: active.some(isNumber) ? {label: `active ${compared}`, values: active, line: true} :
                                      null,
        footer: (i) => this.footer(rows, i, counts[i])
      },
      note: (most > 1 ? `A bar is the mean of up to ${most} consecutive rounds. ` : '') +
          (isNumber(run.rounds) && run.rounds > sum(counts) ?
               `Of ${significant(run.rounds)} rounds ${significant(sum(counts))} are drawn; others were not kept. ` :
               '') +
          this.total(run, what),
    });
    return true;
  },
  /// A sentence about the whole run.
  total(run, what) {
    const path = what === 'path';
    const times = object(path ? run.critical_paths : run.phases);
    const of = (label) => times[`${path ? 'path' : 'sum'}_${label}_virtual_s`];
    const known = (path ? PATH : PHASES).filter(([label]) => !path || of(label) > 0);
    if (!(sum(known.map(([label]) => of(label))) > 0)) return '';
    const [node, rounds] =
        Object.entries(object(times.waited_for)).sort((a, b) => b[1] - a[1])[0] || [];
    return 'Total of the run: ' +
        known.map(([label]) => `${label} ${pretty(of(label), 's', 3)}`).join(', ') + '.' +
        (path && node ?
             ` Most often waited for: ${node}, in ${significant(rounds)} of ${times.rounds} rounds.` :
             '');
  },
  /// `count`: the rounds of the block, whose numbers are means.
  footer(rows, i, count) {
    const at = (name) => column(rows, name)[i];
    const late = String(at('late') || '').split(' ').filter(Boolean);
    const each = count > 1 ? ' per round' : '';
    return [
      `${pretty(at('began_virtual_s'), 's')} to ${pretty(at('ended_virtual_s'), 's')}, ${
          significant(at('messages'))} messages, ${pretty(at('bytes'), 'bytes')}${each}`,
      isNumber(at('expected')) ?
          `${significant(at('arrived'))} of ${significant(at('expected'))} answers used${each}` :
          '',
      at('waited_for') ? `waited for ${at('waited_for')}` : '',
      late.length ? 'late: ' + late.slice(0, 6).join(', ') + (late.length > 6 ? ' …' : '') : ''
    ].filter(Boolean)
        .join('\n');
  },
};
