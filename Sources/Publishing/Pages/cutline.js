// The outlines of what stays of a plan: how they lie in each other, and their file. Nothing here touches the
// page. A ring is a list of points; the last is joined to the first.

const edgesOf = (ring) => ring.map((start, index) => [start, ring[(index + 1) % ring.length]]);

// Twice the area: positive if the ring runs counterclockwise where y points up.
const doubleArea = (ring) => edgesOf(ring)
  .reduce((sum, [start, end]) => sum + cross(minus(start, ring[0]), minus(end, ring[0])), 0);

const isWithin = (point, ring) => edgesOf(ring).reduce((isIn, [a, b]) =>
  (a.y > point.y) !== (b.y > point.y) && point.x < a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y)
    ? !isIn : isIn, false);

// Whether two edges cross; edges that only touch do not.
function isCrossing([a, b], [c, d]) {
  const side = (from, to, point) => Math.sign(cross(minus(to, from), minus(point, from)));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

const areCrossing = (ring, other) =>
  edgesOf(ring).some((edge) => edgesOf(other).some((others) => isCrossing(edge, others)));

const crossesItself = (ring) => areCrossing(ring, ring);

const isInRing = (ring, outer) => ring.every((point) => isWithin(point, outer)) && !areCrossing(ring, outer);

// Around how many others each ring has: one that lies in an odd number of them is a hole.
const depthsOf = (rings) =>
  rings.map((ring) => rings.filter((other) => other !== ring && isInRing(ring, other)).length);

// Outlines that run one way and holes that run the other way.
function oriented(rings) {
  const depths = depthsOf(rings);
  return rings.map((ring, index) =>
    doubleArea(ring) > 0 === (depths[index] % 2 === 0) ? ring : [...ring].reverse());
}

// The polygons of outlines and holes: each outline, and then the holes that lie in it at once.
function polygonsOf(rings) {
  const depths = depthsOf(rings), runs = oriented(rings);
  return rings.flatMap((outer, index) => depths[index] % 2 ? [] : [[
    runs[index],
    ...runs.filter((_, hole) => depths[hole] === depths[index] + 1 && isInRing(rings[hole], outer)),
  ]]);
}

// A file as RFC 7946 wants it: longitude first, closed rings, outlines counterclockwise, holes clockwise.
function cutlineText(rings) {
  const position = ({ x, y }) => `[${degreesText(x)}, ${degreesText(y)}]`;
  const ringText = (ring) => `[${[...ring, ring[0]].map(position).join(", ")}]`;
  const features = polygonsOf(rings).map((polygon) =>
    '{"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [\n'
    + `${polygon.map((ring) => `  ${ringText(ring)}`).join(",\n")}\n]}}`);
  return `{"type": "FeatureCollection", "features": [\n${features.join(",\n")}\n]}\n`;
}

// The rings of such a file; throws an Error in plain words.
function readCutline(text) {
  let json;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error(phrase("place.fileNotGeoJSON"));
  }
  const polygons = (thing) => {
    switch (thing?.type) {
    case "FeatureCollection": return thing.features?.flatMap(polygons) ?? [];
    case "Feature": return polygons(thing.geometry);
    case "GeometryCollection": return thing.geometries?.flatMap(polygons) ?? [];
    case "Polygon": return [thing.coordinates];
    case "MultiPolygon": return thing.coordinates;
    default: return [];
    }
  };
  const isPosition = (at) => Array.isArray(at) && at.length > 1 && at.slice(0, 2).every(Number.isFinite)
    && Math.abs(at[1]) <= 90;
  const rings = polygons(json).flat();
  if (!rings.length) throw new Error(phrase("place.fileNoPolygon"));
  return rings.map((ring) => {
    if (!Array.isArray(ring) || ring.length < 4 || !ring.every(isPosition)) {
      throw new Error(phrase("place.fileNotRing"));
    }
    return ring.slice(0, -1).map(xy);
  });
}
