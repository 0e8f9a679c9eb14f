"""Writes TIFF files of all kinds into a folder, each with the RGBA pixels that it stands for.

Usage: tiff_samples.py FOLDER. Files are written by GDAL or by hand; NAME.rgba holds what
the arrays say that went into NAME.tif, or, for lossy compressions, what GDAL reads out of it. `cases.tsv` lists the name, width, height, largest difference allowed, options and layout.
"""

import struct
import sys

import numpy as np
from osgeo import gdal

gdal.UseExceptions()
WIDTH, HEIGHT = 83, 59
folder = sys.argv[1]
random = np.random.default_rng(7)
lines = []
TYPES = {
    "uint8": gdal.GDT_Byte, "uint16": gdal.GDT_UInt16, "int16": gdal.GDT_Int16,
    "uint32": gdal.GDT_UInt32, "int32": gdal.GDT_Int32, "float32": gdal.GDT_Float32,
    "float64": gdal.GDT_Float64,
}


def picture(bands, low, high, dtype):
    """Smooth waves with some noise, so that predictors and lossy codecs have something to do."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    waves = [np.sin(x / (7 + 3 * b) + b) + np.cos(y / (5 + 2 * b)) for b in range(bands)]
    noise = random.uniform(-0.1, 0.1, (bands, HEIGHT, WIDTH))
    unit = (np.stack(waves) + noise + 2.2) / 4.4
    values = low + np.clip(unit, 0, 1) * (high - low)
    return values.astype(dtype) if np.dtype(dtype).kind == "f" else np.rint(values).astype(dtype)


def stretched(array, low, high):
    level = (array.astype(np.float64) - low) * 255 / (high - low)
    return np.clip(np.floor(level + 0.5), 0, 255).astype(np.uint8)


def rgba(color, alpha=None):
    """RGBA rows of one or three bands, and alpha or nothing."""
    if color.ndim == 2:
        color = np.stack([color] * 3)
    if alpha is None:
        alpha = np.full(color.shape[1:], 255, np.uint8)
    return np.moveaxis(np.concatenate([color, alpha[None]]), 0, 2).astype(np.uint8)


def note(name, pixels, tolerance=0, options="", layout="any"):
    pixels.astype(np.uint8).tofile(f"{folder}/{name}.rgba")
    height, width = pixels.shape[:2]
    lines.append("\t".join(map(str, [name, width, height, tolerance, options, layout])))


def write(name, array, creation=(), nodata=None, palette=None, mask=None, alpha=False):
    """Writes an array of (bands, rows, columns) with GDAL."""
    bands, height, width = array.shape
    driver = gdal.GetDriverByName("GTiff")
    path = f"{folder}/{name}.tif"
    gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
    file = driver.Create(path, width, height, bands, TYPES[array.dtype.name], list(creation))
    if palette is not None:
        table = gdal.ColorTable()
        for index, color in enumerate(palette):
            table.SetColorEntry(index, tuple(int(c) for c in color))
        file.GetRasterBand(1).SetColorTable(table)
    if nodata is not None:
        file.GetRasterBand(1).SetNoDataValue(nodata)
    for band in range(bands):
        file.GetRasterBand(band + 1).WriteArray(array[band])
    if mask is not None:
        file.CreateMaskBand(gdal.GMF_PER_DATASET)
        file.GetRasterBand(1).GetMaskBand().WriteArray(mask)
    return path


def read(path):
    return gdal.Open(path).ReadAsArray()


rgb = picture(3, 0, 255, np.uint8)
gray = picture(1, 0, 255, np.uint8)
plane = rgba(rgb)

# Layouts, byte orders and lossless compressions
layouts = {
    "strips": ["BLOCKYSIZE=7"], "one_strip": [f"BLOCKYSIZE={HEIGHT}"],
    "tiles": ["TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=16"],
}
for layout, options in layouts.items():
    for interleave in ["PIXEL", "BAND"]:
        for order in ["LITTLE", "BIG"]:
            for big in ["NO", "YES"]:
                name = f"{layout}_{interleave}_{order}_{big}".lower()
                write(name, rgb, options + [f"INTERLEAVE={interleave}", f"ENDIANNESS={order}",
                                            f"BIGTIFF={big}"])
                note(name, plane)
for codec in ["LZW", "DEFLATE", "PACKBITS", "ZSTD", "LZMA", "LERC"]:
    for layout, options in layouts.items():
        name = f"{codec}_{layout}".lower()
        write(name, rgb, options + [f"COMPRESS={codec}"])
        note(name, plane)
        if codec in ["LZW", "DEFLATE", "ZSTD"]:
            write(name + "_predicted", rgb, options + [f"COMPRESS={codec}", "PREDICTOR=2"])
            note(name + "_predicted", plane)
        if codec == "DEFLATE":
            write(name + "_planes", rgb, options + ["COMPRESS=DEFLATE", "INTERLEAVE=BAND"])
            note(name + "_planes", plane)
write("webp_lossless", rgb, ["COMPRESS=WEBP", "WEBP_LOSSLESS=YES", "TILED=YES",
                             "BLOCKXSIZE=32", "BLOCKYSIZE=32"])
note("webp_lossless", plane)

# Lossy compressions: what GDAL reads
for name, options in {
    "jpeg_rgb": ["COMPRESS=JPEG"],
    "jpeg_ycbcr": ["COMPRESS=JPEG", "PHOTOMETRIC=YCBCR"],
    "jpeg_ycbcr_tiles": ["COMPRESS=JPEG", "PHOTOMETRIC=YCBCR", "TILED=YES", "BLOCKXSIZE=32",
                         "BLOCKYSIZE=32"],
    "webp_lossy": ["COMPRESS=WEBP", "TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=32"],
}.items():
    path = write(name, rgb, options)
    note(name, rgba(read(path)))
path = write("jpeg_gray", gray, ["COMPRESS=JPEG"])
note("jpeg_gray", rgba(read(path)))

# Few bits
for bits in [1, 2, 4]:
    few = picture(1, 0, 2 ** bits - 1, np.uint8)
    for layout, options in layouts.items():
        write(f"bits{bits}_{layout}", few, options + [f"NBITS={bits}"])
        note(f"bits{bits}_{layout}", rgba(stretched(few[0], 0, 2 ** bits - 1)))
few = picture(3, 0, 15, np.uint8)
write("bits4_rgb", few, ["NBITS=4", "PHOTOMETRIC=RGB"])
note("bits4_rgb", rgba(stretched(few, 0, 15)))
bilevel = picture(1, 0, 1, np.uint8)
for codec in ["CCITTRLE", "CCITTFAX3", "CCITTFAX4", "PACKBITS", "DEFLATE", "LZW"]:
    for white in ["MINISBLACK", "MINISWHITE"]:
        name = f"{codec}_{white}".lower()
        write(name, bilevel, ["NBITS=1", f"COMPRESS={codec}", f"PHOTOMETRIC={white}"])
        level = bilevel[0] * 255 if white == "MINISBLACK" else 255 - bilevel[0] * 255
        note(name, rgba(level))
write("minis_white", gray, ["PHOTOMETRIC=MINISWHITE"])
note("minis_white", rgba(255 - gray[0]))

# Palettes
codes = random.integers(0, 16, (1, HEIGHT, WIDTH)).astype(np.uint8)
colors = random.integers(0, 256, (256, 3)).astype(np.uint8)
for bits in [1, 2, 4, 8]:
    count = 2 ** bits
    array = (codes % count) if bits < 8 else random.integers(0, 256, codes.shape).astype(np.uint8)
    write(f"palette{bits}", array, [f"NBITS={bits}", "PHOTOMETRIC=PALETTE"],
          palette=colors[:count])
    note(f"palette{bits}", rgba(np.moveaxis(colors[array[0]], 2, 0)))
write("palette_nodata", codes, ["PHOTOMETRIC=PALETTE"], palette=colors, nodata=5)
note("palette_nodata", rgba(np.moveaxis(colors[codes[0]], 2, 0),
                            np.where(codes[0] == 5, 0, 255)), options="blank")

# Many bits: scaled from the range of the data
for dtype, low, high in [("uint16", 300, 40000), ("int16", -2000, 1500), ("uint32", 7, 3e9),
                         ("int32", -2e9, 1e9), ("float32", -12.5, 99.25),
                         ("float64", 1e-3, 2e-3)]:
    for bands in [1, 3]:
        array = picture(bands, low, high, np.dtype(dtype))
        level = stretched(array, float(array.min()), float(array.max()))
        expected = rgba(level if bands == 3 else level[0])
        photometric = ["PHOTOMETRIC=RGB"] if bands == 3 else []
        name = f"{dtype}_{bands}"
        write(name, array, photometric)
        note(name, expected)
        write(name + "_big", array, photometric + ["ENDIANNESS=BIG", "INTERLEAVE=BAND"])
        note(name + "_big", expected)
        predictor = "3" if dtype.startswith("float") else "2"
        write(name + "_predicted", array,
              photometric + ["COMPRESS=DEFLATE", f"PREDICTOR={predictor}", "TILED=YES",
                             "BLOCKXSIZE=32", "BLOCKYSIZE=32"])
        note(name + "_predicted", expected)
half = picture(1, -3, 5, np.float32).astype(np.float16).astype(np.float32)
write("float16", half, ["NBITS=16"])
note("float16", rgba(stretched(half[0], float(half.min()), float(half.max()))))
twelve = picture(1, 100, 4000, np.uint16)
write("bits12", twelve, ["NBITS=12"])
note("bits12", rgba(stretched(twelve[0], int(twelve.min()), int(twelve.max()))))
write("constant", np.full((1, HEIGHT, WIDTH), 700, np.uint16))
note("constant", rgba(np.zeros((HEIGHT, WIDTH), np.uint8)))
ranged = picture(1, 0, 1000, np.uint16)
write("rescaled", ranged)
note("rescaled", rgba(stretched(ranged[0], 200, 700)), options="range=200,700")
write("rescaled8", gray)
note("rescaled8", rgba(stretched(gray[0], 50, 200)), options="range=50,200")

# Nodata
hole = np.zeros((HEIGHT, WIDTH), bool)
hole[10:30, 20:50] = True
clear = np.where(hole, 0, 255)
for dtype, value in [("uint8", 0), ("uint16", 65535), ("int16", -32768), ("float32", -9999),
                     ("float32", float("nan")), ("float64", -1.7976931348623157e308)]:
    array = picture(3, 10, 200, np.dtype(dtype))
    array[:, hole] = value
    data = array[:, ~hole]
    level = array if dtype == "uint8" else stretched(
        np.where(hole, data.min(), array), float(data.min()), float(data.max()))
    name = f"nodata_{dtype}_{value}".replace(".", "_").replace("+", "")
    write(name, array, ["PHOTOMETRIC=RGB"], nodata=value)
    note(name, rgba(level, clear), options="blank")
partly = rgb.copy()
partly[0][hole] = 9
write("nodata_one_band", partly, nodata=9)
note("nodata_one_band", rgba(partly, np.where((partly == 9).all(0), 0, 255)), options="blank")
write("nodata_beyond", rgb, nodata=-1)
note("nodata_beyond", plane)

# Sparse files
for name, nodata in [("sparse", None), ("sparse_nodata", 0)]:
    driver = gdal.GetDriverByName("GTiff")
    file = driver.Create(f"{folder}/{name}.tif", 128, 96, 3, gdal.GDT_Byte,
                         ["TILED=YES", "BLOCKXSIZE=32", "BLOCKYSIZE=32", "SPARSE_OK=YES",
                          "COMPRESS=DEFLATE"])
    pixels = np.zeros((3, 96, 128), np.uint8)
    pixels[:, 32:64, 32:64] = rgb[:, :32, :32]
    pixels[0, 32:64, 32:64] |= 1
    if nodata is not None:
        file.GetRasterBand(1).SetNoDataValue(nodata)
    for band in range(3):
        file.GetRasterBand(band + 1).WriteArray(pixels[band, 32:64, 32:64], 32, 32)
    file = None
    empty = (pixels == 0).all(0)
    note(name, rgba(pixels, np.where(empty, 0, 255) if nodata is not None else None),
         options="" if nodata is None else "blank")

# Alpha and masks
alpha = picture(1, 0, 255, np.uint8)
alpha[0][hole] = 0
four = np.concatenate([rgb, alpha])
for layout, options in layouts.items():
    for interleave in ["PIXEL", "BAND"]:
        name = f"alpha_{layout}_{interleave}".lower()
        write(name, four, options + ["ALPHA=NON-PREMULTIPLIED", f"INTERLEAVE={interleave}"])
        note(name, rgba(rgb, alpha[0]))
multiplied = np.rint(rgb.astype(float) * alpha / 255).astype(np.uint8)
write("premultiplied", np.concatenate([multiplied, alpha]), ["ALPHA=PREMULTIPLIED"])
divided = np.where(alpha > 0, np.clip(np.floor(multiplied * 255.0 / np.maximum(alpha, 1) + 0.5),
                                      0, 255), multiplied)
note("premultiplied", rgba(divided, alpha[0]), options="blank")
write("unspecified", four, ["ALPHA=UNSPECIFIED", "PHOTOMETRIC=RGB"])
note("unspecified", plane)
write("gray_alpha", np.concatenate([gray, alpha]), ["ALPHA=YES"])
note("gray_alpha", rgba(gray[0], alpha[0]))
wide = np.concatenate([picture(3, 0, 60000, np.uint16), picture(1, 0, 65535, np.uint16)])
write("alpha16", wide, ["ALPHA=YES", "PHOTOMETRIC=RGB"])
seen = wide[:3][:, wide[3] >= 129]
note("alpha16", rgba(stretched(wide[:3], int(seen.min()), int(seen.max())),
                     stretched(wide[3], 0, 65535)), options="blank")
for layout, options in layouts.items():
    write(f"mask_{layout}", rgb, options, mask=clear.astype(np.uint8))
    note(f"mask_{layout}", rgba(rgb, clear))

# Bands
seven = picture(7, 0, 255, np.uint8)
for interleave in ["PIXEL", "BAND"]:
    name = f"seven_{interleave}".lower()
    write(name, seven, [f"INTERLEAVE={interleave}", "PHOTOMETRIC=MINISBLACK"])
    note(name, rgba(seven[0]))
    for bands in [[4], [5, 3, 2], [7, 6, 5, 4], [3, 1]]:
        listed = ",".join(map(str, bands))
        chosen = seven[[b - 1 for b in bands]]
        copy = f"{name}_{''.join(map(str, bands))}"
        write(copy, seven, [f"INTERLEAVE={interleave}", "PHOTOMETRIC=MINISBLACK"])
        color = chosen[:3] if len(bands) >= 3 else chosen[0]
        note(copy, rgba(color, chosen[-1] if len(bands) % 2 == 0 else None),
             options=f"bands={listed}")
write("seven_rgb", seven, ["PHOTOMETRIC=RGB"])
note("seven_rgb", rgba(seven[:3]))
bare = picture(4, 0, 255, np.uint8)
write("rgb_bands", bare, ["PHOTOMETRIC=RGB", "ALPHA=YES"])
note("rgb_bands", rgba(bare[[2, 1, 0]]), options="bands=3,2,1")

# Inks
inks = picture(4, 0, 255, np.uint8)
light = np.floor((255.0 - inks[:3]) * (255.0 - inks[3]) / 255 + 0.5)
for interleave in ["PIXEL", "BAND"]:
    write(f"cmyk_{interleave}".lower(), inks, ["PHOTOMETRIC=CMYK", f"INTERLEAVE={interleave}"])
    note(f"cmyk_{interleave}".lower(), rgba(light))

# Written by hand
def by_hand(name, tags, data, order="<"):
    """A classic TIFF of one strip; tags is a list of (tag, type, values)."""
    sizes = {1: "B", 2: "s", 3: "H", 4: "I", 5: "II", 12: "d"}
    tags = sorted(tags + [(273, 4, [8]), (279, 4, [len(data)])])
    start = 8 + len(data) + len(data) % 2
    extra = start + 2 + 12 * len(tags) + 4
    entries, values = b"", b""
    for tag, kind, numbers in tags:
        packed = b"".join(struct.pack(order + sizes[kind], n) for n in numbers)
        count = len(numbers)
        if len(packed) > 4:
            field = struct.pack(order + "I", extra + len(values))
            values += packed + b"\0" * (len(packed) % 2)
        else:
            field = packed.ljust(4, b"\0")
        entries += struct.pack(order + "HHI", tag, kind, count) + field
    mark = b"II" if order == "<" else b"MM"
    with open(f"{folder}/{name}.tif", "wb") as file:
        file.write(mark + struct.pack(order + "HI", 42, start) + data + b"\0" * (len(data) % 2))
        file.write(struct.pack(order + "H", len(tags)) + entries + struct.pack(order + "I", 0))
        file.write(values)


def basic(bits, samples, photometric, compression=1):
    return [(256, 3, [WIDTH]), (257, 3, [HEIGHT]), (258, 3, [bits] * samples),
            (259, 3, [compression]), (262, 3, [photometric]), (277, 3, [samples]),
            (278, 3, [HEIGHT])]


for order in "<>":
    mark = "little" if order == "<" else "big"
    by_hand(f"hand_{mark}", basic(8, 3, 2), np.moveaxis(rgb, 0, 2).tobytes(), order)
    note(f"hand_{mark}", plane)
    small = colors[:16].T.flatten()
    by_hand(f"old_palette_{mark}", basic(8, 1, 3) + [(320, 3, list(colors.T.flatten()))],
            codes[0].tobytes(), order)
    note(f"old_palette_{mark}", rgba(np.moveaxis(colors[codes[0]], 2, 0)))
    pixels24 = picture(1, 100, 9000000, np.uint32)[0]
    raw = np.ascontiguousarray(pixels24.astype(order + "u4")).view(np.uint8)
    raw = raw.reshape(HEIGHT, WIDTH, 4)
    raw = raw[:, :, :3] if order == "<" else raw[:, :, 1:]
    by_hand(f"bits24_{mark}", basic(24, 1, 1), raw.tobytes(), order)
    note(f"bits24_{mark}", rgba(stretched(pixels24, pixels24.min(), pixels24.max())))
    signed = picture(1, -100, 90, np.int8)[0]
    by_hand(f"int8_{mark}", basic(8, 1, 1) + [(339, 3, [2])], signed.tobytes(), order)
    note(f"int8_{mark}", rgba(stretched(signed, int(signed.min()), int(signed.max()))))
for turn in range(1, 9):
    by_hand(f"turn{turn}", basic(8, 3, 2) + [(274, 3, [turn])], np.moveaxis(rgb, 0, 2).tobytes())
    note(f"turn{turn}", plane, layout=f"orientation={turn}")

# YCbCr without compression, one chroma sample for 2 x 2 pixels, and its formula of CCIR 601
luma = picture(1, 16, 235, np.uint8)[0]
chroma = np.rint(picture(2, 64, 192, np.float64)[:, ::2, ::2]).astype(np.uint8)
rows, columns = chroma.shape[1:]
padded = np.pad(luma, ((0, 2 * rows - HEIGHT), (0, 2 * columns - WIDTH)), mode="edge")
units = b"".join(
    padded[2 * r:2 * r + 2, 2 * c:2 * c + 2].tobytes() + bytes([chroma[0, r, c], chroma[1, r, c]])
    for r in range(rows) for c in range(columns))
by_hand("ycbcr", basic(8, 3, 6) + [(530, 3, [2, 2])], units)
cb, cr = (c.repeat(2, 0).repeat(2, 1)[:HEIGHT, :WIDTH] - 128.0 for c in chroma)
note("ycbcr", rgba(np.clip(np.rint(np.stack([
    luma + 1.402 * cr, luma - 0.344136 * cb - 0.714136 * cr, luma + 1.772 * cb])), 0, 255)),
    tolerance=2)

# LZW as libtiff wrote it before 1989: the lowest bits first. Codes of 9 bits, cleared in time.
codes9 = []
data = np.moveaxis(rgb, 0, 2).tobytes()
for start in range(0, len(data), 200):
    codes9 += [256] + list(data[start:start + 200])
bits = "".join(format(code, "09b")[::-1] for code in codes9 + [257])
bits += "0" * (-len(bits) % 8)
by_hand("old_lzw", basic(8, 3, 2, compression=5),
        bytes(int(bits[i:i + 8][::-1], 2) for i in range(0, len(bits), 8)))
note("old_lzw", plane)

# Overviews by GDAL: of averages and of picked pixels, inside the file and beside it
detail = np.stack([np.kron(picture(1, 0, 255, np.uint8)[0], np.ones((5, 6)))] * 3)
detail = np.clip(detail + random.uniform(-40, 40, detail.shape), 0, 255).astype(np.uint8)
cut = np.zeros(detail.shape[1:], np.uint8)
cut[40:200, 30:333] = 255
for name, method, options in [("averages", "AVERAGE", []), ("picked", "NEAREST", []),
                              ("masked_averages", "AVERAGE", [])]:
    for place in ["inside", "beside"]:
        path = write(f"{name}_{place}", detail, ["TILED=YES", "BLOCKXSIZE=64", "BLOCKYSIZE=64",
                                                 "COMPRESS=DEFLATE"],
                     mask=cut if name.startswith("masked") else None)
        gdal.SetConfigOption("GDAL_TIFF_INTERNAL_MASK", "YES")
        gdal.Open(path, gdal.GA_Update if place == "inside" else gdal.GA_ReadOnly).BuildOverviews(
            method, [2, 4, 8])

# One strip of 70 MB, and one for each of three bands: each row is the one above, moved by one
width, height = 70000, 1000
count = np.arange(width + height + 2, dtype=np.int64)
base = (count * count * 31 + count >> 3 & 255).astype(np.uint8)
rows = np.stack([base[y:y + width + 2] for y in range(height)])
write("long_strip", rows[None, :, :width], [f"BLOCKYSIZE={height}", "COMPRESS=DEFLATE"])
write("long_strips", np.stack([rows[:, band:band + width] for band in range(3)]),
      [f"BLOCKYSIZE={height}", "COMPRESS=PACKBITS", "INTERLEAVE=BAND"])

with open(f"{folder}/cases.tsv", "w", encoding="ascii") as table:
    table.write("\n".join(lines))
