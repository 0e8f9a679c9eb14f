// Rough placement of the plan on the map: by dragging, by pins, by numbers.

// Wider plans come from a map that shows half the world.
const MOST_METRES = 50000;

// The size of a screen pixel at a place of the map.
const metresPerPixel = (place, zoom = map.getZoom()) =>
  2 * Math.PI * 6378137 * Math.cos(place.y * DEGREE) / (256 * 2 ** zoom);

function layHere() {
  const { lng, lat } = map.getCenter(), view = map.getSize();
  const fitting = 0.7 * Math.min(view.x / size.width, view.y / size.height) * metresPerPixel({ y: lat });
  state.rough = {
    lon: lng, lat, scale: settings.lock && state.rough ? state.rough.scale : fitting,
    bearing: state.rough?.bearing ?? plan.turn,
  };
  commit();
  speak(phrase("place.liesInMiddle"));
}

function moveRough(from, to) {
  const { plane, transform, lon, lat } = solution.rough;
  const way = minus(plane.point(to), transform.forward(from));
  const centre = plane.lonLat(plus(plane.point({ x: lon, y: lat }), way));
  Object.assign(state.rough, { lon: centre.x, lat: centre.y });
}

// Moves the plan by pixels of the screen.
function nudge(way) {
  const middle = { x: size.width / 2, y: size.height / 2 };
  const at = sides.map.toView({ x: state.rough.lon, y: state.rough.lat });
  moveRough(middle, sides.map.fromView(plus(at, way)));
  commit("nudge");
}

// Fingers or the pointer on the plan. Each holds a pixel of the plan.
const grips = new Map();

function pressPlan(event) {
  const canLay = settings.step === "rough" && state.rough && !solution.isByPoints && !settings.hold;
  if (!canLay || event.button || event.target.closest("a, .leaflet-control")) return;
  const pixel = solution.rough.toPixel(sides.map.fromView(sides.map.local(event)));
  if (!grips.size && !isInside(pixel)) return;
  if (grips.size > 1) return;
  map.dragging.disable();
  map.touchZoom.disable();
  map.getContainer().setPointerCapture(event.pointerId);
  grips.set(event.pointerId, { at: sides.map.local(event) });
  regrip();
}

// A click or a tap on the map, without movement between down and up. The library's own clicks get lost
// between pinches.
const taps = new Map();

function pressMap(event) {
  const canSet = isSetting() && !event.button && !event.target.closest("a, .leaflet-control");
  taps.set(event.pointerId, canSet && !taps.size ? sides.map.local(event) : null);
  if (taps.size > 1) for (const id of taps.keys()) taps.set(id, null);
}

function wanderOnMap(event) {
  const start = taps.get(event.pointerId);
  if (start && length(minus(sides.map.local(event), start)) > stillness(event)) taps.set(event.pointerId, null);
}

function releaseMap(event) {
  const start = taps.get(event.pointerId);
  taps.delete(event.pointerId);
  if (start && event.type === "pointerup") setHere("map", sides.map.fromView(start));
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
  if (pairs.length === 1) moveRough(pairs[0].pixel, pairs[0].place);
  else state.rough = Rough.through(pairs, size, settings.lock && state.rough.scale) ?? state.rough;
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

function typeRough(name, value) {
  if (!state.rough || !Number.isFinite(value) || name === "scale" && !(value > 0)) return render();
  state.rough[name] = name === "bearing" ? (value % 360 + 360) % 360 : value;
  commit();
}

function showRough() {
  const { rough } = state, isOpen = Boolean(rough) && !solution.isByPoints;
  element("rough-tools").hidden = !rough && !solution.isByPoints;
  element("lay").textContent = phrase(rough ? "place.bringHere" : "place.layHere");
  for (const id of ["bearing", "scale", "lock", "hold", "loose", "lay"]) {
    element(id).disabled = id === "lay" ? solution.isByPoints : !isOpen;
  }
  if (!rough) {
    element("extent").textContent = solution.isByPoints
      ? phrase("place.isPlacedByPoints") : "";
    return;
  }
  const fill = (id, value) => { if (document.activeElement !== element(id)) element(id).value = value; };
  fill("bearing", rough.bearing.toFixed(2));
  fill("scale", Number(rough.scale.toPrecision(6)));
  const isVast = !solution.isByPoints && size.width * rough.scale > MOST_METRES;
  element("extent").classList.toggle("wrong", isVast);
  element("extent").textContent = solution.isByPoints ? phrase("place.isPlacedByPoints")
    : phrase(isVast ? "place.extentVast" : "place.extent",
      { width: metresText(size.width * rough.scale), height: metresText(size.height * rough.scale) });
}
