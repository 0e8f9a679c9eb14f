// The switch of floors: a column of each building, the uppermost floor on top, floors of one level side by
// side, and before several buildings a column that switches all of them.

// Floors without a level are below all others.
const levelOf = ({ ordinal }) => ordinal ?? -Infinity;

const floorsAt = (building, level) => building.floors.filter((floor) => levelOf(floor) === level);

class FloorSwitch {
  constructor(shown, change) {
    Object.assign(this, { shown, change, updates: [] });
    const { areSeveral, buildings } = shown, floors = buildings.flatMap((one) => one.floors);
    this.levels = [...new Set(floors.map(levelOf))].sort((a, b) => b - a);
    if (areSeveral) this.addLevels();
    for (const building of buildings) this.addBuilding(building);
    document.body.style.setProperty("--buildings", buildings.length);
    document.body.style.setProperty("--rows", this.levels.length + (areSeveral ? 1 : 0));
    element("floors").hidden = floors.length < 2;
  }

  // A column has a head, if there are several, and a cell for each level.
  addColumn(role, name, cells) {
    const column = part("div", { className: "column", role, ariaLabel: name });
    column.append(...cells);
    element("floors").append(column);
  }

  addLevels() {
    const textContent = this.levels.some(Number.isFinite) ? phrase("viewer.all") : "";
    const cells = this.levels.map((level) => Number.isFinite(level) ? this.levelButton(level) : part("span"));
    const head = part("span", { className: "head", textContent });
    this.addColumn("group", phrase("viewer.allBuildings"), [head, ...cells]);
  }

  levelButton(level) {
    const names = this.shown.buildings.flatMap((one) => floorsAt(one, level));
    const text = shared(names.map((one) => one.shortName)) ?? String(level).replace("-", "−");
    const label = shared(names.map((one) => one.label)) ?? phrase("viewer.level", { level: text });
    const button = part("button", {
      type: "button", className: "level", dir: "auto", textContent: text,
      ariaLabel: phrase("viewer.inAllBuildings", { level: text, label }),
      onclick: () => this.change(() => this.shown.chooseLevel(level)),
    });
    this.updates.push(() => { button.ariaPressed = this.shown.isAt(level); });
    return button;
  }

  addBuilding(building) {
    const { areSeveral } = this.shown;
    const name = building.name || phrase(areSeveral ? "viewer.others" : "page.floors");
    const cells = this.levels.map((level) => {
      const cell = part("div", { className: "cell" });
      cell.append(...floorsAt(building, level).map((floor) => this.floorButton(floor)));
      return cell;
    });
    this.addColumn("radiogroup", name, areSeveral ? [this.buildingHead(building, name), ...cells] : cells);
  }

  buildingHead(building, name) {
    const label = part("label", { className: "head check", title: name }), check = part("input", {
      type: "checkbox", ariaLabel: phrase("viewer.show", { name }),
      onchange: () => this.change(() => this.shown.hide(building, !check.checked)),
    });
    this.updates.push(() => { check.checked = !this.shown.hidden.has(building); });
    label.append(check, part("span", { dir: "auto", textContent: name }));
    return label;
  }

  floorButton(floor) {
    const { label, shortName, building } = floor, button = part("label", { className: "floor", title: label });
    const input = part("input", {
      type: "radio", name: `floor-${building.key}`,
      ariaLabel: label === shortName ? label : phrase("page.pair", { first: shortName, second: label }),
      onchange: () => this.change(() => this.shown.choose(floor)),
    });
    this.updates.push(() => { input.checked = this.shown.floor(building) === floor; });
    button.append(input, part("b", { dir: "auto", textContent: shortName }));
    if (label !== shortName) button.append(part("span", { dir: "auto", textContent: label }));
    return button;
  }

  update() { for (const update of this.updates) update(); }
}

// The common text, if all texts are equal.
const shared = (texts) => texts.every((one) => one === texts[0]) ? texts[0] : undefined;
