"""Writes geospatial PDFs with GDAL, and tells what stands in them and where GDAL puts their corners.

    python3 geospatial_pdfs.py > geospatial_pdfs.json

needs GDAL and NumPy for Python, and pikepdf. The tests read what it wrote; nothing else runs it.
"""

import json
import os
import tempfile

import numpy
import pikepdf
from osgeo import gdal, osr

gdal.UseExceptions()
COLUMNS, ROWS = 300, 200

HARBOUR = (
    'PROJCS["Harbour grid",GEOGCS["ETRS89",DATUM["European_Terrestrial_Reference_System_1989",'
    'SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],'
    'PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",53.5],'
    'PARAMETER["central_meridian",9.97],'
    'PARAMETER["scale_factor",1],PARAMETER["false_easting",1000],PARAMETER["false_northing",2000],'
    'UNIT["metre",1]]'
)
MARGINS = {"DPI": 150, "LEFT_MARGIN": 30, "RIGHT_MARGIN": 15, "TOP_MARGIN": 60, "BOTTOM_MARGIN": 12}
NEATLINE = "POLYGON((565010 5931990,565140 5931980,565130 5931910,565020 5931920,565010 5931990))"

# Name, system, origin and steps, options.
WITH_ALL_WORDS = [
    ("Web Mercator", "EPSG:3857", (1489200.5, 0.25, 0, 6894300.25, 0, -0.25), {}),
    ("UTM", "EPSG:32651", (500123.5, 0.5, 0, 4000456.25, 0, -0.5), {}),
    ("Lambert", "EPSG:2154", (652000, 0.5, 0, 6862000, 0, -0.5), {}),
    ("degrees", "EPSG:4326", (13.37, 1e-5, 0, 52.52, 0, -7e-6), {}),
    ("National Grid", "EPSG:27700", (530000, 0.5, 0, 180500, 0, -0.5), {}),
    ("LAEA", "EPSG:3035", (4321000, 100, 0, 3210000, 0, -100), {}),
    ("a WKT without a number", HARBOUR, (1010, 0.1, 0, 2020, 0, -0.1), {}),
    ("rows from the south", "EPSG:2154", (652000, 0.5, 0, 6862000, 0, 0.5), {}),
    ("turned", "EPSG:32633", (392000, 0.4, 0.3, 5820000, 0.3, -0.4), {}),
    ("gons from Paris", "EPSG:27572", (600000, 0.5, 0, 2430000, 0, -0.5), {}),
    ("feet", "EPSG:2263", (981000, 2, 0, 196000, 0, -2), {}),
    ("margins", "EPSG:25832", (565000, 0.5, 0, 5932000, 0, -0.5), MARGINS | {"NEATLINE": NEATLINE}),
]
# For GDAL's writer has no words for the others, and no right ones for feet.
BY_PARAMETERS = [
    ("UT on WGE", "EPSG:32733", (392000, 0.5, 0, 6200000, 0, -0.5), {}),
    ("UT on NAR", "EPSG:26917", (630000, 0.5, 0, 4830000, 0, -0.5), {}),
    ("UT on NAS", "EPSG:26717", (630000, 0.5, 0, 4830000, 0, -0.5), {}),
    ("LE", "EPSG:2154", (652000, 0.5, 0, 6862000, 0, -0.5), {}),
    ("TC", "EPSG:27700", (530000, 0.5, 0, 180500, 0, -0.5), {}),
    ("TC on an ellipsoid", "EPSG:31467", (3500000, 0.1, 0, 5500000, 0, -0.1), {}),
    ("GEOGRAPHIC", "EPSG:4267", (-79.4, 1e-5, 0, 43.65, 0, -7e-6), {}),
    ("MC", "EPSG:3395", (1489200.5, 0.25, 0, 6860300.25, 0, -0.25), {}),
    ("PG", "EPSG:3031", (100000, 10, 0, 200000, 0, -10), {}),
]


def plain(value):
    """An object of a PDF as one of JSON."""
    if isinstance(value, pikepdf.Array):
        return [plain(item) for item in value]
    if isinstance(value, pikepdf.Dictionary):
        return {key[1:]: plain(item) for key, item in value.items()}
    if isinstance(value, pikepdf.Name):
        return str(value)[1:]
    if isinstance(value, pikepdf.String):
        return str(value)
    return value if isinstance(value, int) else float(value)


def entries(dictionary, prefix=""):
    """Entries as text, those of a dictionary in it after its name and a dot."""
    found = {}
    for key, value in dictionary.items():
        if isinstance(value, dict):
            found |= entries(value, prefix + key + ".")
        elif prefix + key != "Type":
            found[prefix + key] = str(value)
    return found


def write(path, system, geotransform, encoding, options):
    """A raster of noise as a PDF."""
    image = gdal.GetDriverByName("MEM").Create("", COLUMNS, ROWS, 1)
    noise = numpy.random.RandomState(1).randint(0, 255, (ROWS, COLUMNS)).astype("u1")
    image.GetRasterBand(1).WriteArray(noise)
    reference = osr.SpatialReference()
    reference.SetFromUserInput(system)
    image.SetProjection(reference.ExportToWkt())
    image.SetGeoTransform(geotransform)
    listed = ["GEO_ENCODING=" + encoding] + [f"{key}={value}" for key, value in options.items()]
    gdal.GetDriverByName("PDF").CreateCopy(path, image, options=listed)


def read(path, record):
    """What GDAL says of it, at several resolutions."""
    wgs84 = osr.SpatialReference()
    wgs84.ImportFromEPSG(4326)
    wgs84.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    record["readings"] = []
    for dpi in (72, 150, 300):
        gdal.SetConfigOption("GDAL_PDF_DPI", str(dpi))
        page = gdal.Open(path)
        # At 72 to the inch, where GDAL rounds no size.
        record.setdefault("neatline", page.GetMetadataItem("NEATLINE"))
        g, (width, height) = page.GetGeoTransform(), (page.RasterXSize, page.RasterYSize)
        pixels = ((0, 0), (width, 0), (width, height), (0, height))
        corners = [(g[0] + x * g[1] + y * g[2], g[3] + x * g[4] + y * g[5]) for x, y in pixels]
        convert = osr.CoordinateTransformation(page.GetSpatialRef(), wgs84)
        record["readings"].append({
            "dpi": dpi, "width": width, "height": height, "corners": corners,
            "lonLat": [convert.TransformPoint(*corner)[:2] for corner in corners],
        })
    ring = record["neatline"][len("POLYGON (("):-2].split(",")
    record["neatline"] = [[float(field) for field in pair.split()] for pair in ring]
    gdal.SetConfigOption("GDAL_PDF_DPI", None)


def sample(folder, name, system, geotransform, options, encoding, has_wkt=True, turn=0):
    """What stands in a file and what GDAL reads in it."""
    gdal.SetConfigOption("GDAL_PDF_OGC_BP_WRITE_WKT", "YES" if has_wkt else "NO")
    path = os.path.join(folder, "page.pdf")
    write(path, system, geotransform, encoding, options)
    record = {"name": f"{name}, {encoding}" + (f", turned by {turn}" if turn else ""), "turn": turn}
    with pikepdf.open(path, allow_overwriting_input=True) as document:
        page = document.pages[0]
        if turn:
            page.Rotate = turn
            document.save(path)
        record["mediaBox"] = plain(page.MediaBox)
        if "/LGIDict" in page:
            found = plain(page.LGIDict)
            record["lgiDict"] = {
                "matrix": [float(number) for number in found["CTM"]],
                "neatline": [float(number) for number in found["Neatline"]],
                "projection": entries(found["Projection"]), "name": found["Description"],
            }
        else:
            found = plain(page.VP[0])
            measure, system = found["Measure"], found["Measure"]["GCS"]
            record["measure"] = {
                "box": found["BBox"], "bounds": measure["Bounds"], "groundPoints": measure["GPTS"],
                "boxPoints": measure["LPTS"], "type": system["Type"], "epsg": system.get("EPSG"),
                "wkt": system["WKT"], "name": found["Name"],
            }
    read(path, record)
    return record


def main():
    with tempfile.TemporaryDirectory() as folder:
        samples = [sample(folder, *case, "ISO32000") for case in WITH_ALL_WORDS]
        samples += [sample(folder, *case, "OGC_BP") for case in WITH_ALL_WORDS]
        samples += [sample(folder, *case, "OGC_BP", has_wkt=False) for case in BY_PARAMETERS]
        # GDAL turns registrations, by a quarter, but no measures.
        samples += [sample(folder, *WITH_ALL_WORDS[1], "OGC_BP", turn=turn) for turn in (90, 270)]
    print("[\n" + ",\n".join(json.dumps(sample) for sample in samples) + "\n]")


main()
