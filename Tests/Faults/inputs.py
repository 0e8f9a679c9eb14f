"""Inputs that are truncated, or have a wrong bit: images, their georeferencing, tilesets."""

import concurrent.futures
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import zipfile

from bench import Lost, Scene, Tally, contents, png

AT = ["--bounds", "2,48,2.003,48.002"]
WKT = ('GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],'
       'PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]')
KML = """<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2"><GroundOverlay><name>plan</name>
<Icon><href>plan.png</href></Icon><LatLonBox><north>48.002</north><south>48</south>
<east>2.003</east><west>2</west><rotation>10</rotation></LatLonBox></GroundOverlay></kml>
"""
AUXILIARY = f"""<PAMDataset><SRS>{WKT}</SRS>
<GeoTransform>2, 0.00001, 0, 48.002, 0, -0.00001</GeoTransform>
<PAMRasterBand band="1"><NoDataValue>7</NoDataValue></PAMRasterBand></PAMDataset>
"""


def sources(folder):
    """The files to damage, each with the arguments of a run with it."""
    examples = pathlib.Path(__file__).resolve().parents[2] / "Examples"
    for name in ("ground.png", "ground.pgw", "ground.prj", "first.png", "first.png.points"):
        shutil.copy(examples / name, folder / name)
    plan = png(300, 200, seed=2)
    (folder / "plan.png").write_bytes(plan)
    (folder / "beside.png").write_bytes(plan)
    (folder / "beside.png.aux.xml").write_text(AUXILIARY)
    (folder / "plan.kml").write_text(KML)
    with zipfile.ZipFile(folder / "plan.kmz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("doc.kml", KML)
    with zipfile.ZipFile(folder / "overlay.kmz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("doc.kml", KML)
        archive.writestr("plan.png", plan)
    found = {
        "plan.png": ["plan.png"] + AT, "ground.pgw": ["ground.png"], "ground.prj": ["ground.png"],
        "first.png.points": ["first.png"], "beside.png.aux.xml": ["beside.png"],
        "plan.kml": ["plan.png", "--kml", "plan.kml"],
        "plan.kmz": ["plan.png", "--kml", "plan.kmz"], "overlay.kmz": ["overlay.kmz"],
    }
    found.update({name: [name] + AT for name in pictures(folder)})
    if "plan.tif" in found:
        found["pages.tif"] = ["pages.tif", "--page", "2"] + AT
        found["masked.jpg.msk"] = ["masked.jpg"] + AT
    found.update(geotiffs(folder))
    return found


def pictures(folder):
    """Forms of PNG, JPEG and TIFF that Pillow and ImageMagick write."""
    try:
        from PIL import Image
    except ImportError:
        print("python3-pil is not installed: JPEG, TIFF and other PNG files are not tested")
        return []
    picture = Image.open(folder / "plan.png")
    opaque = picture.convert("RGB")
    opaque.save(folder / "plan.jpg", quality=80)
    opaque.save(folder / "progressive.jpg", quality=80, progressive=True)
    opaque.convert("CMYK").save(folder / "cmyk.jpg", quality=80)
    opaque.quantize(16).save(folder / "palette.png")
    opaque.convert("I;16" if "I;16" in Image.MODES else "I").save(folder / "deep.png")
    opaque.save(folder / "plan.tif", compression="tiff_lzw")
    opaque.save(folder / "jpeg.tif", compression="jpeg")
    opaque.save(folder / "pages.tif", compression="tiff_lzw", save_all=True, append_images=[opaque])
    opaque.save(folder / "masked.jpg", quality=80)
    opaque.convert("L").point(lambda level: 255 * (level > 128)).save(
        folder / "masked.jpg.msk", format="TIFF", compression="tiff_lzw")
    picture.save(folder / "deflate.tif", compression="tiff_adobe_deflate")
    names = ["plan.jpg", "progressive.jpg", "cmyk.jpg", "palette.png", "deep.png", "plan.tif",
             "jpeg.tif", "deflate.tif"]
    if shutil.which("convert"):
        subprocess.run(["convert", folder / "plan.png", "-interlace", "PNG",
                        folder / "interlaced.png"], check=True)
        names.append("interlaced.png")
    else:
        print("ImageMagick is not installed: interlaced PNG files are not tested")
    return names


def geotiffs(folder):
    """Tiled and striped TIFF files with georeferencing."""
    if not shutil.which("gdal_translate"):
        print("gdal_translate is not installed: GeoTIFF files are not tested")
        return {}
    forms = {
        "tiled.tif": ["-co", "TILED=YES", "-co", "BLOCKXSIZE=64", "-co", "BLOCKYSIZE=64",
                      "-co", "COMPRESS=DEFLATE"],
        "striped.tif": ["-co", "COMPRESS=LZW", "-co", "PREDICTOR=2"],
        "big.tif": ["-co", "BIGTIFF=YES", "-co", "TILED=YES", "-ot", "UInt16"],
    }
    for name, options in forms.items():
        subprocess.run(
            ["gdal_translate", "-q", "-a_srs", "EPSG:4326", "-a_ullr", "2", "48.002", "2.003",
             "48", *options, folder / "plan.png", folder / name], check=True)
        (folder / (name + ".aux.xml")).unlink(missing_ok=True)
    return {name: [name] for name in forms}


def faults(randomness, whole, truncations, flips):
    """A file truncated at several lengths, and with several single wrong bits."""
    for cut in range(truncations):
        yield whole[:len(whole) * cut // truncations]
    for _ in range(flips):
        place = randomness.randrange(len(whole))
        flipped = bytes([whole[place] ^ 1 << randomness.randrange(8)])
        yield whole[:place] + flipped + whole[place + 1:]


def keep(name, fault):
    path = pathlib.Path(tempfile.gettempdir()) / ("fault-" + name)
    path.write_bytes(fault)
    return path


def each_apart(bench, names, run):
    """Runs a function for each name in a separate folder, one on each CPU."""
    def one(name, seed):
        apart = bench.copy(random.Random(seed))
        try:
            return run(apart, name)
        finally:
            apart.close()

    seeds = [bench.random.random() for _ in names]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tallies = list(pool.map(one, names, seeds))
    return Tally(sum(one.faults for one in tallies), sum(one.refused for one in tallies))


def damaged(bench, truncations, flips):
    """Damages sources and sidecars. The output stays as it was, or follows the damaged file."""
    found = sources(bench.folder)
    return each_apart(
        bench, list(found),
        lambda apart, name: damage_source(apart, name, found[name], truncations, flips))


def damage_source(bench, name, source, truncations, flips):
    tally = Tally()
    path, output = bench.path(name), bench.path("out")
    whole = path.read_bytes()
    # A wrong bit can make an image as large as a continent.
    command = [bench.program, *source, "--zoom", "16-17", "--max-tiles", "10000", "-o", "out"]
    # Earlier tests made it of another image.
    shutil.rmtree(output, ignore_errors=True)
    bench.succeed(command)
    before = contents(output)
    for fault in faults(bench.random, whole, truncations, flips):
        path.write_bytes(fault)
        try:
            status, _ = bench.run(command)
        except Lost as lost:
            raise Lost(f"{name} as in {keep(name, fault)}: {lost}") from lost
        tally.count(status)
        if status == 0:
            path.write_bytes(whole)
            bench.succeed(command)
        if contents(output) != before:
            raise Lost(f"{name} as in {keep(name, fault)}: the output is not as it was")
    return tally


def tilesets(bench):
    """The files to damage, each with its tileset."""
    forms = [("png.pmtiles", "png"), ("png.mbtiles", "png"), ("webp.pmtiles", "webp"),
             ("jpeg.mbtiles", "jpeg"), ("webp.mbtiles", "webp")]
    for name, form in forms:
        bench.succeed(bench.command(name, options=["--format", form]))
    bench.succeed(bench.command("tree", options=["--format", "webp"]))
    tile = next(path for path in sorted(bench.path("tree").rglob("*.webp")))
    found = {name: name for name, _ in forms}
    for path in (tile, bench.path("tree/tilejson.json"), bench.path("tree/metadata.json")):
        found[str(path.relative_to(bench.folder))] = "tree"
    return found


def damaged_tilesets(bench, truncations, flips):
    """`verify` and `convert` read damaged tilesets: `convert` must copy every tileset that `verify` accepts."""
    bench.path("plan.png").write_bytes(png(300, 200, seed=2))
    found = tilesets(bench)
    return each_apart(
        bench, list(found),
        lambda apart, file: damage_tileset(apart, file, found[file], truncations, flips))


def damage_tileset(bench, file, tileset, truncations, flips):
    tally = Tally()
    path, copy = bench.path(file), bench.path("copy")
    whole = path.read_bytes()
    bench.succeed([bench.program, "convert", tileset, "copy"])
    tiles = {key: data for key, data in contents(copy).items() if not key.endswith(".json")}
    for number, fault in enumerate(faults(bench.random, whole, truncations, flips)):
        path.write_bytes(fault)
        try:
            check(bench, tally, tileset, tiles, copies=number % 5 == 0)
        except Lost as lost:
            raise Lost(f"{file} as in {keep(path.name, fault)}: {lost}") from lost
    return tally


def check(bench, tally, tileset, tiles, copies):
    """Checks that a tileset that `verify` accepts has all its tiles."""
    status, _ = bench.run([bench.program, "verify", tileset], statuses={0, 1, 65, 66})
    tally.count(status)
    if not (copies or status == 0):
        return
    copy = bench.path("copy")
    Scene.remove(copy)
    copied, _ = bench.run([bench.program, "convert", tileset, "copy"], statuses={0, 65, 66})
    tally.count(copied)
    if copied != 0:
        if status == 0:
            raise Lost("verify finds nothing, and convert fails")
        if copy.exists():
            raise Lost("a copy that failed leaves something")
        return
    arrived = {name: data for name, data in contents(copy).items() if not name.endswith(".json")}
    if status == 0 and arrived != tiles:
        raise Lost("verify finds nothing, and tiles are others")
