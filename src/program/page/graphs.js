// SPDX-License-Identifier: Apache-2.0
// The chart sections: regret, communication, breakdown by round.

const view = {
  regret: {metric: 'cumulative', scope: 'global', x: 'evaluations', logx: null, logy: null},
  copies: {what: 'bytes', algorithm: 'all'},
  traffic: {y: 'bytes', logx: true, logy: false},
  rounds: {what: 'path'},
  arms: {what: 'pulls'},
};

const SCOPE_HINTS = {
  global: 'against the maximum of the clients\u2019 mean objective',
  local: 'against each client\u2019s own maximum'
};

function bandNote(series) {
  const most = Math.max(0, ...series.map((s) => s.repetitions || 0));
  return most > 1 ? `Band: 95\u202f% interval of the mean over up to ${most} repetitions.` :
                    'A single repetition.';
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
    const entries = algorithmsOf(state.documents);
    const has = (metric) => entries.some(
        (e) => e.runs.some((run) => list(object(object(run.curves)[metric]).value).length));
    const metrics = ['cumulative', 'simple'].filter(
        (m) => has(regretMetric(m, 'global')) || has(regretMetric(m, 'local')));
    if (!metrics.length)
      return state.documents.some((doc) => doc.source === 'live') ?
          'No regret yet.' :
          'Regret is undefined here: nothing was evaluated in these runs.';
    const chosen = view.regret;
    const metric = metrics.includes(chosen.metric) ? chosen.metric : metrics[0];
    const scopes = ['global', 'local'].filter((s) => has(regretMetric(metric, s)));
    const scope = scopes.includes(chosen.scope) ? chosen.scope : scopes[0];
    const name = regretMetric(metric, scope), simple = metric === 'simple', x = chosen.x;
    const logx = chosen.logx ?? (simple && x === 'evaluations'), logy = chosen.logy ?? simple;
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
                scopes.map((s) => [s, regretName(regretMetric(metric, s)), SCOPE_HINTS[s]]),
                scope,
                (v) => set({scope: v})),
        choice(
            'against',
            Object.keys(ABSCISSAS).map((id) => [id, abscissaLabel(id)]),
            x,
            (v) => set({x: v, logx: null}),
            'regret-x'),
        checkbox('log x', logx, (v) => set({logx: v}), 'regret-logx'),
        checkbox('log y', logy, (v) => set({logy: v}), 'regret-logy'));
    const functional = state.documents.every(isFunctional);
    const quantity = name.replaceAll('_', ' ');
    const series = entries.flatMap(
        (entry) => seriesOf(
            entry, (run) => curvePoints(object(run.curves)[name], x), betweenOf(entry, name, x)));
    this.addBounds(series, entries, name, logy);
    const abscissa = ABSCISSAS[x];
    const label = abscissaLabel(x);
    this.box.draw({
      title: `${quantity[0].toUpperCase() + quantity.slice(1)} against ${label}`,
      x: {label, unit: abscissa.unit, log: logx},
      y: {label: quantity, unit: '', log: logy},
      series,
      note: [
        simple || functional ? '' : 'Cumulative regret is the mean over the clients.',
        scope === 'local' && !functional ? 'Local: against each client\u2019s own maximum.' : '',
        bandNote(series),
        series.some((s) => s.bound) ? 'Dashed: bound at the end of the run.' : ''
      ].filter(Boolean)
                .join(' '),
    });
    return true;
  },
  addBounds(series, entries, name, logy) {
    const ys = series.flatMap((s) => s.points), most = Math.max(0, ...ys.map((p) => p.y));
    const xs = ys.map((p) => p.x), low = Math.min(...xs), high = Math.max(...xs);
    for (const entry of entries) {
      const bound = boundOf(entry, [regretName(name)]);
      if (!bound || !ys.length) continue;
      const kind = [KINDS[bound.kind] || bound.kind, bound.vacuous && 'vacuous'];
      series.push({
        label: `${entry.label}, bound at the end: ${significant(bound.value, 3)} (${
            kind.filter(Boolean).join(', ')})`,
        index: entry.index,
        bound: true,
        muted: bound.kind === 'does_not_apply' || bound.vacuous,
        far: bound.value > most * (logy ? 10 : 1.5),
        points: [{x: low, y: bound.value}, {x: high, y: bound.value}]
      });
    }
  },
};

// ---- communication ------------------------------------------------------------------------------

// Parts of bars, from strong to faint: in the colour of the message type, or, of drops, in theirs.
const COUNTS = {
  bytes: {
    label: 'bytes',
    unit: 'bytes',
    parts: [
      [(r) => r.payload, 'payload, first transmissions', 1],
      [(r) => r.header_bytes, 'headers, first transmissions', 0.6],
      [(r) => Math.max(0, r.wire_bytes - r.bytes), 'retransmissions and duplicates', 0.3]
    ]
  },
  sent: {
    label: 'messages and further copies',
    unit: '',
    parts: [
      [(r) => r.sent, 'messages', 1], [(r) => r.retransmitted, 'retransmissions', 0.6],
      [(r) => r.duplicated, 'duplicates made by the network', 0.3]
    ]
  },
  values: {
    label: 'values',
    unit: '',
    parts: [[(r) => r.values, 'values (numbers in messages, as the papers count them)', 1]]
  },
  outcome: {
    label: 'outcome of all copies',
    unit: '',
    parts: [
      [(r) => r.delivered, 'delivered', 1],
      [(r) => r.discarded, 'discarded as duplicates', 0.6],
      [(r) => r.in_flight, 'in flight', 0.3], [(r) => r.loss, 'lost', 1, 'drop'],
      [(r) => r.queue, 'dropped by full queues', 0.75, 'drop'],
      [(r) => r.partition, 'dropped by a partition', 0.5, 'drop'],
      [(r) => r.crash, 'dropped at crashed nodes', 0.3, 'drop']
    ]
  },
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
    const entries = algorithmsOf(state.documents);
    const ledgers =
        entries.map((entry) => ({entry, ...meanLedger(entry)})).filter((l) => l.rows.length);
    if (!ledgers.length) return 'No messages yet.';
    this.drawBars(ledgers, entries);
    this.drawLines(entries);
    this.drawAccounts(ledgers);
    return true;
  },
  drawAccounts(ledgers) {
    const several = ledgers.length > 1, number = (x) => cell(significant(x), {class: 'n'});
    replace(
        this.accounts, el('summary', {'data-key': 'accounts', text: 'By message type, in numbers'}),
        table(
            [
              several && 'algorithm', 'type', 'payload', 'bytes on the wire', 'messages', 'values',
              'retransmissions', 'drops'
            ].filter(Boolean),
            ledgers.flatMap(
                ({entry, rows}) => rows.map(
                    (row) => el(
                        'tr', {}, several && el('th', {scope: 'row', text: entry.label}),
                        el('th', {scope: 'row'}, swatch(typeColour(row.type)),
                           ` ${row.type} ${ARROWS[row.direction] || row.direction}`),
                        cell(pretty(row.payload, 'bytes'), {class: 'n'}),
                        cell(pretty(row.wire_bytes, 'bytes'), {class: 'n'}), number(row.sent),
                        number(row.values), number(row.retransmitted), number(row.dropped)))),
            {
              caption: 'Communication by message type',
              key: 'accounts',
              numeric: [1, 2, 3, 4, 5, 6, 7].slice(several ? 1 : 0)
            }));
  },
  drawBars(ledgers, entries) {
    const chosen = view.copies, count = COUNTS[chosen.what];
    if (!ledgers.some((l) => String(l.entry.index) === chosen.algorithm)) chosen.algorithm = 'all';
    const set = (change) => {
      Object.assign(chosen, change);
      this.update();
    };
    this.bars.tool(
        choice(
            'show',
            Object.entries(COUNTS).map(([id, {label}]) => [id, label]),
            chosen.what,
            (v) => set({what: v}),
            'sent-what'),
        ledgers.length > 1 &&
            choice(
                'of',
                [
                  ['all', 'all algorithms'],
                  ...ledgers.map((l) => [String(l.entry.index), l.entry.label])
                ],
                chosen.algorithm,
                (v) => set({algorithm: v}),
                'sent-of'));
    let rows =
        ledgers
            .filter((l) => chosen.algorithm === 'all' || String(l.entry.index) === chosen.algorithm)
            .flatMap(
                (l) =>
                    l.rows.map((row) => ({
                                 ...row,
                                 name: `${
                                     ledgers.length > 1 && chosen.algorithm === 'all' ?
                                         l.entry.label + ' · ' :
                                         ''}${row.type} ${ARROWS[row.direction] || row.direction}`
                               })));
    const left = rows.length - MAX_BARS;
    rows = rows.slice(0, MAX_BARS);
    const hues = rows.map((row) => typeColour(row.type));
    const stacks =
        count.parts
            .map(([of, label, alpha, drop]) => ({
                   label,
                   values: rows.map(of),
                   hues: hues.map((hue) => faded(drop ? alarm() : hue, alpha)),
                   sample: faded(drop ? alarm() : inks().text, alpha)
                 }))
            .filter((stack) => stack.values.some((v) => v > 0) || count.parts.length === 1);
    const runs = Math.max(...ledgers.map((l) => l.runs));
    this.bars.draw({
      tall: 76 + 30 * Math.max(rows.length, 2),
      x: {label: count.label, unit: count.unit},
      y: {label: 'message type', unit: ''},
      bars: {categories: rows.map((row) => row.name), horizontal: true, stacks},
      note: [
        'A colour per message type. ↑ to the hub, ↓ from the hub, ↔ between other nodes.',
        runs > 1 ? 'Means over repetitions.' : '',
        left > 0 ? `${plural(left, 'more row')} not drawn.` : ''
      ].filter(Boolean)
                .join(' '),
    });
  },
  drawLines(entries) {
    const chosen = view.traffic;
    const set = (change) => {
      Object.assign(chosen, change);
      this.update();
    };
    this.lines.tool(
        choice(
            'show',
            [['bytes', 'bytes'], ['rounds', 'rounds']],
            chosen.y,
            (v) => set({y: v}),
            'traffic-y'),
        checkbox('log x', chosen.logx, (v) => set({logx: v}), 'traffic-logx'),
        checkbox('log y', chosen.logy, (v) => set({logy: v}), 'traffic-logy'));
    const series = entries.flatMap(
        (entry) => seriesOf(entry, (run) => {
          const curve =
              Object.values(object(run.curves)).find((c) => list(object(c).evaluations).length);
          return curvePoints(curve, 'evaluations', chosen.y);
        }, {hold: true}));
    this.lines.root.hidden = !series.some((s) => s.points.length);
    if (this.lines.root.hidden) {
      this.lines.shown = [];
      return;
    }
    this.lines.draw({
      x: {label: abscissaLabel('evaluations'), unit: '', log: chosen.logx},
      y: {
        label: chosen.y === 'bytes' ? 'bytes sent by all nodes' : 'rounds',
        unit: chosen.y === 'bytes' ? 'bytes' : '',
        log: chosen.logy
      },
      series,
      note: bandNote(series)
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
      return run.rounds > 0 ?
          'The rounds of this run were not recorded. Select the first repetition to see rounds.' :
          run.state === 'over' ? 'No round was completed.' : 'No round is complete yet.';
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
        categories: numbers,
        stacks,
        line: active.some(isNumber) ? {label: `active ${compared}`, values: active, line: true} :
                                      null,
        footer: (i) => this.footer(rows, i)
      },
      note: (isNumber(run.rounds) && run.rounds > numbers.length ?
                 `${numbers.length} of ${significant(run.rounds)} rounds are drawn. ` :
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
  footer(rows, i) {
    const at = (name) => column(rows, name)[i];
    const late = String(at('late') || '').split(' ').filter(Boolean);
    return [
      `${pretty(at('began_virtual_s'), 's')} to ${pretty(at('ended_virtual_s'), 's')}, ${
          significant(at('messages'))} messages, ${pretty(at('bytes'), 'bytes')}`,
      isNumber(at('expected')) ? `${at('arrived')} of ${at('expected')} answers used` : '',
      at('waited_for') ? `waited for ${at('waited_for')}` : '',
      late.length ? 'late: ' + late.slice(0, 6).join(', ') + (late.length > 6 ? ' …' : '') : ''
    ].filter(Boolean)
        .join('\n');
  },
};
