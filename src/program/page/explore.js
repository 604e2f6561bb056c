// SPDX-License-Identifier: Apache-2.0
// The settings of a sweep to explore: a measure over a key, panels over a second one, what each key
// does on average, all keys and measures side by side, and every setting with its runs. One choice
// of settings holds for all of them.

const MOST_LINES = 14, MOST_PANELS = 12, ROWS_AT_ONCE = 100;
const NO_KEY = '', BY_ALGORITHM = 'algorithm';

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

// ---- parallel coordinates -----------------------------------------------------------------------

/// All rows as lines over parallel axes, on a canvas. Dragging along an axis keeps the rows that
/// cross it there; a click on it lets all through again.
class ParallelAxes {
  constructor(onchange) {
    this.onchange = onchange;
    this.kept = new Map();  // axis name -> [from, to], shares of its height
    this.canvas = el('canvas', {
      role: 'img',
      'aria-label': 'Keys and measures of every setting on parallel axes; the table below has the ' +
          'same numbers'
    });
    this.area = el('div', {class: 'canvas parallel', 'data-scroll': 'parallel'}, this.canvas);
    this.canvas.addEventListener('pointerdown', (event) => this.begin(event));
    this.canvas.addEventListener('pointermove', (event) => this.move(event));
    this.canvas.addEventListener('pointerup', () => this.end());
    this.canvas.addEventListener('pointercancel', () => this.end());
  }

  /// axes: [{name, label, share(row), ticks: [[share, text]]}]
  draw(axes, rows, hueOf) {
    Object.assign(this, {axes, rows, hueOf});
    const width = Math.max(this.area.clientWidth, axes.length * 96, 320), height = 300;
    const scale = window.devicePixelRatio || 1;
    Object.assign(this, {width, height, left: 84, right: width - 64, top: 34, bottom: height - 14});
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    this.canvas.style.width = width + 'px';
    this.canvas.style.height = height + 'px';
    const began = performance.now();
    const g = this.canvas.getContext('2d'), ink = inks();
    g.setTransform(scale, 0, 0, scale, 0, 0);
    g.clearRect(0, 0, width, height);
    const x = axes.map((_, i) => this.x(i));
    const polyline = (row) => {
      let open = false;
      axes.forEach((axis, i) => {
        const share = axis.share(row);
        if (!isNumber(share)) {
          open = false;
          return;
        }
        const y = this.y(share);
        if (open)
          g.lineTo(x[i], y);
        else
          g.moveTo(x[i], y);
        open = true;
      });
    };
    // Those that are not kept first, in one path; then the others, a path for each colour.
    const [kept, rest] = [[], []];
    for (const row of rows) (this.keeps(row) ? kept : rest).push(row);
    g.lineWidth = 1;
    g.strokeStyle = faded(themeName() === 'dark' ? '#9ba5ae' : '#5b646d', 0.1);
    g.beginPath();
    rest.forEach(polyline);
    g.stroke();
    const byHue = new Map();
    for (const row of kept) {
      const hue = hueOf(row);
      if (!byHue.has(hue)) byHue.set(hue, []);
      byHue.get(hue).push(row);
    }
    for (const [hue, own] of byHue) {
      g.strokeStyle = faded(hue, kept.length > 200 ? 0.25 : 0.7);
      g.beginPath();
      own.forEach(polyline);
      g.stroke();
    }
    g.font = `11px ${Chart.defaults.font.family}`;
    axes.forEach((axis, i) => {
      g.strokeStyle = ink.faint;
      g.lineWidth = 1;
      g.beginPath();
      g.moveTo(x[i], this.top);
      g.lineTo(x[i], this.bottom);
      g.stroke();
      const range = this.kept.get(axis.name);
      if (range) {
        g.fillStyle = faded(themeName() === 'dark' ? '#56B4E9' : '#0072B2', 0.35);
        g.fillRect(x[i] - 6, this.y(range[1]), 12, this.y(range[0]) - this.y(range[1]));
      }
      g.fillStyle = ink.text;
      g.textAlign = 'center';
      g.fillText(shorten(axis.label, 18), x[i], 14);
      g.fillStyle = ink.faint;
      g.strokeStyle = ink.ground;  // a halo over the lines
      g.lineWidth = 3;
      g.lineJoin = 'round';
      g.textAlign = i === axes.length - 1 ? 'left' : 'right';
      for (const [share, text] of axis.ticks) {
        const at = [shorten(text, 13), x[i] + (i === axes.length - 1 ? 8 : -8), this.y(share) + 4];
        g.strokeText(...at);
        g.fillText(...at);
      }
    });
    this.drawnIn = performance.now() - began;
  }
  redraw() {
    if (this.axes) this.draw(this.axes, this.rows, this.hueOf);
  }
  x(i) {
    return this.axes.length < 2 ? this.left :
                                  this.left + (this.right - this.left) * i / (this.axes.length - 1);
  }
  y(share) {
    return this.bottom - (this.bottom - this.top) * share;
  }
  keeps(row) {
    for (const [name, [from, to]] of this.kept) {
      const axis = this.axes.find((one) => one.name === name), share = axis && axis.share(row);
      if (axis && !(isNumber(share) && share >= from && share <= to)) return false;
    }
    return true;
  }

  begin(event) {
    const at = this.axes ? this.axes.findIndex((_, i) => Math.abs(this.x(i) - event.offsetX) < 16) : -1;
    if (at < 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.dragged = {name: this.axes[at].name, from: this.shareAt(event.offsetY)};
    this.moved = false;
  }
  shareAt(y) {
    return clamp((this.bottom - y) / (this.bottom - this.top), 0, 1);
  }
  move(event) {
    if (!this.dragged) return;
    const {name, from} = this.dragged, to = this.shareAt(event.offsetY);
    if (Math.abs(to - from) * (this.bottom - this.top) < 4 && !this.moved) return;
    this.moved = true;
    this.kept.set(name, [Math.min(from, to) - 0.001, Math.max(from, to) + 0.001]);
    this.redraw();
  }
  end() {
    if (!this.dragged) return;
    if (!this.moved) this.kept.delete(this.dragged.name);
    this.dragged = null;
    this.redraw();
    this.onchange();
  }
}

/// Shows the first `count` boxes: charts measure the places that they have when they are drawn.
function placeBoxes(root, all, count) {
  if (root.childElementCount !== count) root.replaceChildren(...all.slice(0, count).map((box) => box.root));
}

// ---- the section --------------------------------------------------------------------------------

const exploreSection = {
  id: 'explore',
  title: 'Explore',
  build() {
    this.filters = new Map();  // key name, or BY_ALGORITHM -> value
    this.panels = [];          // charts of the measure
    this.effectBoxes = [];
    this.sorted = {by: -1, down: false};
    this.rowsShown = ROWS_AT_ONCE;
    this.word = '';
    this.controls = el('div', {class: 'card row'});
    this.chosen = el('p', {class: 'note'});
    this.charts = el('div', {class: 'pair'});
    this.effects = el('div', {class: 'pair small'});
    this.effectsNote = el('p', {class: 'note'});
    this.parallel = new ParallelAxes(() => this.refresh());
    this.tableArea = el('div', {});
    this.runsOf = null;  // the row whose runs are open
    return [
      this.controls, this.chosen, this.charts, el('h3', {text: 'What each key does on average'}),
      this.effectsNote, this.effects,
      el('figure', {class: 'card'},
         el('header', {}, el('h3', {text: 'All settings side by side'})),
         el('div', {class: 'scroll', 'data-scroll': 'parallel'}, this.parallel.area), el('p', {
           class: 'note',
           text: 'A line is an algorithm in a setting. Drag along an axis to keep the lines that ' +
               'cross it there, in everything on this page but the averages; click it to keep all.'
         })),
      el('div', {class: 'card'}, el('header', {}, el('h3', {text: 'Settings'})), this.tableArea)
    ];
  },

  update() {
    if (state.mode !== 'sweep') return false;
    if (!state.explored) return state.sweep && state.sweep.there ? 'Loading …' : false;
    if (state.explored !== this.given) {
      this.given = state.explored;
      const text = JSON.stringify(state.explored);
      if (text !== this.text) {
        this.text = text;
        this.data = new Explored(state.explored);
        this.refresh();
      }
    }
    if (!this.data.rows.length || !this.data.measures.length)
      return 'Nothing differs yet that could be explored.';
    return true;
  },

  refresh() {
    const {data} = this;
    if (!data.rows.length || !data.measures.length) return;
    if (!data.measures[this.measure]) this.measure = 0;
    const names = data.keys.map((key) => key.name);
    if (!names.includes(this.x)) this.x = this.usualX();
    if (![NO_KEY, BY_ALGORITHM, ...names].includes(this.by)) this.by = NO_KEY;
    if (this.by === this.x) this.by = NO_KEY;
    const keptByFilters = (row) => [...this.filters].every(
        ([name, value]) => (name === BY_ALGORITHM ?
                                row.algorithm :
                                data.value(row, data.keys[names.indexOf(name)])) === value);
    this.filtered = data.rows.filter(keptByFilters);
    this.drawControls();
    this.drawParallel();
    this.rows = this.filtered.filter((row) => this.parallel.keeps(row));
    this.drawCharts();
    this.drawEffects();
    this.drawTable();
  },

  /// The key with the most values, numbers before names.
  usualX() {
    const score = (key) => (key.even ? 0 : 1e6) + key.values.length;
    const best = [...this.data.keys].sort((a, b) => score(b) - score(a))[0];
    return best ? best.name : NO_KEY;
  },
  key(name) {
    return this.data.keys.find((key) => key.name === name);
  },
  set(change) {
    Object.assign(this, change);
    this.refresh();
  },

  drawControls() {
    const {data} = this, several = data.algorithms.length > 1;
    const keys = data.keys.map((key) => [key.name, key.label]);
    const filter = (name, label, options) => {
      const now = this.filters.has(name) ? String(this.filters.get(name)) : '';
      return choice(label, [['', 'all'], ...options.map(([id, text]) => [String(id), text])], now, (id) => {
        if (id === '')
          this.filters.delete(name);
        else
          this.filters.set(name, Number(id));
        this.refresh();
      }, 'filter ' + name);
    };
    replace(
        this.controls,
        choice(
            'Measure', data.measures.map(({label}, i) => [String(i), label]), String(this.measure),
            (id) => this.set({measure: Number(id)}), 'measure'),
        keys.length > 0 && choice('over', keys, this.x, (id) => this.set({x: id}), 'over'),
        choice(
            'panels',
            [
              [NO_KEY, 'none'], ...keys.filter(([name]) => name !== this.x),
              ...(several ? [[BY_ALGORITHM, 'algorithm']] : [])
            ],
            this.by, (id) => this.set({by: id}), 'panels'),
        checkbox('log', Boolean(this.log), (log) => this.set({log}), 'log'),
        several &&
            filter(BY_ALGORITHM, 'algorithm', data.algorithms.map((name, i) => [i, name])),
        data.keys.filter((key) => key.values.length <= 200)
            .map((key) => filter(key.name, key.label, key.values.map((value) => [value, key.text(value)]))),
        (this.filters.size > 0 || this.parallel.kept.size > 0) && el('button', {
          type: 'button',
          'data-key': 'all',
          text: 'Show all',
          onclick: () => {
            this.filters.clear();
            this.parallel.kept.clear();
            this.refresh();
          }
        }));
  },

  /// The rows of each panel with its heading.
  divided() {
    const {data} = this;
    if (this.by === NO_KEY) return [['', this.rows, []]];
    if (this.by === BY_ALGORITHM)
      return data.algorithms.map((name, i) => [name, this.rows.filter((row) => row.algorithm === i), []]);
    const key = this.key(this.by);
    return key.values.map((value) => [
      `${key.label}: ${key.text(value)}`, this.rows.filter((row) => data.value(row, key) === value), [key]
    ]);
  },

  drawCharts() {
    const {data} = this, measure = data.measures[this.measure], x = this.key(this.x);
    this.chosen.textContent = this.rows.length < data.rows.length ?
        `${significant(this.rows.length)} of ${significant(data.rows.length)} cells (an algorithm in a setting) are shown.` :
        '';
    this.chosen.hidden = !this.chosen.textContent;
    const parts = x ? this.divided().filter(([, rows]) => rows.length) : [];
    const looks = new Looks();
    const made = parts.slice(0, MOST_PANELS)
                     .map(([name, rows, apart]) => [name, exploredLines(data, rows, x, this.measure, apart, looks)]);
    const named = withNewNames(made.map(([, {series}]) => series));
    const range = made.length > 1 ?
        commonRange(made.flatMap(([, {series}]) => series), this.log) :
        null;
    while (this.panels.length < made.length)
      this.panels.push(new ChartBox(`explored ${this.panels.length + 1}`, '', {tall: 320}));
    placeBoxes(this.charts, this.panels, made.length);
    this.charts.classList.toggle('small', made.length > 1);
    made.forEach(([name, {series, averaged, partial}], i) => {
      const notes = [];
      if (averaged && i === 0)
        notes.push(
            'Too many lines: each is the mean of its algorithm’s settings, and its band goes from the ' +
            'lowest to the highest of them. Filters and panels choose.');
      if (averaged && partial.length)
        notes.push(`Settings without runs at all values of ${x.label} are left out: ${partial.join(', ')}.`);
      if (!averaged && i === 0 && series.some(({points}) => points.some(({y, high}) => high > y)))
        notes.push('Bands: 95\u202f% intervals of the means.');
      if (i === MOST_PANELS - 1 && parts.length > MOST_PANELS)
        notes.push(`The first ${MOST_PANELS} of ${parts.length} panels.`);
      if (this.log && series.some(({points}) => points.some(({y}) => !(y > 0))))
        notes.push('Values of 0 or less are not on an axis of logarithms.');
      this.panels[i].draw({
        title: name || `${measure.label[0].toUpperCase()}${measure.label.slice(1)} over ${x.label}`,
        x: x.axis(),
        y: {label: measure.label, unit: measure.unit, log: Boolean(this.log), range},
        series,
        note: notes.join(' '),
        unnamed: !named[i],
        tall: made.length > 1 ? 220 : 320
      });
    });
  },

  /// Of all settings: the averages are balanced only then.
  drawEffects() {
    const {data} = this, measure = data.measures[this.measure];
    const ofKey = data.keys.map(
        (key, k) => data.effects.filter(
            (effect) => effect.key === k && effect.measure === this.measure && list(effect.at).length > 1));
    const strength = (effects) => Math.max(
        0, ...effects.map(({mean}) => Math.max(...mean) - Math.min(...mean)));
    const shown = data.keys.map((key, k) => ({key, effects: ofKey[k]}))
                      .filter(({effects}) => effects.length)
                      .sort((a, b) => strength(b.effects) - strength(a.effects))
                      .slice(0, MOST_PANELS);
    const made = shown.map(({key, effects}) => effects.map((effect) => ({
                                                             label: data.algorithms[effect.algorithm],
                                                             index: effect.algorithm,
                                                             band: true,
                                                             points: effect.at.map((at, i) => {
                                                               const y = effect.mean[i], half = effect.half[i];
                                                               return {
                                                                 x: key.place(at),
                                                                 y,
                                                                 ...(isNumber(half) ? {low: y - half, high: y + half} : {})
                                                               };
                                                             })
                                                           })));
    const range = commonRange(made.flat(), false), named = withNewNames(made);
    while (this.effectBoxes.length < shown.length)
      this.effectBoxes.push(new ChartBox(`effect ${this.effectBoxes.length + 1}`, '', {tall: 190}));
    placeBoxes(this.effects, this.effectBoxes, shown.length);
    shown.forEach(({key, effects}, i) => {
      const missing = data.algorithms.filter((_, a) => !effects.some((effect) => effect.algorithm === a));
      const notes = [];
      if (effects.some((effect) => effect.in_common === false))
        notes.push('The algorithms have no settings of the other keys in common: compare shapes of lines, not lines.');
      const left = effects.filter((effect) => effect.left_out)
                       .map((effect) => `${effect.left_out} of ${data.algorithms[effect.algorithm]}`);
      if (left.length)
        notes.push(`Settings of the other keys that not all have are left out: ${left.join(', ')}.`);
      if (missing.length) notes.push(`Without ${missing.join(', ')}.`);
      this.effectBoxes[i].draw({
        title: key.label,
        x: key.axis(),
        y: {label: measure.label, unit: measure.unit, log: false, range},
        series: made[i],
        note: notes.join(' '),
        unnamed: !named[i],
        tall: 190
      });
    });
    this.effectsNote.textContent = shown.length ?
        `Means of ${measure.label} over the settings of the other keys that all have, the strongest key first, with ` +
            'their 95 % intervals over the repetitions. A key that works one way here and the other way ' +
            'there may look flat.' :
        'No two values of a key have runs in the same settings of the other keys.';
  },

  drawParallel() {
    const {data} = this, ordered = (values) => new Map(values.map((value, i) => [value, values.length < 2 ? 0.5 : i / (values.length - 1)]));
    const axes = [];
    if (data.algorithms.length > 1) {
      const places = ordered(data.algorithms.map((_, i) => i));
      axes.push({
        name: BY_ALGORITHM,
        label: 'algorithm',
        share: (row) => places.get(row.algorithm),
        ticks: data.algorithms.map((name, i) => [places.get(i), name])
      });
    }
    for (const key of data.keys) {
      const places = ordered(key.values), every = Math.ceil(key.values.length / 8);
      axes.push({
        name: key.name,
        label: key.label,
        share: (row) => places.get(data.value(row, key)),
        ticks: key.values.filter((_, i) => i % every === 0 || i === key.values.length - 1)
                   .map((value) => [places.get(value), key.text(value)])
      });
    }
    data.measures.slice(0, 8).forEach((measure, m) => {
      let low = Infinity, high = -Infinity;
      for (const {mean} of data.rows)
        if (isNumber(mean[m])) {
          low = Math.min(low, mean[m]);
          high = Math.max(high, mean[m]);
        }
      const log = low > 0 && high > 100 * low, on = log ? Math.log : (v) => v;
      const share = (v) => (high > low ? (on(v) - on(low)) / (on(high) - on(low)) : 0.5);
      const middle = log ? Math.sqrt(low * high) : (low + high) / 2;
      axes.push({
        name: 'measure ' + measure.name,
        label: measure.label,
        share: (row) => (isNumber(row.mean[m]) ? share(row.mean[m]) : null),
        ticks: low <= high ? [low, middle, high].map((v) => [share(v), pretty(v, measure.unit, 3)]) : []
      });
    });
    this.parallel.draw(axes, this.filtered, (row) => colour(row.algorithm));
  },

  drawTable() {
    const {data} = this, word = this.word.toLowerCase();
    const columns = [
      {name: 'setting', of: (row) => row.setting, text: (row) => data.settings[row.setting] || 'all'},
      {name: 'algorithm', of: (row) => data.algorithms[row.algorithm]},
      {name: 'runs', of: (row) => row.finished, numeric: true, text: (row) => row.unfinished ? `${row.finished} + ${row.unfinished} not finished` : String(row.finished)},
      ...data.measures.map((measure, m) => ({
                             name: measure.label,
                             numeric: true,
                             of: (row) => row.mean[m] ?? Infinity,
                             text: (row) => {
                               const {[m]: mean} = row.mean, {[m]: half} = row.half;
                               return isNumber(mean) ? pretty(mean, measure.unit) + (half > 0 ? ' ± ' + pretty(half, measure.unit, 2) : '') : DASH;
                             }
                           }))
    ];
    const rows = this.rows.filter(
        (row) => !word || (data.settings[row.setting] + ' ' + data.algorithms[row.algorithm]).toLowerCase().includes(word));
    const {by, down} = this.sorted, column = columns[by];
    if (column) {
      const sign = down ? -1 : 1;
      rows.sort((a, b) => {
        const [p, q] = [column.of(a), column.of(b)];
        return sign * (p < q ? -1 : p > q ? 1 : 0);
      });
    }
    const search = el('input', {
      type: 'search',
      'data-key': 'word',
      placeholder: 'part of a name',
      value: this.word,
      oninput: () => {
        this.word = search.value;
        this.drawTable();
      }
    });
    const head = el('tr', {}, columns.map((one, i) => el('th', {
                                            scope: 'col',
                                            class: one.numeric ? 'n' : null,
                                            'aria-sort': i === by ? (down ? 'descending' : 'ascending') : null
                                          },
                                          el('button', {
                                            type: 'button',
                                            class: 'link',
                                            'data-key': 'sort ' + one.name,
                                            text: one.name + (i === by ? (down ? ' ↓' : ' ↑') : ''),
                                            onclick: () => {
                                              this.sorted = {by: i, down: i === by && !down};
                                              this.drawTable();
                                            }
                                          }))));
    const body = [];
    for (const row of rows.slice(0, this.rowsShown)) {
      const open = this.runsOf && this.runsOf.setting === row.setting && this.runsOf.algorithm === row.algorithm;
      body.push(el('tr', {}, columns.map((one, i) => {
        const text = one.text ? one.text(row) : String(one.of(row));
        if (i > 0) return cell(text, {class: one.numeric ? 'n' : null});
        return el('th', {scope: 'row'}, el('button', {
                    type: 'button',
                    class: 'link',
                    'aria-expanded': String(Boolean(open)),
                    'data-key': `runs ${row.setting} ${row.algorithm}`,
                    text,
                    onclick: () => this.openRuns(row)
                  }));
      })));
      if (open) body.push(el('tr', {class: 'noterow'}, el('td', {colspan: columns.length}, this.runsList())));
    }
    replace(
        this.tableArea, el('label', {class: 'choice'}, el('span', {text: 'Find'}), search),
        el('div', {class: 'scroll', 'data-scroll': 'settings', tabindex: 0, role: 'region', 'aria-label': 'settings'},
           el('table', {class: 'explored'}, el('caption', {class: 'unseen', text: 'Settings'}), el('thead', {}, head), el('tbody', {}, body))),
        el('p', {class: 'note', text: `${significant(Math.min(rows.length, this.rowsShown))} of ${significant(rows.length)} rows. ${INTERVAL_LEGEND}. A setting opens its runs.`}),
        rows.length > this.rowsShown && el('button', {
          type: 'button',
          'data-key': 'more',
          text: `Show ${ROWS_AT_ONCE} more`,
          onclick: () => {
            this.rowsShown += ROWS_AT_ONCE;
            this.drawTable();
          }
        }),
        el('button', {
          type: 'button',
          class: 'link',
          text: 'CSV',
          onclick: () => save('settings.csv', csvText(columns.map((one) => one.name), rows.map((row) => columns.map((one, i) => i === 0 ? one.text(row) : one.of(row)))))
        }));
  },

  async openRuns(row) {
    const {runsOf} = this;
    if (runsOf && runsOf.setting === row.setting && runsOf.algorithm === row.algorithm) {
      this.runsOf = null;
      this.drawTable();
      return;
    }
    this.runsOf = {setting: row.setting, algorithm: row.algorithm, runs: null, problem: ''};
    this.drawTable();
    const own = this.runsOf;
    try {
      if (!location.protocol.startsWith('http')) throw new Error('a file');
      own.runs = await fetched(`api/runs?setting=${row.setting}&algorithm=${row.algorithm}`);
    } catch {
      own.problem = location.protocol.startsWith('http') ?
          'The runs can’t be had: the page is not connected.' :
          'A file has no runs in it: `posse serve` on the store opens them.';
    }
    if (this.runsOf === own) this.drawTable();
  },
  runsList() {
    const {setting, algorithm, runs, problem} = this.runsOf;
    if (problem) return problem;
    if (!runs) return 'Loading …';
    if (!runs.length) return 'No folders of these runs are known.';
    return list(runs).map(object).map(({repetition, finished}) => [
      el('a', {
        href: `run?setting=${setting}&algorithm=${algorithm}&repetition=${repetition}`,
        target: '_blank',
        rel: 'noopener',
        text: `repetition ${repetition}`
      }),
      finished ? '   ' : ' (not finished)   '
    ]);
  },
};
