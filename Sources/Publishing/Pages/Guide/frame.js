// The frame around the part of a sheet that belongs to a floor: [x, y, width, height] in whole pixels of the sheet.

const within = (value, low, high) => Math.min(Math.max(value, low), high);

// The frame with whole pixels, at least as large as `least`, and within the sheet.
function fittedFrame([x, y, width, height], size, least = 1) {
  const [w, h] = [[width, size.width], [height, size.height]].map(([edge, whole]) =>
    within(Math.round(edge), Math.min(least, whole), whole));
  return [within(Math.round(x), 0, size.width - w), within(Math.round(y), 0, size.height - h), w, h];
}

const movedFrame = ([x, y, width, height], by, size) =>
  fittedFrame([x + by.x, y + by.y, width, height], size);

// The frame with edges moved: `edges` is -1, 0 or 1 for the first, no or the second edge along x and y. The
// opposite edges stay.
function resizedFrame([x, y, width, height], edges, by, size, least) {
  const resized = (start, length, edge, way, whole) => {
    const end = start + length, smallest = Math.min(least, whole);
    if (edge < 0) return [within(Math.round(start + way), 0, end - smallest), end];
    if (edge > 0) return [start, within(Math.round(end + way), start + smallest, whole)];
    return [start, end];
  };
  const [left, right] = resized(x, width, edges.x, by.x, size.width);
  const [top, bottom] = resized(y, height, edges.y, by.y, size.height);
  return [left, top, right - left, bottom - top];
}

// The frame between two points, as far as it is within the sheet.
function frameBetween(one, other, size) {
  const inside = ({ x, y }) => ({ x: within(x, 0, size.width), y: within(y, 0, size.height) });
  const [a, b] = [inside(one), inside(other)];
  return fittedFrame(
    [Math.min(a.x, b.x), Math.min(a.y, b.y), Math.abs(a.x - b.x), Math.abs(a.y - b.y)], size);
}

const wholeFrame = ({ width, height }) => [0, 0, width, height];
const isWhole = (frame, size) => !frame || frame.join() === wholeFrame(size).join();

// The frame of a sheet for one of the same size; none stays none.
const shares = (frame, { width, height }) =>
  [frame[0] / width, frame[1] / height, frame[2] / width, frame[3] / height];

// Puts a frame over a picture by shares of its edges, so that it fits at any size.
function placeFrame(box, frame, size) {
  const [left, top, width, height] = shares(frame ?? wholeFrame(size), size).map((share) => `${100 * share}%`);
  Object.assign(box.style, { left, top, width, height });
}

// Eight handles, clockwise from the top left, and the words for them.
const EDGES = [[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]].map(([x, y]) => ({ x, y }));

function handleName({ x, y }) {
  const first = y && phrase(y < 0 ? "open.edgeTop" : "open.edgeBottom");
  const second = x && phrase(x < 0 ? "open.edgeLeft" : "open.edgeRight");
  return first && second ? phrase("page.both", { first, second }) : first || second;
}

// The dialog in which a frame is set by mouse, fingers or keys.
class FrameDialog {
  constructor() {
    this.dialog = element("frame-dialog");
    this.sheetBox = element("frame-sheet");
    this.box = element("frame-box");
    this.handles = EDGES.map((edges) => {
      const handle = part("button", { type: "button", className: "handle", ariaLabel: handleName(edges) });
      Object.assign(handle.style, { left: `${50 * (edges.x + 1)}%`, top: `${50 * (edges.y + 1)}%` });
      Object.assign(handle.dataset, edges);
      handle.addEventListener("keydown", (event) => this.key(event, edges));
      this.box.append(handle);
      return handle;
    });
    this.box.addEventListener("keydown", (event) => {
      if (event.target === this.box) this.key(event, null);
    });
    this.sheetBox.addEventListener("pointerdown", (event) => this.press(event));
    this.sheetBox.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      this.sheetBox.addEventListener(end, (event) => this.release(event));
    }
    element("frame-proposed").addEventListener("click", () => this.set(this.proposed ?? wholeFrame(this.sheet)));
    element("frame-whole").addEventListener("click", () => this.set(wholeFrame(this.sheet)));
    element("frame-cancel").addEventListener("click", () => this.dialog.close());
    element("frame-ok").addEventListener("click", () => this.finish([this.sheet]));
    element("frame-all").addEventListener("click", () => this.finish([this.sheet, ...this.alike]));
    addEventListener("resize", () => { if (this.dialog.open) this.fit(); });
  }

  // Opens a sheet with a frame. `proposed` resolves to the frame that the program sees, `alike` are other sheets
  // of the same size, and `done(frame, sheets)` gets the result.
  open(sheet, name, frame, { proposed, alike, done }) {
    Object.assign(this, { sheet, alike, done, grip: null, proposed: null });
    element("frame-heading").replaceChildren(phrase("open.frameHeading", { name }));
    const picture = `/sheets/${encodeURIComponent(sheet.id)}.png?edge=`;
    // The small picture is here already, until the large one comes.
    element("frame-sheet").style.backgroundImage = `url("${picture}320")`;
    element("frame-image").src = `${picture}1600`;
    element("frame-all").hidden = !alike.length;
    element("frame-all").textContent = phrase("open.useForAll", { count: alike.length + 1 });
    element("frame-proposed").disabled = true;
    proposed.then((found) => {
      if (this.sheet !== sheet) return;
      this.proposed = found;
      element("frame-proposed").disabled = !found;
    });
    this.dialog.showModal();
    this.fit();
    this.set(frame ?? wholeFrame(sheet), false);
    this.box.focus();
  }

  // The largest picture that the dialog has room for.
  fit() {
    const room = element("frame-room"), { width, height } = this.sheet;
    const scale = Math.min((room.clientWidth - 40) / width, (room.clientHeight - 40) / height);
    Object.assign(this.sheetBox.style, { width: `${width * scale}px`, height: `${height * scale}px` });
    this.scale = scale;
    if (this.frame) this.show();
  }

  // The smallest frame: its handles can be told apart.
  get least() { return Math.max(1, Math.ceil(24 / this.scale)); }

  set(frame, isSpoken = true) {
    this.frame = fittedFrame(frame, this.sheet, this.least);
    this.show();
    if (isSpoken) this.speak();
  }

  show() {
    placeFrame(this.box, this.frame, this.sheet);
    // The handles in the middle of short edges would hide those in the corners.
    const [, , width, height] = this.frame.map((edge) => edge * this.scale);
    for (const handle of this.handles) {
      const { x, y } = handle.dataset;
      handle.hidden = x === "0" && width < 110 || y === "0" && height < 110;
    }
  }

  speak() {
    const [left, top, width, height] = shares(this.frame, this.sheet).map((share) => Math.round(100 * share));
    element("frame-said").textContent = phrase("open.frameSize", { left, top, width, height });
  }

  at({ clientX, clientY }) {
    const { left, top } = this.sheetBox.getBoundingClientRect();
    return { x: (clientX - left) / this.scale, y: (clientY - top) / this.scale };
  }

  press(event) {
    if (event.button || this.grip) return;
    const handle = event.target.closest(".handle"), at = this.at(event), { frame } = this;
    const edges = handle && { x: Number(handle.dataset.x), y: Number(handle.dataset.y) };
    const kind = handle ? "resize" : event.target.closest("#frame-box") ? "move" : "draw";
    this.grip = { id: event.pointerId, kind, edges, at, frame, hasMoved: false };
    this.sheetBox.setPointerCapture(event.pointerId);
    (handle ?? this.box).focus();
    event.preventDefault();
  }

  drag(event) {
    const { grip } = this;
    if (grip?.id !== event.pointerId) return;
    const at = this.at(event), by = { x: at.x - grip.at.x, y: at.y - grip.at.y };
    // A hand that trembles does not draw a new frame.
    if (!grip.hasMoved && Math.hypot(by.x, by.y) * this.scale < 4) return;
    grip.hasMoved = true;
    if (grip.kind === "move") this.set(movedFrame(grip.frame, by, this.sheet), false);
    else if (grip.kind === "resize") {
      this.set(resizedFrame(grip.frame, grip.edges, by, this.sheet, this.least), false);
    } else this.set(frameBetween(grip.at, at, this.sheet), false);
  }

  release({ pointerId }) {
    if (this.grip?.id !== pointerId) return;
    if (this.grip.hasMoved) this.speak();
    this.grip = null;
  }

  // Arrow keys move the frame, or the edges of a handle, by a little; with Shift by much.
  key(event, edges) {
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const step = Math.max(1, Math.round(Math.max(this.sheet.width, this.sheet.height) / 400))
      * (event.shiftKey ? 10 : 1);
    const by = { x: way[0] * step, y: way[1] * step };
    this.set(edges ? resizedFrame(this.frame, edges, by, this.sheet, this.least)
      : movedFrame(this.frame, by, this.sheet));
  }

  finish(sheets) {
    const { frame, sheet } = this;
    this.dialog.close();
    this.done(isWhole(frame, sheet) ? null : frame, sheets);
  }
}
