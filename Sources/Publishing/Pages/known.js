// Points that other floors or layers have: their places are there already, and only wait for a click on this
// plan.

// Numbers and pins mean something else on each floor; a name means the same lift on all of them.
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

// Those that this plan does not have; each name once.
const freeKnown = () => knownPoints().filter(({ name }, index, all) =>
  !state.points.some((point) => point.name === name) && all.findIndex((one) => one.name === name) === index);

// Clicks on the same corner are farther apart.
const SAME_PLACE = 0.01;

function metresBetween(a, b) {
  const plane = new LocalPlane([a]), [from, to] = unwrapped([a, b]).map((place) => plane.point(place));
  return length(minus(to, from));
}

// Points of this plan that lie elsewhere on another floor: one of both is wrong.
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

// The place of another floor's point becomes the map's side of one of this plan.
function takeKnown({ name, place }) {
  const half = state.points.find((point) => !isComplete(point));
  if (half) Object.assign(half, { name, place });
  else state.points.push({ id: newID(), name, pixel: null, place, enabled: true });
  const point = half ?? state.points.at(-1);
  chosen = point.id;
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

// A box of buttons, if there are any.
function showOffers(id, title, points, makeButton) {
  const box = element(id), text = JSON.stringify([title, points]);
  box.hidden = !points.length;
  if (box.dataset.shown === text) return;
  box.dataset.shown = text;
  box.querySelector("legend").textContent = title;
  box.querySelector(".names").replaceChildren(...points.map(makeButton));
}
