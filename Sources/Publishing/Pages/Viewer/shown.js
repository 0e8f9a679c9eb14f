// The current view and its link: a floor of each building, hidden buildings, and two floors that are
// compared.

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

  // The floor that represents the view.
  get main() { return this.layers[0]?.floor ?? this.floor(this.buildings[0]); }
}

// Whether the common area of two floors is most of the smaller one.
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

// A building has one frame for all its floors; tilesets that only share a page have their own frames.
const frame = (building, floor) =>
  building.isBuilding ? around(building.floors.map(({ bounds }) => bounds)) : floor.bounds;

// The address of the page contains the view, so that it can be shared: `#ZOOM/LAT/LON/FLOOR`, then what
// differs from the defaults, `&background=white`. Of several buildings, each has its floor: `&floor=MALL/1`.

// Names may contain anything.
const floorName = (shown, { building, key }) =>
  (shown.areSeveral ? [building.key, key] : [key]).map(encodeURIComponent).join("/");

function linkText(shown, { zoom, center, background, opacity, hasBorders }) {
  const { lat, lng } = center, parts = [];
  const isAlone = !shown.areSeveral && shown.buildings[0].floors.length > 1;
  const floor = isAlone ? `/${floorName(shown, shown.main)}` : "";
  parts.push(`${Number(zoom.toFixed(4))}/${lat.toFixed(7)}/${lng.toFixed(7)}${floor}`);
  if (shown.areSeveral) {
    for (const one of shown.buildings) parts.push(`floor=${floorName(shown, shown.floor(one))}`);
    for (const one of shown.hidden) parts.push(`hidden=${encodeURIComponent(one.key)}`);
  }
  if (background !== "map") parts.push(`background=${background}`);
  if (opacity !== 100) parts.push(`opacity=${opacity}`);
  if (hasBorders) parts.push("borders=1");
  if (shown.comparison) {
    const { left, right } = shown.comparison;
    parts.push(`left=${floorName(shown, left)}`, `right=${floorName(shown, right)}`, `divide=${shown.share}`);
  }
  return `#${parts.join("&")}`;
}

// A number as in addresses; NaN for other text, and for numbers that are too large.
function number(text) {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : NaN;
}

// Whether parts are the bearing and the pitch of an address of MapLibre, `#ZOOM/LAT/LON/BEARING/PITCH`, which
// leaves out a pitch of 0, and a bearing of 0 with it. Two numbers are not ours, since a slash in a name is
// escaped; one may be a floor.
function areTurns(shown, parts) {
  if (parts.length === 0 || parts.length > 2 || parts.map(number).some(Number.isNaN)) return false;
  return parts.length === 2 || !floorOf(shown, parts[0]);
}

// The map repeats without end, but far out neighbouring pixels get the same number, and Leaflet hangs.
const MOST_DEGREES_EAST = 360 * 1000;

// The zoom and the middle at the start of an address, null if they are invalid, and the floor after them.
function readView(shown, text) {
  const parts = text.split("/"), [zoom, lat, lng] = parts.map(number), names = parts.slice(3);
  const isPlace = Math.abs(lat) <= 90 && Math.abs(lng) <= MOST_DEGREES_EAST;
  const isView = Number.isFinite(zoom) && isPlace && !names.includes("");
  // MapLibre's zooms are of a world of 512 points, ours of 256. This map is neither turned nor tilted.
  if (areTurns(shown, names)) return { view: isView ? [zoom + 1, lat, lng] : null, label: "" };
  return { view: isView ? [zoom, lat, lng] : null, label: names.join("/") };
}

// The contents of a link; the view is null if the link has none.
function readLink(shown, hash) {
  const [view = "", ...parts] = hash.replace(/^#/, "").split("&");
  const pairs = parts.map((part) => part.split(/=(.*)/s, 2));
  const all = (name) => pairs.filter(([key]) => key === name).map(([, value]) => value ?? "");
  return { ...readView(shown, view), all, one: (name) => all(name)[0] };
}

// The floor that a link names.
function floorOf(shown, name) {
  if (name === undefined) return undefined;
  if (!shown.areSeveral) return shown.buildings[0].floors.find(({ key }) => key === decoded(name));
  const [building, floor] = name.split("/").map(decoded);
  return shown.buildings.find(({ key }) => key === building)?.floors.find(({ key }) => key === floor);
}

// Shows the floors that a link names. Those that no longer exist are ignored.
function follow(shown, link) {
  shown.comparison = null;
  shown.hidden = new Set(shown.buildings.filter(({ key }) => link.all("hidden").map(decoded).includes(key)));
  for (const name of [...(link.label ? [link.label] : []), ...link.all("floor")]) {
    const floor = floorOf(shown, name);
    if (floor) shown.choose(floor);
  }
  const left = floorOf(shown, link.one("left")), right = floorOf(shown, link.one("right"));
  if (left && right) shown.compare(left, right);
  const share = parseFloat(link.one("divide"));
  if (share >= 0 && share <= 1) shown.share = share;
}
