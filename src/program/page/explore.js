// SPDX-License-Identifier: Apache-2.0
// The settings of a sweep to explore: a measure over a key, panels over a second one, what each key
// does on average, all keys and measures side by side, and every setting with its runs. One choice
// of settings holds for all of them.

const MOST_PANELS = 12, ROWS_AT_ONCE = 100, NO_KEY = '';

/// Shows the first `count` boxes: charts measure the places that they have when they are drawn.
function placeBoxes(root, all, count) {
  if (root.childElementCount !== count) root.replaceChildren(...all.slice(0, count).map((box) => box.root));
}

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
