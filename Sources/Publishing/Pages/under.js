// The layers under the plan, for comparison: a map, layers, and other floors of the building at their
// current positions.

function setBasemap() {
  base?.remove();
  const address = settings.basemap === "own" ? settings.address : settings.basemap;
  element("address-form").hidden = settings.basemap !== "own";
  const options = { maxZoom: MAX_ZOOM, zIndex: 1 };
  if (!address) base = null;
  else if (address === "osm") base = openStreetMap(options).addTo(map);
  else base = backgroundMap(address, { ...options, maxNativeZoom: 22 }).addTo(map);
  noteMissing(base, element("no-map"));
}

function buildBasemaps() {
  const own = basemap ? [[basemap, phrase("place.mapGiven")]] : [];
  const choices = [...own, ["osm", "OpenStreetMap"], ["", phrase("place.none")],
    ["own", phrase("place.anotherAddress")]];
  for (const [value, name] of choices) element("basemap").append(new Option(name, value));
  const isOffered = choices.some(([value]) => value === settings.basemap);
  // The command's map takes precedence over what was chosen on an earlier page.
  if (!isOffered || basemap && settings.given !== basemap) settings.basemap = basemap ?? "osm";
  settings.given = basemap;
}

const overlays = [];

function buildLayers() {
  layers.forEach((layer, index) => {
    const [west, south, east, north] = layer.bounds ?? [];
    overlays[index] = layer.picture
      ? L.imageOverlay(layer.picture, [[south, west], [north, east]], { zIndex: index })
      : L.geoJSON(JSON.parse(element(`lines-${index}`).textContent), {
        interactive: false, style: { color: "#d0249a", weight: 2, fill: false },
        pointToLayer: (_, place) => L.circleMarker(place, { radius: 4, color: "#d0249a" }),
      });
    const label = part("label", { className: "check" });
    const input = part("input", { type: "checkbox", checked: settings.layers[index] ?? true });
    const show = () => {
      settings.layers[index] = input.checked;
      if (input.checked) overlays[index].addTo(map);
      else overlays[index].remove();
      remember();
    };
    input.addEventListener("change", show);
    label.append(input, " ", named(layer.name));
    element("layers").append(label);
    show();
  });
  element("layers").hidden = !layers.length;
}

function blink(isOn) {
  isBlinking = isOn;
  showOpacity();
}

const showOpacity = () => planLayer.setOpacity(isBlinking ? 0 : settings.opacity / 100);

// Other floors

const lowerLayers = new Map();
let belowCount = 0;

const ringsOf = ({ cuts }) => cuts.filter((cut) => !cut.isOpen).map((cut) => cut.corners);

// The floors under the plan, the nearest first: those that were chosen, or the next lower one, but none that
// shares the plan's position, since it would move with it.
function floorsBelow() {
  const placed = otherFloors().filter(placementOf);
  if (floor.below) return placed.filter((one) => floor.below.includes(nameOf(one)));
  return placed.filter((one) => one.position !== position).slice(0, 1);
}

function toggleBelow(one) {
  const names = floorsBelow().map(nameOf), name = nameOf(one);
  floor.below = names.includes(name) ? names.filter((other) => other !== name) : [...names, name];
  showBelow();
  showFloors();
  remember();
}

async function showBelow() {
  const count = ++belowCount, wanted = floorsBelow();
  await Promise.all(wanted.map(load));
  // Meanwhile another choice may have been made.
  if (count !== belowCount) return;
  for (const [one, layer] of lowerLayers) {
    if (wanted.includes(one)) continue;
    layer.remove();
    lowerLayers.delete(one);
  }
  for (const one of wanted.filter(({ shown }) => shown).reverse()) {
    const layer = lowerLayers.get(one) ?? new PlanLayer(one.shown, one.plan, "below", 1).addTo(map);
    lowerLayers.set(one, layer);
    layer.canvas.parentNode.append(layer.canvas);
    layer.setPlacement(placementOf(one), oriented(ringsOf(one.position.state)));
  }
  forgetPictures([floor, ...wanted]);
}

// Floors that share the plan's position move with it.
function moveSharing() {
  for (const [one, layer] of lowerLayers) {
    if (one.position === position) layer.setPlacement(solution.placement, oriented(ringsOf(state)));
  }
}

// Pictures that are opened take much memory, and only few of them are shown.
function forgetPictures(shown) {
  for (const one of floors) if (!shown.includes(one)) one.shown = null;
}

async function load(one) {
  if (one.shown) return true;
  const image = new Image();
  image.src = element(`picture-${one.index}`).textContent;
  try {
    await image.decode();
  } catch {
    return false;
  }
  one.shown = new Picture(image, xy(one.plan.scale));
  one.shown.setInkOnly(false);
  return true;
}

const unreadable = () => phrase(
  "place.unreadable", { command: `tilewright place ${shellWord(source)} --preview 2048` });
