// SPDX-License-Identifier: Apache-2.0
// The network map: hub, edges, nodes and links. Thickness shows a link's traffic, colour its drops.

const MIN_LABEL_LENGTH = 9, MAX_LABEL_LENGTH = 40;  // characters

const networkSection = {
  id: 'network',
  title: 'Network',
  ofRun: true,
  build() {
    this.box = new PictureBox('network', 'Traffic by link', {csv: () => this.csv()});
    this.box.onRedraw = () => this.update();
    this.controls = el('div', {class: 'row'});
    this.box.root.insertBefore(this.controls, this.box.foot);
    this.picked = null;  // a link
    this.pickedNode = null;
    return [this.box.root];
  },
  update() {
    const {run, doc} = selectedRun();
    if (!run) return false;
    this.box.title.textContent =
        list(run.nodes).length ? 'Traffic by link' : 'Traffic in each direction';
    const [senders, receivers, departed, arrived, dropped, wireBytes] =
        ['from', 'to', 'departed', 'arrived', 'dropped', 'wire_bytes'].map(
            (name) => column(run.links, name));
    const nodes = list(run.nodes).map(String), places = new Map(nodes.map((name, i) => [name, i]));
    this.box.shown = [];
    this.pairs = [];
    if (!nodes.length) return list(run.ledger).length ? this.drawSummary(run, doc) : false;
    const pairs = new Map();
    const pair = (a, b) => {
      const key = a < b ? `${a}-${b}` : `${b}-${a}`;
      if (!pairs.has(key))
        pairs.set(key, {
          a: Math.min(a, b),
          b: Math.max(a, b),
          directions: [],
          departed: 0,
          dropped: 0,
          cut: false
        });
      return pairs.get(key);
    };
    senders.forEach((sender, i) => {
      const from = places.get(sender), to = places.get(receivers[i]);
      if (from === undefined || to === undefined || from === to) return;
      const p = pair(from, to), direction = {
        from,
        to,
        departed: departed[i] || 0,
        arrived: arrived[i] || 0,
        dropped: dropped[i] || 0,
        bytes: wireBytes[i]
      };
      p.directions.push(direction);
      p.departed += direction.departed;
      p.dropped += direction.dropped;
    });
    this.nodes = nodes;
    this.stopped = new Map(list(run.stopped_nodes).map((stop) => [stop.node, stop]));
    this.hub = run.hub in nodes && run.hub !== null ? run.hub : null;
    const above = list(run.above);
    this.above = nodes.map((_, i) => (i === this.hub ? null : above[i] in nodes ? above[i] : this.hub));
    this.edges = new Set(this.above.filter((i) => i !== null && i !== this.hub));
    // Links can be cut before anything is sent over them.
    this.above.forEach((other, i) => {
      if (other !== null) pair(other, i);
    });
    for (const cut of list(run.cut_links)) {
      if (!cut || !(cut[0] in nodes) || !(cut[1] in nodes) || cut[0] === cut[1]) continue;
      const linked = this.hub === null || this.above[cut[0]] === cut[1] || this.above[cut[1]] === cut[0];
      if (linked) pair(cut[0], cut[1]).cut = true;
    }
    this.pairs = [...pairs.values()];
    this.drawMap();
    this.drawControls(run, doc);
    this.box.shown = [{
      label: 'links',
      points: this.pairs.flatMap(
          (p) => p.directions.map(
              ({from, to, departed, dropped}) =>
                  ({x: `${nodes[from]} → ${nodes[to]}`, y: departed, dropped})))
    }];
    return true;
  },
  /// Of networks that are too large for single links: what went in each direction.
  drawSummary(run, doc) {
    const flows = ['down', 'up', 'peer'].flatMap((direction) => {
      const accounts = list(run.ledger).filter((a) => a.direction === direction);
      const total = (field) => sum(accounts.map((a) => a[field]));
      const copies = total('sent') + total('retransmitted') + total('duplicated');
      return copies ?
          [{direction, copies, bytes: total('wire_bytes'), dropped: sum(accounts.map(dropsOf))}] :
          [];
    });
    if (!flows.length) return 'No messages yet.';
    this.flows = flows;
    const ink = inks(), width = Math.min(this.box.width(280), 980), row = 54, top = 30,
          height = top + row * flows.length + 24, middle = (height - 10) / 2;
    const clients = object(list(doc.algorithms)[run.algorithm]).clients,
          mesh = flows.every((flow) => flow.direction === 'peer');
    const ends = {left: 52, right: width - 92}, most = Math.max(...flows.map((f) => f.bytes), 1);
    const picture = svg('svg', {
      width,
      height,
      role: 'img',
      class: 'map',
      'aria-label': `Traffic of ${significant(clients)} clients together`
    });
    const shares = flows.map((flow) => flow.dropped / flow.copies);
    flows.forEach((flow, i) => {
      const y = top + row * i + 22, [from, to] = flow.direction === 'up' ?
                                                   [ends.right, ends.left] :
                                                   [ends.left, ends.right];
      const thick = 1.5 + 6 * Math.sqrt(flow.bytes / most), side = Math.sign(to - from);
      const line = {x1: from + 50 * side, y1: y, x2: to - 60 * side, y2: y, 'stroke-width': thick};
      picture.append(svg(
          'g', {'data-tip': i}, svg('line', {...line, stroke: ink.faint, opacity: 0.55}),
          shares[i] > 0 && svg('line', {
            ...line,
            stroke: alarm(),
            opacity: 0.25 + 0.75 * shares[i] / Math.max(0.02, ...shares)
          }),
          arrowHead(line.x1, y, line.x2 + side * 10, y, ink.faint, 12),
          svg('text', {
            x: width / 2,
            y: y - 10,
            'text-anchor': 'middle',
            text: [
              pretty(flow.bytes, 'bytes', 3),
              width > 560 && `${significant(flow.copies, 3)} copies`,
              `${percent(shares[i])} dropped`
            ].filter(Boolean)
                      .join(', ')
          })));
    });
    const node = (x, r, label, fill) => [
      svg('circle', {cx: x, cy: middle, r, fill, stroke: colour(0), 'stroke-width': 2}),
      svg('text', {x, y: middle + r + 16, 'text-anchor': 'middle', class: 'name lifted', text: label})
    ];
    for (const shift of mesh ? [] : [12, 6])
      picture.append(svg('circle', {
        cx: ends.right + shift - 6,
        cy: middle - shift + 6,
        r: 17,
        fill: ink.ground,
        stroke: colour(0)
      }));
    picture.append(
        ...node(ends.left, 17, mesh ? 'each' : 'hub', mesh ? ink.ground : colour(0)),
        ...node(ends.right, 17, mesh ? 'others' : `${significant(clients)} clients`, ink.ground));
    const each = (n) => significant(n / clients, 3);
    tipsFor(picture, (i) => [
      `${ARROWS[flows[i].direction]} ${flows[i].direction}`,
      `${pretty(flows[i].bytes, 'bytes')} on the wire, ${
          pretty(flows[i].bytes / clients, 'bytes', 3)} per client`,
      `${significant(flows[i].copies)} copies, ${each(flows[i].copies)} per client`,
      `${significant(flows[i].dropped)} dropped`
    ]);
    replace(this.box.area, picture);
    replace(this.controls);
    this.box.shown = [{
      label: 'directions',
      points: flows.map((f) => ({x: f.direction, y: f.copies, dropped: f.dropped, bytes: f.bytes}))
    }];
    this.box.explain(
        [
          [stroke(ink.faint, {'stroke-width': 4, opacity: 0.55}), 'thickness: bytes on the wire'],
          [
            stroke(alarm(), {'stroke-width': 4}),
            `share dropped${sum(shares) ? `, up to ${percent(Math.max(...shares))}` : ''}`
          ]
        ],
        (run.details_left_out ?
             DETAILS_LEFT_OUT :
             'All nodes together: single links are recorded only in runs with at most 65 nodes.') +
            ' ' +
            'Per client: ' +
            flows.map((f) => `${pretty(f.bytes / clients, 'bytes', 3)} in ${each(f.copies)} copies ${
                              f.direction === 'peer' ? '' : f.direction}`.trim())
                .join(', ') +
            '.');
    return true;
  },
  csv() {
    if (!this.pairs.length && this.flows)
      return csvText(
          ['direction', 'copies', 'wire_bytes', 'dropped'],
          this.flows.map((f) => [f.direction, f.copies, f.bytes, f.dropped]));
    return csvText(
        ['from', 'to', 'departed', 'arrived', 'dropped', 'wire_bytes'],
        this.pairs.flatMap(
            (p) => p.directions.map(
                (d) =>
                    [this.nodes[d.from], this.nodes[d.to], d.departed, d.arrived, d.dropped,
                     d.bytes])));
  },
  /// Leaves lie on an ellipse around the hub. Edges lie half-way, each amid its leaves.
  positions(width, height) {
    const others = this.nodes.map((_, i) => i).filter((i) => i !== this.hub && !this.edges.has(i)),
          positions = [];
    const widest = Math.max(0, ...others.map((i) => textWidth(this.shownName(i))));
    const rx = width / 2 - clamp(widest + 20, 40, Math.max(74, width / 5)), ry = height / 2 - 34;
    const place = (node, angle, share) => {
      positions[node] = {
        x: width / 2 + share * rx * Math.cos(angle),
        y: height / 2 + share * ry * Math.sin(angle),
        angle
      };
    };
    others.forEach(
        (node, i) => place(node, (2 * Math.PI * i) / others.length - Math.PI / 2, 1));
    for (const edge of this.edges) {
      const angles = others.filter((i) => this.above[i] === edge).map((i) => positions[i].angle);
      place(edge, (angles[0] + angles.at(-1)) / 2, 0.52);
    }
    if (this.hub !== null) positions[this.hub] = {x: width / 2, y: height / 2, angle: null};
    return positions;
  },
  drawMap() {
    const ink = inks(), n = this.nodes.length, width = Math.min(this.box.width(280), 980),
          height = clamp(180 + n * 14, 260, Math.max(340, width * 0.7));
    // Many names would overlap: the note then gives their common prefix once.
    const others = this.nodes.filter((_, i) => i !== this.hub && !this.edges.has(i)),
          common = /^(.*\D)\d+$/.exec(others[0] || '');
    this.shared =
        n > 24 && common && others.every((name) => name.startsWith(common[1])) ? common[1] : '';
    this.tight = n > 33 && width < 640;
    const positions = this.positions(width, height), labels = this.labels(positions, width);
    const shares = this.pairs.map((p) => (p.departed ? p.dropped / p.departed : 0)),
          scale = {
            most: Math.max(1, ...this.pairs.map((p) => p.departed)),
            worst: Math.max(0.02, ...shares)
          };
    const picture = svg(
        'svg', {width, height, role: 'group', 'aria-label': `Network of ${n} nodes`, class: 'map'});
    this.pairs.forEach((p, i) => picture.append(this.link(p, i, positions, width / n, scale)));
    this.nodes.forEach((_, i) => picture.append(...this.node(i, positions[i], labels.get(i))));
    tipsFor(picture, (i) => {
      const p = this.pairs[i];
      return [
        this.nameOf(p) + (p.cut ? ', cut' : ''),
        ...p.directions.map(
            (d) => `${this.nodes[d.from]} → ${this.nodes[d.to]}: ${
                isNumber(d.bytes) ? pretty(d.bytes, 'bytes', 3) + ', ' : ''}${
                significant(d.departed)} departed, ${significant(d.arrived)} arrived, ${
                significant(d.dropped)} dropped`)
      ].concat(p.directions.length ? [] : ['nothing sent']);
    });
    replace(this.box.area, picture);
    const dropped = sum(this.pairs.map((p) => p.dropped)),
          departed = sum(this.pairs.map((p) => p.departed));
    this.box.explain(
        [
          [
            stroke(ink.faint, {'stroke-width': 4, opacity: 0.55}),
            'thickness: copies departed, both directions'
          ],
          [
            stroke(alarm(), {'stroke-width': 4}),
            `share dropped${dropped ? `, up to ${percent(Math.max(...shares))}` : ''}`
          ],
          [stroke(ink.faint, {'stroke-dasharray': '5 4'}), 'cut'],
          ...(this.stopped.size ? [[stroke(alarm(), {'stroke-dasharray': '3 3'}), 'node stopped']] : [])
        ],
        `${significant(departed)} copies departed, ${significant(dropped)} dropped${
            departed ? ` (${percent(dropped / departed)})` : ''}.${
            this.shared ? ` Labels omit the common prefix “${this.shared}”.` : ''}`);
  },
  link(p, i, positions, space, {most, worst}) {
    const from = positions[p.a], to = positions[p.b],
          share = p.departed ? p.dropped / p.departed : 0;
    const line = {x1: from.x, y1: from.y, x2: to.x, y2: to.y};
    const thick = p.departed ? 1 + clamp(space / 2.5, 2, 6) * Math.sqrt(p.departed / most) : 1;
    const drawn = {...line, 'stroke-width': thick, 'stroke-dasharray': p.cut ? '7 6' : null};
    const picked = this.picked === this.nameOf(p) ? ' picked' : '';
    return svg(
        'g', {'data-tip': i, class: 'link-of-map' + picked, onclick: () => this.pick(p)},
        svg('line', {...line, stroke: 'transparent', 'stroke-width': clamp(2 * space, 6, 18)}),
        svg('line', {...line, class: 'halo', 'stroke-width': thick + 6}),
        svg('line', {...drawn, stroke: inks().faint, opacity: p.departed ? 0.55 : 0.3}),
        share > 0 &&
            svg('line',
                {...drawn, stroke: alarm(), opacity: 0.25 + 0.75 * Math.min(1, share / worst)}),
        p.cut && svg('g', {class: 'cutmark'}, svg('rect', {
          x: (from.x + to.x) / 2 - 10,
          y: (from.y + to.y) / 2 - 10,
          width: 20,
          height: 20,
          rx: 10
        }), icon('cut', {x: (from.x + to.x) / 2 - 7, y: (from.y + to.y) / 2 - 7})));
  },
  node(i, at, label) {
    const hub = i === this.hub;
    return [
      svg('circle', {
        cx: at.x,
        cy: at.y,
        r: this.radius(i),
        fill: hub ? colour(0) : this.edges.has(i) ? inks().faint : inks().ground,
        stroke: this.stopped.has(i) ? alarm() : colour(0),
        'stroke-width': this.stopped.has(i) ? 3 : 2,
        'stroke-dasharray': this.stopped.has(i) ? '3 3' : null,
        class: this.stopped.has(i) ? 'stopmark' : null
      }),
      label && svg('text', {
        x: label.x,
        y: label.y,
        'text-anchor': label.anchor,
        class: hub ? 'name strong lifted' : 'name lifted',
        text: label.text
      })
    ].filter(Boolean);
  },
  radius(i) {
    return i === this.hub ? 17 : this.edges.has(i) ? 11 : this.tight ? 3 : this.nodes.length > 33 ? 6 : 9;
  },
  shownName(i) {
    return i === this.hub || this.edges.has(i) ? this.nodes[i] :
                                                 this.nodes[i].slice(this.shared.length);
  },
  /// The names beside their circles. All are shortened alike, only as far as necessary to keep them
  /// apart and inside the diagram.
  labels(positions, width) {
    const spot = (i) => {
      const {x, y, angle} = positions[i], hub = i === this.hub, r = this.radius(i),
                   cos = Math.cos(angle);
      // Links end beside an edge, so its name is below.
      if (this.edges.has(i)) return {i, x, y: y + r + 14, anchor: 'middle'};
      if (!hub && Math.abs(cos) >= 0.35)
        return {i, x: x + Math.sign(cos) * (r + 5), y: y + 4, anchor: cos < 0 ? 'end' : 'start'};
      const above = !hub && Math.sin(angle) < 0;
      return {i, x, y: above ? y - r - 6 : y + r + 14, anchor: 'middle'};
    };
    const spots = this.nodes.map((_, i) => i)
                      .filter(
                          (i) => i === this.hub || this.edges.has(i) || !this.tight || i % 2 === 0)
                      .map(spot);
    const cut = (most) => spots.map((at) => {
      const text = shorten(this.shownName(at.i), most), w = textWidth(text);
      const left = at.x - (at.anchor === 'end' ? w : at.anchor === 'middle' ? w / 2 : 0);
      return {...at, text, left, right: left + w};
    });
    const fits = (labels) => labels.every(
        (a, n) => a.left >= 2 && a.right <= width - 2 &&
            labels.slice(n + 1).every(
                (b) => a.right + 4 < b.left || b.right + 4 < a.left || Math.abs(a.y - b.y) > 13));
    const longest = Math.max(...spots.map(({i}) => this.shownName(i).length));
    let most = Math.min(MAX_LABEL_LENGTH, longest), labels = cut(most);
    while (most > MIN_LABEL_LENGTH && !fits(labels)) labels = cut(--most);
    return new Map(labels.map((label) => [label.i, label]));
  },
  nameOf(p) {
    const [first, second] = p.b === this.hub ? [p.b, p.a] : [p.a, p.b];
    return `${this.nodes[first]} ↔ ${this.nodes[second]}`;
  },
  pick(p) {
    this.picked = this.nameOf(p);
    this.update();
  },
  drawControls(run, doc) {
    if (doc.source !== 'live' || state.mode !== 'live') {
      replace(this.controls);
      return;
    }
    const names = this.pairs.map((p) => this.nameOf(p));
    if (!names.includes(this.picked)) this.picked = names[0] ?? null;
    const chosen = this.pairs[names.indexOf(this.picked)];
    const off = !canControl() || !chosen || run.state === 'over';
    const send = (action, groups) =>
        control(
            action, run.id, {groups: groups || [[this.nodes[chosen.a]], [this.nodes[chosen.b]]]});
    // A cut is undone with the groups that it was made with, which may contain more nodes.
    const cutBy = () => list(run.cut_groups)[list(run.cut_links).findLastIndex(
        (pair) => list(pair).includes(chosen.a) && list(pair).includes(chosen.b))];
    replace(
        this.controls,
        choice(
            'link', names.map((name) => [name, name]), this.picked,
            (v) => {
              this.picked = v;
              this.update();
            },
            'network-link'),
        el('button', {
          type: 'button',
          'data-key': 'cut',
          disabled: off || chosen.cut,
          title: controlHint(),
          onclick: () => send('cut')
        }, icon('cut'), ' Cut'),
        el('button', {
          type: 'button',
          'data-key': 'restore',
          disabled: off || !chosen.cut,
          title: controlHint(),
          onclick: () => send('restore', cutBy()),
          text: 'Restore'
        }),
        chosen && chosen.cut && badge('cut', 'warn'),
        ...this.nodeControls(run));
  },
  nodeControls(run) {
    if (!this.nodes.includes(this.pickedNode)) this.pickedNode = this.nodes.at(-1);
    const stop = this.stopped.get(this.nodes.indexOf(this.pickedNode)),
          off = !canControl() || run.state === 'over';
    const button = (action, mark, text, disabled, groups = [[this.pickedNode]]) => el('button', {
      type: 'button',
      'data-key': action,
      disabled: off || disabled,
      title: controlHint(),
      onclick: () => control(action, run.id, {groups})
    }, mark && icon(mark), text);
    const how = {halt: 'halted', crash: 'down', forget: 'down, state lost'};
    return [
      choice(
          'node', this.nodes.map((name) => [name, name]), this.pickedNode,
          (name) => {
            this.pickedNode = name;
            this.update();
          },
          'network-node'),
      button('halt', 'pause', ' Halt', stop), button('crash', 'cross', ' Crash', stop),
      button('forget', 'cross', ' Crash, lose state', stop),
      button('restart', null, 'Restart', !stop, stop && stop.groups),
      stop && badge(how[stop.action] || 'stopped', 'warn')
    ];
  },
};
