// SPDX-License-Identifier: Apache-2.0
// Parallel axes: a line for every cell of a sweep, on a canvas.

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
