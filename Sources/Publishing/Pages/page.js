// What the pages have in common.

const element = (id) => document.getElementById(id);

// A browser marks an image that it could not load.
const hide = (image) => { image.style.visibility = "hidden"; };

function tell(text) {
  element("message").textContent = text;
  element("message").hidden = false;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Tells how a page without its library is made anew.
function isWithoutLibrary(command) {
  if (typeof L !== "undefined") return false;
  tell(phrase("page.noLibrary", { command: `tilewright ${command} --viewer-assets DIR` }));
  return true;
}

const creditLibrary = (map) =>
  map.attributionControl.setPrefix('<a href="https://leafletjs.com">Leaflet</a>');

// The map under the plan; tiles that do not come stay empty.
function backgroundMap(address, options) {
  const layer = L.tileLayer(address, { referrerPolicy: "strict-origin-when-cross-origin", ...options });
  layer.on("tileerror", (event) => hide(event.tile));
  return layer;
}

// Shows a note if a map does not come, until some of it does.
function noteMissing(layer, note) {
  let hasCome = false;
  note.hidden = true;
  layer?.on("tileload", () => { note.hidden = hasCome = true; });
  layer?.on("tileerror", () => { note.hidden = hasCome; });
}

const openStreetMap = (options) => backgroundMap("https://tile.openstreetmap.org/{z}/{x}/{y}.png", {
  maxNativeZoom: 19,
  attribution: '© <a href="https://www.openstreetmap.org/copyright">OpenStreetMap</a>', ...options,
});
