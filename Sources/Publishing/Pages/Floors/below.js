// Other floors of the building under the plan, to align with. They lie where this page has them now.

const lowerLayers = new Map();
let belowCount = 0;

const ringsOf = ({ cuts }) => cuts.filter((cut) => !cut.isOpen).map((cut) => cut.corners);

// The floors that lie under the plan, the nearest first: those that were chosen, or the next lower one. What
// shares the plan's position would move with it.
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
  // Meanwhile somebody may have chosen something else.
  if (count !== belowCount) return;
  for (const [one, layer] of lowerLayers) {
    if (wanted.includes(one)) continue;
    layer.remove();
    lowerLayers.delete(one);
  }
  for (const one of wanted.filter(({ shown }) => shown).reverse()) {
    const layer = lowerLayers.get(one) ?? new PlanLayer(one.shown, one.plan, "below", 1).addTo(map);
    lowerLayers.set(one, layer);
    layer.canvas.parentNode.append(layer.canvas);
    layer.setPlacement(placementOf(one), oriented(ringsOf(one.position.state)));
  }
  forgetPictures([floor, ...wanted]);
}

// What shares the plan's position moves with it.
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
  const image = new Image();
  image.src = element(`picture-${one.index}`).textContent;
  try {
    await image.decode();
  } catch {
    return false;
  }
  one.shown = new Picture(image, xy(one.plan.scale));
  one.shown.setInkOnly(false);
  return true;
}

const unreadable = () => phrase("place.unreadable", { command: "tilewright place --preview 2048" });
