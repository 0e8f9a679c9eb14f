// Finds points that are probably wrong, and the reason. Each explanation is judged by the probability that
// correct points look like this, as in the program's search for errors; see there for the distributions.

const LEVEL = 0.01, LOOSE_LEVEL = 0.05, CLICK = 2, MOST_IN_PAIRS = 20, FAR_OFF = 1e14;

// The fault of points that have a fit: kind and indices, without indices if all points are wrong; null if
// the points agree, or no fault explains the errors. A spline meets all points, but the fit of all others
// may miss a point.
function faultOf(points, model, { width, height }, transform, missed, kept) {
  const search = ErrorSearch.of(points, model, height, kept);
  if (!search) return null;
  const best = search.negativeRows()
    ?? (model === "tps" ? missed !== null && { indices: [missed], kind: "elsewhere" } : search.best());
  if (best) return search.explained(best);
  const at = { x: width / 2, y: height / 2 }, here = transform.forward(at);
  const right = minus(transform.forward(plus(at, { x: 1, y: 0 })), here);
  const down = minus(transform.forward(plus(at, { x: 0, y: 1 })), here);
  return cross(right, down) > 0 ? search.mirror() : null;
}

// The fault that prevents a fit; null if no fault explains it.
function faultWithoutFit(points, model, { height }, kept) {
  const search = ErrorSearch.of(points, model, height, kept);
  const best = search?.negativeRows() ?? search?.best();
  return best ? search.explained(best) : null;
}

const medianPlane = (lonLat) => {
  const half = Math.floor(lonLat.length / 2);
  const median = (axis) => lonLat.map((place) => place[axis]).sort((a, b) => a - b)[half];
  return new LocalPlane([{ x: median("x"), y: median("y") }]);
};
const interchanged = ({ x, y }) => ({ x: y, y: x });
const isPlace = (place) => Math.abs(place.y) <= 90;
const onPlane = (plane, place) => isPlace(place) ? plane.point(place) : NOWHERE;

// The transform of a model; null if there is none.
function tryTransform(model, pixels, ground, kept) {
  try {
    const isFit = pixels.length >= MODELS[model].points && ground.every(isFinitePoint)
      && (keepsAngles(model) || isSpread(pixels) && isSpread(ground));
    return isFit ? MODELS[model].fit(pixels, ground, kept) : null;
  } catch {
    return null;
  }
}

class ErrorSearch {
  // Null if there are too few or too many points, or if two are equal.
  static of(points, model, height, kept) {
    const distinct = (part) => new Set(points.map((point) => `${point[part].x} ${point[part].y}`)).size;
    const isFit = points.length > 2 && points.length <= 500
      && distinct("pixel") === points.length && distinct("place") === points.length;
    return isFit ? new ErrorSearch(points, model, height, kept) : null;
  }

  constructor(points, model, height, kept) {
    // Points on warped paper need not agree with an affine transform, but there is no other test.
    Object.assign(this, { model: model === "tps" ? "affine" : model, height, points, kept });
    const lonLat = unwrapped(points.map((point) => point.place));
    this.plane = medianPlane(lonLat);
    this.pixels = points.map((point) => point.pixel);
    this.ground = lonLat.map((place) => onPlane(this.plane, place));
    this.swapped = points.map(({ place }) => onPlane(this.plane, interchanged(place)));
    this.freedom = 2 * points.length - MODELS[this.model].parameters;
  }

  // In metres on the ground; for curved models, in pixels.
  static miss(fit, pixel, place) {
    return fit instanceof CurvedFit ? length(minus(fit.backward(place), pixel))
      : length(minus(fit.forward(pixel), place));
  }

  // The sum of the squared errors. The best projective fit is never worse than the best affine fit.
  static squares(model, pixels, ground, kept) {
    const fit = tryTransform(model, pixels, ground, kept);
    const sum = fit
      ? pixels.reduce((total, pixel, index) => total + ErrorSearch.miss(fit, pixel, ground[index]) ** 2, 0)
      : Infinity;
    const own = Number.isFinite(sum) ? sum : Infinity;
    return model === "projective" ? Math.min(own, ErrorSearch.squares("affine", pixels, ground)) : own;
  }

  // The known precision of clicks counts like two more measurements.
  prior(pixels, ground) {
    const scale = this.model === "polynomial2" ? 1
      : new Normalisation(ground).spread / new Normalisation(pixels).spread;
    return 2 * (CLICK * scale) ** 2;
  }

  // An image has no rows above its upper edge, and clicks next to the image are rare.
  negativeRows() {
    const rows = this.pixels.map((pixel) => pixel.y);
    return rows.every((row) => row <= 0) && rows.filter((row) => row < -1).length > 1
      ? { indices: [], kind: "negativeRow" } : null;
  }

  best() {
    const all = ErrorSearch.squares(this.model, this.pixels, this.ground, this.kept);
    const prior = this.prior(this.pixels, this.ground);
    if (this.freedom / 2 * Math.log(prior / (all + prior)) > Math.log(LEVEL)) return null;
    const likely = [...this.leftOut(all), ...this.repairs(all), ...this.repairsOfAll(all)]
      .filter((one) => one && one.chance <= Math.log(LEVEL));
    return likely.reduce((best, one) => best && best.chance <= one.chance ? best : one, null);
  }

  // An explanation with the logarithm of its probability, or null: with and without the known precision of
  // clicks.
  judged(indices, kind, pixels, ground, all, trials, chance) {
    const squares = ErrorSearch.squares(this.model, pixels, ground, this.kept);
    if (!Number.isFinite(squares)) return null;
    const whole = Number.isFinite(all) ? all : FAR_OFF, many = Math.log(trials);
    if (!(many + chance(squares / whole, 0) <= Math.log(LOOSE_LEVEL))) return null;
    const prior = this.prior(pixels, ground);
    return { indices, kind, chance: many + chance((squares + prior) / (whole + prior), 2) };
  }

  get pairs() {
    if (this.pixels.length > MOST_IN_PAIRS) return [];
    return this.pixels.flatMap((_, one) => this.pixels.slice(one + 1).map((_, way) => [one, one + 1 + way]));
  }

  without(indices) {
    const keep = (_, index) => !indices.includes(index);
    return [this.pixels.filter(keep), this.ground.filter(keep)];
  }

  leftOut(all) {
    const pairs = this.pairs, count = this.pixels.length;
    const sets = this.pixels.map((_, index) => [index]).concat(pairs);
    return sets.map((indices) => {
      const isOne = indices.length === 1, rest = this.freedom - 2 * indices.length;
      if (rest < 2) return null;
      return this.judged(indices, "elsewhere", ...this.without(indices), all, isOne ? count : pairs.length,
        (share, more) => {
          const half = (rest + more) / 2, part = Math.min(1, share);
          return half * Math.log(part) + (isOne ? 0 : Math.log(1 + half * (1 - part)));
        });
    });
  }

  // Points and pairs with a known slip undone.
  repairs(all) {
    if (this.freedom < 2) return [];
    const trials = [];
    const add = (indices, kind, change) => {
      const pixels = [...this.pixels], ground = [...this.ground];
      change(pixels, ground);
      trials.push([indices, kind, pixels, ground]);
    };
    this.pixels.forEach(({ x, y }, index) => {
      add([index], "swappedPlace", (_, ground) => { ground[index] = this.swapped[index]; });
      add([index], "rowFromBottom", (pixels) => { pixels[index] = { x, y: this.height - y }; });
      if (y < 0) add([index], "negativeRow", (pixels) => { pixels[index] = { x, y: -y }; });
    });
    for (const [one, other] of this.pairs) {
      add([one, other], "interchanged", (_, ground) => {
        [ground[one], ground[other]] = [ground[other], ground[one]];
      });
    }
    return trials.map(([indices, kind, pixels, ground]) =>
      this.judged(indices, kind, pixels, ground, all, trials.length, this.cap()));
  }

  // The share of a sphere's surface in a cap.
  cap() { return (share, more) => (this.freedom + more - 1) / 2 * Math.log(Math.min(1, share)); }

  // All points with a slip undone, which mirrors them: kind, pixels and ground.
  get wholeRepairs() {
    const places = this.points.map(({ place }) => interchanged(place)), lonLat = unwrapped(places);
    const plane = places.every(isPlace) && medianPlane(lonLat);
    return [
      ["swappedPlace", this.pixels, lonLat.map((place) => plane ? onPlane(plane, place) : NOWHERE)],
      ["rowFromBottom", this.pixels.map(({ x, y }) => ({ x, y: this.height - y })), this.ground],
    ];
  }

  // Models that can mirror fit both equally well.
  repairsOfAll(all) {
    if (!keepsAngles(this.model) || this.freedom < 2) return [];
    return this.wholeRepairs.map(([kind, pixels, ground]) =>
      this.judged([], kind, pixels, ground, all, 2, this.cap()));
  }

  // The slip that mirrors an image. A similarity keeps pixels square, so it fits best without the slip,
  // where a degree of longitude is clearly shorter than one of latitude. Two interchanged points can also
  // mirror an image, and then no fit is good.
  mirror() {
    const [swapped, flipped] = this.wholeRepairs.map(([, pixels, ground]) =>
      ErrorSearch.squares("similarity", pixels, ground));
    const asItIs = ErrorSearch.squares("similarity", this.pixels, this.ground);
    const kind = 4 * Math.min(swapped, flipped) >= asItIs ? "mirrored"
      : 4 * swapped < flipped ? "swappedPlace" : 4 * flipped < swapped ? "rowFromBottom" : "mirrored";
    return { indices: [], kind };
  }

  // A complete explanation: with its points in order and, if a single point is wrong, the interchanged
  // digits that explain the error.
  explained({ indices, kind }) {
    const digits = kind === "elsewhere" && indices.length === 1 ? this.digits(indices[0]) : null;
    return { indices: [...indices].sort((a, b) => a - b), kind, ...digits };
  }

  // The number of a point with two interchanged digits; null if it is not certain. A wrong point can be
  // anywhere within its error. If m (r / error)² is not small, one of m slips moves it by chance within r
  // of the right place.
  digits(index) {
    const fit = tryTransform(this.model, ...this.without([index]), this.kept);
    if (!fit) return null;
    const { pixel, place } = this.points[index];
    const miss = (one, other) => ErrorSearch.miss(fit, one, onPlane(this.plane, other));
    const slips = [["pixel", "x"], ["pixel", "y"], ["place", "x"], ["place", "y"]].flatMap(([part, axis]) => {
      const written = String(this.points[index][part][axis]);
      return transpositions(written).map((meant) => {
        const other = { pixel: { ...pixel }, place: { ...place } };
        other[part][axis] = Number(meant);
        return { written, meant, miss: miss(other.pixel, other.place) };
      });
    });
    const original = miss(pixel, place);
    const best = slips.filter((slip) => Number.isFinite(slip.miss))
      .reduce((least, slip) => least && least.miss <= slip.miss ? least : slip, null);
    const share = best && Number.isFinite(original) ? best.miss / original : 0;
    if (!best || !(slips.length * share * share <= LOOSE_LEVEL)) return null;
    return { kind: "digits", written: best.written, meant: best.meant };
  }
}

// All numbers that result if two neighbouring digits are interchanged.
function transpositions(text) {
  if (text.includes("e")) return [];
  const pairs = [...text.matchAll(/\d(?=(\.?)(\d))/g)].filter(([one, , other]) => one !== other);
  return pairs.map(({ index, 0: one, 1: dot, 2: other }) =>
    text.slice(0, index) + other + dot + one + text.slice(index + 2 + dot.length));
}
