// The page of 'place': a plan is positioned roughly, then by points, compared and saved.

// The state for undo and redo: the rough position, the pins, the points, the outlines, and the model. A
// model of null is the program's choice. `kept` is the scale that is kept, in metres per pixel: with it, the
// model is rigid. `setOn` is the size of the image that the points, or all of it,
// were set on, if that differs.
const fresh = (plan) => {
  const { left, top, width, height } = partOf(plan);
  return {
    rough: null,
    pins: [0.25, 0.75].map((share) => ({ x: left + share * width, y: top + height / 2 })),
    points: [], cuts: [], model: null, kept: null, setOn: null,
  };
};

// The program's data when it wrote the page.
function originOf(plan) {
  const state = fresh(plan);
  const kept = plan.kept ?? null, model = plan.model === "rigid" ? null : plan.model ?? null;
  if (plan.corners) state.rough = Rough.through(cornerPairs(plan), plan);
  if (state.rough && kept) state.rough.scale = kept;
  const points = plan.points.map((point) => ({ ...point, pixel: xy(point.pixel), place: xy(point.place) }));
  return { ...state, points: numbered(points), model, kept, setOn: sizeOf(plan.pointsSize) };
}

// State without undo.
let settings = {
  step: "rough", opacity: 70, ink: false, layers: layers.map(() => true), basemap: null, address: "",
  hold: false, loose: false, magnify: true, view: null, turn: 0,
};
let solution, chosen = null, isBlinking = false;

const COLORS = ["#b93a0b", "#0b5fc0", "#04724f", "#9c1fa6", "#7a5200", "#b3123c", "#4a3fd0", "#0d6a73"];
const STEPS = ["rough", "points", "cut", "compare", "save"];

const MODEL_PHRASES = {
  rigid: ["place.rigid", "place.rigidNote"],
  similarity: ["place.similarity", "place.similarityNote"], affine: ["place.affine", "place.affineNote"],
  projective: ["place.projective", "place.projectiveNote"],
  polynomial2: ["place.polynomial2", "place.polynomial2Note"], tps: ["place.tps", "place.tpsNote"],
};

// Numbers for people

const metresText = (metres) => {
  if (!Number.isFinite(metres)) return phrase("place.farAway");
  if (metres < 0.01) return `${(metres * 1000).toFixed(1)} mm`;
  if (metres >= 100000) return `${(metres / 1000).toFixed(0)} km`;
  return metres < 10 ? `${metres.toFixed(2)} m` : `${metres.toFixed(metres < 1000 ? 1 : 0)} m`;
};
const pixelsText = (pixels) => Number.isFinite(pixels) ? `${pixels.toFixed(2)} px` : phrase("place.farAway");
const speak = (text) => { element("spoken").textContent = text; };

// Texts of the program are in English.
const inEnglish = (textContent) => part("span", { lang: "en", dir: "ltr", textContent });

// The words are a text or an element.
function button(words, run) {
  const button = part("button", { type: "button" });
  button.append(words);
  button.addEventListener("click", run);
  return button;
}

// Whether an element shows some content already; from now on it does.
function hasShown(box, content) {
  const before = box.dataset.shown;
  box.dataset.shown = JSON.stringify(content);
  return box.dataset.shown === before;
}

function notice(text) {
  element("notice").textContent = text;
  element("notice").hidden = !text;
}

// The fit

const isComplete = (point) => point.pixel && point.place;
const usedPoints = ({ points }) => points.filter((point) => isComplete(point) && point.enabled);

// The model for a number of points: the rigid one while a scale is kept, the chosen one if there are enough
// points for it, otherwise the recommended one.
const modelOf = ({ model, kept }, count, fits) => {
  if (kept && count >= MODELS.rigid.points) return "rigid";
  return model && count >= MODELS[model].points ? model : advised(fits) ?? standardModel(count);
};

const tryFit = (points, model, size, kept) => {
  try {
    return fitPoints(points, model, size, kept);
  } catch (error) {
    const fault = faultWithoutFit(points, model, size, kept);
    return { error: error.message, fault, suspect: fault?.indices[0] ?? null };
  }
};

// The fits of points by all models that they are enough for. A rigid fit needs a scale that is kept.
const fitsOf = (points, size, kept) => Object.fromEntries(Object.keys(MODELS)
  .filter((model) => points.length >= MODELS[model].points && (kept || model !== "rigid"))
  .map((model) => [model, tryFit(points, model, size, kept)]));

// The recommended model, as in 'fit --transform all': the leave-one-out error of a more flexible model must
// be clearly smaller, and half as large if it bends lines. Clicks are never accurate to a tenth of a pixel.
function advised(fits) {
  const judged = Object.keys(MODELS).filter((model) => fits[model]?.rms?.leftOut != null);
  if (judged.length < 2) return null;
  const leftOut = (model) => fits[model].rms.leftOut;
  return judged.reduce((best, next) => {
    const factor = next === "polynomial2" || next === "tps" ? 0.5 : 0.75;
    return leftOut(next) < factor * leftOut(best) - 0.1 * fits[best].metresPerPixel ? next : best;
  });
}

// The plan's current position: from its points, otherwise from rough placement. A single point shifts the
// plan. During a drag, the model stays.
function solve(isQuick) {
  const points = usedPoints(state), rough = state.rough && new Rough(state.rough, size);
  const fits = isQuick ? { ...solution.fits } : fitsOf(points, size, state.kept);
  const model = isQuick ? solution.model : modelOf(state, points.length, fits);
  if (isQuick && fits[model]) fits[model] = tryFit(points, model, size, state.kept);
  const fit = fits[model];
  let placement = fit && !fit.error ? fit : rough;
  if (points.length === 1 && rough) {
    const { pixel, place } = points[0];
    placement = new Rough({ ...state.rough, ...rough.shifted(pixel, place) }, size);
  }
  // A single point is enough if the scale is kept, and the turn is that of the rough position.
  const isByOne = points.length === 1 && Boolean(rough && state.kept);
  return { points, model, fits, fit, placement, rough, isByOne, isByPoints: points.length >= 2 };
}

// History

// All changes of a state that are not shown at once go through here.
function setState(next) { state = position.state = next; }

function commit(label) {
  position.record(label);
  showState();
}

function showState() {
  render();
  showFloors();
  remember();
}

function travel(step) {
  if (!position.travel(step)) return;
  setState(position.state);
  showState();
  speak(phrase(step < 0 ? "place.undone" : "place.doneAgain"));
}

// The browser keeps this state, even when the page is closed.

const KEY = `tilewright place ${location.pathname} ${source}`;
let remembering;

function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(keep, 200);
  positionSaver?.soon();
}

// What is kept: all positions, and what the page shows.
function keptContent() {
  const { lat, lng } = map.getCenter();
  settings.view = [map.getZoom(), lat, lng];
  settings.turn = pane.turn;
  floor.seen = { step: settings.step, turn: pane.turn };
  const of = (property) => Object.fromEntries(plannedFloors().map((one) => [nameOf(one), one[property]]));
  return {
    settings, floor: nameOf(floor), seen: of("seen"), below: of("below"), separate: [...separate],
    positions: Object.fromEntries([...positions].map(([name, { kept }]) => [name, kept])),
  };
}

function keep() {
  const content = keptContent();
  if (isGuided) return keepInGuide(content);
  const text = JSON.stringify(content);
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // If the browser does not keep data for files, the state is in the page's address.
    history.replaceState(null, "", `#${encodeURIComponent(text)}`);
  }
}

function kept() {
  if (isGuided) return keptInGuide();
  let text = null;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    // Nothing is kept.
  }
  try {
    const kept = JSON.parse(text ?? decoded(location.hash.slice(1)));
    // Pages of one image alone had no more than its position.
    return kept?.state ? { ...kept, positions: { "": kept } } : kept;
  } catch {
    return null;
  }
}

const isOtherSize = (other, { width, height } = size) =>
  other && (other.width !== width || other.height !== height);

// Warns that the points were set on an image of another size, until they are scaled or checked.
function showSize() {
  const box = element("size-notice"), other = state.setOn;
  box.hidden = !isOtherSize(other);
  const text = box.hidden ? "" : phrase("place.otherSize",
    { other: `${other.width} × ${other.height}`, size: `${size.width} × ${size.height}` });
  if (hasShown(box, text)) return;
  box.replaceChildren(text, " ", button(phrase("place.scaleToSize"), scaleToSize), " ",
    button(phrase("place.sizesAreRight"), () => {
      state.setOn = null;
      commit();
    }));
}

function scaleToSize() {
  const other = state.setOn, factor = { x: size.width / other.width, y: size.height / other.height };
  const scaled = (pixel) => pixel && { ...pixel, x: pixel.x * factor.x, y: pixel.y * factor.y };
  for (const point of state.points) point.pixel = scaled(point.pixel);
  if (state.kept) state.kept /= Math.sqrt(factor.x * factor.y);
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

function freeName(points = state.points) {
  const names = new Set(points.map((point) => point.name));
  let number = 1;
  while (names.has(String(number))) number++;
  return String(number);
}

// Points of a file, with numbers: names that only tell its lines become numbers, too.
function numbered(points) {
  const taken = [];
  for (const { pixel, place, name, enabled } of points) {
    const own = /^line \d+$/.test(name) || taken.some((point) => point.name === name) ? "" : name;
    taken.push({ id: taken.length + 1, name: own || freeName(taken), pixel, place, enabled: Boolean(enabled) });
  }
  return taken;
}

// Returns the number of points that a file has.
function openPoints(text) {
  const { points, imageSize, scale, bearing } = readPoints(text);
  state.points = numbered(points);
  state.setOn = sizeOf(imageSize);
  state.kept = scale;
  if (scale && bearing !== null && points.length === 1) {
    state.rough = Rough.from(points[0], scale, bearing, size);
  } else if (scale && state.rough) state.rough.scale = scale;
  return points.length;
}
