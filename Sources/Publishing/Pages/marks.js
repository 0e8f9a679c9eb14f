// The two sides: the plan's pane and the map. Each converts its own values to points of its box and back.

let map, pane, planLayer, magnifier, base;
const sides = {};

const isInside = ({ x, y }) => x >= 0 && y >= 0 && x <= size.width && y <= size.height;

function paintSide(name) {
  return (context) => {
    if (name === "map") return paintMap(context, map);
    const box = pane.box.getBoundingClientRect();
    context.translate(box.left, box.top);
    pane.drawOn(context);
  };
}

// The largest movement of a pressed pointer, in pixels of the page, that is not yet a drag.
const stillness = (event) => event.pointerType === "touch" ? 8 : 3;

// A mark on a side that can be dragged, and moved by keys. `actions` has move(value), drop(), and
// optionally choose(), remove(), press() for a click, and attract(value) for what a drag snaps to.
class Mark {
  constructor(side, key, actions) {
    Object.assign(this, { side, actions });
    this.button = part("button", { type: "button", className: `mark ${side.name}-mark` });
    this.button.dataset.key = key;
    side.marks.append(this.button);
    this.button.addEventListener("pointerdown", (event) => this.press(event));
    this.button.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) {
      this.button.addEventListener(end, (event) => this.release(event));
    }
    this.button.addEventListener("keydown", (event) => this.key(event));
    this.button.addEventListener("focus", () => {
      this.side.bringIntoView(this.value);
      this.actions.choose?.();
    });
  }

  show(value, look) {
    const at = this.side.toView(value), text = JSON.stringify(look);
    this.button.style.transform = `translate(${at.x}px, ${at.y}px)`;
    this.button.hidden = !isFinitePoint(at);
    this.button.setAttribute("aria-label", look.description);
    this.value = value;
    if (text === this.look) return;
    this.look = text;
    this.draw(look);
  }

  draw({ color, label, isPin }) {
    const ring = isPin ? `<circle cx="22" cy="22" r="13" fill="${color}55" stroke="#fff" stroke-width="5"/>
      <circle cx="22" cy="22" r="13" fill="none" stroke="${color}" stroke-width="2.5"/>` : "";
    this.button.innerHTML = `<svg viewBox="0 0 44 44">${ring}
      <path d="M22 9v9M22 26v9M9 22h9M26 22h9" stroke="#fff" stroke-width="5" stroke-linecap="round"/>
      <path d="M22 9v9M22 26v9M9 22h9M26 22h9" stroke="${color}" stroke-width="2.5"/>
      <circle cx="22" cy="22" r="1.2" fill="${color}"/>
      <g transform="translate(37 8)"><rect x="${-5 - 3.5 * label.length}" y="-9" rx="9"
        width="${10 + 7 * label.length}" height="18" fill="${color}" stroke="#fff" stroke-width="1.5"/>
      <text y="4.5" text-anchor="middle" font-size="12" font-weight="700" fill="#fff"></text></g></svg>`;
    this.button.querySelector("text").textContent = label;
  }

  press(event) {
    if (event.button) return;
    event.preventDefault();
    event.stopPropagation();
    this.button.focus({ preventScroll: true });
    this.button.setPointerCapture(event.pointerId);
    const at = this.side.toView(this.value), pointer = this.side.local(event);
    this.grip = minus(at, pointer);
    this.start = pointer;
    this.hasMoved = false;
  }

  drag(event) {
    if (!this.grip) return;
    const pointer = this.side.local(event);
    // A click or a tap always moves a little.
    if (!this.hasMoved && length(minus(pointer, this.start)) <= stillness(event)) return;
    this.hasMoved = true;
    const at = plus(pointer, this.grip);
    const value = this.side.fromView(at);
    this.actions.move(this.actions.attract?.(value) ?? value);
    render(true);
    this.magnify(at);
  }

  magnify(at) {
    const box = this.side.marks.getBoundingClientRect();
    magnifier.show({ x: box.left + at.x, y: box.top + at.y }, paintSide(this.side.name));
  }

  release(event) {
    if (!this.grip) return;
    this.grip = null;
    magnifier.hide();
    showAttraction(null);
    if (this.hasMoved) this.actions.drop();
    else if (event.type === "pointerup") this.actions.press?.();
  }

  key(event) {
    const way = arrow(event);
    if (way && !event.ctrlKey) {
      this.actions.move(this.side.fromView(plus(this.side.toView(this.value), way)));
      this.actions.drop("nudge");
    } else if (/^(Delete|Backspace)$/.test(event.key) && this.actions.remove) this.actions.remove();
    else if (/^(Enter| )$/.test(event.key) && this.actions.press) this.actions.press();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

// The movement by an arrow key in pixels of the page: one, with Shift ten.
function arrow(event) {
  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const way = ways[event.key];
  return way && times(xy(way), event.shiftKey ? 10 : 1);
}

const marks = new Map();

function showMark(side, key, value, actions, look, shown, Kind = Mark) {
  // Marks of other floors may have the same keys.
  const id = `${nameOf(floor)} ${side.name} ${key}`;
  shown.add(id);
  if (!marks.has(id)) marks.set(id, new Kind(side, key, actions));
  const mark = marks.get(id);
  mark.actions = actions;
  mark.show(value, look);
}

function showMarks() {
  const shown = new Set();
  if (settings.step === "points") state.points.forEach((point, index) => showPoint(point, index, shown));
  if (canLay()) state.pins.forEach((pin, index) => showPin(pin, index, shown));
  if (settings.step === "cut") showCorners(shown);
  for (const [id, mark] of marks) {
    if (shown.has(id)) continue;
    mark.button.remove();
    marks.delete(id);
  }
  showGhosts();
  drawCuts();
}

function showPoint(point, index, shown) {
  const color = COLORS[index % COLORS.length], label = point.name.slice(0, 6);
  const drop = (kind) => commit(kind && `${kind} ${point.id}`);
  const choose = () => choosePoint(point.id);
  const remove = () => removePoint(point.id);
  for (const side of Object.values(sides)) {
    const { half } = side;
    if (!point[half]) continue;
    const move = (value) => { find(point.id)[half] = aimed(side, value); };
    const attract = (value) => attractedInDrag(side, value);
    const key = side === sides.plan ? "place.pointOnPlan" : "place.pointOnMap";
    const look = { color, label, description: phrase(key, { name: point.name }) };
    showMark(side, point.id, point[half], { move, attract, drop, choose, remove }, look, shown);
  }
}

const find = (id) => state.points.find((point) => point.id === id);

function showPin(pin, index, shown) {
  const move = (place) => {
    if (settings.loose) {
      const pixel = solution.placement.toPixel(place);
      if (isInside(pixel)) state.pins[index] = pixel;
      return;
    }
    const other = state.pins[1 - index];
    const pairs = [{ pixel: pin, place }, { pixel: other, place: solution.rough.toPlace(other) }];
    pairs.pivot = 1;
    state.rough = Rough.through(pairs, size, state.kept) ?? state.rough;
  };
  showMark(sides.map, `pin${index}`, solution.rough.toPlace(pin),
    { move, drop: (kind) => commit(kind && `${kind} pin ${index}`) },
    { color: index ? "#0b5fc0" : "#b93a0b", label: index ? "B" : "A", isPin: true,
      description: phrase("place.pin", { pin: index ? "B" : "A" }) }, shown);
}

// The expected place of a point's other half.
function showGhosts() {
  for (const ghost of document.querySelectorAll(".ghost")) ghost.remove();
  const half = state.points.find((point) => !isComplete(point));
  if (settings.step !== "points" || !half || !solution.placement) return;
  const side = half.pixel ? sides.map : sides.plan;
  const value = half.pixel ? solution.placement.toPlace(half.pixel) : solution.placement.toPixel(half.place);
  const at = side.toView(value);
  if (!isFinitePoint(at)) return;
  const ghost = part("div", { className: `mark ghost ${side.name}-mark` });
  ghost.style.transform = `translate(${at.x}px, ${at.y}px)`;
  ghost.innerHTML = `<svg viewBox="0 0 44 44"><circle cx="22" cy="22" r="18" fill="none" stroke="#fff"
    stroke-width="5"/><circle cx="22" cy="22" r="18" fill="none" stroke="#222" stroke-width="2.5"
    stroke-dasharray="5 4"/></svg>`;
  side.marks.append(ghost);
}
