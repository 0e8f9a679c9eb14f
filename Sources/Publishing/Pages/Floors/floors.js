// The floors of a building, and where each of them lies while another one is placed. An image alone is the
// only floor.

const { source, floors, layers, near, basemap, saveTo } = JSON.parse(element("data").textContent);

const isBuilding = floors[0].label !== undefined;
floors.forEach((one, index) => { one.index = index; });

// The floor that is being placed: its image, the corners of it from the top left on, clockwise, and where it
// lies.
let floor, plan, size, CORNERS, position, state;

const cornersOf = ({ width, height }) =>
  [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => ({ x: x * width, y: y * height }));

// What tells a floor from all others, also of other buildings.
const nameOf = ({ building, floor }) => building ? `${building}/${floor}` : floor ?? "";

// Where one floor lies, or several that share it: what is undone and redone, and what of it was saved.
class Position {
  constructor(plan, kept) {
    Object.assign(this, { plan, entries: [], at: -1, label: null, time: 0, hasNews: false });
    // What the program knew when it wrote the page.
    this.origin = JSON.stringify([plan.points, plan.corners, ...(plan.model ? [plan.model] : [])]);
    this.state = originOf(plan);
    this.given = this.text;
    this.begun = this.saved = null;
    if (kept) this.takeUp(kept);
    this.record();
  }

  // Goes on with what the browser has kept, unless the program knows something new.
  takeUp({ state, size, origin, begun, saved }) {
    const given = this.state;
    this.state = { ...fresh(this.plan), ...state };
    if (isOtherSize(size, this.plan)) this.state.setOn ??= { ...size, isAll: true };
    if (origin === this.origin) {
      Object.assign(this, { begun: begun ?? null, saved: saved ?? null });
      return;
    }
    this.record();
    this.state = { ...given, cuts: this.state.cuts };
    this.hasNews = true;
  }

  get kept() {
    const { state, origin, begun, saved, plan: { width, height } } = this;
    return { state, size: { width, height }, origin, begun, saved };
  }

  // All that says where the plan lies, and what stays of it.
  get text() { return JSON.stringify({ ...this.state, pins: null, setOn: null }); }

  // Whether somebody has changed it since it was opened or saved.
  get isChanged() { return ![this.given, this.begun, this.saved].includes(this.text); }

  get isSaved() { return this.text === this.saved; }

  // Whether it lies somewhere because the program said so, or somebody has laid it there.
  get isPlaced() { return this.isChanged || this.isSaved || Boolean(this.plan.corners); }

  // Adds what is there now to the history. Nudges in a row are one step.
  record(label) {
    const text = JSON.stringify(this.state), now = Date.now();
    if (text === this.entries[this.at]) return;
    const isMore = label && label === this.label && now - this.time < 1000;
    this.entries.length = this.at + 1;
    if (isMore) this.entries[this.at] = text;
    else this.at = this.entries.push(text) - 1;
    Object.assign(this, { label, time: now });
  }

  // Whether there was a step back, or forth.
  travel(step) {
    const entry = this.entries[this.at + step];
    if (entry === undefined) return false;
    this.at += step;
    this.label = null;
    this.state = JSON.parse(entry);
    return true;
  }

  // What is there now is where it begins: nothing is undone, and nothing is changed.
  begin() {
    this.record();
    [this.entries, this.at] = [this.entries.slice(-1), 0];
    this.begun = this.text;
  }
}

// The positions by the files of their points. Floors that were given a position of their own share none.
const positions = new Map(), separate = new Set();

const pointsOf = (one) => separate.has(nameOf(one)) ? one.ownPoints : one.points;
const positionName = (one) => isBuilding ? JSON.stringify([one.building ?? "", pointsOf(one).path]) : "";

// The floors that can be placed, and that lie where one of them does.
const plannedFloors = () => floors.filter((one) => one.plan);
const sharing = (one) => plannedFloors().filter((other) => other.position === one.position);

function setUpFloors(kept = {}) {
  for (const one of plannedFloors()) {
    if (one.ownPoints && kept.separate?.includes(nameOf(one))) separate.add(nameOf(one));
    one.seen = kept.seen?.[nameOf(one)] ?? null;
    one.below = kept.below?.[nameOf(one)] ?? null;
    join(one, kept.positions);
  }
}

function join(one, kept) {
  const name = positionName(one);
  if (!positions.has(name)) positions.set(name, new Position(one.plan, kept?.[name]));
  one.position = positions.get(name);
}

// Gives the floor a position of its own, which is that of the others to begin with, or takes it back.
function setSeparate(one, isSeparate) {
  const { state } = one.position;
  if (isSeparate) separate.add(nameOf(one));
  else separate.delete(nameOf(one));
  join(one);
  if (!isSeparate) return;
  one.position.state = structuredClone(state);
  one.position.given = null;
  one.position.record();
}

// The other floors of the same building, the next lower one first.
function otherFloors(one = floor) {
  const rank = ({ ordinal }) => ordinal < one.ordinal ? one.ordinal - ordinal : 1e6 + ordinal - one.ordinal;
  return plannedFloors().filter((other) => other !== one && other.building === one.building)
    .sort((a, b) => rank(a) - rank(b));
}

// Where a floor lies; null if nobody has placed it.
function placementOf(one) {
  if (one.position === position) return solution.placement;
  const { text, isPlaced } = one.position;
  if (one.placed?.text !== text) one.placed = { text, placement: isPlaced ? placementIn(one) : null };
  return one.placed.placement;
}

function placementIn({ plan, position }) {
  const points = usedPoints(position.state);
  if (points.length > 1) {
    const fits = fitsOf(points, plan), fit = fits[modelOf(position.state, points.length, fits)];
    return fit.error ? null : fit;
  }
  if (position.text === position.given && plan.corners) {
    const corners = cornersOf(plan).map((pixel, index) => ({ pixel, place: xy(plan.corners[index]) }));
    const fit = tryFit(corners, "projective", plan);
    if (!fit.error) return fit;
  }
  return position.state.rough && new Rough(position.state.rough, plan);
}

// What the list of floors says of one.
function statusOf(one) {
  if (one.problem) {
    return { kind: "refused", text: inEnglish(one.problem[0].toUpperCase() + one.problem.slice(1)) };
  }
  if (one.position.isChanged) return { kind: "changed", text: phrase("place.changed") };
  if (one.position.isSaved) return { kind: "placed", text: phrase("place.saved") };
  return one.plan.corners ? { kind: "placed", text: phrase("place.placed") }
    : { kind: "open", text: phrase("place.notPlaced") };
}
