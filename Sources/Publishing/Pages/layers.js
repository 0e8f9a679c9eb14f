// The layers under the plan, to align it with and to compare: those of the command, and outlines that are opened
// in the page. Corners of outlines attract points.

const OUTLINE_COLOR = "#d0249a", MOST_BYTES = 32 * 2 ** 20;

// All layers in their order: { name, overlay, corners }, and `text` if it was opened in the page.
const underLayers = [];

// The overlay and the corners of outlines.
function newOutlines(geometries) {
  const features = geometries.map((geometry) => ({ type: "Feature", properties: {}, geometry }));
  return {
    overlay: L.geoJSON({ type: "FeatureCollection", features }, {
      interactive: false, style: { color: OUTLINE_COLOR, weight: 2, fill: false },
      pointToLayer: (_, place) => L.circleMarker(place, { radius: 4, color: OUTLINE_COLOR }),
    }),
    corners: geometries.flatMap(positionsOf).map(([x, y]) => ({ x, y })),
  };
}

function buildLayers() {
  layers.forEach((layer, index) => {
    const [west, south, east, north] = layer.bounds ?? [];
    const show = (isShown) => { settings.layers[index] = isShown; };
    try {
      const shown = layer.picture
        ? { corners: [], overlay: L.imageOverlay(layer.picture, [[south, west], [north, east]], { zIndex: index }) }
        : newOutlines(readOutlines(layer.name, element(`lines-${index}`).textContent));
      addLayer({ name: layer.name, ...shown }, settings.layers[index] ?? true, show);
    } catch (error) {
      notice(error.message);
    }
  });
  for (const { name, text } of keptOutlines()) {
    try {
      addOpened(name, text);
    } catch {
      // It was kept by another version of this page.
    }
  }
}

function addLayer(layer, isShown, keepShown) {
  const row = part("div", { className: "row" }), label = part("label", { className: "check" });
  const input = part("input", { type: "checkbox", checked: isShown });
  const show = () => {
    if (input.checked) layer.overlay.addTo(map);
    else layer.overlay.remove();
    keepShown(input.checked);
  };
  input.addEventListener("change", () => {
    show();
    remember();
  });
  label.append(input, " ", named(layer.name));
  row.append(label);
  if (layer.text) row.append(newRemoveButton(layer, row));
  underLayers.push(layer);
  element("layers").append(row);
  element("layers").hidden = false;
  show();
}

function newRemoveButton(layer, row) {
  const removes = button("✕", () => {
    layer.overlay.remove();
    underLayers.splice(underLayers.indexOf(layer), 1);
    row.remove();
    element("layers").hidden = !underLayers.length;
    keepOutlines();
    speak(phrase("place.removed"));
  });
  removes.setAttribute("aria-label", phrase("place.remove", { name: layer.name }));
  return removes;
}

// Outlines that are opened in the page

function addOpened(name, text) {
  const geometries = readOutlines(name, text);
  addLayer({ name, text: JSON.stringify({ type: "GeometryCollection", geometries }), ...newOutlines(geometries) },
    true, () => {});
}

// Adds the outlines of a text, and shows them. A plan that is not placed yet is put on them.
function openOutline(name, text) {
  try {
    addOpened(name, text);
  } catch (error) {
    return notice(error.message);
  }
  notice("");
  keepOutlines();
  const bounds = underLayers.at(-1).overlay.getBounds();
  const isLoose = !solution.placement || !position.isPlaced;
  if (isLoose || !map.getBounds().intersects(bounds)) {
    map.fitBounds(bounds, { animate: false, padding: [40, 40], maxZoom: 21 });
  }
  if (isLoose) {
    layHere();
    // It is not where it belongs until the user moves it there.
    position.sent = position.begun = position.text;
    showState();
  }
  element("no-map").hidden = true;
  speak(phrase("place.outlineAdded", { file: name }));
}

// Opens a file as an outline to align with, as the outline of what is cut out, or as what this page has saved.
async function openFile(file, kind) {
  if (file.size > MOST_BYTES) {
    return notice(phrase("place.outlineTooLarge", { file: file.name, size: MOST_BYTES / 2 ** 20 }));
  }
  const text = await file.text();
  if (kind === "outline") return openOutline(file.name, text);
  if (kind === "saved" || !/^\s*[{<]/.test(text)) return openText(text);
  try {
    const geometries = readOutlines(file.name, text);
    openText(JSON.stringify({ type: "GeometryCollection", geometries }));
  } catch (error) {
    notice(error.message);
  }
}

// The kind of a dropped file: outlines are cut out in the step 'cut', and are aligned with in all others.
const kindOfDropped = ({ name }) => !/\.(geo)?json$|\.km[lz]$/i.test(name) ? "saved"
  : settings.step === "cut" ? "cut" : "outline";

async function openAll(files, kindOf) {
  for (const file of files) await openFile(file, kindOf(file));
}

function setUpLayers() {
  const field = element("outline-file");
  for (const opens of document.querySelectorAll(".add-outline")) {
    opens.addEventListener("click", () => field.click());
  }
  field.addEventListener("change", async () => {
    await openAll([...field.files], () => "outline");
    field.value = "";
  });
  // Elsewhere on the page, too: the browser would leave it for the file. A field takes its own.
  const hasFiles = ({ dataTransfer, target }) =>
    dataTransfer?.types.includes("Files") && !target.matches?.("input[type=file]");
  addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    openAll([...event.dataTransfer.files], kindOfDropped);
  });
  setUpAttraction();
}

// The browser keeps them, if they are not too large for it.
const OUTLINES_KEY = `${KEY} outlines`;

function keepOutlines() {
  const opened = underLayers.filter(({ text }) => text).map(({ name, text }) => ({ name, text }));
  try {
    localStorage.removeItem(OUTLINES_KEY);
    if (opened.length) localStorage.setItem(OUTLINES_KEY, JSON.stringify(opened));
  } catch {
    // They have to be opened again.
  }
}

function keptOutlines() {
  try {
    return JSON.parse(localStorage.getItem(OUTLINES_KEY)) ?? [];
  } catch {
    return [];
  }
}

// Points snap to corners of outlines that are within this many pixels of the screen, unless Alt is pressed.
const REACH = 8;
let isFree = false;
const attraction = part("div", { className: "snap", hidden: true });

// The nearest corner within reach of a place on the map; null if there is none.
function cornerNear(place) {
  if (isFree) return null;
  const at = sides.map.toView(place), reach = REACH * metresPerPixel(place) / 111000;
  let nearest = null, least = REACH;
  for (const { corners } of underLayers.filter(({ overlay }) => map.hasLayer(overlay))) {
    for (const corner of corners) {
      // Most corners are far away.
      if (Math.abs(corner.y - place.y) > reach) continue;
      const distance = length(minus(sides.map.toView(corner), at));
      if (distance <= least) [nearest, least] = [corner, distance];
    }
  }
  return nearest;
}

// The value itself, or the corner that it snaps to.
const attracted = (side, value) => ({ ...(side === sides.map && cornerNear(value) || value) });

// The same for a mark that is dragged, with the ring.
function attractedInDrag(side, value) {
  if (side === sides.map) showAttraction(cornerNear(value));
  return attracted(side, value);
}

// A ring around the corner to which a point would snap.
function showAttraction(corner) {
  attraction.hidden = !corner;
  if (!corner) return;
  const { x, y } = sides.map.toView(corner);
  attraction.style.transform = `translate(${x}px, ${y}px)`;
}

function setUpAttraction() {
  const { box, marks } = sides.map;
  marks.append(attraction);
  for (const type of ["pointerdown", "pointermove", "pointerup", "keydown", "keyup"]) {
    addEventListener(type, ({ altKey }) => { isFree = altKey; }, true);
  }
  box.addEventListener("pointermove", (event) => {
    const isWanted = settings.step === "points" && !event.buttons && event.pointerType !== "touch";
    showAttraction(isWanted ? cornerNear(sides.map.fromView(sides.map.local(event))) : null);
  });
  box.addEventListener("pointerleave", () => showAttraction(null));
  map.on("movestart", () => showAttraction(null));
}
