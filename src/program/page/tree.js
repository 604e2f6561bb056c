// SPDX-License-Identifier: Apache-2.0
// The partition tree as an icicle diagram: depth downwards, a cell's width is its share of the arm
// space, eliminated cells are grey. A click zooms to a cell. The diagram is a single tab stop:
// arrow keys move between cells, Enter zooms like a click. Cells of a plane of arms are also drawn
// where they are.

const treeSection = {
  id: 'tree',
  title: 'Partition tree',
  ofRun: true,
  build() {
    this.box = new PictureBox('tree', 'Compared cells', {csv: () => this.csv()});
    this.box.onRedraw = () => this.update(true);
    this.from = 0;
    this.to = 1;
    this.map = new PictureBox('plane', 'Compared cells in the plane', {csv: () => this.planeCsv()});
    this.map.onRedraw = () => this.update(true);
    return [this.map.root, this.box.root];
  },
  update(force) {
    const {run} = selectedRun();
    const [depth, index, round, mean, kept, ...ends] = [
      'depth', 'index', 'round', 'mean', 'kept', 'low_1', 'high_1', 'low_2', 'high_2'
    ].map((name) => column(object(run).cells, name));
    this.box.shown = [];
    if (!depth.length) return false;
    const k = Math.max(2, run.children_per_cell || 2);
    const last = object({d: depth.length, r: round[depth.length - 1], i: run.id});
    const key = JSON.stringify([
      last, kept.filter(Boolean).length, sum(round), this.from, this.to,
      themeName(), this.box.area.clientWidth
    ]);
    if (run.id !== this.runId) {
      this.runId = run.id;
      this.from = 0;
      this.to = 1;
      this.at = null;
      this.view = null;
    }
    this.cells = depth
                     .map((h, i) => {
                       const scale = k ** h;
                       return {
                         h,
                         index: index[i],
                         left: (index[i] - 1) / scale,
                         right: index[i] / scale,
                         round: round[i],
                         mean: mean[i],
                         kept: kept[i] !== false,
                         low: [ends[0][i], ends[2][i]],
                         high: [ends[1][i], ends[3][i]]
                       };
                     })
                     .filter((c) => isNumber(c.left) && isNumber(c.h));
    this.best = null;
    const latest = Math.max(...this.cells.map((c) => c.round || 0));
    for (const c of this.cells)
      if (c.kept && c.round === latest && isNumber(c.mean) &&
          (!this.best || c.mean > this.best.mean))
        this.best = c;
    this.box.shown =
        [{label: 'cells', points: this.cells.map((c) => ({x: c.index, y: c.h, kept: c.kept}))}];
    if (force || key !== this.key) {
      this.drawIcicle();
      this.drawPlane(run);
    }
    this.key = key;
    return true;
  },
  csv() {
    return csvText(
        ['depth', 'index', 'last compared in round', 'mean', 'kept'],
        this.cells.map((c) => [c.h, c.index, c.round, c.mean, c.kept]));
  },
  planeCsv() {
    return csvText(
        ['depth', 'index', 'low 1', 'high 1', 'low 2', 'high 2', 'last compared in round', 'mean', 'kept'],
        this.cells.map(
            (c) =>
                [c.h, c.index, c.low[0], c.high[0], c.low[1], c.high[1], c.round, c.mean, c.kept]));
  },
  drawPlane(run) {
    const plane = object(run.plane), pair = (x) => list(x).length === 2 && list(x).every(isNumber);
    this.map.root.hidden = !pair(plane.low) || !pair(plane.high) || !this.cells.length ||
        !this.cells.every((c) => pair(c.low) && pair(c.high));
    this.map.shown = [];
    if (this.map.root.hidden) return;
    const view = this.view || {low: plane.low, high: plane.high}, whole = !this.view;
    const ink = inks(), left = 52, bottom = 34, top = 6,
          side = clamp(this.map.width(260) - left - 12, 200, 520), width = left + side + 12,
          height = top + side + bottom;
    const x = (v) => left + side * (v - view.low[0]) / (view.high[0] - view.low[0]),
          y = (v) => top + side * (view.high[1] - v) / (view.high[1] - view.low[1]);
    const means = this.cells.filter((c) => c.kept).map((c) => c.mean).filter(isNumber),
          least = Math.min(...means), most = Math.max(...means);
    const inner = svg('g', {'clip-path': 'url(#plane-area)'});
    const latest = Math.max(...this.cells.map((c) => c.round || 0));
    const order = this.cells.map((_, i) => i).sort((a, b) => this.cells[a].h - this.cells[b].h);
    let active = 0;
    for (const i of order) {  // children lie on their parents
      const c = this.cells[i], {low, high} = c;
      const strength = isNumber(c.mean) && most > least ? (c.mean - least) / (most - least) : 0.5;
      if (c.kept && c.round === latest) ++active;
      const box = {
        x: x(low[0]),
        y: y(high[1]),
        width: Math.max(1, x(high[0]) - x(low[0])),
        height: Math.max(1, y(low[1]) - y(high[1]))
      };
      inner.append(
          svg('rect', {...box, fill: ink.ground}), svg('rect', {
            ...box,
            'data-tip': i,
            fill: c.kept ? colour(0) : ink.faint,
            'fill-opacity': c.kept ? 0.15 + 0.7 * strength : 0.22,
            stroke: ink.ground,
            'stroke-width': Math.min(box.width, box.height) > 6 ? 0.8 : 0.2
          }));
    }
    const cross = (at, down, r) => `M${at - r} ${down - r}l${2 * r} ${2 * r}M${at - r} ${
        down + r}l${2 * r} ${- 2 * r}`;
    const mark = (point, answer) => {
      const [at, down] = [x(point[0]), y(point[1])];
      const line = answer ? {d: `M${at} ${down - 8}l8 8l-8 8l-8 -8z`, fill: 'none'} :
                            {d: cross(at, down, 6)};
      inner.append(
          svg('g', {'pointer-events': 'none', class: 'plane-mark'},
              svg('path', {...line, stroke: ink.ground, 'stroke-width': 6}),
              svg('path', {...line, stroke: answer ? colour(1) : ink.text, 'stroke-width': 2.5})));
    };
    const optima = list(plane.optima).filter(pair), answer = object(run.regret).recommendation;
    for (const point of optima) mark(point, false);
    if (pair(answer)) mark(answer, true);
    const picture =
        svg('svg', {
          width,
          height,
          role: 'img',
          class: 'map plane',
          'aria-label': `${this.cells.length} cells in the plane of arms, ${active} of them active`
        },
            svg('defs', {},
                svg('clipPath', {id: 'plane-area'},
                    svg('rect', {x: left, y: top, width: side, height: side}))),
            inner,
            svg('rect',
                {x: left, y: top, width: side, height: side, fill: 'none', stroke: ink.faint, 'pointer-events': 'none'}));
    for (const t of niceTicks(view.low[0], view.high[0], 5))
      picture.append(svg('text', {
        x: x(t),
        y: top + side + 16,
        'text-anchor': 'middle',
        class: 'axis',
        text: significant(t, 6)
      }));
    for (const t of niceTicks(view.low[1], view.high[1], 5))
      picture.append(svg(
          'text', {x: left - 6, y: y(t) + 4, 'text-anchor': 'end', class: 'axis', text: significant(t, 6)}));
    tipsFor(picture, (i) => {
      const {low, high} = this.cells[i];
      return [
        ...this.describe(this.cells[i]).slice(0, 3),
        [0, 1].map((j) => `${significant(low[j], 5)} to ${significant(high[j], 5)}`).join(' × ')
      ];
    });
    const around = ({low, high}) => {  // six times as large, within the plane
      const edge = (j, sign) => clamp(
          (low[j] + high[j]) / 2 + sign * 3 * (high[j] - low[j]), plane.low[j], plane.high[j]);
      this.view = {low: [edge(0, -1), edge(1, -1)], high: [edge(0, 1), edge(1, 1)]};
      this.update(true);
    };
    picture.addEventListener('click', (event) => {
      const node = event.target.closest('[data-tip]');
      if (node) around(this.cells[node.dataset.tip]);
    });
    replace(this.map.area, picture);
    this.map.tool(
        el('button', {
          type: 'button',
          'data-key': 'plane-whole',
          disabled: whole,
          onclick: () => {
            this.view = null;
            this.update(true);
          },
          text: 'Whole plane'
        }),
        this.best && el('button', {
          type: 'button',
          'data-key': 'plane-best',
          onclick: () => around(this.best),
          text: 'Go to the best cell'
        }));
    this.map.shown = [
      {
        label: 'cells',
        points: this.cells.map(
            (c) => ({x: c.low[0], y: c.low[1], kept: c.kept}))
      },
      {label: 'optima', points: optima.map(([a, b]) => ({x: a, y: b}))},
      ...(pair(answer) ? [{label: 'recommendation', points: [{x: answer[0], y: answer[1]}]}] : [])
    ];
    const sign = (d, hue) => svg(
        'svg', {width: 14, height: 12, 'aria-hidden': true},
        svg('path', {d, stroke: hue, 'stroke-width': 2, fill: 'none'}));
    this.map.explain(
        [
          [swatch(colour(0), {opacity: 0.7}), 'kept; the stronger the colour, the larger the mean'],
          [swatch(ink.faint, {opacity: 0.35}), 'eliminated'],
          optima.length && [sign(cross(7, 6, 4), ink.text), 'optimum'],
          pair(answer) && [sign('M7 1l5 5l-5 5l-5 -5z', colour(1)), 'recommendation']
        ].filter(Boolean),
        `${significant(active)} cells are active after round ${latest}. Click a cell to zoom in.`);
  },
  zoom(from, to) {
    this.from = from;
    this.to = to;
    this.update(true);
  },
  drawIcicle() {
    const ink = inks(), left = 34, width = this.box.width(300), inner = width - left - 4;
    const depths = [...new Set(this.cells.map((c) => c.h))].sort((a, b) => a - b);
    const low = depths[0], high = depths[depths.length - 1],
          row = clamp(340 / (high - low + 1), 13, 30), top = 4,
          height = top + row * (high - low + 1) + 26;
    const span = this.to - this.from, at = (x) => left + ((x - this.from) / span) * inner;
    const means = this.cells.map((c) => c.mean).filter(isNumber), least = Math.min(...means),
          most = Math.max(...means);
    const strength = (mean) =>
        (isNumber(mean) && most > least ? 0.25 + 0.75 * ((mean - least) / (most - least)) : 0.6);
    const picture = svg('svg', {
      width,
      height,
      role: 'application',  // arrow keys move here, not the screen reader's cursor
      tabindex: 0,
      class: 'icicle',
      'data-key': 'icicle',
      'aria-label':
          `Partition tree, arrow keys move between cells: ${this.cells.length} cells of depths ${
              low} to ${high}, ${this.cells.filter((c) => !c.kept).length} eliminated`
    });
    for (let h = low; h <= high; ++h)
      if (row >= 14 || (h - low) % 2 === 0)
        picture.append(svg('text', {
          x: left - 6,
          y: top + row * (h - low) + row / 2 + 4,
          'text-anchor': 'end',
          class: 'axis',
          text: h
        }));
    let drawn = 0;
    this.cells.forEach((c, i) => {
      if (c.right <= this.from || c.left >= this.to) return;
      ++drawn;
      const x = Math.max(left, at(c.left)),
            w = Math.max(0.9, Math.min(left + inner, at(c.right)) - x);
      picture.append(svg('rect', {
        'data-tip': i,
        x,
        y: top + row * (c.h - low) + 0.5,
        width: w > 3 ? w - 0.7 : w,
        height: row - 1,
        fill: c.kept ? colour(0) : ink.faint,
        opacity: c.kept ? strength(c.mean) : 0.28
      }));
    });
    if (this.best && this.best.right > this.from && this.best.left < this.to) {
      const w = Math.max(3, at(this.best.right) - at(this.best.left)),
            y = top + row * (this.best.h - low);
      picture.append(
          svg('rect', {
            x: at(this.best.left) - (w <= 3 ? 1 : 0),
            y: y - 1,
            width: w,
            height: row + 1,
            fill: 'none',
            stroke: colour(1),
            'stroke-width': 2.5,
            'pointer-events': 'none'
          }),
          svg('path',
              {d: `M${at(this.best.left) + w / 2} ${y + row + 2}l5 8h-10z`, fill: colour(1)}));
    }
    for (const f of [0, 0.25, 0.5, 0.75, 1])
      picture.append(svg('text', {
        x: left + f * inner,
        y: height - 4,
        'text-anchor': f === 0 ? 'start' :
            f === 1            ? 'end' :
                                 'middle',
        class: 'axis',
        text: significant(this.from + f * span, span < 0.01 ? 6 : 4)
      }));
    picture.append(this.ring = svg('rect', {class: 'ring', 'pointer-events': 'none'}));
    tipsFor(picture, (i) => this.describe(this.cells[i]));
    fill(
        picture, {
          onclick: (event) => {
            const node = event.target.closest('[data-tip]');
            if (node)
              this.zoom(this.cells[node.dataset.tip].left, this.cells[node.dataset.tip].right);
          },
          onfocus: () => picture.matches(':focus-visible') && this.markFocus(),
          onblur: hideTip,
          onkeydown: (event) => this.onKey(event)
        },
        []);
    replace(this.box.area, picture);
    const best = this.best;
    this.box.tool(
        el('button', {
          type: 'button',
          'data-key': 'whole',
          disabled: span >= 1,
          onclick: () => this.zoom(0, 1),
          text: 'Whole tree'
        }),
        el('button', {
          type: 'button',
          'data-key': 'wider',
          disabled: span >= 1,
          onclick: () =>
              this.zoom(Math.max(0, this.from - span / 2), Math.min(1, this.to + span / 2)),
          text: 'Zoom out'
        }),
        best && el('button', {
          type: 'button',
          'data-key': 'best',
          onclick: () => {
            const w = (best.right - best.left) * 6, middle = (best.left + best.right) / 2;
            this.zoom(Math.max(0, middle - w), Math.min(1, middle + w));
          },
          text: 'Go to the best cell'
        }));
    this.box.explain(
        [
          [swatch(colour(0)), 'kept; the stronger the colour, the larger the mean'],
          [swatch(ink.faint, {opacity: 0.35}), 'eliminated'],
          [swatch('none', {stroke: colour(1), 'stroke-width': 2}), 'best']
        ],
        this.summary(drawn));
  },
  describe(c) {
    return [
      `cell (${c.h}, ${significant(c.index)})${c === this.best ? ', the best' : ''}`,
      isNumber(c.mean) ? `mean ${significant(c.mean)}` : '',
      c.kept ? `kept in round ${c.round}` : `eliminated in round ${c.round}`,
      `covers ${significant(c.left, 6)} to ${significant(c.right, 6)} of the arm space`
    ];
  },
  /// The cell with the keyboard focus, found by depth and index because updates recreate all cells.
  focusedCell() {
    const {h, index} = object(this.at);
    return this.cells.find((c) => c.h === h && c.index === index) || this.best || this.cells[0];
  },
  onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;  // shortcuts of the browser
    const c = this.focusedCell(), {key} = event;
    const within = (a, b) => a.h > b.h && a.left >= b.left && a.right <= b.right;
    const first = (holds, before) =>
        this.cells.filter(holds).reduce((a, b) => (a && !before(b, a) ? a : b), null);
    let next = c;
    if (key === 'ArrowLeft')
      next = first((d) => d.h === c.h && d.left<c.left, (a, b) => a.left>b.left);
    else if (key === 'ArrowRight')
      next = first((d) => d.h === c.h && d.left > c.left, (a, b) => a.left < b.left);
    else if (key === 'ArrowUp')
      next = first((d) => within(c, d), (a, b) => a.h > b.h);
    else if (key === 'ArrowDown')
      next = first((d) => within(d, c), (a, b) => a.h < b.h || (a.h === b.h && a.left < b.left));
    else if (key !== 'Enter')
      return;
    event.preventDefault();  // the page doesn't scroll
    this.goTo(next || c, key === 'Enter');
  },
  /// Moves the focus to a cell, and the view if the cell lies outside it. `zoomIn`: fits the view.
  goTo(c, zoomIn) {
    const slack = 1e-9 * (this.to - this.from);
    this.at = {h: c.h, index: c.index};
    if (zoomIn) {
      this.zoom(c.left, c.right);
    } else if (c.left < this.from - slack || c.right > this.to + slack) {
      const half = Math.max(this.to - this.from, c.right - c.left) / 2,
            middle = clamp((c.left + c.right) / 2, half, 1 - half);
      this.zoom(middle - half, middle + half);
    }
    this.markFocus();
    this.ring.scrollIntoView({block: 'nearest', inline: 'nearest'});
    this.markFocus();  // the tooltip follows the scrolled cell
  },
  /// Puts the ring around the focused cell, or the first one in view, and shows its tooltip.
  markFocus() {
    const of = (c) => this.box.area.querySelector(`[data-tip="${this.cells.indexOf(c)}"]`);
    const drawn = of(this.focusedCell()) || this.box.area.querySelector('[data-tip]');
    if (!drawn) return;
    const c = this.cells[drawn.dataset.tip];
    this.at = {h: c.h, index: c.index};
    for (const name of ['x', 'y', 'width', 'height'])
      this.ring.setAttribute(name, drawn.getAttribute(name));
    const box = drawn.getBoundingClientRect();
    showTip({clientX: box.left + box.width / 2, clientY: box.bottom}, this.describe(c));
  },
  summary(drawn) {
    const all = this.cells.length, gone = this.cells.filter((c) => !c.kept).length;
    return `${significant(all)} cells compared, ${
               significant(gone)} eliminated; rows are depths, ` +
        'columns the arm space, split along its dimensions. Click a cell to zoom in.' +
        (drawn < all ? ` ${significant(drawn)} in view.` : '');
  },
};
