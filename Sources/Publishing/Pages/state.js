// The page of 'place': a plan is laid on the map roughly, then by points, compared and saved.

const { plan, layers, near, basemap } = JSON.parse(element("data").textContent);
const size = { width: plan.width, height: plan.height };

// The corners of the image, from the top left on, clockwise.
const CORNERS = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => ({ x: x * size.width, y: y * size.height }));

// What is undone and redone: where the plan was laid, its pins, the points, the outlines of what stays of it,
// and the model; null is the program's own choice. `setOn` is the size of the image that the points, or all of
// it, were set on, if that was another one.
const fresh = () => ({
  rough: null,
  pins: [0.25, 0.75].map((share) => ({ x: share * size.width, y: size.height / 2 })),
  points: [], cuts: [], model: null, setOn: null,
});
let state = fresh();

// What is not.
let settings = {
  step: "rough", opacity: 70, ink: false, layers: layers.map(() => true), basemap: null, address: "",
  lock: false, hold: false, loose: false, magnify: true, view: null, turn: plan.turn,
};
let solution, chosen = null, isBlinking = false;

const COLORS = ["#b93a0b", "#0b5fc0", "#04724f", "#9c1fa6", "#7a5200", "#b3123c", "#4a3fd0", "#0d6a73"];
const STEPS = ["rough", "points", "cut", "compare", "save"];

const WORDS = {
  similarity: ["Turned and scaled", "Walls stay square. For a plan drawn to scale."],
  affine: ["Stretched a little", "Parallel walls stay parallel. For scans and prints."],
  projective: ["Seen at an angle", "Walls stay straight. For a photograph of a plan."],
  polynomial2: ["Bent", "For paper that has warped as a whole."],
  tps: ["Rubber sheet", "Meets every point, and bends between them. Check with many points."],
};

// Numbers for people

const metresText = (metres) => {
  if (!Number.isFinite(metres)) return "far away";
  if (metres < 0.01) return `${(metres * 1000).toFixed(1)} mm`;
  if (metres >= 100000) return `${(metres / 1000).toFixed(0)} km`;
  return metres < 10 ? `${metres.toFixed(2)} m` : `${metres.toFixed(metres < 1000 ? 1 : 0)} m`;
};
const pixelsText = (pixels) => Number.isFinite(pixels) ? `${pixels.toFixed(2)} px` : "far away";
const speak = (text) => { element("spoken").textContent = text; };

function button(text, run) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", textContent: text });
  button.addEventListener("click", run);
  return button;
}

function notice(text, action, run) {
  const box = element("notice");
  box.textContent = text ?? "";
  box.hidden = !text;
  if (action) box.append(" ", button(action, run));
}

// The fit

const isComplete = (point) => point.pixel && point.place;
const usedPoints = () => state.points.filter((point) => isComplete(point) && point.enabled);

const tryFit = (points, model) => {
  try {
    return fitPoints(points, model, size);
  } catch (error) {
    const fault = faultWithoutFit(points, model, size);
    return { error: error.message, fault, suspect: fault?.indices[0] ?? null };
  }
};

// The model to take, as 'fit --transform all' says it: more freedom has to miss points left out clearly less,
// and bent lines by half. Nobody clicks to a tenth of a pixel.
function advised(fits) {
  const judged = Object.keys(MODELS).filter((model) => fits[model]?.rms?.leftOut != null);
  if (judged.length < 2) return null;
  const leftOut = (model) => fits[model].rms.leftOut;
  return judged.reduce((best, next) => {
    const factor = next === "polynomial2" || next === "tps" ? 0.5 : 0.75;
    return leftOut(next) < factor * leftOut(best) - 0.1 * fits[best].metresPerPixel ? next : best;
  });
}

// Where the plan lies now: by its points, else as it was laid. A single point shifts it.
function solve(isQuick) {
  const points = usedPoints(), rough = state.rough && new Rough(state.rough, size);
  const isEnough = state.model && points.length >= MODELS[state.model].points;
  const model = isEnough ? state.model : standardModel(points.length);
  const fits = isQuick ? { ...solution?.fits } : {};
  for (const name of isQuick ? [model] : Object.keys(MODELS)) {
    if (points.length >= MODELS[name].points) fits[name] = tryFit(points, name);
  }
  const fit = fits[model];
  let placement = fit && !fit.error ? fit : rough;
  if (points.length === 1 && rough) {
    const plane = rough.plane, now = rough.transform.forward(points[0].pixel);
    const way = minus(plane.point(points[0].place), now);
    const centre = plane.lonLat(plus(plane.point({ x: rough.lon, y: rough.lat }), way));
    placement = new Rough({ ...state.rough, lon: centre.x, lat: centre.y }, size);
  }
  return { points, model, fits, fit, placement, rough, isByPoints: points.length >= 2 };
}

// History

const past = { entries: [], at: -1, label: null, time: 0 };

function commit(label) {
  const text = JSON.stringify(state), now = Date.now();
  if (text !== past.entries[past.at]) {
    // Nudges in a row are one step.
    const isMore = label && label === past.label && now - past.time < 1000;
    past.entries.length = past.at + 1;
    if (isMore) past.entries[past.at] = text;
    else past.at = past.entries.push(text) - 1;
    Object.assign(past, { label, time: now });
  }
  render();
  remember();
}

function travel(step) {
  const entry = past.entries[past.at + step];
  if (entry === undefined) return;
  past.at += step;
  past.label = null;
  state = JSON.parse(entry);
  render();
  remember();
  speak(step < 0 ? "Undone" : "Done again");
}

// The browser keeps what is here, also when the page is closed.

const KEY = `tilewright place ${location.pathname} ${plan.path}`;
const origin = JSON.stringify([plan.points, plan.corners]);
let remembering;

function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(keep, 200);
}

function keep() {
  const { lat, lng } = map.getCenter();
  settings.view = [map.getZoom(), lat, lng];
  settings.turn = pane.turn;
  const text = JSON.stringify({ state, settings, size, origin });
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // A browser that keeps nothing for files has the page's address.
    history.replaceState(null, "", `#${encodeURIComponent(text)}`);
  }
}

function kept() {
  let text = null;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    // Nothing is kept.
  }
  try {
    return JSON.parse(text ?? decoded(location.hash.slice(1)));
  } catch {
    return null;
  }
}

const isOtherSize = (other) => other && (other.width !== size.width || other.height !== size.height);

// Says that what is here was set on an image of another size, until somebody has scaled or checked it.
function showSize() {
  const box = element("size-notice"), other = state.setOn;
  box.hidden = !isOtherSize(other);
  const text = box.hidden ? "" : `${other.isAll ? "What is here was" : "These points were"} set on an image of `
    + `${other.width} × ${other.height} pixels, and this one has ${size.width} × ${size.height}. Check each `
    + "point.";
  if (box.dataset.text === text) return;
  box.dataset.text = text;
  box.replaceChildren(text, " ", button("Scale them to this size", scaleToSize), " ",
    button("They are right", () => {
      state.setOn = null;
      commit();
    }));
}

function scaleToSize() {
  const other = state.setOn, factor = { x: size.width / other.width, y: size.height / other.height };
  const scaled = (pixel) => pixel && { ...pixel, x: pixel.x * factor.x, y: pixel.y * factor.y };
  for (const point of state.points) point.pixel = scaled(point.pixel);
  if (other.isAll) {
    state.pins = state.pins.map(scaled);
    for (const cut of state.cuts) cut.corners = cut.corners.map(scaled);
    if (state.rough) state.rough.scale /= Math.sqrt(factor.x * factor.y);
  }
  state.setOn = null;
  commit();
}

const sizeOf = (text) => {
  const match = /^(\d+)x(\d+)$/.exec(text ?? "");
  return match && { width: Number(match[1]), height: Number(match[2]) };
};

const newID = () => 1 + Math.max(0, ...state.points.map((point) => point.id));

function freeName() {
  const names = new Set(state.points.map((point) => point.name));
  let number = 1;
  while (names.has(String(number))) number++;
  return String(number);
}

// Points of a file: names that only tell its lines become numbers.
function takePoints(points) {
  state.points = [];
  for (const { pixel, place, name, enabled } of points) {
    const own = /^line \d+$/.test(name) || state.points.some((point) => point.name === name) ? "" : name;
    state.points.push({ id: newID(), name: own || freeName(), pixel, place, enabled: Boolean(enabled) });
  }
}

// What the program knew when it wrote the page.
function takeOrigin() {
  state = fresh();
  if (plan.corners) {
    const corners = CORNERS.map((pixel, index) => ({ pixel, place: xy(plan.corners[index]) }));
    state.rough = Rough.through(corners, size);
  }
  takePoints(plan.points.map((point) => ({ ...point, pixel: xy(point.pixel), place: xy(point.place) })));
  state.setOn = sizeOf(plan.pointsSize);
}

function openPoints(text) {
  try {
    const { points, imageSize } = readPoints(text);
    takePoints(points);
    notice(null);
    state.setOn = sizeOf(imageSize);
    commit();
    goTo("points");
    showPlan();
    speak(`${points.length} points opened`);
  } catch (error) {
    notice(`The points cannot be used. ${error.message}`);
  }
}
