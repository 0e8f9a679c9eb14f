// The address of the page says what is seen, so that it can be passed on: `#ZOOM/LAT/LON/FLOOR`, and what is
// not as it begins behind it, `&background=white`. Of several buildings, each says its floor: `&floor=MALL/1`.

// A name that may hold anything, as a part of an address.
const escaped = (name) => encodeURIComponent(name);

const floorName = (shown, { building, key }) =>
  shown.areSeveral ? `${escaped(building.key)}/${escaped(key)}` : escaped(key);

function linkText(shown, { zoom, center, background, opacity, hasBorders }) {
  const { lat, lng } = center, parts = [];
  const isAlone = !shown.areSeveral && shown.buildings[0].floors.length > 1;
  const floor = isAlone ? `/${floorName(shown, shown.main)}` : "";
  parts.push(`${Number(zoom.toFixed(4))}/${lat.toFixed(7)}/${lng.toFixed(7)}${floor}`);
  if (shown.areSeveral) {
    for (const one of shown.buildings) parts.push(`floor=${floorName(shown, shown.floor(one))}`);
    for (const one of shown.hidden) parts.push(`hidden=${escaped(one.key)}`);
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

// A number as addresses write it. No other text is one, nor is what no number can hold.
function number(text) {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : NaN;
}

// What stands behind the place in an address of MapLibre, `#ZOOM/LAT/LON/BEARING/PITCH`; it leaves out a pitch
// of 0, and a bearing of 0 with it. Two numbers are not ours, since a slash in a name is escaped; one may be a
// floor. What is as short as ours is taken for ours.
function areTurns(shown, parts) {
  if (parts.length === 0 || parts.length > 2 || parts.map(number).some(Number.isNaN)) return false;
  return parts.length === 2 || !floorOf(shown, parts[0]);
}

// The map goes around the world without end, but Leaflet hangs so far out that neighbouring pixels get the
// same number.
const MOST_DEGREES_EAST = 360 * 1000;

// The zoom and the middle that an address begins with, null if they are none, and the floor behind them.
function readView(shown, text) {
  const parts = text.split("/"), [zoom, lat, lng] = parts.map(number), names = parts.slice(3);
  const isPlace = Math.abs(lat) <= 90 && Math.abs(lng) <= MOST_DEGREES_EAST;
  const isView = Number.isFinite(zoom) && isPlace && !names.includes("");
  // MapLibre's zooms are of a world of 512 points, ours of 256. This map is neither turned nor tilted.
  if (areTurns(shown, names)) return { view: isView ? [zoom + 1, lat, lng] : null, label: "" };
  return { view: isView ? [zoom, lat, lng] : null, label: names.join("/") };
}

// What a link says; a view of null if it says none.
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

// Shows the floors that a link names. What it names and is not there any more is passed over.
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
