// SPDX-License-Identifier: Apache-2.0
// Turns documents into what the page draws: charts and bars of several documents as one.

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

/// Mean and standard deviation of a sample.
function statistics(values) {
  const n = values.length;
  if (!n) return {n, mean: null, sd: null, min: null, max: null};
  const mean = sum(values) / n;
  const sd = n > 1 ? Math.sqrt(sum(values.map((v) => (v - mean) ** 2)) / (n - 1)) : 0;
  return {n, mean, sd, min: Math.min(...values), max: Math.max(...values)};
}

// ---- charts -------------------------------------------------------------------------------------

/// How the ids of the charts of regret end, by abscissa.
const ABSCISSAS = {
  evaluations: '',
  rounds: '-rounds',
  bytes: '-bytes',
  virtual_s: '-virtual-time'
};
/// Kind: cumulative or simple; scope: global or local.
const regretId = (kind, scope, x) => `${kind === 'simple' ? 'simple-' : ''}regret${ABSCISSAS[x]}${
    scope === 'local' ? '-local' : ''}`;

/// The document's chart with that id, or null.
const chartIn = (doc, id) =>
    list(doc.charts).map(object).find((chart) => chart.id === id && list(chart.series).length) ||
    null;

/// The charts with that id of all open documents as one, for a ChartBox, or null. Every algorithm of
/// every document has its own style, as in algorithmsOf(). A document whose clients are alike has
/// no local regrets of its own: they are the global ones.
function chartOf(id) {
  const many = state.documents.length > 1, charts = [], series = [];
  let before = 0;
  for (const doc of state.documents) {
    const own = chartIn(doc, id) || chartIn(doc, id.replace(/-local$/, ''));
    if (own) {
      charts.push(own);
      series.push(
          ...linesOf(own, before, many && ` · ${tagOf(doc, state.documents)}`, titleOf(doc)));
    }
    before += list(doc.algorithms).length;
  }
  if (!charts.length) return null;
  const axis = (name) => ({...charts[0][name], log: charts.some((chart) => chart[name].log)});
  const counts = series.filter((one) => one.band).map((one) => one.repetitions);
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const band = charts.map((chart) => chart.band).find(Boolean) || '';
  return {
    ...charts[0],
    x: axis('x'),
    y: axis('y'),
    series,
    faults: charts.flatMap((chart) => list(chart.faults).map(object)),
    band: least < most ?
        band.replace(/over (up to )?\d+ repetitions/, `over ${least} to ${most} repetitions`) :
        band,
    note: [...new Set(charts.map((chart) => chart.note).filter(Boolean))].join('; ')
  };
}
/// A chart's series and references as a ChartBox takes them.
function linesOf(chart, before = 0, tag = '', where = '') {
  const series = list(chart.series).map(object).map((one) => {
    const [x, y, low, high] = ['x', 'y', 'low', 'high'].map((name) => list(one[name]));
    return {
      label: one.label + (tag || ''),
      where: tag ? where : '',
      index: before + (one.style || 0),
      hold: one.kind === 'steps',
      band: low.length > 0,
      plain: Boolean(one.alone),
      repetitions: one.repetitions,
      points: x.map((at, i) => ({
                      x: at,
                      y: y[i],
                      ...(low.length ? {low: low[i], high: high[i]} : {})
                    }))
                  .filter((point) => isNumber(point.x) && isNumber(point.y))
    };
  });
  const ends = [Infinity, -Infinity];
  for (const {points} of series)
    for (const {x: at} of points) {
      ends[0] = Math.min(ends[0], at);
      ends[1] = Math.max(ends[1], at);
    }
  const bounds = list(chart.references).map(object).map((one) => ({
                                                          label: one.label + (tag || ''),
                                                          index: before + (one.style || 0),
                                                          bound: true,
                                                          points: ends.map((x) => ({x, y: one.y}))
                                                        }));
  return [...series, ...bounds];
}

/// The mean of several runs' bounds on one quantity.
const meanBound = (bounds) => ({
  ...bounds[0],
  value: sum(bounds.map((b) => b.value)) / bounds.length,
  vacuous: bounds.every((b) => b.vacuous)
});

// ---- ledgers ------------------------------------------------------------------------------------

const ARROWS = {
  up: '↑',
  down: '↓',
  peer: '↔'
};
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

/// The bars with that id of all open documents as one: {axis, bars: [{label, algorithm, type}],
/// parts: [{label, strength, dropped, values}]}, or null. `algorithm` is a position in
/// algorithmsOf().
function barsOf(id) {
  const many = state.documents.length > 1;
  let all = null, before = 0;
  for (const doc of state.documents) {
    const own = list(doc.bars).map(object).find((one) => one.id === id);
    if (own) {
      const tag = many ? ` · ${tagOf(doc, state.documents)}` : '';
      const bars = list(own.bars).map((bar) => ({
                                        ...object(bar),
                                        label: bar.label + tag,
                                        algorithm: before + bar.algorithm
                                      }));
      const parts = list(own.parts).map(object);
      all = !all ? {...own, bars, parts} : {
        ...all,
        note: [...new Set([all.note, own.note])].filter(Boolean).join('; '),
        bars: [...all.bars, ...bars],
        parts: all.parts.map(
            (part, i) => ({...part, values: [...list(part.values), ...list(parts[i].values)]}))
      };
    }
    before += list(doc.algorithms).length;
  }
  return all;
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

// ---- what is left out ---------------------------------------------------------------------------

const DETAILS_LEFT_OUT = 'Rounds, messages, links and cells of this run are left out to keep ' +
    'the page small: look in its folder.';

/** What a document leaves out for its size, in words. */
function leftOut(doc) {
  const without = list(doc.runs).filter((run) => object(run).details_left_out).length;
  return [
    doc.runs_left_out > 0 && plural(doc.runs_left_out, 'run'),
    without > 0 && `rounds, messages, links and cells of ${plural(without, 'run')}`
  ].filter(Boolean)
      .join('; ');
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
