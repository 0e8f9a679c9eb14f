// Two floors on one map, with a divider between them.

class Comparison {
  constructor(shown, change) {
    Object.assign(this, { shown, change, handle: element("handle") });
    this.floors = shown.buildings.flatMap(({ floors }) => floors);
    element("comparison").hidden = this.floors.length < 2;
    for (const side of SIDES) this.fill(element(side));
    element("compare").onchange = ({ target }) => change(() => {
      const { left, right } = shown.comparable;
      if (target.checked) shown.compare(left, right);
      else shown.comparison = null;
    });
    this.handle.onpointerdown = (event) => this.grab(event);
    this.handle.onkeydown = (event) => this.press(event);
  }

  fill(select) {
    select.append(...this.floors.map((floor, index) => new Option(this.title(floor), index)));
    select.onchange = () => this.change(() => {
      const [left, right] = SIDES.map((side) => this.floors[element(side).value]);
      this.shown.compare(left, right);
    });
  }

  // The part of a name that distinguishes a floor comes first, where there is room for it.
  title({ label, building }) {
    if (!this.shown.areSeveral) return label;
    return phrase("page.both", { first: label, second: building.name || phrase("viewer.others") });
  }

  // The divider follows the pointer, at the distance from its middle at which it was grabbed.
  grab(event) {
    event.preventDefault();
    this.handle.focus();
    this.handle.setPointerCapture(event.pointerId);
    const width = element("stage").clientWidth, start = event.clientX - this.shown.share * width;
    this.handle.onpointermove = ({ clientX }) => this.move((clientX - start) / width);
    this.handle.onlostpointercapture = () => { this.handle.onpointermove = null; };
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
    const { comparison, share } = this.shown, percent = Math.round(share * 100);
    element("compare").checked = comparison !== null;
    element("divider").hidden = element("sides").hidden = !comparison;
    if (!comparison) return;
    const { left, right } = comparison, areAlike = left.building === right.building;
    const names = [left, right].map((floor) => areAlike ? floor.label : this.shown.name(floor));
    SIDES.forEach((side, index) => {
      element(side).value = this.floors.indexOf(comparison[side]);
      element(`${side}-name`).querySelector("span").textContent = names[index];
    });
    element("stage").style.setProperty("--share", `${share * 100}%`);
    this.handle.setAttribute("aria-valuenow", percent);
    this.handle.setAttribute("aria-valuetext", `${isolated(`${percent} %`)} ${isolated(names[0])}`);
  }

  // Cuts pictures off at the divider.
  clip(map, layer) {
    const { x: width, y: height } = map.getSize(), at = width * this.shown.share;
    const [from, to] = layer.side === "left" ? [0, at] : [at, width];
    const corners = [[from, 0], [to, 0], [to, height], [from, height]].map((corner) => {
      const { x, y } = map.containerPointToLayerPoint(corner);
      return `${x}px ${y}px`;
    });
    layer.getContainer().style.clipPath = layer.side === "both" ? "" : `polygon(${corners.join()})`;
  }

  // Whether a picture is visible at a share of the map's width.
  isSeen({ side }, share) { return side === "both" || (side === "left") === (share < this.shown.share); }
}
