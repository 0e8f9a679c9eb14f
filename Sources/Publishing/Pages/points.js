// Files of control points, of positions and of outlines, as texts. Nothing here touches the page.

const WGS84 = 'GEOGCRS["WGS 84",ENSEMBLE["World Geodetic System 1984 ensemble",'
  + 'MEMBER["World Geodetic System 1984 (Transit)"],MEMBER["World Geodetic System 1984 (G730)"],'
  + 'MEMBER["World Geodetic System 1984 (G873)"],MEMBER["World Geodetic System 1984 (G1150)"],'
  + 'MEMBER["World Geodetic System 1984 (G1674)"],MEMBER["World Geodetic System 1984 (G1762)"],'
  + 'MEMBER["World Geodetic System 1984 (G2139)"],'
  + 'ELLIPSOID["WGS 84",6378137,298.257223563,LENGTHUNIT["metre",1]],ENSEMBLEACCURACY[2.0]],'
  + 'PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]],CS[ellipsoidal,2],'
  + 'AXIS["geodetic latitude (Lat)",north,ORDER[1],ANGLEUNIT["degree",0.0174532925199433]],'
  + 'AXIS["geodetic longitude (Lon)",east,ORDER[2],ANGLEUNIT["degree",0.0174532925199433]],'
  + 'USAGE[SCOPE["Horizontal component of 3D system."],AREA["World."],BBOX[-90,-180,90,180]],'
  + 'ID["EPSG",4326]]';

const xy = ([x, y]) => ({ x, y });

// Ten decimals of a degree are about a hundredth of a millimetre.
const degreesText = (degrees) => String(Number(degrees.toFixed(10)));
const pixelText = (pixel) => String(Number(pixel.toFixed(3)));

// A name as a column between commas.
const plainName = (name) => name.replace(/[\s,"#]+/g, " ").trim();

// The format of QGIS with more columns, which QGIS ignores: the points' names, the size of the image, and, if a
// scale is kept, the model with the scale in metres per pixel and the bearing of a single point.
function pointsText(points, { width, height }, residuals, kept) {
  const more = kept ? ["rigid", kept.scale, kept.bearing ?? ""] : [];
  const rows = points.map((point, index) => {
    const miss = residuals?.[index];
    return [
      degreesText(point.place.x), degreesText(point.place.y), pixelText(point.pixel.x),
      pixelText(-point.pixel.y), point.enabled ? 1 : 0, 0, 0, miss ? miss.pixels.toFixed(3) : 0,
      plainName(point.name), `${width}x${height}`, ...more,
    ].join(",");
  });
  const columns = "mapX,mapY,sourceX,sourceY,enable,dX,dY,residual,name,imageSize";
  const header = kept ? `${columns},transform,scale,bearing` : columns;
  return [`#CRS: ${WGS84}`, header, ...rows].join("\n") + "\n";
}

// The points of such a file, the size of the image that they were set on, and the scale that is kept, with
// the bearing of a single point; throws an Error with a message for people.
function readPoints(text) {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const crs = lines.find((line) => line.startsWith("#CRS:")) ?? "";
  const isMercator = /"EPSG",\s*"?3857|EPSG:3857/.test(crs);
  const isKnown = crs === "" || crs === "#CRS:" || isMercator
    || /"EPSG",\s*"?4326"?\]\]?$|EPSG:4326$|^#CRS: GEOGCRS\["WGS 84",/.test(crs);
  if (!isKnown) throw new Error(phrase("place.fileUnknownCRS"));
  const rows = lines.map((line) => !line || line.startsWith("#") ? null
    : line.split(line.includes("\t") ? "\t" : ",").map((field) => field.trim().replace(/^"|"$/g, "")));
  const start = rows.findIndex(Boolean), names = rows[start]?.map((name) => name.toLowerCase()) ?? [];
  const hasHeader = names.includes("mapx");
  const header = hasHeader ? names : ["mapx", "mapy", "sourcex", "sourcey", "enable"];
  const [mapX, mapY, x, y, enable, name, size, transform, scale, bearing] = [
    /^mapx$/, /^mapy$/, /^(source|pixel)x$/, /^(source|pixel)y$/, /^enable$/, /^name$/, /^imagesize$/,
    /^transform$/, /^scale$/, /^bearing$/,
  ].map((pattern) => header.findIndex((column) => pattern.test(column)));
  let imageSize = null, kept = { scale: null, bearing: null };
  const points = rows.flatMap((row, index) => {
    if (!row || (hasHeader && index === start)) return [];
    const [east, north, column, negativeRow] = [mapX, mapY, x, y].map((at) => Number(row[at] || NaN));
    if (![east, north, column, negativeRow].every(Number.isFinite)) {
      throw new Error(phrase("place.fileLineProblem", { line: index + 1 }));
    }
    imageSize ??= row[size] || null;
    if (row[transform] === "rigid" && Number(row[scale]) > 0 && !kept.scale) {
      kept = { scale: Number(row[scale]), bearing: row[bearing] ? Number(row[bearing]) : null };
    }
    return {
      pixel: { x: column, y: -negativeRow },
      place: isMercator ? lonLatOfMercator({ x: east, y: north }) : { x: east, y: north },
      name: row[name] || "", enabled: row[enable] === undefined || Number(row[enable]) !== 0,
    };
  });
  if (!points.length) throw new Error(phrase("place.fileNoPoints"));
  return { points, imageSize, ...kept };
}

const lonLatOfMercator = ({ x, y }) => ({
  x: x / 6378137 / DEGREE, y: Math.atan(Math.sinh(y / 6378137)) / DEGREE,
});

// A word for a shell, quoted if necessary.
const shellWord = (word) =>
  /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

// Six lines, for the centre of the first pixel.
function worldFileText([a, b, c, d, e, f]) {
  return [a, d, b, e, c + (a + b) / 2, f + (d + e) / 2].map((number) => `${number}\n`).join("");
}

// The plane of a fit, as a reference system in Esri's WKT.
function projectionText({ longitude, latitude }) {
  const decimal = (number) => Number.isInteger(number) ? number.toFixed(1) : String(number);
  return 'PROJCS["unknown",GEOGCS["GCS_unknown",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,'
    + '298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],'
    + 'PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],'
    + `PARAMETER["Central_Meridian",${decimal(longitude)}],PARAMETER["Scale_Factor",1.0],`
    + `PARAMETER["Latitude_Of_Origin",${decimal(latitude)}],UNIT["Meter",1.0]]\n`;
}

// The position of a plan that was placed by hand: its centre, metres per pixel, and the bearing of its up
// direction in degrees.
class Rough {
  constructor({ lon, lat, scale, bearing }, { width, height }) {
    Object.assign(this, { lon, lat, scale, bearing });
    this.centre = { x: width / 2, y: height / 2 };
    this.plane = new LocalPlane([{ x: lon, y: lat }]);
    const origin = this.plane.point({ x: lon, y: lat });
    const cos = scale * Math.cos(bearing * DEGREE), sin = scale * Math.sin(bearing * DEGREE);
    const { x, y } = this.centre;
    this.transform = new AffineFit([
      cos, -sin, origin.x - cos * x + sin * y, -sin, -cos, origin.y + sin * x + cos * y,
    ]);
  }

  toPlace(pixel) { return this.plane.lonLat(this.transform.forward(pixel)); }

  toPixel(place) {
    return this.transform.backward(this.plane.point(unwrapped([{ x: this.lon, y: 0 }, place])[1]));
  }

  // The bearing of its up direction at a pixel. North turns by some millimetres over the width of a plan.
  bearingAt(pixel) {
    const plane = new LocalPlane([this.toPlace(pixel)]);
    const [from, to] = [pixel, { x: pixel.x, y: pixel.y - 2 * this.centre.y }]
      .map((end) => plane.point(this.toPlace(end)));
    return Number((Math.atan2(to.x - from.x, to.y - from.y) / DEGREE).toFixed(9));
  }

  // The position that puts a pixel at a place, with the bearing there.
  static from({ pixel, place }, scale, bearing, size) {
    const turned = new Rough({ lon: place.x, lat: place.y, scale, bearing }, size);
    const way = minus(turned.plane.point(place), turned.transform.forward(pixel));
    const pairs = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([x, y]) => {
      const corner = { x: x * size.width, y: y * size.height };
      return { pixel: corner, place: turned.plane.lonLat(plus(turned.transform.forward(corner), way)) };
    });
    return Rough.through(pairs, size, scale);
  }

  // Its centre's place if a pixel lies at a place.
  shifted(pixel, place) {
    const way = minus(this.plane.point(place), this.transform.forward(pixel));
    const { x: lon, y: lat } = this.plane.lonLat(plus(this.transform.forward(this.centre), way));
    return { lon, lat };
  }

  // The similarity that fits two or more pixels to places best.
  static through(pairs, size, lockedScale) {
    const lonLat = unwrapped(pairs.map((pair) => pair.place));
    const plane = new LocalPlane(lonLat);
    const pixels = pairs.map((pair) => pair.pixel), ground = lonLat.map((place) => plane.point(place));
    let [a, , , d] = similarityFit(pixels, ground).numbers;
    const scale = Math.hypot(a, d);
    if (!(scale > 0) || !Number.isFinite(scale)) return null;
    if (lockedScale) [a, d] = [a * lockedScale / scale, d * lockedScale / scale];
    const from = lockedScale && pairs.pivot !== undefined ? pixels[pairs.pivot] : centroid(pixels);
    const to = lockedScale && pairs.pivot !== undefined ? ground[pairs.pivot] : centroid(ground);
    const way = minus({ x: size.width / 2, y: size.height / 2 }, from);
    const centre = plane.lonLat({ x: to.x + a * way.x + d * way.y, y: to.y + d * way.x - a * way.y });
    const bearing = (Math.atan2(-d, a) / DEGREE + 360) % 360;
    return { lon: centre.x, lat: centre.y, scale: lockedScale || scale, bearing };
  }
}

// The outlines of the part of a plan that is kept: their nesting, and their file. A ring is a list of
// points; the last is joined to the first.

const edgesOf = (ring) => ring.map((start, index) => [start, ring[(index + 1) % ring.length]]);

// Twice the area: positive if the ring runs counterclockwise where y points up.
const doubleArea = (ring) => edgesOf(ring)
  .reduce((sum, [start, end]) => sum + cross(minus(start, ring[0]), minus(end, ring[0])), 0);

// Whether two edges cross; edges that only touch do not.
function isCrossing([a, b], [c, d]) {
  const side = (from, to, point) => Math.sign(cross(minus(to, from), minus(point, from)));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

const areCrossing = (ring, other) =>
  edgesOf(ring).some((edge) => edgesOf(other).some((others) => isCrossing(edge, others)));

const crossesItself = (ring) => areCrossing(ring, ring);

const isInRing = (ring, outer) => ring.every((point) => surrounds(outer, point)) && !areCrossing(ring, outer);

// The number of other rings around each ring: one inside an odd number of them is a hole.
const depthsOf = (rings) =>
  rings.map((ring) => rings.filter((other) => other !== ring && isInRing(ring, other)).length);

// Outlines that run one way and holes that run the other way.
function oriented(rings) {
  const depths = depthsOf(rings);
  return rings.map((ring, index) =>
    doubleArea(ring) > 0 === (depths[index] % 2 === 0) ? ring : [...ring].reverse());
}

// The polygons of outlines and holes: each outline, followed by the holes directly inside it.
function polygonsOf(rings) {
  const depths = depthsOf(rings), runs = oriented(rings);
  return rings.flatMap((outer, index) => depths[index] % 2 ? [] : [[
    runs[index],
    ...runs.filter((_, hole) => depths[hole] === depths[index] + 1 && isInRing(rings[hole], outer)),
  ]]);
}

// A file according to RFC 7946: longitude first, closed rings, outlines counterclockwise, holes clockwise.
function cutlineText(rings) {
  const position = ({ x, y }) => `[${degreesText(x)}, ${degreesText(y)}]`;
  const ringText = (ring) => `[${[...ring, ring[0]].map(position).join(", ")}]`;
  const features = polygonsOf(rings).map((polygon) =>
    '{"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [\n'
    + `${polygon.map((ring) => `  ${ringText(ring)}`).join(",\n")}\n]}}`);
  return `{"type": "FeatureCollection", "features": [\n${features.join(",\n")}\n]}\n`;
}

// The rings of such a file; throws an Error with a message for people.
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
