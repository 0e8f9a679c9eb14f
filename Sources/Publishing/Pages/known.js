// Points that another floor has: their places are there already, and only wait for a click on this plan.

const known = layers.flatMap((layer) => (layer.points ?? []).map(({ name, place }) => ({
  name: plainName(name), place: xy(place), layer: layer.name,
})));

const freeKnown = () => known.filter(({ name }) => !state.points.some((point) => point.name === name));

// The place of another floor's point becomes the map's side of one of this plan.
function takeKnown({ name, place }) {
  const half = state.points.find((point) => !isComplete(point));
  if (half) Object.assign(half, { name, place });
  else state.points.push({ id: newID(), name, pixel: null, place, enabled: true });
  const point = half ?? state.points.at(-1);
  chosen = point.id;
  sides.map.centre(place);
  commit();
  speak(point.pixel ? `Point ${name} is set on both sides` : `Now click ${name} on the plan`);
}

function showKnown() {
  const free = freeKnown(), box = element("known");
  box.hidden = !free.length;
  const text = JSON.stringify(free);
  if (box.dataset.shown === text) return;
  box.dataset.shown = text;
  const names = [...new Set(free.map(({ layer }) => layer))];
  box.querySelector("legend").textContent = `Also on ${names.join(", ")}`;
  box.querySelector(".names").replaceChildren(
    ...free.map((point) => button(point.name, () => takeKnown(point))));
}
