// SPDX-License-Identifier: Apache-2.0
// Helpers for every other part of the page: DOM elements, number formatting, colours, storage.
// Text from documents only becomes text nodes and attribute values, never markup.

const SVG_NS = 'http://www.w3.org/2000/svg';

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'text')
      node.textContent = value;
    else if (name.startsWith('on'))
      node.addEventListener(name.slice(2), value);
    else
      node.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat(3))
    if (child !== null && child !== undefined && child !== false)
      node.append(child instanceof Node ? child : String(child));
  return node;
}
function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}
function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG_NS, tag), attributes, children);
}

/// Replaces the children of `root` but keeps the keyboard focus and all scroll positions. Elements
/// are matched by data-key, scroll boxes by data-scroll.
function replace(root, ...children) {
  const focused = root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const scrolled = new Map();
  for (const box of root.querySelectorAll('[data-scroll]'))
    if (box.scrollLeft || box.scrollTop)
      scrolled.set(box.dataset.scroll, [box.scrollLeft, box.scrollTop]);
  root.replaceChildren(...children.flat(3).filter(
      (child) => child !== null && child !== undefined && child !== false));
  for (const box of root.querySelectorAll('[data-scroll]')) {
    const position = scrolled.get(box.dataset.scroll);
    if (position) [box.scrollLeft, box.scrollTop] = position;
  }
  if (focused)
    for (const node of root.querySelectorAll('[data-key]'))
      if (node.dataset.key === focused) node.focus({preventScroll: true});
}

const isNumber = (x) => typeof x === 'number' && Number.isFinite(x);
const list = (x) => (Array.isArray(x) ? x : []);
const object = (x) => (x && typeof x === 'object' && !Array.isArray(x) ? x : {});
/// A column of a document's table: texts come as their different values and positions in them.
function column(table, name) {
  const values = object(table)[name];
  if (Array.isArray(values)) return values;
  const {texts, at} = object(values);
  return list(at).map((i) => String(list(texts)[i] ?? ''));
}
const sum = (values) => values.reduce((a, b) => a + (isNumber(b) ? b : 0), 0);
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const plural = (n, one, many) => `${n} ${n === 1 ? one : many || one + 's'}`;

// ---- numbers ------------------------------------------------------------------------------------

const DASH = '–';

function significant(x, digits = 4) {
  if (!isNumber(x)) return typeof x === 'string' ? x : DASH;
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (Number.isInteger(x) && size < 1e6)
    return x.toLocaleString('en', {useGrouping: size >= 1e4}).replaceAll(',', ' ');
  if (size >= 1e15 || size < 1e-4)
    return x.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
  if (size >= 1e4) {
    const place = 10 ** Math.max(0, Math.ceil(Math.log10(size)) - Math.max(digits, 6));
    return (Math.round(x / place) * place)
        .toLocaleString('en', {maximumFractionDigits: 0})
        .replaceAll(',', ' ');
  }
  return String(Number(x.toPrecision(digits)));
}

const STEPS = {
  bytes: [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']],
  s: [[10800, 'h', 3600], [1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']],
};

/// {factor, unit}: values of the size of `largest` are divided by the factor.
function prefixFor(unit, largest) {
  const steps = STEPS[unit];
  if (!steps) return {factor: 1, unit};
  const size = Math.abs(largest);
  if (!(size > 0)) return {factor: 1, unit: unit === 'bytes' ? 'B' : 's'};
  for (const [from, name, factor] of steps)
    if (size >= from) return {factor: factor || from, unit: name};
  return {factor: 1, unit: unit === 'bytes' ? 'B' : 's'};
}
function pretty(x, unit = '', digits = 4) {
  if (!isNumber(x)) return typeof x === 'string' ? x : DASH;
  if (!STEPS[unit]) return significant(x, digits) + (unit ? '\u202f' + unit : '');
  const prefix = prefixFor(unit, x);
  return significant(x / prefix.factor, digits) + '\u202f' + prefix.unit;
}
/// t(0.975) of Student's distribution: exact to four digits up to 30 degrees of freedom, else by
/// Cornish and Fisher's expansion.
const STUDENT_T = [
  12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281, 2.201, 2.1788,
  2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.093, 2.086, 2.0796, 2.0739, 2.0687, 2.0639,
  2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423
];
function studentT(freedom) {
  if (freedom <= STUDENT_T.length) return STUDENT_T[freedom - 1];
  const z = 1.959964;
  return z + (z ** 3 + z) / (4 * freedom) +
      (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2);
}
/// Half of the mean's 95 % interval; 0 for a single value.
const halfInterval = (n, sd) => (n > 1 && sd > 0 ? (studentT(n - 1) * sd) / Math.sqrt(n) : 0);
const INTERVAL_LEGEND = '±: half of the mean\u2019s 95\u202f% interval';
/// "928.6 ± 5.5": the mean and half its 95 % interval.
function meanAndInterval(measured, unit = '') {
  if (isNumber(measured)) return pretty(measured, unit);
  const {n, mean, sd} = object(measured);
  if (!isNumber(mean)) return pretty(mean);
  const half = halfInterval(n, sd);
  if (!(half > 0)) return pretty(mean, unit);
  const prefix = prefixFor(unit, Math.max(Math.abs(mean), half));
  const shown = half / prefix.factor;
  const decade = (x) => Math.floor(Math.log10(Math.max(Math.abs(x), 1e-300)));
  const digits = clamp(decade(mean / prefix.factor) - decade(shown) + 2, 2, 12);
  const tail = prefix.unit ? '\u202f' + prefix.unit : '';
  return `${significant(mean / prefix.factor, digits)}${tail} ± ${
      significant(Number(shown.toPrecision(2)), 2)}${tail}`;
}
const percent = (share) => (isNumber(share) ? significant(100 * share, 3) + '\u202f%' : DASH);

// ---- colours ------------------------------------------------------------------------------------

// The Okabe-Ito palette, without yellow on a light background and without dark blue on a dark one;
// black becomes white.
const PALETTE = {
  light: ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000'],
  dark: ['#56B4E9', '#E69F00', '#009E73', '#CC79A7', '#D55E00', '#F0E442', '#FFFFFF'],
};
// Of message types: as above, without the colours of drops.
const TYPE_PALETTE = {
  light: ['#0072B2', '#009E73', '#E69F00', '#CC79A7', '#56B4E9', '#000000'],
  dark: ['#56B4E9', '#009E73', '#E69F00', '#CC79A7', '#F0E442', '#FFFFFF'],
};
const MARKERS = ['circle', 'rect', 'triangle', 'rectRot', 'crossRot', 'star', 'cross'];
const DASHES = [[], [2, 3], [10, 3, 2, 3], [4, 4]];

const darkMedia = window.matchMedia('(prefers-color-scheme: dark)');
const calmMedia = window.matchMedia('(prefers-reduced-motion: reduce)');

function themeName() {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : darkMedia.matches ? 'dark' : 'light';
}
const colour = (index) => PALETTE[themeName()][index % 7];
const typeHue = (index) => TYPE_PALETTE[themeName()][index % 6];
/// The colour of failures and drops.
const alarm = () => colour(themeName() === 'dark' ? 4 : 1);
const marker = (index) => MARKERS[index % MARKERS.length];
const dash = (index) => DASHES[Math.floor(index / 7) % DASHES.length];
function faded(hex, alpha) {
  const n = parseInt(hex.slice(1), 16);
  return `rgba(${n >> 16},${(n >> 8) & 255},${n & 255},${alpha})`;
}
function inks() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue(name).trim();
  return {text: of('--text'), faint: of('--faint'), grid: of('--grid'), ground: of('--card')};
}

// ---- icons --------------------------------------------------------------------------------------

const ICONS = {
  play: 'M4 2.5v11l9-5.5z',
  pause: 'M4 2.5h3v11H4zM9 2.5h3v11H9z',
  step: 'M3 2.5v11l7-5.5zM11 2.5h2v11h-2z',
  'step-event': 'M3 4.5v7l5-3.5zM10.5 6a2 2 0 110 4 2 2 0 010-4z',
  until: 'M2 2.5v11l6-5.5zM8 2.5v11l6-5.5z',
  cut: 'M13.5 2.5 6.4 8.3M13.5 13.5 6.4 7.7M6 11a2 2 0 11-4 0 2 2 0 014 0zM6 5a2 2 0 11-4 0 2 2 0 014 0z',
  cross: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  sun: 'M8 5a3 3 0 100 6 3 3 0 000-6zM7.3.8h1.4v2.4H7.3zM7.3 12.8h1.4v2.4H7.3zM.8 7.3h2.4v1.4H.8z' +
      'M12.8 7.3h2.4v1.4h-2.4zM2.4 3.4l1-1 1.7 1.7-1 1zM10.9 11.9l1-1 1.7 1.7-1 1zM2.4 12.6l1.7-1.7 1 1-1.7 1.7z' +
      'M10.9 4.1l1.7-1.7 1 1-1.7 1.7z',
  moon: 'M6 1.5a6.5 6.5 0 108.5 8.5A5.5 5.5 0 016 1.5z'
};
const LINE_ICONS = ['cut', 'cross'];  // drawn as lines, the others as areas
/// In the colour of the text around it. `place`: x and y in an SVG.
const icon = (name, place) =>
    svg('svg',
        {width: 14, height: 14, viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': true, ...place},
        svg('path', {
          d: ICONS[name],
          ...(LINE_ICONS.includes(name) ?
                  {fill: 'none', stroke: 'currentColor', 'stroke-width': 1.8} :
                  {fill: 'currentColor'})
        }));

// ---- storage ------------------------------------------------------------------------------------

/// Pages opened from disk and private windows may have no storage; then nothing is remembered.
function remembered(area, key) {
  try {
    return window[area].getItem('posse-' + key);
  } catch {
    return null;
  }
}
function remember(area, key, value) {
  try {
    if (value === null)
      window[area].removeItem('posse-' + key);
    else
      window[area].setItem('posse-' + key, value);
  } catch {
    // The page works without storage.
  }
}

// ---- saving -------------------------------------------------------------------------------------

function save(name, text, type = 'text/csv;charset=utf-8') {
  const url = URL.createObjectURL(new Blob([text], {type}));
  const link = el('a', {href: url, download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
function csvText(header, rows) {
  const cell = (x) => {
    if (x === null || x === undefined) return '';
    const text = String(x);
    return /[",\r\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  return [header, ...rows].map((row) => row.map(cell).join(',') + '\n').join('');
}
const fileName = (text) =>
    text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-+|-+$/g, '') || 'posse';

// ---- tooltips of SVG diagrams -------------------------------------------------------------------

const tip = el('div', {class: 'tip', role: 'status', hidden: true});

function showTip(event, lines) {
  tip.hidden = false;  // shown first: screen readers only announce changes of visible elements
  tip.replaceChildren(
      ...lines.filter(Boolean).map((line, i) => el(i ? 'div' : 'strong', {text: line})));
  const box = tip.getBoundingClientRect();
  tip.style.left =
      clamp(event.clientX + 14, 4, Math.max(4, window.innerWidth - box.width - 8)) + 'px';
  const below = event.clientY + 16;
  tip.style.top =
      (below + box.height > window.innerHeight ? Math.max(4, event.clientY - box.height - 10) :
                                                 below) +
      'px';
}
const hideTip = () => {
  tip.hidden = true;
};

/// Elements with a data-tip index show `lines(index)` when the pointer or a finger is on them.
function tipsFor(root, lines) {
  const at = (event) => {
    const node = event.target.closest ? event.target.closest('[data-tip]') : null;
    if (node && root.contains(node))
      showTip(event, lines(Number(node.dataset.tip)));
    else
      hideTip();
  };
  root.addEventListener('pointermove', at);
  root.addEventListener('pointerdown', at);
  root.addEventListener('pointerleave', hideTip);
}

// ---- form elements ------------------------------------------------------------------------------

function choice(label, options, value, onchange, key) {
  const select =
      el('select', {'data-key': key || label, onchange: () => onchange(select.value)},
         options.map(([id, text]) => el('option', {value: id, text, selected: id === value})));
  return el('label', {class: 'choice'}, el('span', {text: label}), select);
}
/// Buttons side by side, for a choice among a few options. options: [id, text, tooltip?]
function segments(label, options, value, onchange) {
  return el(
      'div', {class: 'segments', role: 'group', 'aria-label': label},
      options.map(([id, text, title]) => el('button', {
                    type: 'button',
                    title,
                    'aria-pressed': String(id === value),
                    'data-key': label + id,
                    onclick: () => onchange(id),
                    text
                  })));
}
function checkbox(label, value, onchange, key) {
  const box = el('input', {
    type: 'checkbox',
    checked: value,
    'data-key': key || label,
    onchange: () => onchange(box.checked)
  });
  return el('label', {class: 'tick'}, box, el('span', {text: label}));
}
function table(head, rows, {caption, key, kind, numeric = []} = {}) {
  return el(
      'div', {
        class: 'scroll',
        'data-scroll': key || caption || head.join(),
        tabindex: 0,
        role: 'region',
        'aria-label': caption || 'table'
      },
      el('table', {class: kind}, caption && el('caption', {class: 'unseen', text: caption}),
         el('thead', {},
            el('tr', {},
               head.map(
                   (text, i) =>
                       el('th', {scope: 'col', class: numeric.includes(i) ? 'n' : null}, text)))),
         el('tbody', {}, rows)));
}
function cell(content, attributes = {}) {
  return el('td', attributes, content === null || content === undefined ? '' : content);
}

// ---- drawing helpers ----------------------------------------------------------------------------

/// Cuts a text in the middle, since names usually differ at their ends. Keeps the last word, up to
/// half of the length, or the last `end` characters.
function shorten(text, most, end) {
  if (text.length <= most) return text;
  const word = /[^A-Za-z0-9]?[A-Za-z0-9]*$/.exec(text.slice(-Math.floor(most / 2)))[0];
  const kept = end === undefined ? word : text.slice(-end);
  return text.slice(0, most - 1 - kept.length) + '…' + kept;
}
/// Measures labels of diagrams, in pixels.
const ruler = el('canvas').getContext('2d');
ruler.font = '12px ' + getComputedStyle(document.body).fontFamily;
const textWidth = (text) => ruler.measureText(text).width;
/// 26 characters keep the name of a run folder, its time and hash, complete.
const shortPath = (path) => shorten(path, 48, 26);

/// Round numbers between `from` and `to`, roughly `about` of them.
function niceTicks(from, to, about) {
  const rough = (to - from) / Math.max(1, about), size = 10 ** Math.floor(Math.log10(rough));
  const step = size * ([1, 2, 5, 10].find((m) => m * size >= rough) || 10);
  const ticks = [];
  for (let i = Math.ceil(from / step); i * step <= to && ticks.length < 100; ++i)
    ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}
