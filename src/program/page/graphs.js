// The sections that are charts: regret, communication, the round's breakdown, arms over time.

const view = {
  regret: {metric: 'cumulative', scope: 'global', x: 'evaluations', logx: null, logy: null},
  sent: {what: 'fate', algorithm: 'all'},
  traffic: {y: 'bytes', logx: true, logy: false},
  rounds: {what: 'phases'},
  arms: {what: 'pulls'},
};

function repetitionsNote(entries, what = 'Band') {
  const most = Math.max(0, ...entries.map((entry) => entry.runs.length));
  return most > 1 ? `${what}: ± 1 standard deviation over the repetitions (up to ${most}).` : 'One repetition.';
}

// ---- regret ---------------------------------------------------------------------------------------

const regretSection = {
  id: 'regret', title: 'Regret',
  build() {
    this.box = new ChartBox('regret', 'Regret', {tall: 360});
    return [this.box.root];
  },
  update() {
    const entries = algorithmsOf(state.documents);
    const has = (metric) => entries.some((e) => e.runs.some((run) => list(object(object(run.curves)[metric]).value).length));
    const metrics = ['cumulative', 'simple'].filter((m) => has(`${m}_regret_global`) || has(`${m}_regret_local`));
    if (!metrics.length)
      return state.documents.some((doc) => doc.source === 'live') ? 'No regret yet.' : 'Nothing was evaluated in these runs, so there is no regret.';
    const chosen = view.regret;
    const metric = metrics.includes(chosen.metric) ? chosen.metric : metrics[0];
    const scopes = ['global', 'local'].filter((s) => has(`${metric}_regret_${s}`));
    const scope = scopes.includes(chosen.scope) ? chosen.scope : scopes[0];
    const name = `${metric}_regret_${scope}`, simple = metric === 'simple', x = chosen.x;
    const logx = chosen.logx ?? (simple && x === 'evaluations'), logy = chosen.logy ?? simple;
    const set = (change) => { Object.assign(chosen, change); this.update(); };
    this.box.tool(
      segments('regret', metrics.map((m) => [m, m]), metric, (v) => set({metric: v, logx: null, logy: null})),
      scopes.length > 1 && segments('scope', scopes.map((s) => [s, s]), scope, (v) => set({scope: v})),
      choice('against', Object.entries(ABSCISSAS).map(([id, {label}]) => [id, label]), x, (v) => set({x: v, logx: null}), 'regret-x'),
      tick('log x', logx, (v) => set({logx: v}), 'regret-logx'), tick('log y', logy, (v) => set({logy: v}), 'regret-logy'));
    const hold = jumps(name, x);
    const functional = state.documents.every(isFunctional);
    const perClient = simple || functional ? '' : ' per client';
    const local = scope === 'local' ? 'local ' : '';
    const series = [];
    for (const entry of entries) {
      const curves = entry.runs.map((run) => curvePoints(object(run.curves)[name], x)).filter((points) => points.length);
      series.push({label: entry.label, index: entry.index, hold, band: curves.length > 1, points: meanCurve(curves, hold)});
    }
    this.addBounds(series, entries, name, logy);
    const abscissa = ABSCISSAS[x];
    const label = x === 'evaluations' && functional ? 'pulls' : abscissa.label;
    this.box.draw({
      title: `${simple ? 'Simple' : 'Cumulative'} ${local}regret${perClient} against ${label}`,
      x: {label, unit: abscissa.unit, log: logx}, y: {label: `${metric} ${local}regret${perClient}`, unit: '', log: logy}, series,
      note: repetitionsNote(entries) + (series.some((s) => s.bound) ? ' Dashed: what theory allows at the end of the run.' : ''),
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
      series.push({label: `bound at the end, ${entry.label}: ${significant(bound.value, 3)}${open}`, index: entry.index, bound: true,
        far: bound.value > most * (logy ? 10 : 1.5), points: [{x: low, y: bound.value}, {x: high, y: bound.value}]});
    }
  },
};

// ---- communication ----------------------------------------------------------------------------------

const FATES = [['delivered', 'delivered', 2], ['discarded', 'discarded as repeats', 5], ['in_flight', 'under way', 3],
  ['loss', 'lost', 1], ['queue', 'dropped by full queues', 4], ['partition', 'cut off by a partition', 0], ['crash', 'at crashed nodes', 6]];
const COUNTS = {
  fate: {label: 'what became of the copies', unit: '', parts: FATES.map(([id, text, index]) => [(row) => row[id], text, index])},
  sent: {label: 'copies sent', unit: '', parts: [[(r) => r.sent, 'sent first', 0], [(r) => r.repeated, 'repeated', 1], [(r) => r.duplicated, 'duplicated by the network', 3]]},
  bytes: {label: 'bytes', unit: 'bytes', parts: [[(r) => r.bytes, 'payload, sent first', 0], [(r) => Math.max(0, r.wire_bytes - r.bytes), 'repeats and copies', 1]]},
  values: {label: 'values', unit: '', parts: [[(r) => r.values, 'values, as the papers count', 2]]},
};
const MOST_BARS = 40;

const communicationSection = {
  id: 'communication', title: 'Communication',
  build() {
    this.bars = new ChartBox('communication', 'Communication by type and direction');
    this.lines = new ChartBox('traffic', 'Communication against evaluations', {tall: 300});
    return [el('div', {class: 'pair'}, this.bars.root, this.lines.root)];
  },
  update() {
    const entries = algorithmsOf(state.documents);
    const ledgers = entries.map((entry) => ({entry, ...meanLedger(entry)})).filter((l) => l.rows.length);
    if (!ledgers.length) return 'No messages yet.';
    this.drawBars(ledgers, entries);
    this.drawLines(entries);
    return true;
  },
  drawBars(ledgers, entries) {
    const chosen = view.sent, count = COUNTS[chosen.what];
    if (!ledgers.some((l) => String(l.entry.index) === chosen.algorithm)) chosen.algorithm = 'all';
    const set = (change) => { Object.assign(chosen, change); this.update(); };
    this.bars.tool(choice('show', Object.entries(COUNTS).map(([id, {label}]) => [id, label]), chosen.what, (v) => set({what: v}), 'sent-what'),
      ledgers.length > 1 && choice('of', [['all', 'all algorithms'], ...ledgers.map((l) => [String(l.entry.index), l.entry.label])],
        chosen.algorithm, (v) => set({algorithm: v}), 'sent-of'));
    let rows = ledgers.filter((l) => chosen.algorithm === 'all' || String(l.entry.index) === chosen.algorithm)
      .flatMap((l) => l.rows.map((row) => ({...row, name:
        `${ledgers.length > 1 && chosen.algorithm === 'all' ? l.entry.label + ' · ' : ''}${row.type} ${ARROWS[row.direction] || row.direction}`})));
    const left = rows.length - MOST_BARS;
    rows = rows.slice(0, MOST_BARS);
    const stacks = count.parts.map(([of, label, index]) => ({label, index, values: rows.map(of)}))
      .filter((stack) => stack.values.some((v) => v > 0) || count.parts.length === 1);
    const runs = Math.max(...ledgers.map((l) => l.runs));
    this.bars.draw({
      tall: 76 + 30 * Math.max(rows.length, 2), x: {label: count.label, unit: count.unit}, y: {label: 'message type', unit: ''},
      bars: {categories: rows.map((row) => row.name), horizontal: true, stacks},
      note: `↑ to the hub, ↓ from the hub, ↔ between others. ${runs > 1 ? 'Means over repetitions.' : ''}${left > 0 ? ` ${left} more not drawn.` : ''}`,
    });
  },
  drawLines(entries) {
    const chosen = view.traffic;
    const set = (change) => { Object.assign(chosen, change); this.update(); };
    this.lines.tool(choice('show', [['bytes', 'payload'], ['rounds', 'rounds']], chosen.y, (v) => set({y: v}), 'traffic-y'),
      tick('log x', chosen.logx, (v) => set({logx: v}), 'traffic-logx'), tick('log y', chosen.logy, (v) => set({logy: v}), 'traffic-logy'));
    const series = entries.map((entry) => {
      const curves = entry.runs.map((run) => {
        const curve = Object.values(object(run.curves)).find((c) => list(object(c).evaluations).length);
        return curvePoints(curve, 'evaluations', chosen.y);
      }).filter((points) => points.length);
      return {label: entry.label, index: entry.index, hold: true, band: curves.length > 1, points: meanCurve(curves, true)};
    });
    this.lines.root.hidden = !series.some((s) => s.points.length);
    if (this.lines.root.hidden) {
      this.lines.shown = [];
      return;
    }
    this.lines.draw({x: {label: 'evaluations per client', unit: '', log: chosen.logx},
      y: {label: chosen.y === 'bytes' ? 'payload sent by all nodes' : 'rounds', unit: chosen.y === 'bytes' ? 'bytes' : '', log: chosen.logy},
      series, note: repetitionsNote(entries)});
  },
};

// ---- the round's breakdown ----------------------------------------------------------------------------

const PHASES = [['compute', 'compute', 2], ['queueing', 'queue', 3], ['transfer', 'transfer', 4], ['propagation', 'propagation', 5], ['waiting', 'wait', 1]];

const roundsSection = {
  id: 'rounds', title: 'Rounds', ofRun: true,
  build() {
    this.box = new ChartBox('rounds', 'Where the rounds\u2019 time went', {tall: 320});
    return [this.box.root];
  },
  update() {
    const {run} = selectedRun();
    if (!run) return false;
    const rows = object(run.rounds_table), numbers = list(rows.round);
    if (!numbers.length) return run.rounds > 0 ? 'The rounds of this run aren\u2019t in the document; the first repetition has them.' : 'No round is complete yet.';
    const chosen = view.rounds;
    this.box.tool(segments('rounds', [['phases', 'time'], ['share', 'shares'], ['bytes', 'bytes'], ['messages', 'messages']], chosen.what,
      (v) => { chosen.what = v; this.update(); }));
    const column = (name) => numbers.map((_, i) => (isNumber(list(rows[name])[i]) ? rows[name][i] : 0));
    const timed = chosen.what === 'phases' || chosen.what === 'share';
    const phases = PHASES.map(([id, label, index]) => ({label, index, values: column(id + '_s')}));
    const totals = numbers.map((_, i) => sum(phases.map((phase) => phase.values[i])));
    const stacks = !timed ? [{label: chosen.what, index: 0, values: column(chosen.what)}]
      : chosen.what === 'phases' ? phases
      : phases.map((phase) => ({...phase, values: phase.values.map((v, i) => (totals[i] > 0 ? (100 * v) / totals[i] : 0))}));
    const cells = list(rows.active_cells);
    const totalOf = object(run.phases), whole = sum(PHASES.map(([id]) => totalOf[id + '_s']));
    this.box.draw({
      x: {label: 'round', unit: ''},
      y: {label: chosen.what === 'share' ? 'share of the time, %' : timed ? 'virtual time, all nodes and messages' : chosen.what,
        unit: chosen.what === 'phases' ? 's' : chosen.what === 'bytes' ? 'bytes' : ''},
      bars: {categories: numbers, stacks, line: cells.some(isNumber) ? {label: 'active cells', values: cells, line: true} : null,
        footer: (i) => this.footer(rows, i)},
      note: (isNumber(run.rounds) && run.rounds > numbers.length ? `${numbers.length} of ${significant(run.rounds)} rounds are drawn. ` : '') +
        (whole > 0 ? 'Whole run: ' + PHASES.map(([id, label]) => `${label} ${pretty(totalOf[id + '_s'], 's', 3)}`).join(', ') + '.' : ''),
    });
    return true;
  },
  footer(rows, i) {
    const at = (name) => list(rows[name])[i];
    const late = list(at('late'));
    return [`${pretty(at('began_s'), 's')} to ${pretty(at('ended_s'), 's')}, ${significant(at('messages'))} messages, ${pretty(at('bytes'), 'bytes')}`,
      isNumber(at('expected')) ? `${at('arrived')} of ${at('expected')} answers used` : '',
      late.length ? 'late: ' + late.slice(0, 6).join(', ') + (late.length > 6 ? ' …' : '') : ''].filter(Boolean).join('\n');
  },
};

// ---- arms --------------------------------------------------------------------------------------------

const MOST_ARM_LINES = 12;

const armsSection = {
  id: 'arms', title: 'Arms', ofRun: true,
  build() {
    this.intervals = new PictureBox('arms', 'What each arm may still reach: [f \u2212 g, f]', {csv: () => this.csv()});
    this.intervals.again = () => this.update();
    this.lines = new ChartBox('arm_curves', 'Arms over the run', {tall: 300});
    return [el('div', {class: 'pair'}, this.intervals.root, this.lines.root)];
  },
  update() {
    const {run} = selectedRun();
    const arms = list(object(run).arms).filter((arm) => arm && typeof arm === 'object');
    if (!arms.length) return false;
    this.arms = arms;
    this.drawIntervals(arms, run.answer);
    this.drawLines(object(run.arm_curves), arms);
    return true;
  },
  csv() {
    return csvText(['arm', 'pulls', 'last value f', 'bound g', 'f - g', 'best value', 'minimum f*'],
      this.arms.map((a) => [a.name, a.pulls, a.last, a.bound, isNumber(a.last) && isNumber(a.bound) ? a.last - a.bound : '', a.best, a.minimum]));
  },
  drawIntervals(arms, answer) {
    const ink = inks(), shown = arms.slice(0, 64);
    const width = this.intervals.width(300), row = 30, left = clamp(12 + 7 * Math.max(...shown.map((a) => String(a.name).length)), 40, 130),
      right = 84, top = 8, height = top + row * shown.length + 34;
    const low = (arm) => (isNumber(arm.last) && isNumber(arm.bound) ? arm.last - arm.bound : null);
    const values = shown.flatMap((a) => (a.pulls > 0 ? [low(a), a.last, a.best, a.minimum] : [a.minimum])).filter(isNumber);
    let from = Math.min(...values), to = Math.max(...values);
    if (!(to > from)) { from -= 1; to += 1; }
    const pad = (to - from) * 0.04;
    from -= pad; to += pad;
    const at = (v) => left + ((v - from) / (to - from)) * (width - left - right);
    const picture = svg('svg', {width, height, role: 'img', 'aria-label': `Intervals of ${shown.length} arms`});
    for (const tickAt of niceTicks(from, to, Math.max(2, Math.floor((width - left - right) / 90)))) {
      picture.append(svg('line', {x1: at(tickAt), x2: at(tickAt), y1: top, y2: height - 30, stroke: ink.grid}),
        svg('text', {x: at(tickAt), y: height - 14, 'text-anchor': 'middle', class: 'axis', text: significant(tickAt)}));
    }
    shown.forEach((arm, i) => {
      const y = top + row * i + row / 2, best = arm.name === answer;
      const group = svg('g', {'data-tip': i}, svg('rect', {x: 0, y: y - row / 2, width, height: row, fill: best ? faded(colour(2), 0.13) : 'transparent'}),
        svg('text', {x: 6, y: y + 4, class: best ? 'name strong' : 'name', text: shorten(String(arm.name), 16)}),
        svg('text', {x: width - 6, y: y + 4, 'text-anchor': 'end', class: 'axis', text: `${significant(arm.pulls)} pulls`}));
      if (arm.pulls > 0 && isNumber(low(arm)))
        group.append(svg('rect', {x: at(low(arm)), y: y - 6, width: Math.max(1.5, at(arm.last) - at(low(arm))), height: 12, rx: 3, fill: faded(colour(0), 0.45), stroke: colour(0)}));
      if (arm.pulls > 0 && isNumber(arm.best)) group.append(svg('line', {x1: at(arm.best), x2: at(arm.best), y1: y - 10, y2: y + 10, stroke: colour(1), 'stroke-width': 2.5}));
      if (isNumber(arm.minimum)) group.append(markerShape('rectRot', at(arm.minimum), y, 5, ink.text));
      picture.append(group);
    });
    tipsFor(picture, (i) => {
      const a = shown[i];
      return [`${a.name}${a.name === answer ? ' (the answer)' : ''}`, `${significant(a.pulls)} pulls`, `last value f ${significant(a.last)}, g ${significant(a.bound)}`,
        `f − g ${significant(low(a))}`, `smallest value ${significant(a.best)}`, isNumber(a.minimum) ? `minimum f* ${significant(a.minimum)}` : ''];
    });
    replace(this.intervals.area, picture);
    this.intervals.shown = [{label: 'intervals', points: shown.map((a) => ({x: a.name, low: low(a), y: a.last, best: a.best, pulls: a.pulls}))}];
    const answered = answer ? ` The answer ${state.source === 'live' ? 'now' : ''} is ${answer}.` : '';
    this.intervals.explain([[swatch(faded(colour(0), 0.45), {stroke: colour(0)}), 'f − g to f of the last pull'], [stroke(colour(1), {'stroke-width': 3}), 'smallest value'],
      [svg('svg', {width: 14, height: 12, 'aria-hidden': true}, markerShape('rectRot', 7, 6, 5, ink.text)), 'minimum f*, if known'],
      [swatch(faded(colour(2), 0.25)), 'the answer']],
      (arms.length > shown.length ? `The first ${shown.length} of ${arms.length} arms.` : '') + answered.replace('  ', ' '));
  },
  drawLines(curves, arms) {
    const names = arms.map((arm) => String(arm.name)).filter((name) => list(object(curves[name]).pulls).length).slice(0, MOST_ARM_LINES);
    this.lines.root.hidden = !names.length;
    if (!names.length) {
      this.lines.shown = [];
      return;
    }
    const chosen = view.arms;
    this.lines.tool(segments('arms', [['pulls', 'pulls'], ['best', 'smallest value'], ['lower', 'f \u2212 g']], chosen.what, (v) => { chosen.what = v; this.update(); }));
    const series = names.map((name) => {
      const c = object(curves[name]), index = arms.findIndex((arm) => String(arm.name) === name);
      let points;
      if (chosen.what === 'pulls') points = curvePoints(c, 'total_pulls', 'pulls');
      else if (chosen.what === 'best') points = curvePoints(c, 'total_pulls', 'best');
      else points = list(c.total_pulls).map((x, i) => ({x, y: list(c.value)[i] - list(c.bound)[i]})).filter((p) => isNumber(p.x) && isNumber(p.y));
      return {label: name, index, hold: chosen.what !== 'pulls', points};
    });
    const titles = {pulls: 'Pulls of the arms', best: 'Smallest value of each arm', lower: 'f \u2212 g of each arm'};
    this.lines.draw({title: titles[chosen.what], x: {label: 'pulls of all arms', unit: '', log: chosen.what !== 'pulls'},
      y: {label: {pulls: 'pulls of the arm', best: 'smallest value', lower: 'f \u2212 g'}[chosen.what], unit: '', log: false}, series,
      note: names.length < arms.length ? `The first ${names.length} arms.` : ''});
  },
};

const shorten = (text, most) => (text.length > most ? text.slice(0, most - 1) + '…' : text);

/// Round numbers between two ends.
function niceTicks(from, to, about) {
  const rough = (to - from) / Math.max(1, about), size = 10 ** Math.floor(Math.log10(rough));
  const step = size * ([1, 2, 5, 10].find((m) => m * size >= rough) || 10);
  const ticks = [];
  for (let i = Math.ceil(from / step); i * step <= to && ticks.length < 100; ++i) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}
