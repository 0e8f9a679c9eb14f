// The floors of a building, their positions while another floor is placed, and the list that switches
// between them. A single image is the only floor.

const { source, floors, layers, near, basemap, saveTo, isGuided } = JSON.parse(element("data").textContent);

const isBuilding = floors[0].label !== undefined;
floors.forEach((one, index) => { one.index = index; });

// The floor that is being placed: its image, the image's corners clockwise from the top left, and its
// position.
let floor, plan, size, CORNERS, position, state;

const cornersOf = ({ width, height }) =>
  [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => ({ x: x * width, y: y * height }));

// The part of an image that counts: all of it, or what the frame of a guide leaves.
const partOf = ({ width, height, crop }) => {
  const [left, top, across, down] = crop ?? [0, 0, width, height];
  return { left, top, width: across, height: down };
};

const cornersOfPart = (part) => cornersOf(part).map(({ x, y }) => ({ x: part.left + x, y: part.top + y }));

const cornerPairs = (plan) =>
  cornersOf(plan).map((pixel, index) => ({ pixel, place: xy(plan.corners[index]) }));

// A name that is unique among all buildings.
const nameOf = ({ building, floor }) => building ? `${building}/${floor}` : floor ?? "";

// The position of a floor, or of several floors that share it, with its history and its saved state.
class Position {
  constructor(plan, kept) {
    Object.assign(this, { plan, entries: [], at: -1, label: null, time: 0, hasNews: false });
    // The program's data when it wrote the page.
    this.origin = JSON.stringify([plan.points, plan.corners, ...[plan.model, plan.kept].filter(Boolean)]);
    this.state = originOf(plan);
    this.given = this.text;
    this.begun = this.saved = null;
    if (kept) this.takeUp(kept);
    this.record();
  }

  // Restores the state from the browser's storage, unless the program has newer data.
  takeUp({ state, size, origin, begun, saved }) {
    const given = this.state;
    this.state = { ...fresh(this.plan), ...state };
    if (isOtherSize(size, this.plan)) this.state.setOn ??= { ...size, isAll: true };
    if (origin === this.origin || isGuided && isDraftOf(state, saved, this.plan)) {
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

  // All data about the plan's position and outlines; the same as ever without a scale that is kept.
  get text() {
    return JSON.stringify({ ...this.state, pins: null, setOn: null, kept: this.state.kept ?? undefined });
  }

  // Whether it was changed since it was opened or saved.
  get isChanged() { return ![this.given, this.begun, this.saved].includes(this.text); }

  get isSaved() { return this.text === this.saved; }

  // Whether it has a position, from the program or by hand.
  get isPlaced() { return this.isChanged || this.isSaved || Boolean(this.plan.corners); }

  // Adds the current state to the history. Successive nudges are one step.
  record(label) {
    const text = JSON.stringify(this.state), now = Date.now();
    if (text === this.entries[this.at]) return;
    const isMore = label && label === this.label && now - this.time < 1000;
    this.entries.length = this.at + 1;
    if (isMore) this.entries[this.at] = text;
    else this.at = this.entries.push(text) - 1;
    Object.assign(this, { label, time: now });
  }

  // Whether there was a step to undo or redo.
  travel(step) {
    const entry = this.entries[this.at + step];
    if (entry === undefined) return false;
    this.at += step;
    this.label = null;
    this.state = JSON.parse(entry);
    return true;
  }

  // Makes the current state the first one: it has no history and counts as unchanged.
  begin() {
    this.record();
    [this.entries, this.at] = [this.entries.slice(-1), 0];
    this.sent = this.begun = this.text;
  }
}

// The positions by the files of their points. Floors with their own position do not share one.
const positions = new Map(), separate = new Set();

const pointsOf = (one) => separate.has(nameOf(one)) ? one.ownPoints : one.points;
const positionName = (one) => isBuilding ? JSON.stringify([one.building ?? "", pointsOf(one).path]) : "";

// The floors that can be placed, and those that share a position with one of them.
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

// Gives the floor its own position, first equal to the shared one; or removes it.
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

// The position of a floor; null if it is not placed.
function placementOf(one) {
  if (one.position === position) return solution.placement;
  const { text, isPlaced } = one.position;
  if (one.placed?.text !== text) one.placed = { text, placement: isPlaced ? placementIn(one) : null };
  return one.placed.placement;
}

function placementIn({ plan, position }) {
  const points = usedPoints(position.state);
  if (points.length > 1) {
    const fits = fitsOf(points, plan, position.state.kept);
    const fit = fits[modelOf(position.state, points.length, fits)];
    return fit.error ? null : fit;
  }
  if (position.text === position.given && plan.corners) {
    const fit = tryFit(cornerPairs(plan), "projective", plan);
    if (!fit.error) return fit;
  }
  return position.state.rough && new Rough(position.state.rough, plan);
}

// The text for a floor in the list of floors.
function statusOf(one) {
  if (one.problem) {
    return { kind: "refused", text: inEnglish(one.problem[0].toUpperCase() + one.problem.slice(1)) };
  }
  if (one.position.isChanged) return { kind: "changed", text: phrase(isGuided ? "open.saving" : "place.changed") };
  if (one.position.isSaved) return { kind: "placed", text: phrase("place.saved") };
  return one.plan.corners ? { kind: "placed", text: phrase("place.placed") }
    : { kind: "open", text: phrase("place.notPlaced") };
}

// The choice of the floor

function take(one) {
  [floor, plan, position] = [one, one.plan, one.position];
  size = { width: plan.width, height: plan.height, part: partOf(plan) };
  CORNERS = cornersOf(plan);
  state = position.state;
  chosen = chosenCorner = null;
}

// The first floor to show: the last one that was shown, otherwise the lowest floor without a position if
// other floors have one, otherwise the ground floor.
function firstFloor(name) {
  const offered = plannedFloors().filter((one) => one.isOffered !== false);
  const open = offered.filter((one) => !one.position.isPlaced);
  const last = isBuilding && offered.find((one) => nameOf(one) === name);
  if (last) return last;
  if (open.length && open.length < offered.length) return open[0];
  return offered.reduce((best, one) => Math.abs(one.ordinal) < Math.abs(best.ordinal) ? one : best);
}

let choiceCount = 0;

async function chooseFloor(one) {
  openFloors(false);
  const count = ++choiceCount;
  if (one === floor) return;
  if (!await load(one)) return notice(unreadable());
  if (count !== choiceCount) return;
  keep();
  if (isGuided) queuePosition();
  // Under other floors, it is shown with its paper.
  if (settings.ink) floor.shown = null;
  take(one);
  showFloor();
  speak(phrase("page.pair", { first: floor.label, second: statusOf(floor).text }));
  tellNews();
}

// Shows the chosen floor.
function showFloor() {
  if (settings.ink) floor.shown.setInkOnly(true);
  betweens.clear();
  element("list").replaceChildren();
  notice("");
  solution = solve();
  planLayer.setPicture(floor.shown, size);
  pane.setPicture(floor.shown, size, floor.seen?.turn ?? plan.turn);
  // If the map is zoomed out too far to show buildings, its place is ignored.
  if (map.getZoom() > 14 || otherFloors().some(placementOf)) beginPlan();
  commit();
  goTo(floor.seen?.step ?? (state.points.length ? "points" : "rough"));
  const area = solution.placement && L.latLngBounds(corners()), view = map.getBounds();
  if (area && !view.contains(area.getCenter()) && !area.contains(map.getCenter())) showPlan();
  showBelow();
}

// A plan without a position gets that of the next floor, or is put into the middle of the map.
function beginPlan() {
  if (solution.placement) return;
  const other = otherFloors().find(placementOf);
  if (!other) layHere();
  else {
    const pairs = cornersOf(other.plan).map((pixel) => ({ pixel, place: placementOf(other).toPlace(pixel) }));
    state.rough = Rough.through(pairs, other.plan, state.kept);
  }
  position.begin();
  showState();
}

function tellNews() {
  if (!position.hasNews) return;
  position.hasNews = false;
  speak(phrase("place.positionChanged"));
}

// The list

const listed = floors.filter((one) => one.isOffered);
const isListed = listed.length > 1;

function setUpFloorList() {
  for (const id of ["floors", "floors-button"]) element(id).hidden = !isListed;
  if (!isListed) return;
  const buildings = [...new Set(listed.map(({ building }) => building))];
  element("floor-list").replaceChildren(...buildings.flatMap((building) => {
    const rows = listed.filter((one) => one.building === building).reverse().map(newFloorRow);
    if (!building) return rows;
    const heading = part("li");
    heading.innerHTML = "<h3></h3>";
    heading.firstChild.append(named(building));
    return [heading, ...rows];
  }));
  element("floors-button").addEventListener("click", () =>
    openFloors(!element("floors").classList.contains("open")));
  element("floors").addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    openFloors(false);
    element("floors-button").focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest("#floors, #floors-button")) openFloors(false);
  });
}

// On small screens the list is opened and closed.
function openFloors(isOpen) {
  element("floors").classList.toggle("open", isOpen);
  element("floors-button").setAttribute("aria-expanded", isOpen);
}

function newFloorRow(one) {
  const row = part("li", { className: "floor" });
  row.innerHTML = `<button type="button" class="choose"><b></b><small></small></button>
    <button type="button" class="under" data-phrase="place.under"></button>`;
  translate(row);
  row.querySelector("b").append(named(one.label));
  row.querySelector(".choose").disabled = !one.plan;
  row.querySelector(".choose").addEventListener("click", () => chooseFloor(one));
  const under = row.querySelector(".under");
  const words = phrase("page.pair", { first: one.label, second: phrase("place.underPlan") });
  under.title = words;
  under.setAttribute("aria-label", words);
  under.addEventListener("click", () => toggleBelow(one));
  one.row = row;
  return row;
}

function showFloors() {
  if (isBuilding) showShares();
  if (!isListed) return;
  const below = floorsBelow();
  for (const one of listed) {
    const { kind, text } = statusOf(one), isChosen = one === floor;
    const under = one.row.querySelector(".under"), choose = one.row.querySelector(".choose");
    one.row.className = `floor ${kind}${isChosen ? " chosen" : ""}`;
    choose.setAttribute("aria-current", isChosen);
    choose.querySelector("small").replaceChildren(text);
    under.hidden = !one.plan || isChosen || one.building !== floor.building || !placementOf(one);
    under.setAttribute("aria-pressed", below.includes(one));
  }
  element("floors-button").replaceChildren(named(floor.label), " ▾");
}

// Shows which floors share this floor's position, and offers it its own position.
function showShares() {
  const box = element("shares"), others = sharing(floor).filter((one) => one !== floor);
  const isSeparate = separate.has(nameOf(floor));
  box.hidden = !others.length && !isSeparate;
  if (hasShown(box, [nameOf(floor), isSeparate, others.length])) return;
  const names = together(others.map(({ label }) => label));
  box.replaceChildren(isSeparate
    ? phrase("place.ownPosition", { floor: floor.label })
    : phrase("place.shares", { floor: floor.label, names }), " ");
  if (!floor.ownPoints) return;
  const words = phrase(isSeparate ? "place.shareAgain" : "place.placeAlone", { floor: floor.label });
  box.append(button(words, () => {
    setSeparate(floor, !isSeparate);
    take(floor);
    showFloor();
  }));
}
