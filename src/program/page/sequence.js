// SPDX-License-Identifier: Apache-2.0
// The sequence diagram: a lane per node, virtual time to the right, an arrow per message copy from
// departure to arrival, and regret on the same time axis.

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
    const m = object(run.messages), sent = column(m, 'sent_virtual_s'), count = sent.length;
    this.box.shown = [];
    if (!count)
      return list(run.ledger).length ? 'Single messages are recorded only with --trace messages.' :
                                       false;
    const key = JSON.stringify([
      run.id, count, sent[0], sent[count - 1], sum(column(m, 'delivered_virtual_s')), themeName(),
      this.box.area.clientWidth, doc.source
    ]);
    if (!force && key === this.key && this.all) {
      this.box.shown = this.last || [];
      return true;
    }
    this.key = key;
    this.read(run, m);
    if (!this.all) return 'The document doesn’t name the nodes of the messages.';
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
  read(run, m) {
    const [from, to, type, round, bytes, outcome, cause, got] =
        ['from', 'to', 'type', 'round', 'bytes', 'outcome', 'cause', 'delivered_virtual_s'].map(
            (name) => column(m, name));
    const names = [...new Set([...from, ...to])], places = new Map(names.map((name, i) => [name, i]));
    const all = column(m, 'sent_virtual_s')
                    .map((sent, i) => ({
                           sent,
                           got: got[i],
                           from: places.get(from[i]),
                           to: places.get(to[i]),
                           type: type[i] ?? '',
                           round: round[i],
                           bytes: bytes[i],
                           outcome: outcome[i] ?? '',
                           cause: cause[i] ?? ''
                         }))
                    .filter((x) => isNumber(x.sent) && x.from in names && x.to in names);
    this.all = all.length;
    this.hasAcks = all.some((x) => x.type === 'Ack');
    this.messages = this.acks ? all : all.filter((x) => x.type !== 'Ack');
    this.names = names;
    this.types = [...new Set(all.map((x) => x.type))];
    const ends = all.map((x) => (isNumber(x.got) ? x.got : x.sent));
    this.begin = Math.min(...all.map((x) => x.sent));
    this.end = Math.max(this.begin + 1e-9, ...ends);
    // Lanes: the hub first, then by number.
    const uses = new Map();
    for (const node of all.flatMap((x) => [x.from, x.to])) uses.set(node, (uses.get(node) || 0) + 1);
    this.nodes = uses.size;
    const hub = run.hub !== null && list(run.nodes)[run.hub] !== undefined ?
        names.indexOf(String(run.nodes[run.hub])) :
        -1;
    const byNumber = (a, b) => names[a].localeCompare(names[b], 'en', {numeric: true});
    const first = (x) => (x === hub ? 0 : 1);
    this.lanes = [...uses.keys()]
                     .sort((a, b) => first(a) - first(b) || uses.get(b) - uses.get(a) || byNumber(a, b))
                     .slice(0, MAX_LANES)
                     .sort((a, b) => first(a) - first(b) || byNumber(a, b));
    const drawn = new Set(this.lanes);
    this.messages = this.messages.filter((x) => drawn.has(x.from) && drawn.has(x.to));
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
          'outcome', 'cause'
        ],
        this.inside(from, to).map(
            (x) =>
                [x.type, x.round, this.names[x.from], this.names[x.to], x.bytes, x.sent, x.got,
                 x.outcome, x.cause]));
  },
  inside(from, to) {
    return this.messages.filter((x) => x.sent <= to && (isNumber(x.got) ? x.got : x.sent) >= from);
  },
  drawLanes(run) {
    const ink = inks(), [from, to] = this.span(), width = this.box.width(300);
    const left =
              clamp(14 + 6.6 * Math.max(...this.lanes.map((l) => this.names[l].length)), 50, 120),
          right = 12, row = this.lanes.length > 30 ? 15 : 24, top = 20;
    const bottom = top + row * this.lanes.length, regretTop = bottom + 16, regretTall = 84,
          height = regretTop + regretTall + 34;
    const at = (t) => left + ((t - from) / (to - from)) * (width - left - right);
    const lane = new Map(this.lanes.map((node, i) => [node, top + row * i + row / 2]));
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
          'aria-label': `${shown.length} messages between ${this.lanes.length} nodes`
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
    for (const node of this.lanes)
      picture.append(
          svg('line', {
            x1: left,
            x2: width - right,
            y1: lane.get(node),
            y2: lane.get(node),
            stroke: ink.grid,
            'stroke-width': 1.5
          }),
          svg('text', {
            x: left - 8,
            y: lane.get(node) + 4,
            'text-anchor': 'end',
            class: 'name',
            text: shorten(this.names[node], 15)
          }));
    this.drawRounds(inner, run, at, from, to, top, bottom);
    const hues = new Map(this.types.map((type) => [type, typeColour(type)]));
    shown.forEach((x, i) => inner.append(this.arrow(x, i, lane, at, row, hues)));
    this.drawRegret(picture, inner, run, at, from, to, left, width - right, regretTop, regretTall);
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
            plural(this.all, 'message')} of the run. Time is virtual.${
            this.nodes > this.lanes.length ?
                ` Of ${plural(this.nodes, 'node')} the ${this.lanes.length} with the most messages are drawn.` :
                ''}`);
  },
  arrow(x, i, lane, at, row, hues) {
    const arrived = isNumber(x.got), dropped = x.outcome === 'dropped', x1 = at(x.sent),
          y1 = lane.get(x.from);
    const full = lane.get(x.to), x2 = arrived ? at(x.got) : x1 + 16;
    const y2 = arrived ? full : y1 + Math.sign(full - y1) * row * 0.75;
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
      x.outcome + (x.cause ? `: ${x.cause}` : '')
    ];
  },
  drawRounds(inner, run, at, from, to, top, bottom) {
    const rows = object(run.rounds_table);
    let free = at(from);  // where the next label may start without overlapping the last one
    const numbers = column(rows, 'round');
    column(rows, 'ended_virtual_s').forEach((t, i) => {
      if (!isNumber(t) || t < from || t > to) return;
      const text = `end of round ${numbers[i]}`, room = at(t) - 6.2 * text.length > free;
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
  drawRegret(picture, inner, run, at, from, to, left, right, top, tall) {
    const ink = inks(), curves = object(run.curves),
          chosen = regretMetric(view.regret.metric, view.regret.scope),
          name = [chosen, 'cumulative_regret', 'simple_regret'].find((n) => curves[n]) || '';
    const points = tidied(curvePoints(curves[name], 'virtual_s'));
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
    const y = (v) => top + tall - ((v - low) / (high - low || 1)) * (tall - 6),
          hold = name.includes('simple');
    let d = '';
    inView.forEach((p, i) => {
      d += i ? (hold ? `H${at(p.x)}V${y(p.y)}` : `L${at(p.x)} ${y(p.y)}`) : `M${at(p.x)} ${y(p.y)}`;
    });
    if (!after && inView.length) d += `H${at(to)}`;
    inner.append(
        svg('path', {d, fill: 'none', stroke: colour(run.algorithm || 0), 'stroke-width': 2}));
    picture.append(svg('text', {
      x: left + 4,
      y: top + 8,
      class: 'axis',
      text: `${name.replaceAll('_', ' ')}, up to ${significant(high)}`
    }));
  },
};
const MAX_LANES = 40;
const SMALLEST_SPAN = 1 / 500;  // of the recorded time, at the highest zoom

function arrowHead(x1, y1, x2, y2, fill, size) {
  const angle = Math.atan2(y2 - y1, x2 - x1),
        turn = (a, r) => `${x2 - r * Math.cos(a)} ${y2 - r * Math.sin(a)}`;
  return svg(
      'path', {d: `M${x2} ${y2}L${turn(angle - 0.42, size)}L${turn(angle + 0.42, size)}z`, fill});
}
