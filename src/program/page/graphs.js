// The sections that are charts: regret, communication, the rounds' breakdown.

const view = {
  regret: {metric: 'cumulative', scope: 'global', x: 'evaluations', logx: null, logy: null},
  sent: {what: 'fate', algorithm: 'all'},
  traffic: {y: 'bytes', logx: true, logy: false},
  rounds: {what: 'phases'},
  arms: {what: 'pulls'},
};

function bandNote(series) {
  const most = Math.max(0, ...series.map((s) => s.repetitions || 0));
  return most > 1 ? `Band: ± 1 standard deviation over the repetitions (up to ${most}).` :
                    'One repetition.';
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
        (m) => has(`${m}_regret_global`) || has(`${m}_regret_local`));
    if (!metrics.length)
      return state.documents.some((doc) => doc.source === 'live') ?
          'No regret yet.' :
          'Nothing was evaluated in these runs, so there is no regret.';
    const chosen = view.regret;
    const metric = metrics.includes(chosen.metric) ? chosen.metric : metrics[0];
    const scopes = ['global', 'local'].filter((s) => has(`${metric}_regret_${s}`));
    const scope = scopes.includes(chosen.scope) ? chosen.scope : scopes[0];
    const name = `${metric}_regret_${scope}`, simple = metric === 'simple', x = chosen.x;
    const logx = chosen.logx ?? (simple && x === 'evaluations'), logy = chosen.logy ?? simple;
    const set = (change) => {
      Object.assign(chosen, change);
      this.update();
    };
    this.box.tool(
        segments(
            'regret', metrics.map((m) => [m, m]), metric,
            (v) => set({metric: v, logx: null, logy: null})),
        scopes.length > 1 &&
            segments('scope', scopes.map((s) => [s, s]), scope, (v) => set({scope: v})),
        choice(
            'against', Object.keys(ABSCISSAS).map((id) => [id, abscissaLabel(id)]), x,
            (v) => set({x: v, logx: null}), 'regret-x'),
        tick('log x', logx, (v) => set({logx: v}), 'regret-logx'),
        tick('log y', logy, (v) => set({logy: v}), 'regret-logy'));
    const hold = jumps(name, x);
    const functional = state.documents.every(isFunctional);
    const perClient = simple || functional ? '' : ' per client';
    const local = scope === 'local' ? 'local ' : '';
    const series = entries.flatMap(
        (entry) => seriesOf(entry, (run) => curvePoints(object(run.curves)[name], x), hold));
    this.addBounds(series, entries, name, logy);
    const abscissa = ABSCISSAS[x];
    const label = abscissaLabel(x);
    this.box.draw({
      title: `${simple ? 'Simple' : 'Cumulative'} ${local}regret${perClient} against ${label}`,
      x: {label, unit: abscissa.unit, log: logx},
      y: {label: `${metric} ${local}regret${perClient}`, unit: '', log: logy},
      series,
      note: bandNote(series) +
          (series.some((s) => s.bound) ? ' Dashed: what theory allows at the end of the run.' : ''),
    });
    return true;
  },
  addBounds(series, entries, name, logy) {
    const ys = series.flatMap((s) => s.points), most = Math.max(0, ...ys.map((p) => p.y));
    const xs = ys.map((p) => p.x), low = Math.min(...xs), high = Math.max(...xs);
    for (const entry of entries) {
      const bound = boundOf(entry, regretBoundName(name));
      if (!bound || !ys.length) continue;
      const open = bound.kind === 'does_not_apply' ? ', does not apply' : `, ${bound.kind}`;
      series.push({
        label: `bound at the end, ${entry.label}: ${significant(bound.value, 3)}${open}`,
        index: entry.index,
        bound: true,
        far: bound.value > most * (logy ? 10 : 1.5),
        points: [{x: low, y: bound.value}, {x: high, y: bound.value}]
      });
    }
  },
};

// ---- communication ------------------------------------------------------------------------------

const FATES = [
  ['delivered', 'delivered', 2], ['discarded', 'discarded as repeats', 5],
  ['in_flight', 'under way', 3], ['loss', 'lost', 1], ['queue', 'dropped by full queues', 4],
  ['partition', 'cut off by a partition', 0], ['crash', 'at crashed nodes', 6]
];
const COUNTS = {
  fate: {
    label: 'what became of the copies',
    unit: '',
    parts: FATES.map(([id, text, index]) => [(row) => row[id], text, index])
  },
  sent: {
    label: 'copies sent',
    unit: '',
    parts: [
      [(r) => r.sent, 'sent first', 0], [(r) => r.repeated, 'repeated', 1],
      [(r) => r.duplicated, 'duplicated by the network', 3]
    ]
  },
  bytes: {
    label: 'bytes',
    unit: 'bytes',
    parts: [
      [(r) => r.bytes, 'payload, sent first', 0],
      [(r) => Math.max(0, r.wire_bytes - r.bytes), 'repeats and copies', 1]
    ]
  },
  values: {label: 'values', unit: '', parts: [[(r) => r.values, 'values, as the papers count', 2]]},
};
const MOST_BARS = 40;

const communicationSection = {
  id: 'communication',
  title: 'Communication',
  build() {
    this.bars = new ChartBox('communication', 'Communication by type and direction');
    this.lines = new ChartBox('traffic', 'Communication against evaluations', {tall: 300});
    return [el('div', {class: 'pair'}, this.bars.root, this.lines.root)];
  },
  update() {
    const entries = algorithmsOf(state.documents);
    const ledgers =
        entries.map((entry) => ({entry, ...meanLedger(entry)})).filter((l) => l.rows.length);
    if (!ledgers.length) return 'No messages yet.';
    this.drawBars(ledgers, entries);
    this.drawLines(entries);
    return true;
  },
  drawBars(ledgers, entries) {
    const chosen = view.sent, count = COUNTS[chosen.what];
    if (!ledgers.some((l) => String(l.entry.index) === chosen.algorithm)) chosen.algorithm = 'all';
    const set = (change) => {
      Object.assign(chosen, change);
      this.update();
    };
    this.bars.tool(
        choice(
            'show', Object.entries(COUNTS).map(([id, {label}]) => [id, label]), chosen.what,
            (v) => set({what: v}), 'sent-what'),
        ledgers.length > 1 &&
            choice(
                'of',
                [
                  ['all', 'all algorithms'],
                  ...ledgers.map((l) => [String(l.entry.index), l.entry.label])
                ],
                chosen.algorithm, (v) => set({algorithm: v}), 'sent-of'));
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
    const left = rows.length - MOST_BARS;
    rows = rows.slice(0, MOST_BARS);
    const stacks =
        count.parts.map(([of, label, index]) => ({label, index, values: rows.map(of)}))
            .filter((stack) => stack.values.some((v) => v > 0) || count.parts.length === 1);
    const runs = Math.max(...ledgers.map((l) => l.runs));
    this.bars.draw({
      tall: 76 + 30 * Math.max(rows.length, 2),
      x: {label: count.label, unit: count.unit},
      y: {label: 'message type', unit: ''},
      bars: {categories: rows.map((row) => row.name), horizontal: true, stacks},
      note: `↑ to the hub, ↓ from the hub, ↔ between others. ${
          runs > 1 ? 'Means over repetitions.' : ''}${left > 0 ? ` ${left} more not drawn.` : ''}`,
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
            'show', [['bytes', 'payload'], ['rounds', 'rounds']], chosen.y, (v) => set({y: v}),
            'traffic-y'),
        tick('log x', chosen.logx, (v) => set({logx: v}), 'traffic-logx'),
        tick('log y', chosen.logy, (v) => set({logy: v}), 'traffic-logy'));
    const series = entries.flatMap(
        (entry) => seriesOf(entry, (run) => {
          const curve =
              Object.values(object(run.curves)).find((c) => list(object(c).evaluations).length);
          return curvePoints(curve, 'evaluations', chosen.y);
        }, true));
    this.lines.root.hidden = !series.some((s) => s.points.length);
    if (this.lines.root.hidden) {
      this.lines.shown = [];
      return;
    }
    this.lines.draw({
      x: {label: abscissaLabel('evaluations'), unit: '', log: chosen.logx},
      y: {
        label: chosen.y === 'bytes' ? 'payload sent by all nodes' : 'rounds',
        unit: chosen.y === 'bytes' ? 'bytes' : '',
        log: chosen.logy
      },
      series,
      note: bandNote(series)
    });
  },
};

// ---- the round's breakdown ----------------------------------------------------------------------

const PHASES = [
  ['compute', 'compute', 2], ['queueing', 'queue', 3], ['transfer', 'transfer', 4],
  ['propagation', 'propagation', 5], ['waiting', 'wait', 1]
];

const roundsSection = {
  id: 'rounds',
  title: 'Rounds',
  ofRun: true,
  build() {
    this.box = new ChartBox('rounds', 'Where the rounds\u2019 time went', {tall: 320});
    return [this.box.root];
  },
  update() {
    const {run} = selectedRun();
    if (!run) return false;
    const rows = object(run.rounds_table), numbers = list(rows.round);
    if (!numbers.length)
      return run.rounds > 0 ?
          'The rounds of this run aren\u2019t in the document; the first repetition has them.' :
          'No round is complete yet.';
    const chosen = view.rounds;
    this.box.tool(segments(
        'rounds',
        [['phases', 'time'], ['share', 'shares'], ['bytes', 'bytes'], ['messages', 'messages']],
        chosen.what, (v) => {
          chosen.what = v;
          this.update();
        }));
    const column = (name) =>
        numbers.map((_, i) => (isNumber(list(rows[name])[i]) ? rows[name][i] : 0));
    const timed = chosen.what === 'phases' || chosen.what === 'share';
    const phases = PHASES.map(([id, label, index]) => ({label, index, values: column(id + '_s')}));
    const totals = numbers.map((_, i) => sum(phases.map((phase) => phase.values[i])));
    const stacks = !timed ?
        [{label: chosen.what, index: 0, values: column(chosen.what)}] :
        chosen.what === 'phases' ?
        phases :
        phases.map((phase) => ({
                     ...phase,
                     values: phase.values.map((v, i) => (totals[i] > 0 ? (100 * v) / totals[i] : 0))
                   }));
    const active = list(rows.active_cells);
    // Arms are compared like cells; other algorithms without a tree compare points or instances.
    const compared = list(object(run.cells).depth).length ? 'cells' :
        list(run.arms).length                             ? 'arms' :
                                                            'candidates';
    const totalOf = object(run.phases), whole = sum(PHASES.map(([id]) => totalOf[id + '_s']));
    this.box.draw({
      x: {label: 'round', unit: ''},
      y: {
        label: chosen.what === 'share' ? 'share of the time, %' :
            timed                      ? 'virtual time, all nodes and messages' :
                                         chosen.what,
        unit: chosen.what === 'phases' ? 's' :
            chosen.what === 'bytes'    ? 'bytes' :
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
          (whole > 0 ? 'Whole run: ' +
                   PHASES.map(([id, label]) => `${label} ${pretty(totalOf[id + '_s'], 's', 3)}`)
                       .join(', ') +
                   '.' :
                       ''),
    });
    return true;
  },
  footer(rows, i) {
    const at = (name) => list(rows[name])[i];
    const late = list(at('late'));
    return [
      `${pretty(at('began_s'), 's')} to ${pretty(at('ended_s'), 's')}, ${
          significant(at('messages'))} messages, ${pretty(at('bytes'), 'bytes')}`,
      isNumber(at('expected')) ? `${at('arrived')} of ${at('expected')} answers used` : '',
      late.length ? 'late: ' + late.slice(0, 6).join(', ') + (late.length > 6 ? ' …' : '') : ''
    ].filter(Boolean)
        .join('\n');
  },
};
