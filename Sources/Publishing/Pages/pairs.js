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
  if (side === sides.plan && !isInside(value)) return speak(phrase("place.besidePlan"));
  const point = putHalf({ [side.half]: aimed(side, attracted(side, value)) });
  commit();
  const { name } = point;
  if (!isComplete(point)) return speakHalf(point);
  const miss = solution.fit?.residuals?.[solution.points.indexOf(point)];
  speak(!miss ? phrase("place.pointIsSet", { name }) : phrase("place.pointMissed",
    { name, metres: metresText(miss.metres), pixels: pixelsText(miss.pixels) }));
}

// The hint says what is missing.
const speakHalf = ({ name, pixel }) =>
  speak(phrase(pixel ? "place.pointOnPlan" : "place.pointOnMap", { name }));

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
  speak(phrase("place.removed"));
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
  if (!count) return sentences(state.rough ? phrase("place.hintFits") : "", phrase("place.hintBegin"));
  if (count === 1) return phrase(solution.isByOne ? "place.rigidOne" : "place.hintSecond");
  if (count < 4) return phrase("place.hintThird");
  return phrase(solution.fit?.rms && disagree(solution) ? "place.hintDisagree" : "place.hintGood");
}

// Whether there are only as many points as the model needs, so that it meets them exactly.
const isJustFixed = (fit) => 2 * fit.residuals.length <= MODELS[fit.model].parameters;

// The probable fault in words.
function faultText({ indices, kind, written, meant }, points) {
  const names = indices.map((index) => points[index].name);
  const key = (names.length ? FAULTS_OF_SOME : FAULTS_OF_ALL)[kind]
    ?? (names.length === 1 ? "place.suspectPoint" : "place.suspectPoints");
  return phrase(key, { name: names[0], names: together(names), written, meant });
}

const FAULTS_OF_ALL = {
  swappedPlace: "place.suspectSwappedAll", rowFromBottom: "place.suspectRows",
  negativeRow: "place.suspectRowSigns", mirrored: "place.suspectMirrored",
};
const FAULTS_OF_SOME = {
  swappedPlace: "place.suspectSwapped", rowFromBottom: "place.suspectRow", negativeRow: "place.suspectRowSign",
  digits: "place.suspectDigits", interchanged: "place.suspectInterchanged",
};

const leftOutText = ({ rms }) =>
  rms.leftOut === null ? "" : phrase("place.leftOut", { metres: metresText(rms.leftOut) });

function verdict() {
  const { fit, points } = solution;
  element("verdict").classList.toggle("bad", Boolean(fit?.error || fit?.fault));
  if (points.length < 2) return "";
  if (fit.fault) return faultText(fit.fault, points);
  if (fit.error) return phrase("place.doesNotWork", { reason: fit.error });
  if (isJustFixed(fit)) return phrase("place.metExactly");
  const leftOut = leftOutText(fit);
  if (fit.model === "tps") return sentences(phrase("place.tpsNote"), leftOut);
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
    const point = find(id);
    for (const { half, centre } of Object.values(sides)) if (point[half]) centre(point[half]);
  });
  for (const input of row.querySelectorAll("input")) {
    input.addEventListener("change", () => typePoint(find(id), input));
  }
  return row;
}

function typePoint(point, input) {
  const { part } = input.dataset;
  let problem = "";
  if (part === "enabled") point.enabled = input.checked;
  else if (part === "name") {
    const name = plainName(input.value) || point.name;
    if (state.points.some((other) => other !== point && other.name === name)) {
      problem = phrase("place.nameTaken");
    } else input.value = point.name = name;
  } else {
    const [x, y, ...more] = input.value.split(/[,;\s]+/).filter(Boolean).map(Number);
    const isPair = isFinitePoint({ x, y }) && !more.length;
    if (isPair && (part === "pixel" || Math.abs(y) <= 90)) point[part] = { x, y };
    else problem = phrase(part === "pixel" ? "place.onPlanUnit" : "place.onMapUnit");
  }
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
  const shows = phrase("page.pair", { first: name, second: phrase("place.show") });
  row.querySelector(".show").setAttribute("aria-label", shows);
  row.querySelector(".remove").setAttribute("aria-label", phrase("place.remove", { name }));
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
  if (!isComplete(point)) return phrase(point.pixel ? "place.onPlan" : "place.onMap");
  if (!point.enabled) return phrase("place.pointOut");
  const numbers = miss && !isJustFixed(solution.fit)
    ? isolated(`${metresText(miss.metres)} · ${pixelsText(miss.pixels)}`) : "";
  const texts = [numbers, isSuspect && phrase("place.pointSuspect")].filter(Boolean);
  return texts.join(" · ") || phrase("place.takesPart");
}

function showModels() {
  const best = advised(solution.fits), count = solution.points.length;
  for (const label of element("models").querySelectorAll("label")) {
    const input = label.querySelector("input"), model = input.value, fit = solution.fits[model];
    const isOff = MODELS[model].points > count;
    input.checked = model === solution.model;
    input.disabled = isOff;
    label.classList.toggle("off", isOff);
    label.querySelector(".badge").hidden = model !== best;
    const more = isOff ? phrase("place.needs", { count: MODELS[model].points })
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
      if (model === "rigid") return setLock(true);
      Object.assign(state, { model, kept: null });
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
  if (point.pixel) speak(phrase("place.pointIsSet", { name }));
  else speakHalf(point);
}

function takeMoved({ id, name, place }) {
  find(id).place = { ...place };
  choosePoint(id);
  commit();
  speak(phrase("place.pointIsSet", { name }));
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
