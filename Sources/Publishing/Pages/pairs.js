// The points of the page, pairs of a pixel and a place: their list, the models, and points of other floors.

// A value, with the size of a screen pixel where it was set: in pixels of the plan, or in metres of the map.
const aimed = (side, value) => ({ ...value, aim: side.pixelAt(value) });

// Points that were not set in this page count as accurate to a pixel of the plan, and to a pixel of
// OpenStreetMap's highest zoom.
const KNOWN_ZOOM = 19, NOT_AIMED = 1;

// Whether the points are off by more than typical clicks: on average by five screen pixels, as they were
// then.
function disagree({ points, fit }) {
  const misses = points.map(({ pixel, place }, index) => {
    const onPlan = (pixel.aim ?? NOT_AIMED) * fit.metresPerPixel;
    return fit.residuals[index].metres / Math.hypot(onPlan, place.aim ?? metresPerPixel(place, KNOWN_ZOOM));
  });
  return rootMeanSquare(misses) > 5;
}

function setPoint(side, value) {
  if (side === "pixel" && !isInside(value)) return speak(phrase("place.besidePlan"));
  const point = putHalf({ [side]: aimed(side === "pixel" ? sides.plan : sides.map, value) });
  commit();
  const { name } = point;
  if (!isComplete(point)) return speak(phrase("place.pointNowOther", { name }));
  const index = solution.points.indexOf(point), miss = solution.fit?.residuals?.[index];
  speak(!miss ? phrase("place.pointIsSet", { name }) : phrase("place.pointMissed",
    { name, metres: metresText(miss.metres), pixels: pixelsText(miss.pixels) }));
}

// Completes the point that lacks a half, or adds a point, and chooses it.
function putHalf(set) {
  const half = state.points.find((point) => !isComplete(point));
  if (half) Object.assign(half, set);
  else state.points.push({ id: newID(), name: freeName(), pixel: null, place: null, enabled: true, ...set });
  const point = half ?? state.points.at(-1);
  chosen = point.id;
  return point;
}

function removePoint(id) {
  state.points = state.points.filter((point) => point.id !== id);
  if (chosen === id) chosen = null;
  commit();
  speak(phrase("place.pointRemoved"));
}

function choosePoint(id) {
  chosen = id;
  for (const row of element("list").children) row.classList.toggle("chosen", row.dataset.id === String(id));
}

function hint() {
  const half = state.points.find((point) => !isComplete(point)), count = solution.points.length;
  const ring = solution.placement ? phrase("place.hintRing") : "";
  if (half) return sentences(phrase(half.pixel ? "place.hintMap" : "place.hintPlan"), ring);
  if (solution.fit?.suspect != null) return phrase("place.hintSuspect");
  if (!count) return phrase("place.hintBegin");
  if (count === 1) return phrase("place.hintSecond");
  if (count > 3 && solution.fit?.rms && disagree(solution)) return phrase("place.hintDisagree");
  if (count === 2) return phrase("place.hintThird");
  return phrase(count === 3 ? "place.hintFourth" : "place.hintGood");
}

// Whether there are only as many points as the model needs, so that it meets them exactly.
const isJustFixed = (fit) => fit.residuals.length <= MODELS[fit.model].points;

// The probable fault in words.
function faultText({ indices, kind, name, written, meant }, points) {
  const names = indices.map((index) => points[index].name), isOne = names.length === 1;
  const key = (names.length ? FAULTS_OF_SOME : FAULTS_OF_ALL)[kind]
    ?? (isOne ? "place.suspectPoint" : "place.suspectPoints");
  const what = name && phrase(NUMBERS[name]);
  return phrase(key, { name: names[0], names: together(names), what, written, meant });
}

const FAULTS_OF_ALL = {
  swappedPlace: "place.suspectSwappedAll", rowFromBottom: "place.suspectRows",
  negativeRow: "place.suspectRowSigns", mirrored: "place.suspectMirrored",
};
const FAULTS_OF_SOME = {
  swappedPlace: "place.suspectSwapped", rowFromBottom: "place.suspectRow", negativeRow: "place.suspectRowSign",
  digits: "place.suspectDigits", interchanged: "place.suspectInterchanged",
};
const NUMBERS = {
  column: "place.column", row: "place.row", longitude: "place.longitude", latitude: "place.latitude",
};

const leftOutText = ({ rms }) =>
  rms.leftOut === null ? "" : phrase("place.leftOut", { metres: metresText(rms.leftOut) });

function verdict() {
  const { fit, points } = solution, box = element("verdict");
  box.className = "";
  if (points.length < 2) return "";
  if (fit.error) {
    box.className = "bad";
    return fit.fault ? faultText(fit.fault, points) : phrase("place.doesNotWork", { reason: fit.error });
  }
  if (fit.fault) {
    box.className = "bad";
    return faultText(fit.fault, points);
  }
  if (isJustFixed(fit)) return phrase("place.metExactly");
  const leftOut = leftOutText(fit);
  if (fit.model === "tps") return sentences(phrase("place.metAll"), leftOut);
  const { metres, pixels } = fit.rms;
  return sentences(phrase("place.offBy", { metres: metresText(metres), pixels: pixelsText(pixels) }), leftOut);
}

function showList() {
  const list = element("list"), rows = new Map([...list.children].map((row) => [row.dataset.id, row]));
  state.points.forEach((point, index) => {
    const row = rows.get(String(point.id)) ?? newRow(point.id);
    rows.delete(String(point.id));
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
    fillRow(row, point, index);
  });
  for (const row of rows.values()) row.remove();
}

function newRow(id) {
  const row = part("li");
  row.dataset.id = id;
  row.innerHTML = `<div class="head"><span class="dot" aria-hidden="true"></span><span class="miss"></span>
    <button type="button" class="show" data-phrase="place.show"></button><button type="button"
      class="remove">✕</button></div>
    <details><summary data-phrase="place.typeIt"></summary>
      <label><span data-phrase="place.name"></span> <input data-part="name" dir="auto" autocomplete="off"></label>
      <label><span data-phrase="place.onPlan"></span>
        <span class="unit" data-phrase="place.onPlanUnit"></span>
        <input data-part="pixel" dir="ltr" autocomplete="off"></label>
      <label><span data-phrase="place.onMap"></span> <span class="unit" data-phrase="place.onMapUnit"></span>
        <input data-part="place" dir="ltr" autocomplete="off"></label>
      <label class="check"><input type="checkbox" data-part="enabled">
        <span data-phrase="place.takesPart"></span></label>
    </details>`;
  translate(row);
  row.querySelector(".remove").addEventListener("click", () => removePoint(id));
  row.querySelector(".show").addEventListener("click", () => {
    choosePoint(id);
    const { pixel, place } = find(id);
    if (pixel) pane.centre(pixel);
    if (place) map.panTo([place.y, place.x], { animate: false });
  });
  for (const input of row.querySelectorAll("input")) {
    input.addEventListener("change", () => typePoint(find(id), input));
  }
  return row;
}

function typePoint(point, input) {
  const part = input.dataset.part;
  const numbers = input.value.split(/[,;\s]+/).filter(Boolean).map(Number);
  const isPair = numbers.length === 2 && numbers.every(Number.isFinite);
  let problem = "";
  if (part === "enabled") point.enabled = input.checked;
  else if (part === "name") {
    const name = plainName(input.value);
    if (!name) problem = phrase("place.nameNeeded");
    else if (state.points.some((other) => other !== point && other.name === name)) {
      problem = phrase("place.nameTaken");
    } else point.name = name;
  } else if (!isPair) problem = phrase("place.twoNumbers");
  else if (part === "place" && Math.abs(numbers[1]) > 90) problem = phrase("place.longitudeFirst");
  else point[part] = xy(numbers);
  input.setCustomValidity(problem);
  input.reportValidity();
  if (!problem) commit();
}

function fillRow(row, point, index) {
  const at = solution.points.indexOf(point), fit = solution.fit;
  const miss = at >= 0 ? fit?.residuals?.[at] : null;
  const isSuspect = Boolean(fit?.fault?.indices.includes(at));
  row.classList.toggle("chosen", point.id === chosen);
  const dot = row.querySelector(".dot");
  dot.style.background = COLORS[index % COLORS.length];
  dot.textContent = point.name.slice(0, 3);
  const text = row.querySelector(".miss");
  text.classList.toggle("wrong", isSuspect);
  const { name } = point, status = pointStatus(point, miss, isSuspect);
  // The dot has room for three letters.
  text.textContent = name.length > 3 ? phrase("page.pair", { first: name, second: status }) : status;
  row.querySelector(".show").setAttribute("aria-label", phrase("place.showPoint", { name }));
  row.querySelector(".remove").setAttribute("aria-label", phrase("place.removePoint", { name }));
  const values = {
    name: point.name, pixel: point.pixel ? `${pixelText(point.pixel.x)}, ${pixelText(point.pixel.y)}` : "",
    place: point.place ? `${degreesText(point.place.x)}, ${degreesText(point.place.y)}` : "",
  };
  for (const input of row.querySelectorAll("input")) {
    if (input === document.activeElement && input.type !== "checkbox") continue;
    if (input.type === "checkbox") input.checked = point.enabled;
    else input.value = values[input.dataset.part];
  }
}

// The text for a point in the list.
function pointStatus(point, miss, isSuspect) {
  if (!isComplete(point)) return phrase(point.pixel ? "place.pointNowOnMap" : "place.pointNowOnPlan");
  if (!point.enabled) return phrase("place.pointOut");
  const suspect = phrase("place.pointSuspect");
  if (!miss) return isSuspect ? suspect : phrase("place.pointSet");
  if (isJustFixed(solution.fit)) return phrase("place.pointSet");
  const numbers = isolated(`${metresText(miss.metres)} · ${pixelsText(miss.pixels)}`);
  return isSuspect ? `${numbers} · ${suspect}` : numbers;
}

function showModels() {
  const best = advised(solution.fits), count = solution.points.length;
  for (const label of element("models").querySelectorAll("label")) {
    const input = label.querySelector("input"), model = input.value, fit = solution.fits[model];
    const missing = MODELS[model].points - count;
    input.checked = model === solution.model;
    input.disabled = missing > 0;
    label.classList.toggle("off", missing > 0);
    label.querySelector(".badge").hidden = model !== best;
    const more = missing > 0 ? phrase("place.needs", { count: MODELS[model].points })
      : fit?.error ? phrase("place.doesNotWork", { reason: fit.error }) : fit ? leftOutText(fit) : "";
    label.querySelector("small").textContent = sentences(phrase(MODEL_PHRASES[model][1]), more);
  }
}

function buildModels() {
  for (const [model, [name]] of Object.entries(MODEL_PHRASES)) {
    const label = part("label", { className: "model" });
    label.innerHTML = `<input type="radio" name="model" value="${model}"><span><span
      data-phrase="${name}"></span> <span class="badge" data-phrase="place.advised"></span></span><small></small>`;
    translate(label);
    label.querySelector("input").addEventListener("change", () => {
      state.model = model;
      commit();
    });
    element("models").append(label);
  }
}

// Points of other floors or layers: their places are known; the user only clicks them on this plan

// Numbers and pins differ between floors; a name means the same lift on all floors.
const isNamed = ({ name }) => !/^(\d+|pin [AB])$/.test(name);
const isShared = (point) => point.place && point.enabled && isNamed(point);

// The points of other floors with names, the next lower floor first, and those of layers.
function knownPoints() {
  const others = otherFloors().filter((other) => other.position !== position);
  const of = (points, layer) => points.map(({ name, place }) => ({
    name: plainName(name), place: { ...place }, layer,
  }));
  return [
    ...others.flatMap((other) => of(other.position.state.points.filter(isShared), other.label)),
    ...layers.flatMap((layer) =>
      of((layer.points ?? []).map((point) => ({ ...point, place: xy(point.place) })), layer.name)),
  ];
}

// The points that this plan does not have; each name once.
const freeKnown = () => knownPoints().filter(({ name }, index, all) =>
  !state.points.some((point) => point.name === name) && all.findIndex((one) => one.name === name) === index);

// Even clicks on the same corner are farther apart than this.
const SAME_PLACE = 0.01;

function metresBetween(a, b) {
  const plane = new LocalPlane([a]), [from, to] = unwrapped([a, b]).map((place) => plane.point(place));
  return length(minus(to, from));
}

// Points of this plan that have another place on another floor: one of the two is wrong.
function movedPoints() {
  const moved = [];
  for (const other of isBuilding ? knownPoints().filter(isNamed) : []) {
    const point = state.points.find(({ name, place }) => place && name === other.name);
    const isNew = point && ![point, ...moved.filter((one) => one.name === other.name)]
      .some(({ place }) => metresBetween(place, other.place) < SAME_PLACE);
    if (isNew) moved.push({ ...other, id: point.id, metres: metresBetween(point.place, other.place) });
  }
  return moved;
}

// Uses the place of another floor's point as the map side of a point of this plan.
function takeKnown({ name, place }) {
  const point = putHalf({ name, place });
  sides.map.centre(place);
  commit();
  speak(phrase(point.pixel ? "place.pointIsSet" : "place.pointClick", { name }));
}

function takeMoved({ id, name, place, layer }) {
  find(id).place = { ...place };
  choosePoint(id);
  commit();
  speak(phrase("place.pointLiesAs", { name, floor: layer }));
}

function showKnown() {
  const free = freeKnown(), names = [...new Set(free.map(({ layer }) => layer))];
  showOffers("known", phrase("place.alsoOn", { names: together(names) }), free,
    (point) => button(named(point.name), () => takeKnown(point)));
  showOffers("moved", phrase("place.elsewhere"), movedPoints(), (point) => button(
    phrase("place.movedAway", { name: point.name, metres: metresText(point.metres), floor: point.layer }),
    () => takeMoved(point)));
}

// A box with buttons; nothing without buttons.
function showOffers(id, title, points, makeButton) {
  const box = element(id);
  box.hidden = !points.length;
  if (hasShown(box, [title, points])) return;
  box.querySelector("legend").textContent = title;
  box.querySelector(".names").replaceChildren(...points.map(makeButton));
}
