// SPDX-License-Identifier: Apache-2.0
// Turns documents into what the page draws: mean curves over repetitions, mean ledgers, bounds.

/// Every algorithm of every open document, in order. The index selects its colour and marker.
function algorithmsOf(documents) {
  const all = [];
  documents.forEach((doc, d) => {
    list(doc.algorithms).forEach((algorithm, a) => {
      const runs = list(doc.runs).filter((run) => run && run.algorithm === a);
      const label = String(object(algorithm).label ?? `algorithm ${a + 1}`);
      all.push({
        doc,
        d,
        a,
        algorithm: object(algorithm),
        runs,
        index: all.length,
        label: documents.length > 1 ? `${label} · ${tagOf(doc, documents)}` : label,
        where: documents.length > 1 ? titleOf(doc) : ''
      });
    });
  });
  return all;
}
/// A document's location: its path below the served folder, otherwise its own title.
const titleOf = (doc) =>
    doc.path ? String(doc.path) : String(doc.title || doc.name || 'run').replace(/^runs\//, '');
/// A short name that distinguishes a document from the others: its own name, otherwise as much of
/// its path as necessary. The name of a run folder ends with a hash of the scenario.
function tagOf(doc, documents) {
  const names = [
    (d) => String(d.name || titleOf(d)), (d) => shorten(titleOf(d), 20, 9),
    (d) => shortPath(titleOf(d))
  ];
  const distinct = names.find((of) => new Set(documents.map(of)).size === documents.length);
  return (distinct || titleOf)(doc);
}

/// The settings of a resolved scenario by table. Tables of a list are identified by label or name,
/// otherwise by number. Settings that the program chooses are "auto".
function settingsOf(toml) {
  const tables = [{name: '', settings: new Map()}], counts = new Map();
  for (const line of String(toml).split('\n').map((text) => text.trim())) {
    const head = /^\[(\[?)([^\]]+)\]/.exec(line), auto = /^#\s*([\w.-]+)\s*=\s*auto\b/.exec(line),
          entry = auto || /^("[^"]*"|[\w.-]+)\s*=\s*(.*)$/.exec(line);
    if (head) {
      const name = head[2].trim(), number = (counts.get(name) || 0) + 1;
      counts.set(name, number);
      tables.push({name, number: head[1] && number, settings: new Map()});
    } else if (entry) {
      tables[tables.length - 1].settings.set(entry[1], entry[2] ?? 'auto');
    }
  }
  return new Map(tables.map(({name, number, settings}) => {
    const which = number && (settings.get('label') || settings.get('name') || number);
    return [which ? `${name} ${which}` : name, settings];
  }));
}
/// [{setting, values}] of the settings that differ; null where a scenario doesn't have one.
function differences(documents) {
  const all = documents.map((doc) => settingsOf(doc.scenario_toml));
  const keysOf = (maps) => [...new Set(maps.flatMap((map) => [...map.keys()]))];
  const rows = keysOf(all).flatMap((name) => {
    const tables = all.map((scenario) => scenario.get(name));
    if (tables.includes(undefined))  // a table that some lack: its kind alone
      return [{setting: name, values: tables.map((t) => (t ? t.get('kind') ?? 'yes' : null))}];
    return keysOf(tables).map((key) => ({
                                setting: name ? `${name}.${key}` : key,
                                values: tables.map((t) => t.get(key) ?? null)
                              }));
  });
  return rows.filter(({values}) => new Set(values).size > 1);
}
/// The arms of a functional bandit's run.
const armsOf = (run) =>
    list(object(object(run).arms).arms).filter((arm) => arm && typeof arm === 'object');
const isFunctional = (doc) => list(doc.runs).some((run) => armsOf(run).length > 0);

/// Points of a run's curve against one of its columns, in order, without missing values.
function curvePoints(curve, x, y = 'value') {
  const xs = list(object(curve)[x]), ys = list(object(curve)[y]);
  const points = [];
  for (let i = 0; i < Math.min(xs.length, ys.length); ++i)
    if (isNumber(xs[i]) && isNumber(ys[i])) points.push({x: xs[i], y: ys[i]});
  return points;
}

/// Keeps only the last of several points with the same x.
function tidied(points) {
  const out = [];
  for (const point of points) {
    if (out.length && out[out.length - 1].x === point.x)
      out[out.length - 1] = point;
    else
      out.push(point);
  }
  return out;
}

/// Mean and standard deviation of a sample.
function statistics(values) {
  const n = values.length;
  if (!n) return {n, mean: null, sd: null, min: null, max: null};
  const mean = sum(values) / n;
  const sd = n > 1 ? Math.sqrt(sum(values.map((v) => (v - mean) ** 2)) / (n - 1)) : 0;
  return {n, mean, sd, min: Math.min(...values), max: Math.max(...values)};
}

const MOST_POINTS = 1000;

/// The mean curve of repetitions, at every x of any of them where all are defined. `hold`: curves
/// are step functions; otherwise they are interpolated linearly. `lasting`: curves keep their last
/// value after their end, as step functions always do.
function meanCurve(curves, {hold, lasting = hold}) {
  const used = curves.filter((points) => points.length).map(tidied);
  if (!used.length) return [];
  if (used.length === 1) return thinned(used[0]).map(({x, y}) => ({x, y, half: 0}));
  let first = -Infinity, last = lasting ? -Infinity : Infinity;
  const xs = new Set();
  for (const points of used) {
    const end = points[points.length - 1].x;
    first = Math.max(first, points[0].x);
    last = lasting ? Math.max(last, end) : Math.min(last, end);
    for (const point of points) xs.add(point.x);
  }
  const grid = [...xs].filter((x) => x >= first && x <= last).sort((a, b) => a - b);
  const at = used.map(() => 0);
  return thinned(grid).map((x) => {
    const values = used.map((points, i) => {
      while (at[i] + 1 < points.length && points[at[i] + 1].x <= x) ++at[i];
      const left = points[at[i]], right = points[at[i] + 1];
      if (hold || left.x === x || !right) return left.y;
      return left.y + (right.y - left.y) * ((x - left.x) / (right.x - left.x));
    });
    const {n, mean, sd} = statistics(values);
    return {x, y: mean, half: halfInterval(n, sd)};
  });
}
function thinned(all) {
  if (all.length <= MOST_POINTS) return all;
  return Array.from(
      {length: MOST_POINTS}, (_, i) => all[Math.floor((i * (all.length - 1)) / (MOST_POINTS - 1))]);
}

/// An algorithm's lines: the mean of the repetitions that have ended, and one line for each that is
/// still running: in a mean it would end the curve, or count with the value that it has so far.
function seriesOf(entry, pointsOf, between) {
  const drawn =
      entry.runs.map((run) => ({run, points: pointsOf(run)})).filter(({points}) => points.length);
  const ended = drawn.filter(({run}) => run.state === 'over' || drawn.length === 1);
  const curves = ended.map(({points}) => points),
        look = {index: entry.index, hold: between.hold, where: entry.where};
  const mean = {...look, label: entry.label, points: meanCurve(curves, between)};
  const running = drawn.filter((one) => !ended.includes(one)).map(({run, points}) => {
    const label = `${entry.label}, repetition ${run.repetition} (running)`;
    return {...look, label, plain: true, points: meanCurve([points], between)};
  });
  return [{...mean, band: curves.length > 1, repetitions: curves.length}, ...running];
}

// ---- regret -------------------------------------------------------------------------------------

const ABSCISSAS = {
  evaluations: {label: 'evaluations per client', unit: ''},
  rounds: {label: 'rounds', unit: ''},
  bytes: {label: 'bytes sent', unit: 'bytes'},
  virtual_s: {label: 'virtual time', unit: 's'},
};

/// The evaluations of a functional bandit are the pulls of its only agent.
const abscissaLabel = (x) =>
    x === 'evaluations' && state.documents.every(isFunctional) ? 'pulls' : ABSCISSAS[x].label;

/// The name of a regret in documents. Kind: cumulative or simple; scope: global or local.
const regretMetric = (kind, scope) => `${scope === 'local' ? 'local_' : ''}${kind}_regret`;

/// Whether curves leave out rounds, as those of sequential learners do, which have a round per
/// evaluation: their jumps are then not where they have points.
const skipsRounds = (entry, metric) => entry.runs.some((run) => {
  const {rounds} = object(object(run.curves)[metric]);
  return list(rounds).some((round, i) => i > 0 && round > rounds[i - 1] + 1);
});

/// What a curve is between its points and after its end. Regret grows continuously with evaluations
/// and time; it jumps with bytes and rounds, and simple regret with every new recommendation. A
/// repetition that has ended early keeps its regret.
function betweenOf(entry, metric, x) {
  if (metric.includes('simple')) return {hold: true};
  if (x === 'evaluations') return {hold: false};
  return {hold: x !== 'virtual_s' && !skipsRounds(entry, metric), lasting: true};
}

/// The name that a regret has among an algorithm's measurements.
const regretName = (metric) => metric.replaceAll('_', ' ');

/// The mean of several runs' bounds on one quantity.
const meanBound = (bounds) => ({
  ...bounds[0],
  value: sum(bounds.map((b) => b.value)) / bounds.length,
  vacuous: bounds.every((b) => b.vacuous)
});

/// The upper bound on one of an algorithm's quantities, as its mean over runs, or null. Without its
/// constant (order_only) a bound says nothing about a number.
function boundOf(entry, names) {
  const figures = list(entry.algorithm.measurements).length ?
      list(entry.algorithm.measurements) :
      entry.runs.flatMap((run) => list(run.measurements));
  const bounds = figures
                     .filter(
                         (f) => f && names.includes(f.name) && f.bound && isNumber(f.bound.value) &&
                             f.bound.side !== 'lower' && f.bound.strength !== 'order_only')
                     .map((f) => f.bound);
  if (!bounds.length) return null;
  return meanBound(bounds);
}

// ---- ledgers ------------------------------------------------------------------------------------

const ARROWS = {
  up: '↑',
  down: '↓',
  peer: '↔'
};
const CAUSES = ['loss', 'queue', 'partition', 'crash'];
const dropsOf = (account) => sum(Object.values(object(account.dropped)));

/// Every message type that was sent has one colour, wherever it is drawn; acknowledgements are grey.
function typeColour(type) {
  if (type === 'Ack') return inks().faint;
  const sent = new Set(state.documents.flatMap(
      (doc) => list(doc.runs).flatMap(
          (run) => list(object(run).ledger).map((account) => String(object(account).type)))));
  const order = state.documents.flatMap((doc) => list(doc.message_types).map(String));
  const types = [...new Set([...order.filter((other) => sent.has(other)), ...sent, type])];
  return typeHue(types.filter((other) => other !== 'Ack').indexOf(type));
}

/// The mean ledger by message type and direction, over the algorithm's runs that have one.
function meanLedger(entry) {
  const runs = entry.runs.filter((run) => list(run.ledger).length);
  const rows = new Map();
  for (const run of runs)
    for (const account of list(run.ledger)) {
      const key = JSON.stringify([account.type, account.direction]);
      if (!rows.has(key))
        rows.set(key, {
          type: String(account.type),
          direction: String(account.direction),
          sent: 0,
          retransmitted: 0,
          duplicated: 0,
          delivered: 0,
          discarded: 0,
          in_flight: 0,
          values: 0,
          bytes: 0,
          header_bytes: 0,
          wire_bytes: 0,
          loss: 0,
          queue: 0,
          partition: 0,
          crash: 0
        });
      const row = rows.get(key);
      for (const field
               of ['sent', 'retransmitted', 'duplicated', 'delivered', 'discarded', 'in_flight',
                   'values', 'bytes', 'header_bytes', 'wire_bytes'])
        row[field] += (account[field] || 0) / runs.length;
      for (const cause of CAUSES) row[cause] += (object(account.dropped)[cause] || 0) / runs.length;
    }
  for (const row of rows.values()) {
    if (row.type === 'Ack') row.header_bytes = row.bytes;
    row.payload = row.bytes - row.header_bytes;
    row.dropped = sum(CAUSES.map((cause) => row[cause]));
  }
  return {runs: runs.length, rows: [...rows.values()]};
}
/// Totals as in results.json: messages and payload exclude acknowledgements, which have a count of
/// their own, and headers; drops include all copies.
function totalsOf(run) {
  const totals = {messages: 0, payload: 0, acknowledgements: 0, dropped: 0};
  for (const account of list(run.ledger)) {
    if (account.type === 'Ack') {
      totals.acknowledgements += account.sent || 0;
    } else {
      totals.messages += account.sent || 0;
      totals.payload += (account.bytes || 0) - (account.header_bytes || 0);
    }
    totals.dropped += dropsOf(account);
  }
  return totals;
}

// ---- status, progress ---------------------------------------------------------------------------

const inWords = (status) => String(status || DASH).replaceAll('_', ' ');
const isFinished = (run) => run.state === 'over' && (run.status || 'finished') === 'finished';

/// A run's state, or how it ended. In a folder, a run that still waits was never started.
function statusOf(doc, run) {
  if (run.state === 'over' || run.status === 'not_started') return inWords(run.status || run.state);
  return doc.source !== 'live' && run.state === 'waiting' ? 'not started' : inWords(run.state);
}
const NEUTRAL = ['running', 'waiting', 'paused', 'not started', 'over', DASH];
const toneOf = (status) => (status === 'finished' ? 'good' : NEUTRAL.includes(status) ? '' : 'bad');

/// [text, tone] for all runs of a document together. The tone is good only if nothing went wrong.
function outcomeOf(doc) {
  const status = String(doc.status || (isOver(doc) ? 'finished' : ''));
  if (status === 'running') return [status, 'live'];
  if (['paused', ''].includes(status)) return [status, 'warn'];
  if (status !== 'finished') return [inWords(status), 'bad'];
  const runs = list(doc.runs).map(object), algorithms = list(doc.algorithms).map(object);
  // A document may hold only the first of many runs, but its algorithms count all of them.
  const left = Math.max(
      runs.filter((run) => run.state && !isFinished(run)).length,
      sum(algorithms.map((algorithm) => algorithm.not_finished)));
  if (left) return [`${plural(left, 'run')} did not finish`, 'bad'];
  const tones = [...algorithms, ...runs]
                    .flatMap((part) => list(part.measurements).concat(list(part.totals)))
                    .map((quantity) => verdictOf(object(quantity))[1]);
  const failed = list(doc.thresholds).some((row) => FAILED.includes(object(row).verdict));
  return failed              ? ['finished, a threshold failed', 'bad'] :
      tones.includes('bad')  ? ['finished, a bound violated', 'bad'] :
      tones.includes('warn') ? ['finished, a bound exceeded', 'warn'] :
                               ['finished', 'good'];
}

function progressOf(doc) {
  const runs = list(doc.runs).map(object);
  const forecast = (run) => run.evaluations_expected > 0 ? run.evaluations_expected : null;
  let done = 0, expected = 0, known = runs.length > 0;
  for (const run of runs) {
    const made = run.evaluations || 0;
    // A run that never began may have no forecast; another repetition's will do.
    const all = isFinished(run) ? made :
                                  forecast(run) ??
            forecast(object(runs.find((o) => o.algorithm === run.algorithm && forecast(o))));
    done += made;
    expected += Math.max(made, all || 0);
    known = known && all !== null;
  }
  return {
    done,
    expected: known && expected > 0 ? expected : null,
    finished: runs.filter(isFinished).length,
    runs: runs.length
  };
}
