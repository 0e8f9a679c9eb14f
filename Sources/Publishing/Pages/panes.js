// Drawing the plan: in its own pane, over the map, and under the magnifier.

// A picture and smaller ones of it, so that thin lines stay smooth when it is drawn small.
class Picture {
  constructor(image, scale) {
    this.base = { image, scale };
    this.setInkOnly(false);
  }

  // Takes a finer picture of the same plan.
  refine(image, scale) {
    this.base = { image, scale };
    this.setInkOnly(this.isInkOnly);
  }

  // Makes all pixels that are as light as the paper transparent, or undoes it.
  setInkOnly(isInkOnly) {
    let { image, scale } = this.base;
    this.isInkOnly = isInkOnly;
    if (isInkOnly) image = Picture.ink(image);
    this.levels = [{ image, scale }];
    while (Math.max(image.width, image.height) > 256) {
      const [width, height] = [Math.ceil(image.width / 2), Math.ceil(image.height / 2)];
      const canvas = part("canvas", { width, height });
      const context = canvas.getContext("2d");
      context.imageSmoothingQuality = "high";
      context.drawImage(image, 0, 0, image.width / 2, image.height / 2);
      scale = { x: 2 * scale.x, y: 2 * scale.y };
      image = canvas;
      this.levels.push({ image, scale });
    }
  }

  // The smallest picture that is fine enough for the given number of screen pixels per image pixel.
  level(zoom) {
    return this.levels.findLast((level) => Math.max(level.scale.x, level.scale.y) * zoom <= 1)
      ?? this.levels[0];
  }

  static ink(image) {
    const canvas = part("canvas", { width: image.width, height: image.height });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height), data = pixels.data;
    // Light fills become transparent with the paper; clearly darker pixels are fully opaque ink.
    const paper = Picture.paper(data), pale = 20, full = 90;
    for (let index = 0; index < data.length; index += 4) {
      const darkness = paper - Picture.lightness(data, index);
      data[index + 3] *= Math.min(1, Math.max(0, (darkness - pale) / full));
    }
    context.putImageData(pixels, 0, 0);
    return canvas;
  }

  static lightness(data, index) {
    return 0.3 * data[index] + 0.59 * data[index + 1] + 0.11 * data[index + 2];
  }

  // The most frequent lightness.
  static paper(data) {
    const counts = new Array(64).fill(0);
    for (let index = 0; index < data.length; index += 4 * 7) {
      if (data[index + 3] > 127) counts[Picture.lightness(data, index) >> 2]++;
    }
    return 4 * counts.indexOf(Math.max(...counts)) + 2;
  }

  // Draws the image with a transform from its pixels to points of a canvas.
  draw(context, size, toCanvas) {
    const [topLeft, topRight, , bottomLeft] = cornersOf(size), three = [topLeft, topRight, bottomLeft];
    const affine = affineFit(three, three.map((pixel) => toCanvas(pixel)));
    const zoom = Math.sqrt(Math.abs(affine.determinant)), level = this.level(zoom);
    context.imageSmoothingQuality = "high";
    // If an image pixel covers many screen pixels, it is shown without smoothing.
    context.imageSmoothingEnabled = zoom * level.scale.x < 4;
    if (Picture.isClose(affine, size, toCanvas)) {
      Picture.drawWithin(context, cornersOf(size).map((pixel) => affine.forward(pixel)), affine, level);
    } else Picture.drawMesh(context, size, toCanvas, level);
  }

  // Draws a part of an image by an affine transform: what is within a ring of points of the canvas.
  static drawWithin(context, ring, { numbers: [a, b, c, d, e, f] }, { image, scale }) {
    context.save();
    traceRings(context, [ring]);
    context.clip();
    context.transform(a, d, b, e, c, f);
    context.drawImage(image, 0, 0, image.width * scale.x, image.height * scale.y);
    context.restore();
  }

  static isClose(affine, { width, height }, toCanvas) {
    return [[1, 1], [0.5, 0.5], [0.5, 0], [0, 0.5], [1, 0.5], [0.5, 1]].every(([x, y]) => {
      const pixel = { x: x * width, y: y * height };
      return length(minus(toCanvas(pixel), affine.forward(pixel))) < 0.25;
    });
  }

  // Draws triangles, each with an affine transform and slightly enlarged, so that there are no visible seams.
  static drawMesh(context, size, toCanvas, level) {
    const cells = 16, steps = Array.from({ length: cells + 1 }, (_, step) => step / cells);
    const nodes = steps.map((y) => steps.map((x) => {
      const pixel = { x: size.width * x, y: size.height * y };
      return { pixel, at: toCanvas(pixel) };
    }));
    for (let row = 0; row < cells; row++) {
      for (let column = 0; column < cells; column++) {
        const [[a, b], [c, d]] = [nodes[row], nodes[row + 1]].map((line) => line.slice(column, column + 2));
        for (const triangle of [[a, b, c], [d, c, b]]) {
          if (triangle.every((node) => isFinitePoint(node.at))) Picture.drawTriangle(context, triangle, level);
        }
      }
    }
  }

  static drawTriangle(context, triangle, level) {
    const ends = triangle.map((node) => node.at), middle = centroid(ends);
    const ring = ends.map((end) => {
      const way = minus(end, middle), size = length(way) || 1;
      return plus(middle, times(way, (size + 0.7) / size));
    });
    Picture.drawWithin(context, ring, triangleFit(triangle.map((node) => node.pixel), ends), level);
  }
}

// The affine map of a triangle to another one. A picture has a thousand of them: a general fit takes too long.
function triangleFit([from, ...corners], [to, ...images]) {
  const [u, v] = corners.map((corner) => minus(corner, from)), [p, q] = images.map((image) => minus(image, to));
  const area = cross(u, v), along = times(minus(times(p, v.y), times(q, u.y)), 1 / area);
  const down = times(minus(times(q, u.x), times(p, v.x)), 1 / area);
  const start = minus(to, plus(times(along, from.x), times(down, from.y)));
  return new AffineFit([along.x, down.x, start.x, along.y, down.y, start.y]);
}

// Fits a canvas to its box, in pixels of the screen, and gives a context in pixels of the page.
function contextOf(canvas, width, height) {
  const density = devicePixelRatio;
  const [columns, rows] = [Math.round(width * density), Math.round(height * density)];
  if (canvas.width !== columns || canvas.height !== rows) {
    [canvas.width, canvas.height] = [columns, rows];
    [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
  }
  const context = canvas.getContext("2d");
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, columns, rows);
  context.setTransform(density, 0, 0, density, 0, 0);
  return context;
}

// Begins a path of closed rings.
function traceRings(context, rings) {
  context.beginPath();
  for (const ring of rings) {
    for (const [index, { x, y }] of ring.entries()) {
      if (index) context.lineTo(x, y);
      else context.moveTo(x, y);
    }
    context.closePath();
  }
}

// The place of an event in a box.
function placeIn(box, { clientX, clientY }) {
  const { left, top } = box.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
}

// Calls run(point) for a click or a tap on a box: a single pointer that hardly moves between down and up. The
// library's own clicks get lost between pinches. Returns where pointers that have not moved are, by their id.
function onTap(box, run) {
  const starts = new Map();
  box.addEventListener("pointerdown", (event) => {
    const isFirst = !starts.size && !event.button && !event.target.closest("a, .leaflet-control");
    if (!isFirst) for (const id of starts.keys()) starts.set(id, null);
    starts.set(event.pointerId, isFirst ? placeIn(box, event) : null);
  });
  addEventListener("pointermove", (event) => {
    const start = starts.get(event.pointerId);
    const isDrag = start && length(minus(placeIn(box, event), start)) > stillness(event);
    if (isDrag) starts.set(event.pointerId, null);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    addEventListener(end, ({ pointerId }) => {
      const start = starts.get(pointerId);
      starts.delete(pointerId);
      if (start && end === "pointerup") run(start);
    });
  }
  return starts;
}

// The pane of the plan: pixel `middle` of the image is in its middle, `zoom` pixels of the page are one of
// the image, and it is turned clockwise by `turn` degrees.
class PlanPane {
  constructor(box, picture, size, turn) {
    Object.assign(this, { box, picture, size, turn });
    this.canvas = box.querySelector("canvas");
    this.zoom = 0;
    this.middle = { x: size.width / 2, y: size.height / 2 };
    this.pointers = new Map();
    box.addEventListener("pointerdown", (event) => this.press(event));
    box.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) {
      box.addEventListener(end, ({ pointerId }) => this.pointers.delete(pointerId));
    }
    box.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoomBy(2 ** (-event.deltaY / (event.deltaMode ? 6 : 200)), placeIn(this.box, event));
    }, { passive: false });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  // Shows all of another plan.
  setPicture(picture, size, turn) {
    Object.assign(this, { picture, size, turn, zoom: 0 });
    this.draw();
  }

  get width() { return this.box.clientWidth; }

  get height() { return this.box.clientHeight; }

  get half() { return { x: this.width / 2, y: this.height / 2 }; }

  // The cosine and the sine of its turn.
  get axes() { return [Math.cos(this.turn * DEGREE), Math.sin(this.turn * DEGREE)]; }

  fit() {
    const [cos, sin] = this.axes.map(Math.abs);
    const { left, top, width, height } = this.size.part;
    // Tools are along the upper edge.
    const tools = Math.max(52, document.querySelector("#plan-pane > .tools").offsetHeight + 12);
    this.zoom = 0.94 * Math.min(
      this.width / (width * cos + height * sin), (this.height - tools) / (width * sin + height * cos));
    this.middle = { x: left + width / 2, y: top + height / 2 };
    this.panBy(0, -tools / 2);
  }

  toPane(pixel) {
    const way = times(minus(pixel, this.middle), this.zoom), [cos, sin] = this.axes;
    return plus(this.half, { x: cos * way.x - sin * way.y, y: sin * way.x + cos * way.y });
  }

  toPixel(at) {
    const { x, y } = minus(at, this.half), [cos, sin] = this.axes;
    return plus(this.middle, times({ x: cos * x + sin * y, y: -sin * x + cos * y }, 1 / this.zoom));
  }

  centre(pixel) {
    this.middle = { x: pixel.x, y: pixel.y };
    this.draw();
  }

  panBy(x, y) {
    this.middle = this.toPixel(plus(this.half, { x, y }));
    this.draw();
  }

  // The pixel under a point of the pane stays there.
  zoomBy(factor, at = this.half) {
    const pixel = this.toPixel(at);
    this.zoom = Math.min(40, Math.max(0.005, this.zoom * factor));
    this.keep(pixel, at);
  }

  turnBy(degrees, at = this.half) {
    const pixel = this.toPixel(at);
    this.turn = (this.turn + degrees + 360) % 360;
    this.keep(pixel, at);
  }

  keep(pixel, at) {
    this.middle = plus(this.middle, minus(pixel, this.toPixel(at)));
    this.draw();
  }

  press(event) {
    this.box.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, placeIn(this.box, event));
  }

  move(event) {
    const before = this.pointers.get(event.pointerId), now = placeIn(this.box, event);
    if (!before || this.taps.get(event.pointerId)) return;
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId);
    this.pointers.set(event.pointerId, now);
    if (!others.length) return this.panBy(before.x - now.x, before.y - now.y);
    // Two fingers turn and scale about the one that rests.
    const rest = others[0][1], from = minus(before, rest), to = minus(now, rest);
    this.turnBy((Math.atan2(to.y, to.x) - Math.atan2(from.y, from.x)) / DEGREE, rest);
    this.zoomBy(length(to) / Math.max(1, length(from)), rest);
  }

  draw() {
    if (!this.width || !this.height) return;
    if (!this.zoom) return this.fit();
    this.drawOn(contextOf(this.canvas, this.width, this.height));
    showMarks();
  }

  drawOn(context) { this.picture.draw(context, this.size, (pixel) => this.toPane(pixel)); }
}

// A point of the map's view. Leaflet rounds points of its layers; this does not.
function viewOfPlace(map, { x, y }) {
  const at = map.project([y, x]).subtract(map.getPixelOrigin()).add(map._getMapPanePos());
  return { x: at.x, y: at.y };
}

// A plan over the map. `placement` has toPlace and toPixel, or is null.
let PlanLayer;

const definePlanLayer = () => L.Layer.extend({
  initialize(picture, size, pane) {
    Object.assign(this, { picture, size, pane, placement: null, outlines: [] });
  },

  onAdd(map) {
    this.canvas = L.DomUtil.create("canvas", "plan-layer", map.getPane(this.pane));
    this.canvas.setAttribute("aria-hidden", "true");
    this.draw();
  },

  onRemove() { this.canvas.remove(); },

  getEvents() { return { move: this.draw, zoom: this.draw, viewreset: this.draw, resize: this.draw }; },

  // Shows another plan, or another picture of it.
  setPicture(picture, size) {
    Object.assign(this, { picture, size, placement: null });
    this.draw();
  },

  // `outlines` are rings of pixels around what is shown, if there are any; holes run the other way.
  setPlacement(placement, outlines) {
    Object.assign(this, { placement, outlines });
    this.draw();
  },

  draw() {
    const map = this._map;
    if (!map) return;
    const size = map.getSize();
    L.DomUtil.setPosition(this.canvas, map.containerPointToLayerPoint([0, 0]));
    const context = contextOf(this.canvas, size.x, size.y);
    if (!this.placement) return;
    this.picture.draw(context, this.size, (pixel) => this.toView(pixel));
    if (!this.outlines.length) return;
    context.globalCompositeOperation = "destination-in";
    traceRings(context, this.outlines.map((ring) => ring.map((pixel) => this.toView(pixel))));
    context.fill();
    context.globalCompositeOperation = "source-over";
  },

  // A point of the view for a pixel of the image.
  toView(pixel) {
    const place = this.placement.toPlace(pixel);
    return isFinitePoint(place) ? viewOfPlace(this._map, place) : NOWHERE;
  },
});

// The magnifier: an enlarged view of the place at the pointer, next to it.
class Magnifier {
  constructor(canvas) { this.canvas = canvas; }

  hide() { this.canvas.hidden = true; }

  // Draws by paint(context), in coordinates of the page's window, around a point.
  show(at, paint) {
    const { canvas } = this, size = 132, factor = 3, gap = 28;
    canvas.hidden = false;
    const left = at.x + gap + size < innerWidth ? at.x + gap : at.x - gap - size;
    const top = at.y - gap - size > 0 ? at.y - gap - size : at.y + gap;
    Object.assign(canvas.style, { left: `${Math.max(0, left)}px`, top: `${top}px` });
    const context = contextOf(canvas, size, size);
    context.save();
    context.translate(size / 2, size / 2);
    context.scale(factor, factor);
    context.translate(-at.x, -at.y);
    paint(context);
    context.restore();
    for (const [strokeStyle, lineWidth] of [["#000", 3], ["#fff", 1]]) {
      Object.assign(context, { strokeStyle, lineWidth });
      context.stroke(new Path2D("M70 66h14M62 66h-14M66 62v-14M66 70v14"));
    }
  }
}

// Paints the map's contents: tiles, pictures and the plan, at their places in the window.
function paintMap(context, map) {
  for (const picture of map.getContainer().querySelectorAll(
    ".leaflet-tile-loaded, .leaflet-image-layer, .leaflet-overlay-pane canvas, .plan-layer")) {
    const box = picture.getBoundingClientRect();
    if (!box.width || picture.style.visibility === "hidden") continue;
    context.globalAlpha = Number(getComputedStyle(picture).opacity);
    context.drawImage(picture, box.left, box.top, box.width, box.height);
  }
  context.globalAlpha = 1;
}
