"""From metres of a transverse Mercator plane to pixels of tiles, by the formulas and without a library for maps."""

import math
from collections.abc import Callable

import numpy as np

# WGS 84 and GRS 80, which differ by a tenth of a millimetre.
RADIUS = 6_378_137.0
FLATTENING = 1 / 298.257223563

Point = tuple[float, float]
# x = a u + b v + c, y = d u + e v + f
Affine = list[float]

_N = FLATTENING / (2 - FLATTENING)
_A = RADIUS / (1 + _N) * (1 + _N**2 / 4 + _N**4 / 64)
_ALPHA = [
    _N / 2 - 2 * _N**2 / 3 + 5 * _N**3 / 16 + 41 * _N**4 / 180,
    13 * _N**2 / 48 - 3 * _N**3 / 5 + 557 * _N**4 / 1440,
    61 * _N**3 / 240 - 103 * _N**4 / 140,
    49561 * _N**4 / 161280,
]
_BETA = [
    _N / 2 - 2 * _N**2 / 3 + 37 * _N**3 / 96 - _N**4 / 360,
    _N**2 / 48 + _N**3 / 15 - 437 * _N**4 / 1440,
    17 * _N**3 / 480 - 37 * _N**4 / 840,
    4397 * _N**4 / 161280,
]
_DELTA = [
    2 * _N - 2 * _N**2 / 3 - 2 * _N**3 + 116 * _N**4 / 45,
    7 * _N**2 / 3 - 8 * _N**3 / 5 - 227 * _N**4 / 45,
    56 * _N**3 / 15 - 136 * _N**4 / 35,
    4279 * _N**4 / 630,
]


def meridian(latitude: float) -> float:
    """The rectifying northing of a latitude in degrees on the central meridian, in metres at scale 1."""
    sine, e = math.sin(math.radians(latitude)), 2 * math.sqrt(_N) / (1 + _N)
    t = math.sinh(math.atanh(sine) - e * math.atanh(e * sine))
    xi = math.atan(t)
    return _A * (xi + sum(a * math.sin(2 * (k + 1) * xi) for k, a in enumerate(_ALPHA)))


def degrees(projection: dict, east: float, north: float) -> Point:
    """Longitude and latitude by Krüger's series, to a millimetre within 3000 km of the meridian."""
    k = projection["scale"]
    xi = ((north - projection["north"]) / k + meridian(projection["latitude"])) / _A
    eta = (east - projection["east"]) / (k * _A)
    x, y = xi, eta
    for j, b in enumerate(_BETA):
        m = 2 * (j + 1)
        x -= b * math.sin(m * xi) * math.cosh(m * eta)
        y -= b * math.cos(m * xi) * math.sinh(m * eta)
    chi = math.asin(math.sin(x) / math.cosh(y))
    latitude = chi + sum(d * math.sin(2 * (j + 1) * chi) for j, d in enumerate(_DELTA))
    longitude = math.atan2(math.sinh(y), math.cos(x))
    return projection["longitude"] + math.degrees(longitude), math.degrees(latitude)


def pixel(longitude: float, latitude: float, zoom: int) -> Point:
    """The pixel of Web Mercator's tiles of 256 pixels, from the world's north-west corner."""
    size = 256 * 2**zoom
    y = math.asinh(math.tan(math.radians(latitude)))
    return (longitude / 360 + 0.5) * size, (0.5 - y / (2 * math.pi)) * size


def pixels_from_units(spec: dict, zoom: int) -> Callable[[float, float], Point]:
    """The exact way from units of the drawing to pixels of the world."""
    a, b, c, d, e, f = spec["metres_from_units"]

    def convert(x: float, y: float) -> Point:
        return pixel(*degrees(spec["projection"], a * x + b * y + c, d * x + e * y + f), zoom)

    return convert


def affine(convert: Callable[[float, float], Point], box: list[float]) -> Affine:
    """The affine transform that is nearest in a box: it is off by a hundredth of a pixel in a building."""
    x0, y0, x1, y1 = box
    points = [(x, y) for x in (x0, (x0 + x1) / 2, x1) for y in (y0, (y0 + y1) / 2, y1)]
    middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
    matrix = np.array([[x - middle[0], y - middle[1], 1] for x, y in points])
    found = np.array([convert(*point) for point in points])
    origin = found[4].copy()
    (a, d), (b, e), (c, f) = np.linalg.lstsq(matrix, found - origin, rcond=None)[0]
    shift = origin + (c, f) - (a * middle[0] + b * middle[1], d * middle[0] + e * middle[1])
    return [float(v) for v in (a, b, shift[0], d, e, shift[1])]
