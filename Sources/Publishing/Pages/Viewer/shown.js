// The current view and its link: a floor of each building, hidden buildings, and two floors that are
// compared.

// The sides of the divider between two floors.
const SIDES = ["left", "right"];

class Shown {
  constructor(buildings) {
    this.buildings = buildings;
    for (const building of buildings) for (const floor of building.floors) floor.building = building;
    this.floors = new Map(buildings.map((one) => [one, one.floors[one.first]]));
    this.hidden = new Set();
    // The floors on both sides of the divider, which is at a share of the map's width.
    this.comparison = null;
    this.share = 0.5;
  }

  get areSeveral() { return this.buildings.length > 1; }

  // Floors of two buildings may have the same name.
  name({ label, building }) {
    if (!this.areSeveral || !building.name) return label;
    return phrase("page.pair", { first: building.name, second: label });
  }

  // The floor of a building; while two floors are compared, the one on the left.
  floor(building) { return this.floors.get(building); }

  // The sides on which a building is compared.
  sides(building) { return SIDES.filter((side) => this.comparison?.[side].building === building); }

  choose(floor) {
    this.floors.set(floor.building, floor);
    const [side] = this.sides(floor.building);
    if (side) this.comparison[side] = floor;
  }

  hide(building, isHidden) {
    if (isHidden && this.sides(building).length > 0) this.comparison = null;
    if (isHidden) this.hidden.add(building);
    else this.hidden.delete(building);
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

  // Two floors that are offered to be compared: the one at the same place in another building, such as an
  // earlier state of it, else the next floor of the same building.
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
    return this.inSight.flatMap((building) => {
      const sides = this.comparison?.left === this.comparison?.right ? [] : this.sides(building);
      if (sides.length === 0) return [{ floor: this.floor(building), side: "both" }];
      return sides.map((side) => ({ floor: this.comparison[side], side }));
    });
  }

  // The floor that represents the view.
  get main() { return this.layers[0]?.floor ?? this.floor(this.buildings[0]); }
}

// Whether the common area of two floors is most of the smaller one.
function areMostlyOne(one, other) {
  const [a, b] = [one.bounds, other.bounds];
  const area = ([west, south, east, north]) => Math.max(east - west, 0) * Math.max(north - south, 0);
  const common = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  return area(common) > Math.min(area(a), area(b)) / 2;
}

// The box around boxes, of which some may be on the other side of the antimeridian.
const around = (boxes) => boxes.reduce(([west, south, east, north], box) => {
  const turns = 360 * Math.round((west - box[0]) / 360);
  return [
    Math.min(west, box[0] + turns), Math.min(south, box[1]), Math.max(east, box[2] + turns),
    Math.max(north, box[3]),
  ];
});

// The address of the page contains the view, so that it can be shared: `#ZOOM/LAT/LON/FLOOR`, then what
// differs from the defaults, `&background=white`. Of several buildings, each has its floor: `&floor=MALL/1`.

// Names may contain anything.
const floorName = (shown, { building, key }) =>
  (shown.areSeveral ? [building.key, key] : [key]).map(encodeURIComponent).join("/");

function linkText(shown, { zoom, center: { lat, lng }, background, opacity, hasBorders }) {
  const { areSeveral, comparison } = shown, name = (floor) => floorName(shown, floor);
  const isAlone = !areSeveral && shown.buildings[0].floors.length > 1;
  const view = `${Number(zoom.toFixed(4))}/${lat.toFixed(7)}/${lng.toFixed(7)}`;
  const parts = [isAlone ? `${view}/${name(shown.main)}` : view];
  if (areSeveral) {
    for (const one of shown.buildings) parts.push(`floor=${name(shown.floor(one))}`);
    for (const one of shown.hidden) parts.push(`hidden=${encodeURIComponent(one.key)}`);
  }
  if (background !== "map") parts.push(`background=${background}`);
  if (opacity !== 100) parts.push(`opacity=${opacity}`);
  if (hasBorders) parts.push("borders=1");
  if (comparison) {
    parts.push(...SIDES.map((side) => `${side}=${name(comparison[side])}`), `divide=${shown.share}`);
  }
  return `#${parts.join("&")}`;
}

// A number as in addresses; NaN for other text.
const number = (text) => /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : NaN;

// Whether parts are the bearing and the pitch of an address of MapLibre, `#ZOOM/LAT/LON/BEARING/PITCH`, which
// leaves out a pitch of 0, and a bearing of 0 with it. Two numbers are not ours, since a slash in a name is
// escaped; one may be a floor.
function areTurns(shown, parts) {
  if (parts.length === 0 || parts.length > 2 || parts.map(number).some(Number.isNaN)) return false;
  return parts.length === 2 || !floorOf(shown, parts[0]);
}

// The map repeats without end, but far out neighbouring pixels get the same number, and Leaflet hangs.
const MOST_DEGREES_EAST = 360 * 1000;

// The contents of a link: a view, which is null if the link has no valid one, a floor after it, and settings.
function readLink(shown, hash) {
  const [place, ...rest] = hash.replace(/^#/, "").split("&");
  // A plus is part of a name, not a blank.
  const settings = new URLSearchParams(rest.join("&").replaceAll("+", "%2B"));
  const parts = place.split("/"), [zoom, lat, lng] = parts.map(number), names = parts.slice(3);
  const isPlace = Math.abs(lat) <= 90 && Math.abs(lng) <= MOST_DEGREES_EAST;
  const isView = Number.isFinite(zoom) && isPlace && !names.includes("");
  // MapLibre's zooms are of a world of 512 points, ours of 256. This map is neither turned nor tilted.
  const isTurned = areTurns(shown, names);
  return {
    view: isView ? [isTurned ? zoom + 1 : zoom, lat, lng] : null,
    label: isTurned ? "" : decoded(names.join("/")),
    all: (name) => settings.getAll(name), one: (name) => settings.get(name),
  };
}

// The floor that a link names.
const floorOf = (shown, name) => shown.buildings.flatMap(({ floors }) => floors)
  .find((floor) => decoded(floorName(shown, floor)) === name);

// Shows the floors that a link names. Those that no longer exist are ignored.
function follow(shown, link) {
  shown.comparison = null;
  shown.hidden = new Set(shown.buildings.filter(({ key }) => link.all("hidden").includes(key)));
  for (const name of [link.label, ...link.all("floor")].filter(Boolean)) {
    const floor = floorOf(shown, name);
    if (floor) shown.choose(floor);
  }
  const [left, right] = SIDES.map((side) => floorOf(shown, link.one(side)));
  if (left && right) shown.compare(left, right);
  const share = parseFloat(link.one("divide"));
  if (share >= 0 && share <= 1) shown.share = share;
}
