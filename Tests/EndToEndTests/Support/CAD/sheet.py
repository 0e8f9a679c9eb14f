"""A drawing in the making: its units, its place on the Earth, and what a check must know of it."""

import math
import pathlib
from typing import Any

import ezdxf
from ezdxf.document import Drawing

Point = tuple[float, float]

# $INSUNITS and metres of each unit.
UNITS: dict[str, tuple[int, float]] = {
    "mm": (4, 0.001),
    "cm": (5, 0.01),
    "m": (6, 1.0),
    "in": (1, 0.0254),
    "ft": (2, 0.3048),
    "none": (0, 0.001),
}

FONT = "DejaVuSans.ttf"

# UTM zone 32 as of EPSG:25832.
GRID = {"longitude": 9.0, "latitude": 0.0, "scale": 0.9996, "east": 500_000.0, "north": 0.0}
# Where the buildings on the grid are: a place in Hamburg, where a pixel of zoom 23 is 11 mm wide.
EAST, NORTH = 565_000.0, 5_934_000.0

# Pixels of the page around the ink, at 150 to the inch.
MARGIN = 3


class Sheet:
    """A building of `width` by `height` metres, whose south-west corner is the origin of all coordinates here."""

    def __init__(self, name: str, version: str, unit: str, width: float = 24.0, height: float = 14.0) -> None:
        self.name = name
        self.doc: Drawing = ezdxf.new(version, setup=["linetypes"])
        self.space = self.doc.modelspace()
        self.metres = UNITS[unit][1]
        self.width, self.height = width, height
        self.offset: Point = (0.0, 0.0)
        self.doc.header["$INSUNITS"] = UNITS[unit][0]
        self.doc.header["$MEASUREMENT"] = 0 if unit in ("in", "ft") else 1
        if unit == "none" and version != "R12":
            del self.doc.header["$INSUNITS"]
        self.doc.styles.get("Standard").dxf.font = FONT
        self.is_binary = False
        self.spec: dict[str, Any] = {
            "name": name, "file": f"{name}.dxf", "options": [], "warnings": [], "marks": [], "layers": {},
            "layout": None, "page": None, "pictures": [], "unlike": [],
        }

    # Coordinates

    def at(self, x: float, y: float) -> Point:
        """The point in units of the drawing."""
        return (x + self.offset[0]) / self.metres, (y + self.offset[1]) / self.metres

    def all(self, points: list[Point]) -> list[Point]:
        """The points in units of the drawing."""
        return [self.at(*point) for point in points]

    def long(self, metres: float) -> float:
        """The length in units of the drawing."""
        return metres / self.metres

    # Places

    def on_grid(self) -> None:
        """Makes the coordinates those of EPSG:25832, in units of the drawing."""
        self.offset = (EAST, NORTH)
        self.spec["options"] += ["--crs", "EPSG:25832"]
        self.spec["projection"] = GRID
        self.spec["metres_from_units"] = [self.metres, 0, 0, 0, self.metres, 0]

    def on_anchor(self, longitude: float, latitude: float, bearing: float) -> None:
        """Places the north-west corner of the ground by an anchor; the drawing must have a `ground`."""
        self.spec["options"] += [
            "--anchor", f"{MARGIN},{MARGIN},{longitude},{latitude}", "--scale", "1:100", "--bearing", str(bearing),
        ]
        self.spec["projection"] = {
            "longitude": longitude, "latitude": latitude, "scale": 1.0, "east": 0.0, "north": 0.0,
        }
        sine, cosine = math.sin(math.radians(bearing)), math.cos(math.radians(bearing))
        self._turn(cosine, sine, self.at(0, self.height), (0, 0))

    def on_geodata(self, north: Point) -> None:
        """Places the origin by GEODATA in EPSG:25832; `north` is the direction of the grid's north in the drawing."""
        data = self.space.new_geodata()
        data.setup_local_grid(
            design_point=self.at(0, 0), reference_point=(EAST, NORTH), north_direction=north, crs=GRID_XML)
        self.spec["projection"] = GRID
        size = math.hypot(*north)
        self._turn(north[1] / size, north[0] / size, self.at(0, 0), (EAST, NORTH), -1)

    def on_world_file(self, folder: pathlib.Path) -> None:
        """Places the ground by a world file in the pixels of its page, 150 to the inch, 1:100."""
        pixel = 2.54 / 150
        half = pixel / 2 - MARGIN * pixel
        folder.joinpath(f"{self.name}.wld").write_text(
            "\n".join(map(str, [pixel, 0, 0, -pixel, EAST + half, NORTH + self.height - half])))
        folder.joinpath(f"{self.name}.prj").write_text(GRID_WKT)
        self.spec["projection"] = GRID
        self._turn(1, 0, self.at(0, 0), (EAST, NORTH))

    def _turn(self, cosine: float, sine: float, start: Point, goal: Point, sign: int = 1) -> None:
        """Notes that the drawing is turned about `start`, whose place is `goal`."""
        a, b, d, e = (v * self.metres for v in (cosine, sign * sine, -sign * sine, cosine))
        c = goal[0] - a * start[0] - b * start[1]
        f = goal[1] - d * start[0] - e * start[1]
        self.spec["metres_from_units"] = [a, b, c, d, e, f]

    # Parts

    def layer(self, name: str, color: int = 7, weight: int = 35, **more: Any) -> str:
        """A new layer; the weight is in hundredths of a millimetre."""
        attributes = {"color": color, **more}
        if self.doc.dxfversion > "AC1009":
            attributes["lineweight"] = weight
        self.doc.layers.add(name, **attributes)
        return name

    def line(self, start: Point, end: Point, layer: str = "0", **more: Any) -> None:
        """A line."""
        self.space.add_line(self.at(*start), self.at(*end), {"layer": layer, **more})

    def path(self, points: list[Point], layer: str = "0", close: bool = False, **more: Any) -> Any:
        """A polyline without bulges."""
        attributes = {"layer": layer, **more}
        if self.doc.dxfversion <= "AC1009":
            return self.space.add_polyline2d(self.all(points), close=close, dxfattribs=attributes)
        return self.space.add_lwpolyline(self.all(points), close=close, dxfattribs=attributes)

    def frame(self, x0: float, y0: float, x1: float, y1: float, layer: str = "0", **more: Any) -> Any:
        """The outline of a rectangle."""
        return self.path([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], layer, close=True, **more)

    def fill(self, points: list[Point], layer: str = "0", **more: Any) -> Any:
        """A SOLID with three or four corners, in their order around it."""
        corners = self.all(points)
        if len(corners) == 4:
            corners[2], corners[3] = corners[3], corners[2]
        return self.space.add_solid(corners, {"layer": layer, **more})

    def text(self, words: str, place: Point, height: float = 0.4, layer: str = "0", **more: Any) -> Any:
        """A line of text."""
        return self.space.add_text(
            words, height=self.long(height), dxfattribs={"layer": layer, "insert": self.at(*place), **more})

    def ground(self) -> None:
        """An area that is the drawing's extent: no line reaches over it."""
        self.layer("GROUND", 254)
        w, h = self.width, self.height
        self.fill([(0, 0), (w, 0), (w, h), (0, h)], "GROUND")

    def mark(self, x: float, y: float, size: float, kind: str = "square") -> None:
        """A black square or circle, alone within its own size around it, whose pixels are known by arithmetic."""
        if "MARKS" not in self.doc.layers:
            self.layer("MARKS", 7)
        r = size / 2
        if kind == "square":
            self.fill([(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)], "MARKS")
        else:
            hatch = self.space.add_hatch(7, {"layer": "MARKS"})
            hatch.paths.add_edge_path().add_arc(self.at(x, y), self.long(r), 0, 360)
        units = self.at(x, y)
        self.spec["marks"].append({"x": units[0], "y": units[1], "size": self.long(size), "kind": kind})

    def finish(self) -> None:
        """Notes the page and the box to compare, a metre around it, in units of the drawing."""
        if "GROUND" in self.doc.layers:
            self.spec["page"] = [*self.at(0, 0), *self.at(self.width, self.height)]
        if "units" not in self.spec:
            self.spec["units"] = [*self.at(-1, -1), *self.at(self.width + 1, self.height + 1)]
        self.spec["unlike"] = [[*self.at(*box[:2]), *self.at(*box[2:])] for box in self.spec["unlike"]]

    def save(self, folder: pathlib.Path) -> None:
        """Writes the drawing."""
        self.doc.saveas(folder / self.spec["file"], fmt="bin" if self.is_binary else "asc")


GRID_XML = """<?xml version="1.0" encoding="UTF-16" standalone="no" ?>
<Dictionary version="1.0" xmlns="http://www.osgeo.org/mapguide/coordinatesystem">
<ProjectedCoordinateSystem id="ETRS89.UTM-32N">
<Name>ETRS89.UTM-32N</Name>
<DatumId>ETRS89</DatumId>
<Axis uom="Meter">
<CoordinateSystemAxis><AxisOrder>1</AxisOrder><AxisName>Easting</AxisName>
<AxisAbbreviation>E</AxisAbbreviation><AxisDirection>East</AxisDirection></CoordinateSystemAxis>
<CoordinateSystemAxis><AxisOrder>2</AxisOrder><AxisName>Northing</AxisName>
<AxisAbbreviation>N</AxisAbbreviation><AxisDirection>North</AxisDirection></CoordinateSystemAxis>
</Axis>
</ProjectedCoordinateSystem>
<Alias id="25832" type="CoordinateSystem">
<ObjectId>ETRS89.UTM-32N</ObjectId>
<Namespace>EPSG Code</Namespace>
</Alias>
</Dictionary>
"""

GRID_WKT = (
    'PROJCS["ETRS_1989_UTM_Zone_32N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",'
    'SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],'
    'PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],'
    'PARAMETER["Central_Meridian",9.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],'
    'UNIT["Meter",1.0]]'
)
