// SPDX-License-Identifier: Apache-2.0
// The settings of a sweep as data: keys with their values, cells with their means, and the lines that a
// chart has of them.

const MOST_LINES = 14, BY_ALGORITHM = 'algorithm';

/// The values of a key, ascending, with their texts.
class ExploredKey {
  constructor(given, position) {
    const {key, label, unit, log, categories, at} = object(given);
    this.position = position;
    this.name = String(key);
    this.label = String(label);
    this.unit = String(unit || '');
    this.at = list(at);
    const values = [...new Set(this.at.filter(isNumber))].sort((a, b) => a - b);
    this.values = values;
    const text = (value) => categories ? String(list(categories)[value]) : pretty(value, this.unit);
    this.texts = new Map(values.map((value) => [value, text(value)]));
    // Names, and 0 among powers, have even distances.
    this.even = Boolean(categories) || Boolean(log) && values[0] <= 0;
    this.log = Boolean(log) && !this.even;
    this.places = new Map(values.map((value, i) => [value, this.even ? i : value]));
  }
  text(value) {
    return this.texts.get(value) ?? DASH;
  }
  /// As the axis of a chart.
  axis() {
    return {
      label: this.label,
      unit: this.unit,
      log: this.log,
      tight: true,
      names: this.even ? this.values.map((value) => this.text(value)) : null
    };
  }
  place(value) {
    return this.places.get(value);
  }
}

/// What the page knows of the settings: rows are cells, one algorithm in one setting.
class Explored {
  constructor(given) {
    const data = object(given), cells = object(data.cells);
    this.algorithms = list(data.algorithms).map(String);
    this.settings = list(data.settings).map(String);
    this.keys = list(data.keys).map((key, i) => new ExploredKey(key, i));
    this.measures = list(data.measures).map(object);
    this.effects = list(data.effects).map(object);
    this.rows = list(cells.setting).map((setting, i) => ({
      setting,
      algorithm: list(cells.algorithm)[i],
      finished: list(cells.finished)[i] || 0,
      unfinished: list(cells.unfinished)[i] || 0,
      mean: list(list(cells.mean)[i]),
      half: list(list(cells.half)[i])
    }));
  }
  value(row, key) {
    return key.at[row.setting];
  }
}

/// Lines of a chart: one for each algorithm and setting of the keys beside x, or, where these are
/// too many, one for each algorithm with the range of its settings. `apart`: keys that panels have;
/// `looks`: one look for each name, in all panels.
function exploredLines(explored, rows, x, measure, apart, looks) {
  const others = explored.keys.filter(
      (key) => key !== x && !apart.includes(key) &&
          new Set(rows.map((row) => explored.value(row, key))).size > 1);
  const several = new Set(rows.map((row) => row.algorithm)).size > 1;
  const lines = new Map(), byAlgorithm = new Map();
  for (const row of rows) {
    const value = explored.value(row, x), mean = row.mean[measure];
    if (!isNumber(value) || !isNumber(mean)) continue;
    const name = explored.algorithms[row.algorithm];
    const rest = others.map((key) => key.values.length > 1 &&
                                key.text(explored.value(row, key)) + ' ' +
                                (key.unit || key.even ? '' : key.label))
                     .filter(Boolean)
                     .map((text) => text.trim());
    const label = [several || !rest.length ? name : '', ...rest].filter(Boolean).join(', ');
    const half = row.half[measure], place = x.place(value);
    const point = {x: place, y: mean};
    if (isNumber(half)) Object.assign(point, {low: mean - half, high: mean + half});
    if (!lines.has(label))
      lines.set(label, {label, algorithm: row.algorithm, rest: rest.join(', '), points: []});
    lines.get(label).points.push(point);
    if (!byAlgorithm.has(row.algorithm))
      byAlgorithm.set(row.algorithm, {places: new Set(), lines: new Map()});
    const own = byAlgorithm.get(row.algorithm);
    own.places.add(place);
    if (!own.lines.has(label)) own.lines.set(label, new Map());
    own.lines.get(label).set(place, mean);
  }
  const ascending = (points) => points.sort((a, b) => a.x - b.x);
  if (lines.size <= MOST_LINES)
    return {
      averaged: false,
      series: [...lines.values()].map(({label, algorithm, rest, points}) => ({
                                        label,
                                        index: several ? algorithm : looks.of(rest),
                                        mark: several && rest ? looks.of(rest) : undefined,
                                        band: true,
                                        points: ascending(points)
                                      }))
    };
  // Only lines with all values of x: a mean must not move because its settings change.
  const partial = new Map();
  for (const [algorithm, {places, lines: own}] of byAlgorithm) {
    const whole = [...own.values()].filter((line) => line.size === places.size);
    if (whole.length < own.size) partial.set(algorithm, own.size - whole.length);
    const at = new Map();
    for (const place of places)
      if (whole.length) at.set(place, whole.map((line) => line.get(place)));
    byAlgorithm.set(algorithm, at);
  }
  return {
    averaged: true,
    partial: [...partial].map(([algorithm, count]) => `${count} of ${explored.algorithms[algorithm]}`),
    series: [...byAlgorithm].map(([algorithm, at]) => ({
                                   label: explored.algorithms[algorithm],
                                   index: algorithm,
                                   band: true,
                                   spread: true,
                                   points: ascending([...at].map(([place, means]) => ({
                                                                   x: place,
                                                                   y: sum(means) / means.length,
                                                                   low: Math.min(...means),
                                                                   high: Math.max(...means)
                                                                 })))
                                 }))
  };
}

/// A number for each name, in the order of their coming.
class Looks {
  constructor() {
    this.known = new Map();
  }
  of(name) {
    if (!this.known.has(name)) this.known.set(name, this.known.size);
    return this.known.get(name);
  }
}

/// Which of the charts have a name in them that none before has: these show a legend.
function withNewNames(charts) {
  const seen = new Set();
  return charts.map((series) => {
    const fresh = series.some(({label}) => !seen.has(label));
    for (const {label} of series) seen.add(label);
    return fresh;
  });
}

/// The lowest and the highest of all series, so that panels can be compared.
function commonRange(all, log) {
  let low = Infinity, high = -Infinity;
  for (const {points} of all)
    for (const {y, low: from, high: to} of points) {
      if (log && !(y > 0)) continue;
      low = Math.min(low, log ? y : Math.min(y, from ?? y));
      high = Math.max(high, y, to ?? y);
    }
  if (!(low <= high)) return null;
  if (log) return {min: low / 1.15, max: high * 1.15};
  return {min: low >= 0 ? 0 : low, max: high > 0 ? high * 1.03 : high};
}
