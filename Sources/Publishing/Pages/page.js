// Common code of the pages.

const element = (id) => document.getElementById(id);

// An element with properties.
const part = (name, properties = {}) => Object.assign(document.createElement(name), properties);

// A name as its own element, because its script may have another direction.
const named = (textContent) => part("bdi", { textContent });

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

// Explains how to make the page again, with its library.
function isWithoutLibrary(command) {
  if (typeof L !== "undefined") return false;
  tell(phrase("page.noLibrary", { command: `tilewright ${command} --viewer-assets DIR` }));
  return true;
}

const creditLibrary = (map) =>
  map.attributionControl.setPrefix('<a href="https://leafletjs.com">Leaflet</a>');

// The map under the plan. Tiles that cannot be loaded stay empty.
function backgroundMap(address, options) {
  const layer = L.tileLayer(address, { referrerPolicy: "strict-origin-when-cross-origin", ...options });
  layer.on("tileerror", (event) => hide(event.tile));
  return layer;
}

// Shows a note while no tile of a map could be loaded.
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
