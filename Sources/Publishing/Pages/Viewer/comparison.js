// Two floors on one map, with a divider between them.

class Comparison {
  constructor(shown, change) {
    Object.assign(this, { shown, change, handle: element("handle") });
    const floors = shown.buildings.flatMap(({ floors }) => floors);
    element("comparison").hidden = floors.length < 2;
    for (const side of ["left", "right"]) this.fill(element(side), floors);
    element("compare").addEventListener("change", () => this.toggle());
    this.handle.addEventListener("pointerdown", (event) => this.grab(event));
    this.handle.addEventListener("keydown", (event) => this.press(event));
  }

  fill(select, floors) {
    floors.forEach((floor, value) => select.append(part("option", { value, textContent: this.title(floor) })));
    select.addEventListener("change", () => this.change(() =>
      this.shown.compare(floors[element("left").value], floors[element("right").value])));
    this.indexOf = (floor) => String(floors.indexOf(floor));
  }

  // The part of a name that distinguishes a floor comes first, where there is room for it.
  title({ label, building }) {
    if (!this.shown.areSeveral) return label;
    return phrase("page.both", { first: label, second: building.name || phrase("viewer.others") });
  }

  toggle() {
    this.change(() => {
      const { left, right } = this.shown.comparable;
      if (element("compare").checked) this.shown.compare(left, right);
      else this.shown.comparison = null;
    });
  }

  // The divider follows the pointer, at the distance from its middle at which it was grabbed.
  grab(event) {
    event.preventDefault();
    this.handle.focus();
    this.handle.setPointerCapture(event.pointerId);
    const { left, width } = element("stage").getBoundingClientRect();
    const beside = event.clientX - left - this.shown.share * width;
    const move = ({ clientX }) => this.move((clientX - left - beside) / width);
    this.handle.addEventListener("pointermove", move);
    this.handle.addEventListener("lostpointercapture",
      () => this.handle.removeEventListener("pointermove", move), { once: true });
  }

  press(event) {
    const { share } = this.shown, step = event.shiftKey ? 0.1 : 0.01;
    const places = {
      ArrowLeft: share - step, ArrowDown: share - step, ArrowRight: share + step, ArrowUp: share + step,
      PageDown: share - 0.1, PageUp: share + 0.1, Home: 0, End: 1,
    };
    if (!(event.key in places)) return;
    event.preventDefault();
    this.move(places[event.key]);
  }

  // Whole pixels would be lost in links between screens; a thousandth is about one of them.
  move(share) {
    this.change(() => { this.shown.share = Math.round(Math.min(Math.max(share, 0), 1) * 1000) / 1000; });
  }

  update() {
    const { comparison, share } = this.shown;
    element("compare").checked = comparison !== null;
    element("divider").hidden = element("sides").hidden = !comparison;
    if (!comparison) return;
    const { left, right } = comparison, percent = `${Math.round(share * 100)} %`;
    element("left").value = this.indexOf(left);
    element("right").value = this.indexOf(right);
    element("left-name").querySelector("span").textContent = this.name(left, right);
    element("right-name").querySelector("span").textContent = this.name(right, left);
    element("stage").style.setProperty("--share", `${share * 100}%`);
    this.handle.setAttribute("aria-valuenow", Math.round(share * 100));
    this.handle.setAttribute("aria-valuetext", `${isolated(percent)} ${isolated(this.name(left, right))}`);
  }

  name(floor, other) { return floor.building === other.building ? floor.label : this.shown.name(floor); }

  // Cuts pictures off at the divider.
  clip(map, layer, side) {
    const box = layer.getContainer();
    if (!box) return;
    const { x: width, y: height } = map.getSize(), at = width * this.shown.share;
    const [from, to] = { left: [0, at], right: [at, width], both: [] }[side];
    const corner = (x, y) => {
      const point = map.containerPointToLayerPoint([x, y]);
      return `${point.x}px ${point.y}px`;
    };
    const corners = () => [corner(from, 0), corner(to, 0), corner(to, height), corner(from, height)];
    box.style.clipPath = side === "both" ? "" : `polygon(${corners().join()})`;
  }

  // Whether a place in the map's window is visible on a side.
  isSeen(side, x, width) {
    return side === "both" || (side === "left") === (x < this.shown.share * width);
  }
}
