// SPDX-License-Identifier: Apache-2.0
// A chart in a card: Chart.js's canvas, a legend of buttons, the CSV of what is drawn.

Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;

const boxes = new Map();  // every chart of the page by name

const tickText = (unit) => function(value) {
  if (this.type === 'logarithmic') {
    const decade = Math.floor(Math.log10(value) + 1e-9), lead = Math.round(value / 10 ** decade);
    const decades = Math.log10(this.max / this.min);
    if (!(lead === 1 || (decades < 2.5 && (lead === 2 || lead === 5)))) return null;
  }
  return pretty(value, unit, 3);
};

/// The range of a logarithmic axis. A band that reaches down to 0 doesn't stretch it.
function logRange(series, of) {
  let low = Infinity, high = -Infinity;
  for (const {points, hidden} of series) {
    if (hidden) continue;
    for (const point of points) {
      const value = point[of], [least, most] =
                                  of === 'y' && point.low < point.high ? [point.low, point.high] :
                                                                         [value, value];
      if (!(value > 0)) continue;
      low = Math.min(low, least > value / 4 ? least : value);
      high = Math.max(high, most);
    }
  }
  if (!(low <= high)) return {};
  return low === high ? {min: low / 2, max: high * 2} :
      of === 'y'      ? {min: low / 1.15, max: high * 1.15} :
                        {min: low, max: high};
}

/// A chart whose logarithmic axes have values below 0, or none above it, gets linear ones, and says
/// so: these values would be left out, and the frame might be empty.
function withDrawableScales(spec) {
  if (spec.bars) return spec;
  const notes = [spec.note];
  const drawable = (name) => {
    const axis = spec[name];
    const values =
        spec.series.filter((s) => !s.bound).flatMap((s) => s.points.map((point) => point[name]));
    if (!axis.log || !values.length || values.every((v) => !(v < 0)) && values.some((v) => v > 0))
      return axis;
    notes.push(`The axis of ${axis.label} is linear: values of 0 or less have no logarithm.`);
    return {...axis, log: false};
  };
  const x = drawable('x'), y = drawable('y');
  return {...spec, x, y, note: notes.filter(Boolean).join(' ')};
}

/// Faults as grey bands behind the data, with their kind where there is room.
const faultBands = {
  id: 'faults',
  beforeDatasetsDraw(chart, _, {bands}) {
    const {ctx, chartArea: area, scales: {x}} = chart, ink = inks();
    for (const {label, from, to} of bands || []) {
      const left = x.type === 'logarithmic' && !(from > 0) ? area.left : x.getPixelForValue(from);
      const begin = Math.max(area.left, left);
      const end = Math.min(area.right, Math.max(x.getPixelForValue(to), left + 1));
      if (!(begin < area.right && end > area.left)) continue;
      ctx.save();
      ctx.fillStyle = faded(ink.text, 0.1);
      ctx.fillRect(begin, area.top, end - begin, area.bottom - area.top);
      const kind = label.split(' ')[0];
      ctx.font = `11px ${Chart.defaults.font.family}`;
      ctx.fillStyle = ink.faint;
      if (ctx.measureText(kind).width + 6 <= end - begin) ctx.fillText(kind, begin + 3, area.top + 11);
      ctx.restore();
    }
  }
};

class ChartBox {
  constructor(name, title, {tall = 300} = {}) {
    this.name = name;
    this.toggled = new Map();  // label in the legend -> hidden, as the user chose
    this.title = el('h3', {text: title});
    this.tools = el('div', {class: 'tools'});
    this.canvas = el('canvas', {role: 'img', 'aria-label': title});
    this.area = el('div', {class: 'canvas'}, this.canvas);
    this.area.style.height = tall + 'px';
    this.legend = el('ul', {class: 'legend', 'aria-label': 'legend'});
    this.note = el('p', {class: 'note'});
    this.save = el('button', {
      type: 'button',
      class: 'link',
      title: 'Save the plotted data as CSV',
      'aria-label': `CSV of ${title}`,
      text: 'CSV',
      onclick: () => save(fileName(this.name) + '.csv', this.csv())
    });
    this.root =
        el('figure', {class: 'card chart', 'data-chart': name},
           el('header', {}, this.title, this.tools), this.area,
           el('div', {class: 'foot'}, this.legend, this.save), this.note);
    boxes.set(name, this);
  }

  /// spec: {title, x, y: {label, unit, log}, series: [{label, points: [{x, y, low, high}], index,
  /// hold, band, bound, far, plain}], note} or {bars: {categories, at, horizontal, stacks:
  /// [{label, values, index}], line}, …}; at: where the categories are on an axis of numbers
  draw(given) {
    const spec = withDrawableScales(given);
    this.spec = spec;
    if (spec.title) this.title.textContent = spec.title;
    this.note.textContent = spec.note || '';
    this.note.hidden = !spec.note;
    const config = spec.bars ? this.barsConfig(spec) : this.linesConfig(spec);
    if (spec.tall) this.area.style.height = spec.tall + 'px';
    if (this.chart && this.chart.config.type !== config.type) {
      this.chart.destroy();
      this.chart = null;
    }
    if (!this.chart) {
      this.chart = new Chart(this.canvas, config);
    } else {
      this.chart.data = config.data;
      this.chart.options = config.options;
      this.chart.update('none');
    }
    this.legend.hidden = Boolean(spec.unnamed);
    this.drawLegend();
    this.canvas.setAttribute('aria-label', this.description());
  }
  redraw() {
    if (this.spec) this.draw(this.spec);
  }
  tool(...nodes) {
    replace(this.tools, nodes);
  }
  hiddenOf(entry) {
    return this.toggled.has(entry.label) ? this.toggled.get(entry.label) : Boolean(entry.far);
  }

  options(x, y, tooltip) {
    const ink = inks();
    const axis = (spec, range = {}) => ({
      type: spec.log ? 'logarithmic' : 'linear',
      ...range,
      title: {display: true, text: spec.label, color: ink.faint, font: {size: 12}},
      grid: {color: ink.grid, borderColor: ink.grid, tickLength: 4},
      ticks: {
        color: ink.faint,
        ...(spec.names ? {stepSize: 1} : {}),
        callback: spec.names ? (value) => spec.names[value] ?? null : tickText(spec.unit || ''),
        maxRotation: 0,
        autoSkipPadding: 12,
        font: {size: 11}
      },
    });
    return {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      normalized: true,
      events: ['mousemove', 'mouseout', 'click', 'touchstart', 'touchmove'],
      layout: {padding: {top: 6, right: 10}},
      scales: {x: axis(x, x.range), y: axis(y, y.range)},
      plugins: {
        legend: {display: false},
        tooltip: {
          animation: false,
          backgroundColor: ink.text,
          titleColor: ink.ground,
          bodyColor: ink.ground,
          footerColor: ink.ground,
          padding: 8,
          boxPadding: 4,
          ...tooltip
        },
      },
    };
  }

  linesConfig(spec) {
    const ink = inks();
    const drawable = ({x, y}) => !(spec.x.log && !(x > 0)) && !(spec.y.log && !(y > 0));
    this.shown = spec.series
                     .map((series) => ({
                            ...series,
                            hidden: this.hiddenOf(series),
                            points: series.points.filter(drawable)
                          }))
                     .filter((series) => series.points.length);
    const curves = this.shown.filter((series) => !series.bound);
    const datasets = [];
    const floor = spec.y.log ? Number.MIN_VALUE : -Infinity;
    for (const series of this.shown) {
      const hue = colour(series.index);
      const stepped = series.hold ? 'before' : false;
      const base = {
        parsing: false,
        stepped,
        hidden: series.hidden,
        clip: 6,  // the last marker lies on the edge
        borderColor: hue,
        backgroundColor: hue,
        label: series.label
      };
      if (series.band && series.points.some((point) => point.low < point.high)) {
        const edge = {
          ...base,
          borderWidth: 0,
          pointRadius: 0,
          pointHitRadius: 0,
          band: true,
          backgroundColor: faded(hue, themeName() === 'dark' ? 0.24 : 0.17)
        };
        datasets.push({
          ...edge,
          fill: false,
          data: series.points.map(({x, y, low}) => ({x, y: Math.max(low ?? y, floor)}))
        });
        datasets.push(
            {...edge, fill: '-1', data: series.points.map(({x, y, high}) => ({x, y: high ?? y}))});
      }
      const every = Math.max(1, Math.ceil(series.points.length / 7));
      const offset = Math.floor((every * (series.index % 7)) / 7);
      const last = series.points.length - 1;
      const marked = (i) => !series.bound && !series.plain && (i === last || i % every === offset);
      datasets.push({
        ...base,
        data: series.points,
        fill: false,
        tension: 0,
        series,
        borderWidth: series.bound ? 1.5 :
            series.index > 6      ? 1.6 :
                                    2,
        borderDash: strokesOf(series),
        pointStyle: markerOf(series),
        pointRadius: series.points.map((_, i) => (marked(i) ? 3.5 : 0)),
        pointHitRadius: 6,
        pointHoverRadius: series.bound ? 0 : 5,
        pointBorderColor: hue,
        pointBackgroundColor:
            ['cross', 'crossRot', 'star'].includes(markerOf(series)) ? 'transparent' : hue
      });
    }
    const visible = this.shown.filter((series) => !series.hidden);
    const range = {};
    if (spec.x.names)
      range.x = {min: -0.3, max: spec.x.names.length - 0.7};
    else if (spec.x.log)
      range.x = logRange(curves, 'x');
    else {
      const xs = curves.flatMap((series) => series.points.map((point) => point.x));
      let low = Infinity, high = -Infinity;
      for (const x of xs) {
        low = Math.min(low, x);
        high = Math.max(high, x);
      }
      if (low <= high)
        range.x = {
          min: spec.x.tight ? low : Math.min(0, low),
          max: high > low || high !== 0 ? high : 1
        };
    }
    if (spec.y.log)
      range.y = logRange(visible, 'y');
    else if (visible.every((series) => series.points.every((point) => point.y >= 0)))
      range.y = {min: 0};
    if (spec.y.range) range.y = spec.y.range;
    const options = this.options({...spec.x, range: range.x}, {...spec.y, range: range.y}, {
      mode: 'nearest',
      axis: 'x',
      intersect: false,
      filter: (item) => !item.dataset.band,
      callbacks: {
        title: (items) =>
            items.length ? `${spec.x.label}: ${
                               spec.x.names ? spec.x.names[items[0].parsed.x] :
                                              pretty(items[0].parsed.x, spec.x.unit)}` :
                           '',
        label: (item) => {
          const {series} = item.dataset, {y, low, high} = object(series.points[item.dataIndex]);
          const text = (value, digits) => pretty(value, spec.y.unit, digits);
          return `${item.dataset.label}: ${text(item.parsed.y)}` +
              (!(high > y)   ? '' :
                   series.spread ? ` (${text(low, 3)} to ${text(high, 3)})` :
                                   ` ± ${text(high - y, 2)}`);
        },
      },
    });
    options.interaction = {mode: 'nearest', axis: 'x', intersect: false};
    options.plugins.faults = {bands: spec.faults || []};
    return {type: 'line', data: {datasets}, options, plugins: [faultBands]};
  }

  barsConfig(spec) {
    const {categories, at, horizontal, stacks, line} = spec.bars;
    const placed = (values) => at ? values.map((y, i) => ({x: at[i], y})) : values;
    const dense = Boolean(at) && categories.length > 60;
    const ink = inks();
    this.shown = stacks.map((stack) => ({
                              ...stack,
                              hidden: this.hiddenOf(stack),
                              bar: true,
                              points: categories.map((x, i) => ({x, y: stack.values[i]}))
                            }));
    const datasets = this.shown.map((stack) => ({
                                      type: 'bar',
                                      label: stack.label,
                                      data: placed(stack.values),
                                      hidden: stack.hidden,
                                      series: stack,
                                      backgroundColor: stack.hues || colour(stack.index),
                                      borderColor: ink.ground,
                                      borderWidth: dense ? 0 :
                                          horizontal     ? {right: 1} :
                                                           {top: 1},
                                      barPercentage: dense ? 1 : 0.92,
                                      categoryPercentage: horizontal ? 0.78 :
                                          dense                      ? 1 :
                                                                       0.94,
                                      maxBarThickness: horizontal ? 26 : 60,
                                      stack: 'all'
                                    }));
    if (line) {
      const shown = {
        ...line,
        hidden: this.hiddenOf(line),
        points:
            categories.map((x, i) => ({x, y: line.values[i]})).filter((point) => isNumber(point.y))
      };
      this.shown.push(shown);
      datasets.unshift({
        type: 'line',
        label: line.label,
        data: placed(line.values),
        hidden: shown.hidden,
        series: shown,
        yAxisID: 'right',
        stepped: 'middle',
        borderColor: ink.text,
        backgroundColor: ink.text,
        borderWidth: 1.5,
        pointRadius: categories.length > 40 ? 0 : 3,
        pointStyle: 'rectRot',
        pointHitRadius: 4
      });
    }
    const value = horizontal ? 'x' : 'y';
    const options = this.options(spec.x, spec.y, {
      mode: 'index',
      intersect: false,
      axis: horizontal ? 'y' : 'x',
      callbacks: {
        title: (items) =>
            (items.length ? (horizontal ? items[0].label :
                                          `${spec.x.label} ${categories[items[0].dataIndex]}`) :
                            ''),
        label: (item) => `${item.dataset.label}: ${
            pretty(
                item.parsed[item.dataset.yAxisID === 'right' ? 'y' : value],
                item.dataset.yAxisID === 'right' ? '' : spec[value].unit)}`,
        footer: (items) =>
            (items.length && spec.bars.footer ? spec.bars.footer(items[0].dataIndex) : ''),
      },
    });
    options.interaction = {mode: 'index', intersect: false, axis: horizontal ? 'y' : 'x'};
    options.indexAxis = horizontal ? 'y' : 'x';
    const names = horizontal ? options.scales.y : options.scales.x;
    names.stacked = true;
    if (at) {
      const half = (at[1] - at[0] || 1) / 2;
      names.min = at[0] - half;
      names.max = at.at(-1) + half;
      names.offset = false;
      names.ticks.precision = 0;
      names.ticks.includeBounds = false;
    } else {
      names.type = 'category';
      delete names.ticks.callback;
    }
    if (horizontal) {
      names.title.display = false;
      names.grid.display = false;
      names.ticks.color = ink.text;
      names.ticks.autoSkip = false;
      names.ticks.callback = function(value) {
        const most = Math.max(20, Math.floor(this.chart.width / 13));  // half of the width
        return shorten(String(this.getLabelForValue(value)), most, Math.floor(0.6 * most));
      };
    }
    options.scales[value].stacked = !spec[value].log;
    options.scales[value].min = 0;
    if (line)
      options.scales.right = {
        position: 'right',
        min: 0,
        type: 'linear',
        title: {display: true, text: line.label, color: ink.faint, font: {size: 12}},
        grid: {drawOnChartArea: false, borderColor: ink.grid},
        ticks: {color: ink.faint, font: {size: 11}, precision: 0, callback: tickText('')}
      };
    return {type: 'bar', data: {labels: categories.map(String), datasets}, options};
  }

  drawLegend() {
    const key = this.shown.map((s) => [s.label, s.hidden, s.index, s.bound, s.far])
                    .concat([themeName()])
                    .join('|');
    if (key === this.legendKey) return;
    this.legendKey = key;
    replace(
        this.legend,
        this.shown.map(
            (series) => el(
                'li', {},
                el('button', {
                  type: 'button',
                  class: series.bound && 'bound',
                  'aria-pressed': String(!series.hidden),
                  'data-key': series.label,
                  title:
                      [series.hidden ? 'show' : 'hide', series.where].filter(Boolean).join(' · '),
                  onclick: () => {
                    this.toggled.set(series.label, !series.hidden);
                    this.redraw();
                  }
                },
                   sampleOf(series, !series.bar && !this.spec.bars), el('span', {
                     text: series.label +
                         (series.far && series.hidden ? ' (above the plotted range)' : '')
                   })))));
  }
  description() {
    const parts = this.shown.filter((s) => !s.hidden).slice(0, 12).map((s) => {
      const end = s.points[s.points.length - 1];
      return s.bar || !end ? s.label : `${s.label} ends at ${pretty(end.y, this.spec.y.unit)}`;
    });
    return `${this.title.textContent}. ${parts.join('; ')}`;
  }
  csv() {
    const {x, y} = this.spec;
    const rows = [];
    for (const series of this.shown)
      if (!series.hidden)
        for (const point of series.points)
          rows.push([series.label, point.x, point.y, point.low ?? '', point.high ?? '']);
    const name = (axis, other) =>
        (axis && axis.label ? axis.label + (axis.unit ? ` (${axis.unit})` : '') : other);
    const sideways = this.spec.bars && this.spec.bars.horizontal;
    return csvText(
        ['series', name(sideways ? y : x, 'x'), name(sideways ? x : y, 'y'), 'low', 'high'],
        rows);
  }
  drawn() {
    return this.shown.filter((series) => !series.hidden).map(({label, points, bound}) => ({
                                                               label,
                                                               points: points.map(
                                                                   (point) => ({...point})),
                                                               ...(bound ? {bound: true} : {})
                                                             }));
  }
}

function strokesOf(series) {
  if (series.bound) return [7, 5];
  if (series.plain) return [3, 3];
  if (series.mark !== undefined) return DASHES[series.mark % DASHES.length];
  return series.line ? [] : dash(series.index);
}
const markerOf = (series) => marker(series.mark ?? series.index);

/// A series' symbol in the legend: a piece of its line, or a square.
function sampleOf(series, isLine) {
  const hue = series.sample || (series.line ? inks().text : colour(series.index));
  if (!isLine && !series.line)
    return svg(
        'svg', {width: 14, height: 12, 'aria-hidden': true},
        svg('rect', {x: 1, y: 1, width: 11, height: 10, rx: 2, fill: hue}));
  const strokes = strokesOf(series).join(' ');
  return svg(
      'svg', {width: 30, height: 12, viewBox: '0 0 30 12', 'aria-hidden': true},
      series.band && svg('rect', {x: 0, y: 1, width: 30, height: 10, fill: hue, opacity: 0.2}),
      svg('line', {
        x1: 0,
        x2: 30,
        y1: 6,
        y2: 6,
        stroke: hue,
        'stroke-width': 2,
        'stroke-dasharray': strokes || null
      }),
      !series.bound && !series.plain &&
          markerShape(series.line ? 'rectRot' : markerOf(series), 15, 6, 4, hue));
}
function markerShape(kind, x, y, r, hue) {
  const path = {
    rect: `M${x - r * 0.8} ${y - r * 0.8}h${r * 1.6}v${r * 1.6}h${- r * 1.6}z`,
    triangle: `M${x} ${y - r}L${x + r} ${y + r * 0.7}H${x - r}z`,
    rectRot: `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}z`,
    cross: `M${x} ${y - r}V${y + r}M${x - r} ${y}H${x + r}`,
    crossRot: `M${x - r * 0.7} ${y - r * 0.7}l${r * 1.4} ${r * 1.4}M${x + r * 0.7} ${y - r * 0.7}l${
        - r * 1.4} ${r * 1.4}`,
    star: `M${x} ${y - r}V${y + r}M${x - r * 0.7} ${y - r * 0.7}l${r * 1.4} ${r * 1.4}M${
        x + r * 0.7} ${y - r * 0.7}l${- r * 1.4} ${r * 1.4}`,
  }[kind];
  return path ? svg('path', {d: path, fill: hue, stroke: hue, 'stroke-width': 1.3}) :
                svg('circle', {cx: x, cy: y, r: r * 0.85, fill: hue});
}

/// A card for an SVG diagram, with the same header, note and CSV as a chart.
class PictureBox {
  constructor(name, title, {csv} = {}) {
    this.name = name;
    this.shown = [];
    this.title = el('h3', {text: title});
    this.tools = el('div', {class: 'tools'});
    this.area = el('div', {class: 'picture scroll', 'data-scroll': name});
    this.legend = el('ul', {class: 'legend still'});
    this.note = el('p', {class: 'note'});
    this.save = csv && el('button', {
                  type: 'button',
                  class: 'link',
                  title: 'Save the plotted data as CSV',
                  'aria-label': `CSV of ${title}`,
                  text: 'CSV',
                  onclick: () => save(fileName(name) + '.csv', csv())
                });
    this.root =
        el('figure', {class: 'card chart', 'data-chart': name},
           el('header', {}, this.title, this.tools), this.area,
           this.foot = el('div', {class: 'foot'}, this.legend, this.save), this.note);
    boxes.set(name, this);
  }
  tool(...nodes) {
    replace(this.tools, nodes);
  }
  /// entries: [shape, text]
  explain(entries, note = '') {
    replace(this.legend, entries.map(([shape, text]) => el('li', {}, shape, el('span', {text}))));
    this.note.textContent = note;
    this.note.hidden = !note;
  }
  width(least = 320) {
    return Math.max(least, Math.floor(this.area.clientWidth || 900));
  }
  redraw() {
    if (this.onRedraw) this.onRedraw();
  }
  drawn() {
    return this.shown;
  }
}
const swatch = (fill, attributes = {}) =>
    svg('svg', {width: 14, height: 12, 'aria-hidden': true},
        svg('rect', {x: 1, y: 1, width: 11, height: 10, rx: 2, fill, ...attributes}));
const stroke = (hue, attributes = {}) =>
    svg('svg', {width: 26, height: 12, 'aria-hidden': true},
        svg('line', {x1: 1, x2: 25, y1: 6, y2: 6, stroke: hue, 'stroke-width': 2, ...attributes}));
