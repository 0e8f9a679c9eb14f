// What lies under the pictures: a map, or something against which edges and what is transparent are seen.

const BACKGROUNDS = ["map", "checkerboard", "white", "black", "color"];

class Background {
  constructor(map, options, change) {
    this.map = map;
    this.box = element("map");
    this.layer = openStreetMap({ ...options, className: "background" });
    noteMissing(this.layer, element("no-map"));
    this.select = element("background");
    this.color = element("color");
    this.select.addEventListener("change", () => change(() => this.update()));
    this.color.addEventListener("input", () => change(() => this.update()));
  }

  // As links have it: a name, or the digits of a colour.
  get value() { return this.select.value === "color" ? this.color.value.slice(1) : this.select.value; }

  set value(text) {
    if (/^[0-9a-f]{6}$/.test(text)) {
      this.color.value = `#${text}`;
      this.select.value = "color";
    } else {
      this.select.value = BACKGROUNDS.includes(text) && text !== "color" ? text : "map";
    }
    this.update();
  }

  update() {
    const { value } = this.select;
    for (const name of BACKGROUNDS) this.box.classList.toggle(name, name === value);
    this.box.style.background = value === "color" ? this.color.value : "";
    this.color.hidden = value !== "color";
    if (value === "map") this.layer.addTo(this.map);
    else {
      this.layer.remove();
      element("no-map").hidden = true;
    }
  }
}
