// Outlines of files that a plan is aligned with, from GeoJSON or KML. Nothing here touches the page.

// The levels of lists around the positions of a geometry.
const LEVELS = { Point: 0, MultiPoint: 1, LineString: 1, MultiLineString: 2, Polygon: 2, MultiPolygon: 3 };

const isLonLat = (at) =>
  Array.isArray(at) && at.length > 1 && at.slice(0, 2).every(Number.isFinite) && Math.abs(at[1]) <= 90
  && Math.abs(at[0]) <= 540;

const areLonLat = (list, level) =>
  level ? Array.isArray(list) && list.every((one) => areLonLat(one, level - 1)) : isLonLat(list);

// The positions of a geometry in a flat list.
const positionsOf = ({ type, coordinates }) =>
  LEVELS[type] ? coordinates.flat(LEVELS[type] - 1) : [coordinates];

// The geometries of a text, GeoJSON or KML, without collections and without empty ones: at least one. Throws an
// Error with a message for people.
function readOutlines(file, text) {
  const geometries = (/^\s*</.test(text) ? readKML(file, text) : readGeoJSON(file, text));
  if (!geometries.every(({ type, coordinates }) => areLonLat(coordinates, LEVELS[type]))) {
    throw new Error(phrase("place.outlineNotPlaces", { file }));
  }
  const full = geometries.filter((geometry) => positionsOf(geometry).length);
  if (!full.length) throw new Error(phrase("place.outlineNone", { file }));
  return full;
}

function readGeoJSON(file, text) {
  try {
    return geometriesIn(JSON.parse(text));
  } catch {
    throw new Error(phrase("place.outlineNotRead", { file }));
  }
}

// Throws if it is not GeoJSON; features may lack a geometry.
function geometriesIn(json) {
  switch (json.type) {
  case "FeatureCollection": return json.features.flatMap(geometriesIn);
  case "Feature": return json.geometry ? geometriesIn(json.geometry) : [];
  case "GeometryCollection": return json.geometries.flatMap(geometriesIn);
  default:
    if (!Object.hasOwn(LEVELS, json.type)) throw new TypeError(json.type);
    return [{ type: json.type, coordinates: json.coordinates }];
  }
}

// The geometries of the placemarks of a KML document; pictures and links are left out.
function readKML(file, text) {
  const xml = new DOMParser().parseFromString(text, "application/xml");
  if (xml.querySelector("parsererror") || xml.documentElement.localName !== "kml") {
    throw new Error(phrase("place.outlineNotRead", { file }));
  }
  const all = (node, name) => [...node.getElementsByTagNameNS("*", name)];
  return all(xml, "Placemark").flatMap((placemark) => [
    ...all(placemark, "Point").flatMap((point) => positionsIn(point))
      .map((coordinates) => ({ type: "Point", coordinates })),
    ...[...all(placemark, "LineString"), ...all(placemark, "LinearRing")]
      .filter((line) => !/BoundaryIs$/.test(line.parentNode.localName))
      .map((line) => ({ type: "LineString", coordinates: positionsIn(line) })),
    ...all(placemark, "Polygon").map((polygon) => ({
      type: "Polygon", coordinates: all(polygon, "LinearRing").map(positionsIn),
    })),
  ]);
}

// The positions of an element. Spaces next to commas are not allowed, but frequent.
function positionsIn(node) {
  const text = node.getElementsByTagNameNS("*", "coordinates")[0]?.textContent ?? "";
  const tuples = text.replace(/\s*,\s*/g, ",").trim().split(/\s+/).filter(Boolean);
  return tuples.map((tuple) => tuple.split(",").map((number) => Number(number || NaN)));
}
