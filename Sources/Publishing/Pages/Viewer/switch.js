// The switch of floors: a column of each building, the uppermost floor on top, floors of one level side by
// side, and before several buildings a column that switches all of them.

// Floors without a level are below all others.
const levelOf = ({ ordinal }) => ordinal ?? -Infinity;

const levelsOf = (building) => new Set(building.floors.map(levelOf));

const floorsAt = (building, level) => building.floors.filter((floor) => levelOf(floor) === level);

// The first row of each level, from the top: as many as the building with most floors there needs.
function rowsOf(buildings) {
  const levels = [...new Set(buildings.flatMap((one) => [...levelsOf(one)]))].sort((a, b) => b - a);
  const rows = new Map();
  // The first one holds the names of the buildings.
  let row = 2;
  for (const level of levels) {
    rows.set(level, row);
    row += Math.max(...buildings.map((one) => floorsAt(one, level).length));
  }
  return rows;
}

class FloorSwitch {
  constructor(shown, change) {
    Object.assign(this, { shown, change, levels: [], inputs: new Map(), checks: new Map() });
    this.box = element("floors");
    this.rows = rowsOf(shown.buildings);
    if (shown.areSeveral) this.addLevels();
    shown.buildings.forEach((building, index) => this.addBuilding(building, index));
    document.body.style.setProperty("--buildings", shown.buildings.length);
    this.box.hidden = !shown.areSeveral && shown.buildings[0].floors.length < 2;
  }

  addLevels() {
    const levels = [...this.rows.keys()].filter(Number.isFinite);
    const group = part("div", {
      className: "column", role: "group", "aria-label": phrase("viewer.allBuildings"),
    });
    const head = levels.length > 0 ? phrase("viewer.all") : "";
    group.append(at(part("span", { className: "head", textContent: head }), 1, 1));
    for (const level of levels) group.append(at(this.levelButton(level), this.rows.get(level), 1));
    this.box.append(group);
  }

  levelButton(level) {
    const names = this.shown.buildings.flatMap((one) => floorsAt(one, level));
    const text = shared(names.map((one) => one.shortName)) ?? String(level).replace("-", "−");
    const label = shared(names.map((one) => one.label)) ?? phrase("viewer.level", { level: text });
    const button = part("button", {
      type: "button", className: "level", dir: "auto", textContent: text,
      "aria-label": phrase("viewer.inAllBuildings", { level: text, label }),
    });
    button.addEventListener("click", () => this.change(() => this.shown.chooseLevel(level)));
    this.levels.push([level, button]);
    return button;
  }

  addBuilding(building, index) {
    const column = this.shown.areSeveral ? index + 2 : 1;
    const name = building.name || phrase(this.shown.areSeveral ? "viewer.others" : "page.floors");
    const group = part("div", { className: "column", role: "radiogroup", "aria-label": name });
    if (this.shown.areSeveral) group.append(at(this.buildingHead(building, name), 1, column));
    for (const level of levelsOf(building)) {
      floorsAt(building, level).forEach((floor, place) => {
        group.append(at(this.floorButton(floor, index), this.rows.get(level) + place, column));
      });
    }
    this.box.append(group);
  }

  buildingHead(building, name) {
    const label = part("label", { className: "head check", title: name });
    const check = part("input", { type: "checkbox", "aria-label": phrase("viewer.show", { name }) });
    check.addEventListener("change", () => this.change(() => this.shown.hide(building, !check.checked)));
    this.checks.set(building, check);
    label.append(check, part("span", { dir: "auto", textContent: name }));
    return label;
  }

  floorButton(floor, index) {
    const { label, shortName } = floor;
    const button = part("label", { className: "floor", title: label });
    const input = part("input", {
      type: "radio", name: `floor-${index}`,
      "aria-label": label === shortName ? label : phrase("page.pair", { first: shortName, second: label }),
    });
    input.addEventListener("change", () => this.change(() => this.shown.choose(floor)));
    this.inputs.set(floor, input);
    button.append(input, part("b", { dir: "auto", textContent: shortName }));
    if (label !== shortName) button.append(part("span", { dir: "auto", textContent: label }));
    else button.classList.add("short");
    return button;
  }

  // Towers may have more floors than fit on the screen.
  scrollToChosen() {
    const { box } = this, button = this.inputs.get(this.shown.floor(this.shown.buildings[0])).parentElement;
    const top = button.offsetTop - box.offsetTop;
    if (top + button.offsetHeight > box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
  }

  update() {
    for (const [floor, input] of this.inputs) input.checked = this.shown.floor(floor.building) === floor;
    for (const [building, check] of this.checks) check.checked = !this.shown.hidden.has(building);
    for (const [level, button] of this.levels) button.setAttribute("aria-pressed", this.shown.isAt(level));
  }
}

function at(node, row, column) {
  node.style.gridArea = `${row} / ${column}`;
  return node;
}

// The common text, if all texts are equal.
const shared = (texts) => texts.every((one) => one === texts[0]) ? texts[0] : undefined;
