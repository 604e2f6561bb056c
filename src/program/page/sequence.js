// SPDX-License-Identifier: Apache-2.0
// The sequence diagram as the document has it: a lane per node, virtual time to the right, an arrow
// per message copy from departure to arrival, and regret on the same time axis.

const sequenceSection = {
  id: 'sequence',
  title: 'Messages',
  ofRun: true,
  build() {
    this.box = new PictureBox('sequence', 'Message sequence', {csv: () => this.csv()});
    this.box.onRedraw = () => this.update(true);
    this.start = el('input', {
      type: 'range',
      min: 0,
      max: 1000,
      value: 0,
      'aria-label': 'from',
      oninput: () => this.slide()
    });
    this.zoom = el('input', {
      type: 'range',
      min: 0,
      max: 1000,
      value: 0,
      'aria-label': 'zoom',
      oninput: () => this.slide()
    });
    this.bar =
        el('div', {class: 'row'},
           el('label', {class: 'choice'}, el('span', {text: 'from'}), this.start),
           el('label', {class: 'choice'}, el('span', {text: 'zoom'}), this.zoom),
           this.window = el('output', {class: 'faint'}));
    this.box.root.insertBefore(this.bar, this.box.area);
    this.acks = true;
    this.follow = true;
    return [this.box.root];
  },
  update(force) {
    const {run, doc} = selectedRun();
    if (!run) return false;
    const diagram = object(run.sequence), sent = column(diagram.arrows, 'sent_virtual_s');
    this.box.shown = [];
    if (!sent.length)
      return run.details_left_out ? DETAILS_LEFT_OUT :
          list(run.ledger).length ? 'Single messages are recorded only with --trace messages.' :
                                       false;
    const key = JSON.stringify([
      run.id, sent.length, sent[0], sum(column(diagram.arrows, 'arrived_virtual_s')), themeName(),
      this.box.area.clientWidth, doc.source
    ]);
    if (!force && key === this.key) {
      this.box.shown = this.last || [];
      return true;
    }
    this.key = key;
    this.read(diagram);
    if (run.id !== this.runId) {
      this.runId = run.id;
      this.follow = doc.source === 'live';
      // Zoom in until single messages can be distinguished.
      const share = clamp(this.box.width(300) / 18 / Math.max(1, this.messages.length), 0.02, 1);
      this.zoom.value = Math.round((1000 * Math.log(share)) / Math.log(SMALLEST_SPAN));
      this.start.value = 0;
    }
    if (doc.source === 'live' && this.follow) this.start.value = 1000;
    const set = (change) => {
      Object.assign(this, change);
      this.update(true);
    };
    this.box.tool(
        this.hasAcks &&
            checkbox('acknowledgements', this.acks, (v) => set({acks: v}), 'sequence-acks'),
        doc.source === 'live' &&
            checkbox('follow', this.follow, (v) => set({follow: v}), 'sequence-follow'));
    this.drawLanes(run);
    return true;
  },
  read(diagram) {
    this.diagram = diagram;
    this.names = list(diagram.lanes).map(String);
    const rows = (table, names) => {
      const columns = Object.entries(names).map(([name, from]) => [name, column(table, from)]);
      return columns[0][1].map(
          (_, i) => Object.fromEntries(columns.map(([name, values]) => [name, values[i]])));
    };
    const all = rows(diagram.arrows, {
                  sent: 'sent_virtual_s',
                  got: 'arrived_virtual_s',
                  from: 'from',
                  to: 'to',
                  type: 'type',
                  round: 'round',
                  bytes: 'bytes',
                  outcome: 'outcome',
                  cause: 'cause',
                  repeated: 'repeated'
                }).filter((x) => isNumber(x.sent) && x.from in this.names && x.to in this.names);
    this.rounds = rows(diagram.rounds, {ended: 'ended_virtual_s', round: 'round'});
    this.all = all.length;
    this.hasAcks = all.some((x) => x.type === 'Ack');
    this.messages = this.acks ? all : all.filter((x) => x.type !== 'Ack');
    this.types = [...new Set(all.map((x) => x.type))];
    this.begin = diagram.from_virtual_s;
    this.end = diagram.until_virtual_s;
  },
  slide() {
    this.follow = Number(this.start.value) >= 999;
    this.drawLanes(selectedRun().run);
  },
  span() {
    const whole = this.end - this.begin,
          width = whole * SMALLEST_SPAN ** (Number(this.zoom.value) / 1000);
    const from = this.begin + (whole - width) * (Number(this.start.value) / 1000);
    return [from, from + width];
  },
  csv() {
    const [from, to] = this.span();
    return csvText(
        [
          'type', 'round', 'from', 'to', 'bytes', 'sent_virtual_s', 'delivered_virtual_s',
          'outcome', 'cause', 'repeated'
        ],
        this.inside(from, to).map(
            (x) =>
                [x.type, x.round, this.names[x.from], this.names[x.to], x.bytes, x.sent, x.got,
                 x.outcome, x.cause, x.repeated]));
  },
  inside(from, to) {
    return this.messages.filter((x) => x.sent <= to && (isNumber(x.got) ? x.got : x.sent) >= from);
  },
  drawLanes(run) {
    const ink = inks(), [from, to] = this.span(), width = this.box.width(300);
    const left =
              clamp(14 + 6.6 * Math.max(...this.names.map((name) => name.length)), 50, 120),
          right = 12, row = this.names.length > 30 ? 15 : 24, top = 20;
    const bottom = top + row * this.names.length, regretTop = bottom + 16, regretTall = 84,
          height = regretTop + regretTall + 34;
    const at = (t) => left + ((t - from) / (to - from)) * (width - left - right);
    const lane = (i) => top + row * i + row / 2;
    const clip =
        svg('clipPath', {id: 'lanes'},
            svg('rect', {x: left, y: 0, width: Math.max(1, width - left - right), height: height}));
    const inner = svg('g', {'clip-path': 'url(#lanes)'});
    const shown = this.inside(from, to);
    const picture =
        svg('svg', {
          width,
          height,
          role: 'img',
          'aria-label': `${shown.length} messages between ${this.names.length} nodes`
        },
            svg('defs', {}, clip));
    for (const t of niceTicks(from, to, Math.max(2, Math.floor((width - left) / 110))))
      picture.append(
          svg('line', {x1: at(t), x2: at(t), y1: top - 4, y2: height - 30, stroke: ink.grid}),
          svg('text', {
            x: clamp(at(t), left + 14, width - 30),
            y: height - 14,
            'text-anchor': 'middle',
            class: 'axis',
            text: pretty(t, 's', 5)
          }));
    this.names.forEach((name, i) => {
      picture.append(
          svg('line', {
            x1: left,
            x2: width - right,
            y1: lane(i),
            y2: lane(i),
            stroke: ink.grid,
            'stroke-width': 1.5
          }),
          svg('text', {
            x: left - 8,
            y: lane(i) + 4,
            'text-anchor': 'end',
            class: 'name',
            text: shorten(name, 15)
          }));
    });
    this.drawRounds(inner, at, from, to, top, bottom);
    const flights =
        shown.filter((x) => isNumber(x.got)).map((x) => x.got - x.sent).sort((a, b) => a - b);
    this.flight = flights[Math.floor(flights.length / 2)] || 0;
    const hues = new Map(this.types.map((type) => [type, typeColour(type)]));
    shown.forEach((x, i) => inner.append(this.arrow(x, i, lane, at, row, hues)));
    this.drawRegret(
        picture, inner, colour(run.algorithm || 0), at, from, to, left, width - right, regretTop,
        regretTall);
    picture.append(inner);
    tipsFor(picture, (i) => this.describe(shown[i]));
    replace(this.box.area, picture);
    this.window.textContent = `${pretty(from, 's')} to ${pretty(to, 's')}`;
    for (const slider of [this.start, this.zoom])
      slider.setAttribute('aria-valuetext', this.window.textContent);
    this.box.shown = this.last = [{
      label: 'messages',
      points: shown.map((x) => ({x: x.sent, y: x.got, type: x.type, outcome: x.outcome}))
    }];
    const entries = this.types.filter((type) => this.acks || type !== 'Ack')
                        .map((type) => [stroke(typeColour(type)), type]);
    entries.push(
        [
          svg('svg', {width: 14, height: 12, 'aria-hidden': true},
              svg('path', {d: 'M3 2l8 8M11 2l-8 8', stroke: alarm(), 'stroke-width': 2.2})),
          'dropped'
        ],
        [stroke(ink.faint, {'stroke-dasharray': '3 3'}), 'discarded as a duplicate']);
    this.box.explain(
        entries,
        `${shown.length} of the ${run.state === 'over' ? 'first' : 'latest'} ${
            plural(this.diagram.copies, 'copy', 'copies')} of messages of the run. Time is virtual.${
            this.diagram.nodes > this.names.length ?
                ` Of ${plural(this.diagram.nodes, 'node')} the ${
                    this.names.length} with the most messages are drawn.` :
                ''}`);
  },
  arrow(x, i, lane, at, row, hues) {
    const arrived = isNumber(x.got), dropped = x.outcome === 'dropped', x1 = at(x.sent),
          y1 = lane(x.from);
    // Lost ones end at their receiver's lane, when they would have arrived.
    const full = lane(x.to),
          x2 = arrived ? at(x.got) : dropped ? at(x.sent + this.flight) : x1 + 16;
    const y2 = arrived ? full :
        dropped        ? full - Math.sign(full - y1) * 6 :
                         y1 + Math.sign(full - y1) * row * 0.75;
    const tint = dropped ? alarm() : hues.get(x.type),
          weak = x.type === 'Ack' || x.outcome === 'discarded';
    return svg(
        'g', {'data-tip': i, class: 'arrow'},
        svg('line', {x1, y1, x2, y2, stroke: 'transparent', 'stroke-width': 8}), svg('line', {
          x1,
          y1,
          x2,
          y2,
          stroke: tint,
          'stroke-width': weak ? 0.9 : 1.5,
          opacity: weak ? 0.7 : 0.95,
          'stroke-dasharray': x.outcome === 'discarded' ? '3 3' : null
        }),
        dropped ? svg('path', {
          d: `M${x2 - 4} ${y2 - 4}l8 8M${x2 + 4} ${y2 - 4}l-8 8`,
          stroke: tint,
          'stroke-width': 2.2
        }) :
                  arrived && arrowHead(x1, y1, x2, y2, tint, weak ? 4 : 6));
  },
  describe(x) {
    return [
      `${x.type}${isNumber(x.round) && x.round > 0 ? `, round ${x.round}` : ''}`,
      `${this.names[x.from]} → ${this.names[x.to]}, ${pretty(x.bytes, 'bytes')}`,
      `sent at ${pretty(x.sent, 's', 7)}`,
      isNumber(x.got) ?
          `arrived at ${pretty(x.got, 's', 7)}, after ${pretty(x.got - x.sent, 's', 3)}` :
          '',
      x.outcome + (x.cause ? `: ${x.cause}` : '') + (x.repeated ? ', sent before' : '')
    ];
  },
  drawRounds(inner, at, from, to, top, bottom) {
    let free = at(from);  // where the next label may start without overlapping the last one
    this.rounds.forEach(({ended: t, round}) => {
      if (!isNumber(t) || t < from || t > to) return;
      const text = `end of round ${round}`, room = at(t) - 6.2 * text.length > free;
      if (room) free = at(t);
      inner.append(
          ...[svg('line', {
                x1: at(t),
                x2: at(t),
                y1: top - 8,
                y2: bottom,
                stroke: inks().faint,
                'stroke-dasharray': '2 4',
                opacity: 0.7
              }),
              room &&
                  svg('text',
                      {x: at(t) - 4, y: top - 8, 'text-anchor': 'end', class: 'axis', text})]
              .filter(Boolean));
    });
  },
  /// The regret that the regret section shows, if the diagram has it; it holds until its next point.
  drawRegret(picture, inner, hue, at, from, to, left, right, top, tall) {
    const ink = inks(), curves = list(this.diagram.curves).map(object);
    const curve =
        curves.find((one) => one.name === `${view.regret.metric} regret`) || curves[0] || {};
    const points = list(curve.x).map((x, i) => ({x, y: list(curve.y)[i]}));
    picture.append(
        svg('text', {
          x: left - 8,
          y: top + tall / 2 + 4,
          'text-anchor': 'end',
          class: 'name',
          text: 'regret'
        }),
        svg('line', {x1: left, x2: right, y1: top + tall, y2: top + tall, stroke: ink.grid}));
    if (!points.length) return;
    const before = points.filter((p) => p.x < from).slice(-1), after = points.find((p) => p.x > to);
    const inView =
        [...before, ...points.filter((p) => p.x >= from && p.x <= to), ...(after ? [after] : [])];
    const high = Math.max(...inView.map((p) => p.y)), low = Math.min(0, ...inView.map((p) => p.y));
    const y = (v) => top + tall - ((v - low) / (high - low || 1)) * (tall - 6);
    let d = '';
    inView.forEach((p, i) => {
      d += i ? `H${at(p.x)}V${y(p.y)}` : `M${at(p.x)} ${y(p.y)}`;
    });
    if (!after && inView.length) d += `H${at(to)}`;
    inner.append(svg('path', {d, fill: 'none', stroke: hue, 'stroke-width': 2}));
    picture.append(svg('text', {
      x: left + 4,
      y: top + 8,
      class: 'axis',
      text: `${curve.name}, up to ${significant(high)}`
    }));
  },
};
const SMALLEST_SPAN = 1 / 500;  // of the recorded time, at the highest zoom

function arrowHead(x1, y1, x2, y2, fill, size) {
  const angle = Math.atan2(y2 - y1, x2 - x1),
        turn = (a, r) => `${x2 - r * Math.cos(a)} ${y2 - r * Math.sin(a)}`;
  return svg(
      'path', {d: `M${x2} ${y2}L${turn(angle - 0.42, size)}L${turn(angle + 0.42, size)}z`, fill});
}
