// Fits of control points: the arithmetic of the program's command 'fit', for the page of 'place'. The same
// plane, the same models, the same numbers; a test compares them. Points are {x, y}: pixels with y down,
// metres with y north, or longitude and latitude in degrees.

const plus = (a, b) => ({ x: a.x + b.x, y: a.y + b.y });
const minus = (a, b) => ({ x: a.x - b.x, y: a.y - b.y });
const times = (a, factor) => ({ x: a.x * factor, y: a.y * factor });
const dot = (a, b) => a.x * b.x + a.y * b.y;
const cross = (a, b) => a.x * b.y - a.y * b.x;
const length = (a) => Math.hypot(a.x, a.y);
const isFinitePoint = (a) => Number.isFinite(a.x) && Number.isFinite(a.y);
const NOWHERE = { x: NaN, y: NaN };

const centroid = (points) =>
  times(points.reduce(plus, { x: 0, y: 0 }), 1 / points.length);
const rootMeanSquare = (values) =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

// The conformal plane that touches the Earth at a point: transverse Mercator on WGS 84, scale 1 at its
// centre, metres. Krüger's series to the sixth order in n, as in Karney, "Transverse Mercator with an
// accuracy of a few nanometers" (2011), equations 35 and 36.

const EARTH = (() => {
  const radius = 6378137, flattening = 1 / 298.257223563;
  const n = flattening / (2 - flattening);
  const [n2, n3, n4, n5, n6] = [n ** 2, n ** 3, n ** 4, n ** 5, n ** 6];
  return {
    eccentricity: Math.sqrt(flattening * (2 - flattening)),
    rectifying: radius / (1 + n) * (1 + n2 / 4 + n4 / 64 + n6 / 256),
    alpha: [
      n / 2 - 2 * n2 / 3 + 5 * n3 / 16 + 41 * n4 / 180 - 127 * n5 / 288 + 7891 * n6 / 37800,
      13 * n2 / 48 - 3 * n3 / 5 + 557 * n4 / 1440 + 281 * n5 / 630 - 1983433 * n6 / 1935360,
      61 * n3 / 240 - 103 * n4 / 140 + 15061 * n5 / 26880 + 167603 * n6 / 181440,
      49561 * n4 / 161280 - 179 * n5 / 168 + 6601661 * n6 / 7257600,
      34729 * n5 / 80640 - 3418889 * n6 / 1995840,
      212378941 * n6 / 319334400,
    ],
    beta: [
      n / 2 - 2 * n2 / 3 + 37 * n3 / 96 - n4 / 360 - 81 * n5 / 512 + 96199 * n6 / 604800,
      n2 / 48 + n3 / 15 - 437 * n4 / 1440 + 46 * n5 / 105 - 1118711 * n6 / 3870720,
      17 * n3 / 480 - 37 * n4 / 840 - 209 * n5 / 4480 + 5569 * n6 / 90720,
      4397 * n4 / 161280 - 11 * n5 / 504 - 830251 * n6 / 7257600,
      4583 * n5 / 161280 - 108847 * n6 / 3991680,
      20648693 * n6 / 638668800,
    ].map((factor) => -factor),
  };
})();

const DEGREE = Math.PI / 180;
// Rounds half away from zero, as Swift does.
const millionths = (degrees) => Math.sign(degrees) * Math.round(Math.abs(degrees) * 1e6) / 1e6;

// The tangent of the conformal latitude.
const conformal = (tau) => {
  const e = EARTH.eccentricity;
  const sigma = Math.sinh(e * Math.atanh(e * tau / Math.hypot(1, tau)));
  return tau * Math.hypot(1, sigma) - sigma * Math.hypot(1, tau);
};

// Krüger's series in one direction or the other.
function krueger(factors, [north, east]) {
  const terms = factors.map((factor, index) => {
    const order = 2 * (index + 1);
    return [factor * Math.sin(order * north) * Math.cosh(order * east),
      factor * Math.cos(order * north) * Math.sinh(order * east)];
  });
  return terms.reduce((sum, term) => [sum[0] + term[0], sum[1] + term[1]], [north, east]);
}

class LocalPlane {
  constructor(lonLat) {
    const centre = centroid(lonLat);
    this.longitude = millionths(centre.x);
    this.latitude = millionths(centre.y);
    this.origin = 0;
    this.origin = this.point({ x: this.longitude, y: this.latitude }).y;
  }

  // From longitude and latitude to metres.
  point({ x, y }) {
    const lambda = (x - this.longitude) * DEGREE;
    const tau = conformal(Math.tan(y * DEGREE));
    const xi = Math.atan2(tau, Math.cos(lambda));
    const eta = Math.asinh(Math.sin(lambda) / Math.hypot(tau, Math.cos(lambda)));
    const [north, east] = krueger(EARTH.alpha, [xi, eta]);
    // The same limit as in PROJ: beyond it, the series is not valid.
    if (!(Math.abs(east) <= 2.623395162778)) return NOWHERE;
    return { x: EARTH.rectifying * east, y: EARTH.rectifying * north - this.origin };
  }

  // From metres to longitude and latitude.
  lonLat({ x, y }) {
    const [xi, eta] = krueger(EARTH.beta, [(y + this.origin) / EARTH.rectifying, x / EARTH.rectifying]);
    const target = Math.sin(xi) / Math.hypot(Math.sinh(eta), Math.cos(xi));
    const e2 = EARTH.eccentricity ** 2;
    let tau = target / Math.sqrt(1 - e2);
    // Each step doubles the number of right digits.
    for (let step = 0; step < 4; step++) {
      const value = conformal(tau);
      tau += (target - value) / Math.hypot(1, value)
        * (1 + (1 - e2) * tau * tau) / ((1 - e2) * Math.hypot(1, tau));
    }
    const lambda = Math.atan2(Math.sinh(eta), Math.cos(xi));
    return { x: this.longitude + lambda / DEGREE, y: Math.atan(tau) / DEGREE };
  }
}

// Linear algebra

// A shift and a scale that bring points around the origin, at a root mean square distance of one.
class Normalisation {
  constructor(points) {
    this.centre = centroid(points);
    this.spread = rootMeanSquare(points.map((point) => length(minus(point, this.centre))));
    this.points = points.map((point) => this.to(point));
  }

  to(point) { return times(minus(point, this.centre), 1 / this.spread); }

  from(point) { return plus(times(point, this.spread), this.centre); }
}

// The least-squares solutions of rows * x = side for several right-hand sides, by Householder QR with column
// pivoting; null if a pivot is below a fraction of the largest.
function leastSquares(rows, sides, tolerance) {
  const count = rows[0].length;
  const columns = rows[0].map((_, column) => rows.map((row) => row[column]));
  columns.push(...sides.map((side) => [...side]));
  const order = [...rows[0].keys()];
  const squares = (vector, start) => {
    let sum = 0;
    for (let index = start; index < vector.length; index++) sum += vector[index] ** 2;
    return sum;
  };
  let largest = 0;
  for (let step = 0; step < count; step++) {
    let longest = step;
    for (let column = step; column < count; column++) {
      if (squares(columns[column], step) > squares(columns[longest], step)) longest = column;
    }
    [columns[step], columns[longest]] = [columns[longest], columns[step]];
    [order[step], order[longest]] = [order[longest], order[step]];
    const size = Math.sqrt(squares(columns[step], step));
    largest = Math.max(largest, size);
    if (!(size > tolerance * largest)) return null;
    const diagonal = columns[step][step] > 0 ? -size : size, axis = columns[step].slice(step);
    axis[0] -= diagonal;
    const scale = 2 / squares(axis, 0);
    for (const column of columns.slice(step)) {
      let product = 0;
      for (let row = 0; row < axis.length; row++) product += axis[row] * column[step + row];
      for (let row = 0; row < axis.length; row++) column[step + row] -= scale * product * axis[row];
    }
  }
  return columns.slice(count).map((side) => solveTriangle(columns, order, side));
}

// The solution of a system whose matrix is zero below its diagonal; `order` has the unknowns of its columns.
function solveTriangle(columns, order, side) {
  const solution = new Array(order.length);
  for (let row = order.length - 1; row >= 0; row--) {
    let rest = side[row];
    for (let column = row + 1; column < order.length; column++) {
      rest -= columns[column][row] * solution[order[column]];
    }
    solution[order[row]] = rest / columns[row][row];
  }
  return solution;
}

// Transforms from pixels to the plane: forward(pixel) and backward(place).

// Of [a, b, c, d, e, f]: x' = a x + b y + c, y' = d x + e y + f.
class AffineFit {
  constructor(numbers) {
    this.numbers = numbers;
    const [a, b, , d, e] = numbers;
    this.determinant = a * e - b * d;
  }

  forward({ x, y }) {
    const [a, b, c, d, e, f] = this.numbers;
    return { x: a * x + b * y + c, y: d * x + e * y + f };
  }

  backward(place) {
    const [a, b, c, d, e, f] = this.numbers, x = place.x - c, y = place.y - f;
    return { x: (e * x - b * y) / this.determinant, y: (a * y - d * x) / this.determinant };
  }
}

// x' = re x + im y + east, y' = im x - re y + north: rows run down.
function similarityFit(pixels, ground) {
  const rows = pixels.flatMap(({ x, y }) => [[x, y, 1, 0], [-y, x, 0, 1]]);
  const [[re, im, east, north]] = leastSquares(rows, [ground.flatMap(({ x, y }) => [x, y])], 0) ?? [[]];
  return new AffineFit([re, im, east, im, -re, north]);
}

// The similarity's turn at another scale (Procrustes without scale). If all turns are equally good, none.
function rigidFit(pixels, ground, scale) {
  const [re, , , im] = similarityFit(pixels, ground).numbers, size = Math.hypot(re, im);
  const [cos, sin] = size > 0 ? [scale * re / size, scale * im / size] : [scale, 0];
  const from = centroid(pixels), to = centroid(ground);
  return new AffineFit([
    cos, sin, to.x - cos * from.x - sin * from.y, sin, -cos, to.y - sin * from.x + cos * from.y,
  ]);
}

// The solutions for the x and the y of targets; throws an Error with a message if a pivot is too small.
function solveBoth(rows, targets, tolerance, message) {
  const both = leastSquares(rows, ["x", "y"].map((axis) => targets.map((target) => target[axis])), tolerance);
  if (!both) throw new Error(phrase(message));
  return both;
}

const affineFit = (points, targets) =>
  new AffineFit(solveBoth(points.map(({ x, y }) => [x, y, 1]), targets, 1e-13, "place.errorLine").flat());

// A projective map of nine numbers, row by row; beyond the horizon it has no value.
function project([a, b, c, d, e, f, g, h, i], { x, y }) {
  const w = g * x + h * y + i;
  return w > 0 ? { x: (a * x + b * y + c) / w, y: (d * x + e * y + f) / w } : NOWHERE;
}

class ProjectiveFit {
  constructor(pixels, ground) {
    this.source = new Normalisation(pixels);
    this.target = new Normalisation(ground);
    const from = this.source.points, to = this.target.points;
    let numbers = ProjectiveFit.linear(from, to);
    if (!numbers) throw new Error(phrase("place.errorPerspective"));
    for (let step = 0; step < 5 && pixels.length > 4; step++) {
      const better = ProjectiveFit.refined(numbers, from, to);
      if (!better) break;
      numbers = better;
    }
    const [a, b, c, d, e, f, g, h, i] = numbers;
    if (!from.every(({ x, y }) => g * x + h * y + i > 0)) throw new Error(phrase("place.errorHorizon"));
    this.numbers = numbers;
    const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
    this.inverse = [
      e * i - f * h, c * h - b * i, b * f - c * e, f * g - d * i, a * i - c * g, c * d - a * f,
      d * h - e * g, b * g - a * h, a * e - b * d,
    ].map((number) => number / determinant);
  }

  // x' w = a x + b y + c and y' w = d x + e y + f are linear in the unknowns.
  static rows(points, images, weights) {
    return points.flatMap((point, index) => {
      const one = 1 / weights[index], { x, y } = times(point, one), image = images[index];
      return [
        [x, y, one, 0, 0, 0, -x * image.x, -y * image.x], [0, 0, 0, x, y, one, -x * image.y, -y * image.y],
      ];
    });
  }

  static solve(rows, values) {
    return leastSquares(rows, [values.flatMap(({ x, y }) => [x, y])], 1e-4)?.[0];
  }

  static linear(from, to) {
    const solution = ProjectiveFit.solve(ProjectiveFit.rows(from, to, from.map(() => 1)), to);
    return solution && [...solution, 1];
  }

  // One Gauss-Newton step on the distances; null if it brings no improvement.
  static refined(numbers, from, to) {
    const images = from.map((p) => project(numbers, p));
    if (!images.every(isFinitePoint)) return null;
    const weights = from.map(({ x, y }) => numbers[6] * x + numbers[7] * y + 1);
    const step = ProjectiveFit.solve(
      ProjectiveFit.rows(from, images, weights), to.map((q, index) => minus(q, images[index])));
    if (!step) return null;
    const next = [...step.map((change, index) => numbers[index] + change), 1];
    const error = (map) => from.reduce((sum, p, index) => {
      const miss = minus(project(map, p), to[index]);
      return sum + dot(miss, miss);
    }, 0);
    return error(next) < error(numbers) ? next : null;
  }

  forward(pixel) { return this.target.from(project(this.numbers, this.source.to(pixel))); }

  backward(place) { return this.source.from(project(this.inverse, this.target.to(place))); }
}

// Formulas from the plane to pixels, both in normal form. A tangent is the value at a point and how it
// changes along both axes.

class Polynomial {
  constructor(points, targets) {
    const rows = points.map(({ x, y }) => [1, x, y, x * x, x * y, y * y]);
    const [u, v] = solveBoth(rows, targets, 1e-3, "place.errorTwoLines");
    this.factors = u.map((x, index) => ({ x, y: v[index] }));
  }

  tangent({ x, y }) {
    const sum = (weights) => this.factors.reduce(
      (total, factor, index) => plus(total, times(factor, weights[index])), { x: 0, y: 0 });
    return {
      value: sum([1, x, y, x * x, x * y, y * y]),
      alongX: sum([0, 1, 0, 2 * x, y, 0]), alongY: sum([0, 0, 1, 0, x, 2 * y]),
    };
  }

  start() {
    const place = { x: 0, y: 0 };
    return { place, value: this.tangent(place).value };
  }
}

// A thin plate spline through all targets: for each point a weight times r² log r², and an affine map.
class Spline {
  constructor(points, targets) {
    this.points = points;
    this.targets = targets;
    const sides = [...targets, ...new Array(3).fill({ x: 0, y: 0 })];
    const [u, v] = solveBoth(Spline.system(points), sides, 1e-14, "place.errorLine");
    this.coefficients = u.map((x, index) => ({ x, y: v[index] }));
  }

  static system(points) {
    const rows = points.map((here) => {
      const squares = points.map((other) => length(minus(here, other)) ** 2);
      return [...squares.map((square) => square && square * Math.log(square)), 1, here.x, here.y];
    });
    const terms = [points.map(() => 1), points.map(({ x }) => x), points.map(({ y }) => y)];
    return [...rows, ...terms.map((row) => [...row, 0, 0, 0])];
  }

  tangent(p) {
    const [constant, x, y] = this.coefficients.slice(this.points.length);
    let value = plus(constant, plus(times(x, p.x), times(y, p.y))), alongX = x, alongY = y;
    this.points.forEach((point, index) => {
      const way = minus(p, point), square = dot(way, way);
      if (square === 0) return;
      const logarithm = Math.log(square), slope = 2 * (logarithm + 1);
      const weight = this.coefficients[index];
      value = plus(value, times(weight, square * logarithm));
      alongX = plus(alongX, times(weight, slope * way.x));
      alongY = plus(alongY, times(weight, slope * way.y));
    });
    return { value, alongX, alongY };
  }

  start(aim) {
    const ways = this.targets.map((target) => length(minus(target, aim)));
    const nearest = ways.indexOf(Math.min(...ways));
    return { place: this.points[nearest], value: this.targets[nearest] };
  }
}

class CurvedFit {
  constructor(pixels, ground, Formula) {
    this.source = new Normalisation(ground);
    this.target = new Normalisation(pixels);
    this.formula = new Formula(this.source.points, this.target.points);
    this.side = Math.sign(affineFit(this.source.points, this.target.points).determinant);
  }

  isProper(tangent) { return Math.sign(cross(tangent.alongX, tangent.alongY)) === this.side; }

  backward(place) {
    const tangent = this.formula.tangent(this.source.to(place));
    return this.isProper(tangent) ? this.target.from(tangent.value) : NOWHERE;
  }

  forward(pixel) {
    const place = this.solve(this.target.to(pixel));
    return place ? this.source.from(place) : NOWHERE;
  }

  // Follows a straight line from a pixel with a known place, so that the result stays on the branch of the
  // formula that contains the points.
  solve(aim) {
    let { place, value } = this.formula.start(aim);
    let share = 1;
    while (share > 1e-4) {
      const next = plus(value, times(minus(aim, value), share));
      const found = this.newton(next, place);
      if (found) {
        if (share === 1) return found;
        [place, value, share] = [found, next, Math.min(1, 2 * share)];
      } else share /= 2;
    }
    return null;
  }

  newton(aim, start) {
    let place = start, longest = Infinity;
    for (let step = 0; step < 50; step++) {
      const tangent = this.formula.tangent(place);
      if (!this.isProper(tangent)) return null;
      const determinant = cross(tangent.alongX, tangent.alongY);
      const change = minus(aim, tangent.value);
      const way = {
        x: cross(change, tangent.alongY) / determinant, y: cross(tangent.alongX, change) / determinant,
      };
      if (!(length(way) <= longest)) return null;
      place = plus(place, way);
      if (length(way) < 1e-10) return this.isProper(this.formula.tangent(place)) ? place : null;
      longest = length(way) / 2;
    }
    return null;
  }
}

// The models. `parameters` are the numbers that points have to give; a point gives two. A rigid fit needs a
// scale, in metres per pixel, that it keeps; the others ignore it.

const MODELS = {
  rigid: { points: 2, parameters: 3, fit: rigidFit },
  similarity: { points: 2, parameters: 4, fit: similarityFit },
  affine: { points: 3, parameters: 6, fit: affineFit },
  projective: { points: 4, parameters: 8, fit: (pixels, ground) => new ProjectiveFit(pixels, ground) },
  polynomial2: {
    points: 6, parameters: 12, fit: (pixels, ground) => new CurvedFit(pixels, ground, Polynomial),
  },
  tps: { points: 3, parameters: 6, fit: (pixels, ground) => new CurvedFit(pixels, ground, Spline) },
};

// Models that keep angles: points on a line are enough, and the plan is never mirrored.
const keepsAngles = (model) => model === "rigid" || model === "similarity";

// The model of 'build' without --transform.
const standardModel = (count) => count > 2 ? "affine" : "similarity";

// Points whose cloud is a thousand times longer than wide lie on a line.
function isSpread(points) {
  const centre = centroid(points);
  let xx = 0, xy = 0, yy = 0;
  for (const { x, y } of points.map((point) => minus(point, centre))) {
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  return xx * yy - xy * xy > 1e-6 * (xx + yy) ** 2;
}

// Two points in one cell of a grid are the same.
function twins(points, grid) {
  const seen = new Map();
  for (const [index, { x, y }] of points.entries()) {
    const cell = `${Math.round(x / grid)} ${Math.round(y / grid)}`;
    if (seen.has(cell)) return [seen.get(cell), index];
    seen.set(cell, index);
  }
  return null;
}

// Moves each longitude to within half a turn of the first one.
const unwrapped = (lonLat) =>
  lonLat.map(({ x, y }) => ({ x: x + 360 * Math.round((lonLat[0].x - x) / 360), y }));

const missOf = (transform, pixel, place) => {
  const pixels = length(minus(transform.backward(place), pixel));
  const metres = length(minus(transform.forward(pixel), place));
  return { pixels: Number.isFinite(pixels) ? pixels : Infinity,
    metres: Number.isFinite(metres) ? metres : Infinity };
};

// The transform that fits points {pixel, place} best, for an image of a given size; `kept` is the scale of a
// rigid one. Throws an Error with a message for people if no transform fits.
function fitPoints(points, model, size, kept) {
  const lonLat = unwrapped(points.map((point) => point.place));
  const plane = new LocalPlane(lonLat);
  const pixels = points.map((point) => point.pixel), ground = lonLat.map((place) => plane.point(place));
  if (!ground.every(isFinitePoint)) throw new Error(phrase("place.errorFar"));
  const names = ([first, second]) => ({ first: points[first].name, second: points[second].name });
  const samePixel = twins(pixels, 0.01), samePlace = twins(ground, 0.001);
  if (samePixel) throw new Error(phrase("place.errorSamePixel", names(samePixel)));
  if (samePlace) throw new Error(phrase("place.errorSamePlace", names(samePlace)));
  if (!keepsAngles(model) && !(isSpread(pixels) && isSpread(ground))) {
    throw new Error(phrase("place.errorLine"));
  }
  const transform = MODELS[model].fit(pixels, ground, kept);
  checkImage(transform, size, pixels);
  const trials = withoutEach(model, transform, pixels, ground, kept);
  const residuals = pixels.map((pixel, index) => {
    const leftOut = trials?.[index]?.miss.metres;
    return {
      ...missOf(transform, pixel, ground[index]), leftOut: Number.isFinite(leftOut) ? leftOut : null,
    };
  });
  const rms = (part) => rootMeanSquare(residuals.map((one) => one[part]).filter((miss) => miss !== null));
  const metresPerPixel = model === "rigid" ? kept
    : new Normalisation(ground).spread / new Normalisation(pixels).spread;
  const missed = missedBySpline(model, residuals, trials, metresPerPixel);
  const fault = faultOf(points, model, size, transform, missed, kept);
  return {
    model, plane, transform, residuals, metresPerPixel, fault, suspect: fault?.indices[0] ?? null,
    rms: {
      pixels: rms("pixels"), metres: rms("metres"),
      leftOut: residuals.some(({ leftOut }) => leftOut !== null) ? rms("leftOut") : null,
    },
    toPlace: (pixel) => {
      const place = transform.forward(pixel);
      return isFinitePoint(place) ? plane.lonLat(place) : NOWHERE;
    },
    toPixel: (place) => transform.backward(plane.point(unwrapped([lonLat[0], place])[1])),
  };
}

// The fits without each point in turn; null for a point if the others are not enough for a fit, null as a
// whole if no point can be left out.
function withoutEach(model, transform, pixels, ground, kept) {
  if (pixels.length <= MODELS[model].points || pixels.length > 500) return null;
  if (model === "tps") return splineWithoutEach(transform, pixels, ground);
  return pixels.map((_, index) => {
    const keep = (_, other) => other !== index, others = pixels.filter(keep);
    try {
      if (!keepsAngles(model) && !isSpread(others)) return null;
      const fit = MODELS[model].fit(others, ground.filter(keep), kept);
      return { miss: missOf(fit, pixels[index], ground[index]) };
    } catch {
      return null;
    }
  });
}

// A spline needs no further fits, but the inverse of its system (Rippa 1999).
function splineWithoutEach(transform, pixels, ground) {
  const { formula, source, target } = transform, system = Spline.system(formula.points);
  const unit = system.map((_, row) => system.map((_, column) => row === column ? 1 : 0));
  const inverse = leastSquares(system, unit, 1e-14);
  if (!inverse) return null;
  const weights = formula.coefficients;
  const missWithout = (index, other) => {
    const share = inverse[index][other] / inverse[other][other];
    const weight = minus(weights[index], times(weights[other], share));
    return times(weight, -1 / (inverse[index][index] - inverse[other][index] * share));
  };
  return pixels.map((_, index) => {
    const others = pixels.map((_, other) => other).filter((other) => other !== index);
    if (!isSpread(others.map((other) => pixels[other])) || !isSpread(others.map((other) => ground[other]))) {
      return null;
    }
    const rest = others.map((other) => length(missWithout(other, index)) * source.spread);
    const miss = times(weights[index], -1 / inverse[index][index]);
    const keep = (_, other) => other !== index;
    const coefficients = weights.map((weight, row) => plus(weight, times(miss, inverse[row][index])));
    const without = Object.assign(Object.create(Spline.prototype), {
      points: formula.points.filter(keep), targets: formula.targets.filter(keep),
      coefficients: coefficients.filter(keep),
    });
    const curved = Object.assign(Object.create(CurvedFit.prototype), transform, { formula: without });
    const metres = length(minus(curved.forward(pixels[index]), ground[index]));
    return {
      rmsOfRest: rootMeanSquare(rest),
      miss: { pixels: length(miss) * target.spread, metres: Number.isFinite(metres) ? metres : Infinity },
    };
  });
}

// The suspect of a spline, which meets all points: without this point, the others agree at least three
// times better, and their fit misses it by two pixels or more.
function missedBySpline(model, residuals, trials, metresPerPixel) {
  if (model !== "tps" || !trials || residuals.length < MODELS[model].points + 2) return null;
  const rests = trials.map((trial) => Number.isFinite(trial?.rmsOfRest) ? trial.rmsOfRest : Infinity);
  const rest = Math.min(...rests), best = rests.indexOf(rest);
  const all = rootMeanSquare(trials.filter(Boolean).map((trial) => trial.miss.pixels)) * metresPerPixel;
  return rest < Infinity && 3 * rest <= all && trials[best].miss.pixels >= 2 ? best : null;
}

// Refuses a transform that has no place for a part of the image, or that folds within it.
function checkImage(transform, { width, height }, pixels) {
  const at = (x, y) => ({ x: width * x, y: height * y });
  const isNowhere = (pixel) => !isFinitePoint(transform.forward(pixel));
  if (transform instanceof ProjectiveFit && [at(0, 0), at(1, 0), at(1, 1), at(0, 1)].some(isNowhere)) {
    throw new Error(phrase("place.errorHorizon"));
  }
  if (transform instanceof CurvedFit && (pixels.some(isNowhere) || isFolded(transform, at))) {
    throw new Error(phrase("place.errorFold"));
  }
}

// Checks the edges and a grid of pixels. After that, a polynomial is checked by its determinant, and a
// spline around each point.
function isFolded(transform, at) {
  const steps = 256, shares = Array.from({ length: steps }, (_, index) => index / steps);
  const ring = [
    ...shares.map((share) => at(share, 0)), ...shares.map((share) => at(1, share)),
    ...shares.map((share) => at(1 - share, 1)), ...shares.map((share) => at(0, 1 - share)),
  ];
  const { formula, target } = transform;
  const outline = ring.map((pixel) => transform.solve(target.to(pixel)));
  if (outline.includes(null)) return true;
  const count = formula instanceof Spline ? formula.points.length : 0;
  const cells = Math.max(32, 2 * Math.floor(Math.sqrt(count)));
  for (let row = 0; row <= cells; row++) {
    for (let column = 0; column <= cells; column++) {
      if (!isFinitePoint(transform.forward(at(column / cells, row / cells)))) return true;
    }
  }
  return formula instanceof Spline ? isSplineFolded(transform, at) : isPolynomialFolded(transform, outline);
}

// The determinant is 0 on a conic. A branch that enters the image crosses its outline; the only other case
// is an ellipse inside the image, which has a centre.
function isPolynomialFolded({ formula, side }, outline) {
  const determinant = (point) => {
    const { alongX, alongY } = formula.tangent(point);
    return side * cross(alongX, alongY);
  };
  const least = (start, end) => {
    const [first, last] = [determinant(start), determinant(end)];
    const bend = 2 * (first + last - 2 * determinant(times(plus(start, end), 0.5)));
    const slope = last - first - bend;
    return bend > 0 && slope < 0 && -slope < 2 * bend ? first - slope * slope / (4 * bend)
      : Math.min(first, last);
  };
  if (outline.some((point, index) => least(point, outline[(index + 1) % outline.length]) <= 0)) return true;
  // det = (x + 2 xx px + xy py) cross (y + xy px + 2 yy py); its gradient is linear in p.
  const [, x, y, xx, xy, yy] = formula.factors;
  const origin = { x: cross(x, xy) + 2 * cross(xx, y), y: 2 * cross(x, yy) + cross(xy, y) };
  const byX = { x: 4 * cross(xx, xy), y: 4 * cross(xx, yy) };
  const byY = { x: byX.y, y: 4 * cross(xy, yy) };
  const area = cross(byX, byY);
  if (area === 0 || !Number.isFinite(area)) return false;
  const centre = { x: -cross(origin, byY) / area, y: -cross(byX, origin) / area };
  return surrounds(outline, centre) && !(determinant(centre) > 0);
}

// Whether a point is inside a ring: a ray from it crosses an odd number of sides.
const surrounds = (ring, point) => ring.reduce((isInside, a, index) => {
  const b = ring[(index + 1) % ring.length];
  if (a.y > point.y === b.y > point.y) return isInside;
  const x = a.x + (b.x - a.x) * (point.y - a.y) / (b.y - a.y);
  return x > point.x ? !isInside : isInside;
}, false);

// Checks the points, and around each point eight directions, at half and a quarter of the distance to its
// nearest neighbour.
function isSplineFolded(transform, at) {
  const { formula, target } = transform, { x: width, y: height } = at(1, 1);
  const directions = Array.from({ length: 8 }, (_, index) => index * Math.PI / 4)
    .map((angle) => ({ x: Math.cos(angle), y: Math.sin(angle) }));
  return formula.points.some((here, index) => {
    const gap = Math.min(...formula.points.filter((_, other) => other !== index)
      .map((other) => length(minus(other, here))));
    const around = [0.5, 0.25].flatMap((share) =>
      directions.map((way) => plus(here, times(way, share * gap))));
    return [here, ...around].some((point) => {
      const tangent = formula.tangent(point), { x, y } = target.from(tangent.value);
      return !transform.isProper(tangent) && x >= 0 && y >= 0 && x <= width && y <= height;
    });
  });
}
