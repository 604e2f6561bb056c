// SPDX-License-Identifier: Apache-2.0
// The arms of a functional bandit: their current intervals in the
// selected run, and their curves over the runs of its algorithm.

const armsSection = {
  id: 'arms',
  title: 'Arms',
  ofRun: true,
  build() {
    this.intervals = new PictureBox(
        'arms', 'Value f of each arm, and the best that its bound g allows',
        {csv: () => this.csv()});
    this.intervals.onRedraw = () => this.update();
    this.lines = new ChartBox('arm_curves', 'Arms over the run', {tall: 300});
    return [el('div', {class: 'pair'}, this.intervals.root, this.lines.root)];
  },
  update() {
    const {doc, run} = selectedRun();
    const arms = armsOf(run);
    if (!arms.length) return false;
    this.arms = arms;
    this.sign = object(run.arms).direction === 'maximize' ? 1 : -1;
    this.drawIntervals(arms, run.arms.answer);
    this.drawLines(doc, run);
    return true;
  },
  /** As good as the arm can be, by its bound g: f − g, or f + g if values are maximized. */
  bound(value, g) {
    return isNumber(value) && isNumber(g) ? value + this.sign * g : null;
  },
  words() {
    return this.sign > 0 ? {bound: 'f + g', optimum: 'maximum f*'} :
                           {bound: 'f \u2212 g', optimum: 'minimum f*'};
  },
  csv() {
    const {bound, optimum} = this.words();
    return csvText(
        ['arm', 'pulls', 'last value f', 'bound g', bound, 'best value', optimum],
        this.arms.map(
            (a) =>
                [a.name, a.pulls, a.last, a.bound, this.bound(a.last, a.bound) ?? '', a.best,
                 a.optimum]));
  },
  drawIntervals(arms, answer) {
    const ink = inks(), shown = arms.slice(0, 64);
    const width = this.intervals.width(300), row = 30,
          left = clamp(12 + 7 * Math.max(...shown.map((a) => String(a.name).length)), 40, 130),
          right = 84, top = 8, height = top + row * shown.length + 34;
    const words = this.words(), bound = (arm) => this.bound(arm.last, arm.bound);
    const values =
        shown.flatMap((a) => (a.pulls > 0 ? [bound(a), a.last, a.best, a.optimum] : [a.optimum]))
            .filter(isNumber);
    let from = Math.min(...values), to = Math.max(...values);
    if (!(to > from)) {
      from -= 1;
      to += 1;
    }
    const pad = (to - from) * 0.04;
    from -= pad;
    to += pad;
    const at = (v) => left + ((v - from) / (to - from)) * (width - left - right);
    const picture =
        svg('svg', {width, height, role: 'img', 'aria-label': `Intervals of ${shown.length} arms`});
    for (const tickAt of niceTicks(
             from, to, Math.max(2, Math.floor((width - left - right) / 90)))) {
      picture.append(
          svg('line', {x1: at(tickAt), x2: at(tickAt), y1: top, y2: height - 30, stroke: ink.grid}),
          svg('text', {
            x: at(tickAt),
            y: height - 14,
            'text-anchor': 'middle',
            class: 'axis',
            text: significant(tickAt)
          }));
    }
    shown.forEach((arm, i) => {
      const y = top + row * i + row / 2, best = arm.name === answer;
      const group =
          svg('g', {'data-tip': i}, svg('rect', {
                x: 0,
                y: y - row / 2,
                width,
                height: row,
                fill: best ? faded(colour(2), 0.13) : 'transparent'
              }),
              svg('text', {
                x: 6,
                y: y + 4,
                class: best ? 'name strong' : 'name',
                text: shorten(String(arm.name), 16)
              }),
              svg('text', {
                x: width - 6,
                y: y + 4,
                'text-anchor': 'end',
                class: 'axis',
                text: `${significant(arm.pulls)} pulls`
              }));
      if (arm.pulls > 0 && isNumber(bound(arm)))
        group.append(svg('rect', {
          x: at(Math.min(bound(arm), arm.last)),
          y: y - 6,
          width: Math.max(1.5, Math.abs(at(arm.last) - at(bound(arm)))),
          height: 12,
          rx: 3,
          fill: faded(colour(0), 0.45),
          stroke: colour(0)
        }));
      if (arm.pulls > 0 && isNumber(arm.best))
        group.append(svg('line', {
          x1: at(arm.best),
          x2: at(arm.best),
          y1: y - 10,
          y2: y + 10,
          stroke: colour(1),
          'stroke-width': 2.5
        }));
      if (isNumber(arm.optimum))
        group.append(markerShape('rectRot', at(arm.optimum), y, 5, ink.text));
      picture.append(group);
    });
    tipsFor(picture, (i) => {
      const a = shown[i];
      return [
        `${a.name}${a.name === answer ? ' (the answer)' : ''}`, `${significant(a.pulls)} pulls`,
        `last value f ${significant(a.last)}, g ${significant(a.bound)}`,
        `${words.bound} ${significant(bound(a))}`, `best value ${significant(a.best)}`,
        isNumber(a.optimum) ? `${words.optimum} ${significant(a.optimum)}` : ''
      ];
    });
    replace(this.intervals.area, picture);
    this.intervals.shown = [{
      label: 'intervals',
      points: shown.map((a) => ({x: a.name, low: bound(a), y: a.last, best: a.best, pulls: a.pulls}))
    }];
    this.intervals.explain(
        [
          [
            swatch(faded(colour(0), 0.45), {stroke: colour(0)}),
            `${words.bound} to f, after the last pull`
          ],
          [stroke(colour(1), {'stroke-width': 3}), 'best value'],
          [
            svg('svg', {width: 14, height: 12, 'aria-hidden': true},
                markerShape('rectRot', 7, 6, 5, ink.text)),
            `${words.optimum}, if known`
          ],
          [swatch(faded(colour(2), 0.25)), 'the answer']
        ],
        [
          arms.length > shown.length ? `The first ${shown.length} of ${arms.length} arms.` : '',
          answer ? `The answer is ${answer}.` : ''
        ].filter(Boolean)
            .join(' '));
  },
  drawLines(doc, run) {
    const {label} = object(list(doc.algorithms)[run.algorithm]);
    const found = {};
    for (const what of ['pulls', 'intervals', 'lemma'])
      found[what] = chartIn(doc, `arm-${what}`) || chartIn(doc, `arm-${what}-${label}`);
    const kinds = Object.keys(found).filter((what) => found[what]);
    this.lines.root.hidden = !kinds.length;
    if (!kinds.length) {
      this.lines.shown = [];
      return;
    }
    const what = kinds.includes(view.arms.what) ? view.arms.what : kinds[0];
    this.lines.tool(segments(
        'arms', kinds.map((kind) => [kind, {pulls: 'pulls', intervals: 'values', lemma: 'Lemma 1'}[kind]]),
        what, (v) => {
          view.arms.what = v;
          this.update();
        }));
    const series = linesOf(found[what]);
    this.lines.draw({...found[what], series, note: chartNote({...found[what], series})});
  },
};
