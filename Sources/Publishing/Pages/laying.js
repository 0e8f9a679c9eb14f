// Rough placement of the plan on the map: by dragging, by pins, by numbers.

// Wider plans come from a map that shows half the world.
const MOST_METRES = 50000;

// The size of a screen pixel at a place of the map.
const metresPerPixel = (place, zoom = map.getZoom()) =>
  2 * Math.PI * 6378137 * Math.cos(place.y * DEGREE) / (256 * 2 ** zoom);

function layHere() {
  const { lng, lat } = map.getCenter(), view = map.getSize();
  const { width, height } = size.part;
  const fitting = 0.7 * Math.min(view.x / width, view.y / height) * metresPerPixel({ y: lat });
  const rough = { lon: lng, lat, scale: state.kept ?? fitting, bearing: state.rough?.bearing ?? plan.turn };
  // The middle of the part that counts is in the middle of the map.
  state.rough = { ...rough, ...new Rough(rough, size).shifted(middleOf(size.part), { x: lng, y: lat }) };
  commit();
  speak(phrase("place.liesInMiddle"));
}

const middleOf = ({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 });

// Turns or scales the plan around the middle of the part that counts.
function changeRough(change) {
  const middle = middleOf(size.part), place = new Rough(state.rough, size).toPlace(middle);
  Object.assign(state.rough, change);
  if (plan.crop) Object.assign(state.rough, new Rough(state.rough, size).shifted(middle, place));
}

// Whether the plan is moved, turned and scaled by hand: it has no points that place it.
const canLay = () => settings.step === "rough" && state.rough && !solution.isByPoints;

// Arrow keys move the plan by pixels of the screen, otherwise the map.
function arrowOnMap(way, isFar) {
  if (isFar || !canLay()) return map.panBy([way.x, way.y], { animate: false });
  const { rough } = solution, at = sides.map.toView(rough.toPlace(rough.centre));
  Object.assign(state.rough, rough.shifted(rough.centre, sides.map.fromView(plus(at, way))));
  commit("nudge");
}

function setBearing(value, label) {
  if (!state.rough || !Number.isFinite(value)) return render();
  changeRough({ bearing: (value % 360 + 360) % 360 });
  commit(label);
}

// The scale

const METRES_PER_INCH = 0.0254, USUAL_RATIOS = [50, 100, 200, 500];

// Metres per pixel: the scale that is kept, otherwise that of the points, otherwise that of the rough
// position; null if there is none.
function scaleNow() {
  const measured = solution.isByPoints && solution.fits.similarity?.transform?.numbers;
  return state.kept ?? (measured ? Math.hypot(measured[0], measured[3]) : state.rough?.scale ?? null);
}

// Between metres per pixel and the N of a drawing at 1 : N, by the pixels per inch of its paper.
const ratioOf = (scale) => Number((scale * plan.dpi / METRES_PER_INCH).toPrecision(6));
const scaleOfRatio = (ratio) => ratio * METRES_PER_INCH / plan.dpi;

// A scale as the program's option --scale takes it.
const scaleText = (scale) =>
  plan.dpi && scaleOfRatio(ratioOf(scale)) === scale ? `1:${ratioOf(scale)}` : String(scale);

// Sets metres per pixel. From now on they are kept, if wanted; points need that, as they measure the scale.
function setScale(value, isKept, label) {
  if (!(value > 0) || !Number.isFinite(value)) return render();
  if (state.rough) changeRough({ scale: value });
  if (isKept || state.kept || solution.isByPoints) state.kept = value;
  commit(label);
}

function setLock(isLocked) {
  if (isLocked) return setScale(scaleNow(), true);
  state.kept = null;
  commit();
}

// Fingers or the pointer on the plan. Each holds a pixel of the plan.
const grips = new Map();

function pressPlan(event) {
  if (!canLay() || settings.hold || event.button || event.target.closest("a, .leaflet-control")) return;
  const pixel = solution.rough.toPixel(sides.map.fromView(sides.map.local(event)));
  if (!grips.size && !isInside(pixel)) return;
  if (grips.size > 1) return;
  map.dragging.disable();
  map.touchZoom.disable();
  map.getContainer().setPointerCapture(event.pointerId);
  grips.set(event.pointerId, { at: sides.map.local(event) });
  regrip();
}

// Each finger holds the pixel that it touches now.
function regrip() {
  for (const grip of grips.values()) grip.pixel = solution.rough.toPixel(sides.map.fromView(grip.at));
}

function dragPlan(event) {
  const grip = grips.get(event.pointerId);
  if (!grip) return;
  grip.at = sides.map.local(event);
  const pairs = [...grips.values()].map(({ pixel, at }) => ({ pixel, place: sides.map.fromView(at) }));
  if (pairs.length === 1) Object.assign(state.rough, solution.rough.shifted(pairs[0].pixel, pairs[0].place));
  else state.rough = Rough.through(pairs, size, state.kept) ?? state.rough;
  render(true);
}

function releasePlan(event) {
  if (!grips.delete(event.pointerId)) return;
  regrip();
  if (grips.size) return;
  map.dragging.enable();
  map.touchZoom.enable();
  commit();
}

function showRough() {
  const { rough } = state, isOpen = Boolean(rough) && !solution.isByPoints;
  element("rough-tools").hidden = !rough && !solution.isByPoints;
  const scale = scaleNow();
  for (const id of ["bearing", "hold", "loose"]) element(id).disabled = !isOpen;
  for (const id of ["scale", "ratio", "lock"]) element(id).disabled = !scale;
  element("lay").disabled = solution.isByPoints;
  element("lock").checked = Boolean(state.kept);
  element("paper").hidden = !plan.dpi;
  // The size of the part that counts: the rest of the sheet is not shown.
  const [width, height] = [size.part.width, size.part.height].map((edge) => edge * rough?.scale);
  const isVast = isOpen && width > MOST_METRES;
  element("extent").classList.toggle("wrong", isVast);
  element("extent").textContent = solution.isByPoints ? phrase("place.isPlacedByPoints")
    : !rough ? "" : phrase(isVast ? "place.extentVast" : "place.extent",
      { width: metresText(width), height: metresText(height) });
  const fill = (id, value) => { if (document.activeElement !== element(id)) element(id).value = value; };
  if (rough) fill("bearing", (Number(rough.bearing.toFixed(2)) % 360).toFixed(2));
  if (scale) fill("scale", Number(scale.toPrecision(6)));
  if (scale && plan.dpi) fill("ratio", ratioOf(scale));
}

// The map under the plan

function setBasemap() {
  base?.remove();
  const address = settings.basemap === "own" ? settings.address.trim() : settings.basemap;
  element("address-form").hidden = settings.basemap !== "own";
  const options = { maxZoom: MAX_ZOOM, zIndex: 1 };
  if (!address) base = null;
  else if (address === "osm") base = openStreetMap(options).addTo(map);
  else base = backgroundMap(address, { ...options, maxNativeZoom: 22 }).addTo(map);
  watchMap(base);
}

// A map whose tiles neither come nor fail for this long counts as missing, in milliseconds.
const PATIENCE = 10000;
let patience;

// Says once that a map cannot be loaded; the next press on the map takes the note away.
function watchMap(layer) {
  const note = element("no-map");
  let isOver = false;
  const end = () => {
    isOver = note.hidden = true;
    clearTimeout(patience);
  };
  const say = () => {
    if (isOver || layer !== base) return;
    end();
    note.textContent = underLayers.length ? phrase("place.noMapLayers")
      : phrase("place.noMap", { step: element("step-compare").textContent });
    note.hidden = false;
    element("map").addEventListener("pointerdown", () => { note.hidden = true; }, { once: true });
  };
  clearTimeout(patience);
  note.hidden = true;
  if (!layer) return;
  layer.on("tileload", end);
  layer.on("tileerror", say);
  patience = setTimeout(say, PATIENCE);
}

function buildBasemaps() {
  const own = basemap ? [[basemap, basemap]] : [];
  const choices = [...own, ["osm", "OpenStreetMap"], ["", phrase("place.none")],
    ["own", phrase("place.anotherAddress")]];
  for (const [value, name] of choices) element("basemap").append(new Option(name, value));
  const isOffered = choices.some(([value]) => value === settings.basemap);
  // The command's map takes precedence over what was chosen on an earlier page.
  if (!isOffered || basemap && settings.given !== basemap) settings.basemap = basemap ?? "osm";
  settings.given = basemap;
}

function blink(isOn) {
  isBlinking = isOn;
  showOpacity();
}

const showOpacity = () => { planLayer.canvas.style.opacity = isBlinking ? 0 : settings.opacity / 100; };

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
    const layer = lowerLayers.get(one) ?? new PlanLayer(one.shown, one.plan, "below").addTo(map);
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
  if (isGuided) return loadInGuide(one);
  const image = new Image();
  image.src = element(`picture-${one.index}`).textContent;
  try {
    await image.decode();
  } catch {
    return false;
  }
  one.shown = new Picture(image, xy(one.plan.scale));
  return true;
}

const unreadable = (one = floor) => isGuided ? phrase("open.pictureMissing", { name: one.label }) : phrase(
  "place.unreadable", { command: `tilewright place ${shellWord(source)} --preview 2048` });
