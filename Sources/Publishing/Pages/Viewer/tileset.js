// A tileset as it was written into this page, and where its tiles are. Rows count from the north.

const hasTile = (tileset, z, x, y) => tileset.limits.some(([zoom, west, east, north, south]) =>
  zoom === z && west <= x && x <= east && north <= y && y <= south);

function address(tileset, z, x, y) {
  const row = tileset.scheme === "tms" ? 2 ** z - 1 - y : y;
  let quadkey = "";
  for (let bit = z - 1; bit >= 0; bit--) quadkey += (x >> bit & 1) | (y >> bit & 1) << 1;
  const values = { "{z}": z, "{x}": x, "{y}": row, "{-y}": 2 ** z - 1 - y, "{quadkey}": quadkey };
  return tileset.address.replace(/\{(z|x|y|-y|quadkey)\}/g, (name) => values[name]);
}

// A cache on the way may still have what was there before an update; a file system has not.
const versioned = (tileset, url) =>
  tileset.version && location.protocol !== "file:" ? `${url}?v=${tileset.version}` : url;

// By how many zooms the map's count runs ahead of the tiles', so that a pixel of a tile is about a
// pixel of the screen, which has several for one of the page.
const zoomOffset = (tileset) => Math.round(Math.log2(tileset.tileSize / 256 / devicePixelRatio));

// The zoom of the map at which a pixel of the tiles of a zoom is one of the screen.
const exactZoom = (tileset, z) => z + Math.log2(tileset.tileSize / 256 / devicePixelRatio);

// The zoom of the tiles that a map shows at its own zoom.
function tileZoom(tileset, zoom) {
  const z = Math.round(zoom) - zoomOffset(tileset);
  return Math.min(Math.max(z, tileset.minzoom), tileset.maxzoom);
}

// The tile at a place, and the share of its edge that lies west and north of the place.
function tileAt(tileset, latlng, zoom) {
  const z = tileZoom(tileset, zoom);
  const point = L.CRS.EPSG3857.latLngToPoint(latlng, z).divideBy(256);
  const x = Math.floor(point.x), y = Math.floor(point.y), count = 2 ** z;
  return { z, x: ((x % count) + count) % count, y, right: point.x - x, down: point.y - y };
}

// Links and text of an attribution, and nothing else that HTML can do.
function credit(html) {
  const clean = document.createElement("div");
  const copy = (from, to) => {
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) to.append(node.textContent);
      else if (node.tagName === "A" && /^https?:/.test(node.href)) {
        const link = document.createElement("a");
        link.href = node.href;
        to.append(link);
        copy(node, link);
      } else if (!/^(SCRIPT|STYLE)$/.test(node.tagName)) copy(node, to);
    }
  };
  copy(new DOMParser().parseFromString(html, "text/html").body, clean);
  return clean.innerHTML;
}
