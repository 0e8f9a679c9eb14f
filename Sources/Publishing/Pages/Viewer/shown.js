// What is shown: a floor of each building, buildings that are hidden, and two floors that are compared.

class Shown {
  constructor(buildings) {
    this.buildings = buildings;
    for (const building of buildings) for (const floor of building.floors) floor.building = building;
    this.floors = new Map(buildings.map((one) => [one, one.floors[one.first]]));
    this.hidden = new Set();
    // The floors on both sides of the divider, which stands at a share of the map's width.
    this.comparison = null;
    this.share = 0.5;
  }

  get areSeveral() { return this.buildings.length > 1; }

  // Floors of two buildings may have the same name.
  name({ label, building }) {
    if (!this.areSeveral || !building.name) return label;
    return phrase("viewer.buildingFloor", { building: building.name, floor: label });
  }

  // The floor of a building: of the two that are compared, the one on the left.
  floor(building) { return this.floors.get(building); }

  choose(floor) {
    const { building } = floor;
    this.floors.set(building, floor);
    if (!this.comparison) return;
    if (this.comparison.left.building === building) this.comparison.left = floor;
    else if (this.comparison.right.building === building) this.comparison.right = floor;
  }

  hide(building, isHidden) {
    if (isHidden) this.hidden.add(building);
    else this.hidden.delete(building);
    const { left, right } = this.comparison ?? {};
    if (isHidden && (left?.building === building || right?.building === building)) this.comparison = null;
  }

  // Buildings without such a floor keep theirs.
  chooseLevel(ordinal) {
    for (const { floors } of this.buildings) {
      const floor = floors.find((one) => one.ordinal === ordinal);
      if (floor) this.choose(floor);
    }
  }

  // Whether all buildings in sight that have such a floor show it.
  isAt(ordinal) {
    const having = this.inSight.filter(({ floors }) => floors.some((one) => one.ordinal === ordinal));
    return having.length > 0 && having.every((one) => this.floor(one).ordinal === ordinal);
  }

  get inSight() { return this.buildings.filter((one) => !this.hidden.has(one)); }

  compare(left, right) {
    this.comparison = { left, right };
    for (const { building } of [left, right]) this.hidden.delete(building);
    if (right.building !== left.building) this.floors.set(right.building, right);
    this.floors.set(left.building, left);
  }

  // Two floors that somebody may want to compare: the one that lies at the same place in another building,
  // such as an earlier state of it, else the next one of the same.
  get comparable() {
    const building = this.inSight[0] ?? this.buildings[0], left = this.floor(building);
    const twin = this.buildings.find((one) => one !== building && areMostlyOne(this.floor(one), left));
    if (twin) {
      const same = twin.floors.find((one) => one.ordinal !== undefined && one.ordinal === left.ordinal);
      return { left, right: same ?? this.floor(twin) };
    }
    const { floors } = building, at = floors.indexOf(left);
    return { left, right: floors[at - 1] ?? floors[at + 1] ?? this.floor(this.buildings[1]) };
  }

  // The tilesets on the map, the later over the earlier, each with the side that it is on.
  get layers() {
    const { left, right } = this.comparison ?? {};
    return this.inSight.flatMap((building) => {
      const floor = this.floor(building);
      if (!left || left === right) return [{ floor, side: "both" }];
      if (building === left.building && building === right.building) {
        return [{ floor: left, side: "left" }, { floor: right, side: "right" }];
      }
      const side = building === left.building ? "left" : building === right.building ? "right" : "both";
      return [{ floor, side }];
    });
  }

  // The floor that speaks for what is shown.
  get main() { return this.layers[0]?.floor ?? this.floor(this.buildings[0]); }
}

// Whether what two floors have in common is most of the smaller one.
function areMostlyOne(one, other) {
  const [a, b] = [one.bounds, other.bounds];
  const area = ([west, south, east, north]) => Math.max(east - west, 0) * Math.max(north - south, 0);
  const common = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  if (common[0] >= common[2] || common[1] >= common[3]) return false;
  return area(common) > Math.min(area(a), area(b)) / 2;
}

// The box around boxes, of which some may be on the other side of the antimeridian.
function around(boxes) {
  const [first] = boxes;
  const near = boxes.map(([west, south, east, north]) => {
    const turns = 360 * Math.round((first[0] - west) / 360);
    return [west + turns, south, east + turns, north];
  });
  const edge = (index, pick) => pick(...near.map((box) => box[index]));
  return [edge(0, Math.min), edge(1, Math.min), edge(2, Math.max), edge(3, Math.max)];
}

// A building has one frame for all its floors; tilesets that merely share a page have each their own.
const frame = (building, floor) =>
  building.isBuilding ? around(building.floors.map(({ bounds }) => bounds)) : floor.bounds;
