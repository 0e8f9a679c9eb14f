// Which floor is placed, and the list of floors.

function take(one) {
  [floor, plan, position] = [one, one.plan, one.position];
  size = { width: plan.width, height: plan.height };
  CORNERS = cornersOf(plan);
  state = position.state;
  chosen = chosenCorner = null;
}

// The floor to begin with: the last one, else the lowest that is not placed if others are, else the ground
// floor.
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
  if (!await load(one)) {
    notice(unreadable());
    return;
  }
  if (count !== choiceCount) return;
  leaveFloor();
  take(one);
  showFloor();
  speak(phrase("place.floorStatus", { floor: floor.label, status: statusOf(floor).text }));
  tellNews();
}

function leaveFloor() {
  keep();
  // As it lies under others, it is shown with its paper.
  if (settings.ink) floor.shown = null;
}

// Shows the floor that was taken.
function showFloor() {
  if (settings.ink) floor.shown.setInkOnly(true);
  removeMarks();
  element("list").replaceChildren();
  notice(null);
  solution = solve();
  planLayer.setPicture(floor.shown, size);
  pane.setPicture(floor.shown, size, floor.seen?.turn ?? plan.turn);
  // Places where nobody can make out a building say nothing.
  if (map.getZoom() > 14 || otherFloors().some(placementOf)) beginPlan();
  commit();
  goTo(floor.seen?.step ?? (state.points.length ? "points" : "rough"));
  if (solution.placement && !isSeen(L.latLngBounds(corners()))) showPlan();
  showBelow();
}

// Whether the map shows the middle of a plan, or the plan covers that of the map.
const isSeen = (bounds) => map.getBounds().contains(bounds.getCenter()) || bounds.contains(map.getCenter());

// A plan that lies nowhere lies as the next floor does, or in the middle of the map.
function beginPlan() {
  if (solution.placement) return;
  const other = otherFloors().find(placementOf);
  if (other) layLike(other);
  else layHere();
  position.begin();
  render();
  showFloors();
}

function layLike(other) {
  const placement = placementOf(other);
  const pairs = cornersOf(other.plan).map((pixel) => ({ pixel, place: placement.toPlace(pixel) }));
  state.rough = Rough.through(pairs, other.plan);
  commit();
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
    return building ? [newHeading(building), ...rows] : rows;
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

function newHeading(building) {
  const row = document.createElement("li"), heading = document.createElement("h3");
  heading.append(named(building));
  row.append(heading);
  return row;
}

function newFloorRow(one) {
  const row = document.createElement("li");
  row.className = "floor";
  row.innerHTML = `<button type="button" class="choose"><b></b><small></small></button>
    <button type="button" class="under" data-phrase="place.under"></button>`;
  translate(row);
  row.querySelector("b").append(named(one.label));
  row.querySelector(".choose").disabled = !one.plan;
  row.querySelector(".choose").addEventListener("click", () => chooseFloor(one));
  row.querySelector(".under").setAttribute("aria-label", phrase("place.showUnder", { floor: one.label }));
  row.querySelector(".under").title = phrase("place.underTitle");
  row.querySelector(".under").addEventListener("click", () => toggleBelow(one));
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

// Says which floors lie where this one does, and lets it have a position of its own.
function showShares() {
  const box = element("shares"), others = sharing(floor).filter((one) => one !== floor);
  const isSeparate = separate.has(nameOf(floor));
  const text = JSON.stringify([nameOf(floor), isSeparate, others.length]);
  box.hidden = !others.length && !isSeparate;
  if (box.dataset.shown === text) return;
  box.dataset.shown = text;
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
