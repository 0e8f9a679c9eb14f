"""Writes a few small files of each kind as seeds: make_seeds.py DIRECTORY."""

import base64
import gzip
import pathlib
import sqlite3
import struct
import sys
import tempfile
import zlib


def chunk(name, data):
    body = name + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png(color_type, depth, samples, interlaced=0, extra=()):
    row = bytes((samples * depth * 8 + 7) // 8)
    head = struct.pack(">IIBBBBB", 8, 8, depth, color_type, 0, 0, interlaced)
    file = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
    file += b"".join(chunk(*pair) for pair in extra)
    if color_type == 3:
        file += chunk(b"PLTE", bytes(range(12))) + chunk(b"tRNS", b"\0\x80")
    # An interlaced image has up to fifteen rows in its passes; extra rows are ignored.
    return file + chunk(b"IDAT", zlib.compress((b"\0" + row) * 15)) + chunk(b"IEND", b"")


def fixed(*values):
    return b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def profile(space, pcs, tags):
    table, data, start = b"", b"", 132 + 12 * len(tags)
    for name, content in tags:
        table += name + struct.pack(">II", start + len(data), len(content))
        data += content + bytes(-len(content) % 4)
    body = struct.pack(">I", len(tags)) + table + data
    head = struct.pack(">I4sI", 128 + len(body), bytes(4), 0x02400000) + b"mntr" + space + pcs
    return head + bytes(12) + b"acsp" + bytes(28) + fixed(0.9642, 1, 0.8249) + bytes(48) + body


def xyz(*values):
    return b"XYZ " + bytes(4) + fixed(*values)


def profiles():
    gamma = b"curv" + bytes(4) + struct.pack(">IH", 1, 563)
    curve = b"para" + bytes(4) + b"\0\3\0\0" + fixed(2.4, 0.948, 0.052, 0.0774, 0.04)
    columns = [(b"rXYZ", xyz(0.61, 0.31, 0.02)), (b"gXYZ", xyz(0.2, 0.63, 0.06)),
               (b"bXYZ", xyz(0.15, 0.06, 0.75))]
    yield profile(b"RGB ", b"XYZ ", columns + [(b"%cTRC" % c, gamma) for c in b"rgb"])
    yield profile(b"RGB ", b"XYZ ", columns + [(b"%cTRC" % c, curve) for c in b"rgb"])
    yield profile(b"GRAY", b"XYZ ", [(b"wtpt", xyz(0.9642, 1, 0.8249)), (b"kTRC", gamma)])
    matrix = fixed(1, 0, 0, 0, 1, 0, 0, 0, 1)
    for space, inputs in ((b"CMYK", 4), (b"RGB ", 3)):
        ramp = bytes(range(256))
        table = b"mft1" + bytes(4) + bytes([inputs, 3, 2, 0]) + matrix + ramp * inputs
        table += bytes(range(3 * 2**inputs)) + ramp * 3
        yield profile(space, b"Lab ", [(b"A2B0", table), (b"A2B1", table)])


def segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def jpeg(components, extra=b""):
    """Eight by eight pixels whose coefficients are all zero, in the shortest codes."""
    sampling = b"".join(bytes([i + 1, 0x11, 0]) for i in range(components))
    scan = b"".join(bytes([i + 1, 0]) for i in range(components))
    codes = bytes([1] + [0] * 15) + b"\0"
    return (b"\xff\xd8" + extra + segment(0xDB, b"\0" + b"\1" * 64)
            + segment(0xC0, b"\x08\0\x08\0\x08" + bytes([components]) + sampling)
            + segment(0xC4, b"\0" + codes) + segment(0xC4, b"\x10" + codes)
            + segment(0xDA, bytes([components]) + scan + b"\0\x3f\0") + b"\0\xff\xd9")


def tiff(entries, data, order="<", big=False, following=b""):
    """A file with one directory at its end. Entries are tag, type and numbers, or bytes. `data` begins at the
    offsets in tag 273 or 324."""
    sizes = {1: "B", 2: "c", 3: "H", 4: "I", 12: "d", 13: "I", 16: "Q"}
    word, count, inline = ("Q", "Q", 8) if big else ("I", "H", 4)
    head = (b"II" if order == "<" else b"MM") + struct.pack(order + "H", 43 if big else 42)
    head += struct.pack(order + "HH", 8, 0) if big else b""
    start = len(head) + struct.calcsize("<" + word)
    table = struct.pack(order + count, len(entries))
    behind, first = b"", start + len(data)
    for tag, kind, values in sorted(entries):
        if isinstance(values, bytes):
            packed, number = values, len(values)
        else:
            packed = struct.pack(f"{order}{len(values)}{sizes[kind]}", *values)
            number = len(values)
        if len(packed) > inline:
            place = first + len(behind)
            behind += packed + bytes(-len(packed) % 8)
            packed = struct.pack(order + word, place)
        table += struct.pack(order + "HH" + word, tag, kind, number) + packed.ljust(inline, b"\0")
    directory = first + len(behind)
    return head + struct.pack(order + word, directory) + data + behind + table \
        + (following or struct.pack(order + word, 0))


def lzw(content):
    """Each byte has its own code; the first 250 codes have nine bits."""
    bits = "".join(f"{code:09b}" for code in [256, *content, 257])
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def packbits(content):
    return b"".join(bytes([min(len(content) - i, 128) - 1]) + content[i:i + 128]
                    for i in range(0, len(content), 128))


def raster(compression, bits, samples, photometric, more=(), pack=bytes, tile=0, planar=1,
           order="<", big=False, size=8):
    """Rows of eight pixels, or four tiles of which the image covers only a corner."""
    edge = tile or size
    channels = samples if planar == 1 else 1
    block = pack(bytes(i * 7 % 251 for i in range((edge * channels * bits + 7) // 8 * edge)))
    blocks = (-(-size // edge)) ** 2 * samples // channels
    start = 16 if big else 8
    offsets = [start + i * len(block) for i in range(blocks)]
    entries = [(256, 3, [size]), (257, 3, [size]), (258, 3, [bits] * samples),
               (259, 3, [compression]), (262, 3, [photometric]), (277, 3, [samples]),
               (284, 3, [planar]), *more]
    if tile:
        entries += [(322, 3, [tile]), (323, 3, [tile]), (324, 4, offsets),
                    (325, 4, [len(block)] * blocks)]
    else:
        entries += [(273, 4, offsets), (278, 3, [size]), (279, 4, [len(block)] * blocks)]
    return tiff(entries, block * blocks, order, big)


def rasters(icc):
    geo = [(33550, 12, [2.0, 2.0, 0.0]), (33922, 12, [0.0, 0, 0, 500000, 5000000, 0]),
           (34735, 3, [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32632]), (42113, 2, b"0\0")]
    alpha = [(338, 3, [2])]
    ramp = [(320, 3, [i * 257 for i in range(256)] * 3)]
    predicted, floats = [(317, 3, [2])], [(339, 3, [3, 3, 3]), (317, 3, [3])]
    yield raster(1, 8, 3, 2, geo)
    yield raster(1, 16, 1, 1, geo, order=">")
    yield raster(1, 16, 4, 2, alpha, big=True)
    yield raster(1, 1, 1, 0)
    yield raster(1, 4, 1, 3, [(320, 3, list(range(48)))])
    yield raster(5, 8, 1, 3, ramp, lzw)
    yield raster(5, 8, 3, 2, predicted, lzw)
    yield raster(8, 8, 3, 2, predicted, zlib.compress, tile=16, size=24)
    yield raster(8, 16, 3, 2, predicted, zlib.compress, tile=16, planar=2, size=24)
    yield raster(8, 32, 3, 2, floats, zlib.compress, order=">")
    yield raster(8, 64, 1, 1, [(339, 3, [3])], zlib.compress, tile=16, big=True, order=">")
    yield raster(1, 32, 1, 1, [(339, 3, [2]), (42113, 2, b"-9999\0")])
    yield raster(32773, 8, 4, 5, [(332, 3, [1]), (34675, 7, icc)], packbits)
    yield raster(32773, 8, 1, 1, [(266, 3, [2]), (274, 3, [6])], packbits)
    yield raster(4, 1, 1, 0, [], lambda content: b"\x26\xa0\xbf\0\x10\x01")
    yield raster(7, 8, 3, 6, [(530, 3, [1, 1])], lambda content: jpeg(3))
    yield raster(7, 8, 1, 1, [], lambda content: jpeg(1))
    yield raster(1, 8, 3, 6, [(530, 3, [1, 1]), (529, 12, [0.299, 0.587, 0.114])])
    yield raster(1, 8, 3, 8)
    yield pages()


def pages():
    """An image, its mask, and a smaller image that only the first refers to."""
    def entries(edge, kind, start, more=()):
        return [(254, 4, [kind]), (256, 3, [edge]), (257, 3, [edge]), (258, 3, [8]),
                (259, 3, [1]), (262, 3, [4 if kind == 4 else 1]), (273, 4, [start]),
                (277, 3, [1]), (278, 3, [edge]), (279, 4, [edge * edge]), *more]

    def directory(found, following):
        table = b"".join(struct.pack("<HHI", tag, kind, len(values))
                         + struct.pack("<H" if kind == 3 else "<I", *values).ljust(4, b"\0")
                         for tag, kind, values in sorted(found))
        return struct.pack("<H", len(found)) + table + struct.pack("<I", following)

    data = b"II*\0" + struct.pack("<I", 88) + bytes(range(64)) + bytes(range(16))
    size = 2 + 10 * 12 + 4
    mask, child = 88 + size + 12, 88 + 2 * size + 12
    return (data + directory(entries(8, 0, 8, [(330, 13, [child])]), mask)
            + directory(entries(8, 4, 8), 0) + directory(entries(4, 1, 72), 0))


WKT = (b'PROJCS["WGS_1984_UTM_Zone_32N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",'
       b'SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],'
       b'UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],'
       b'PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],'
       b'PARAMETER["Central_Meridian",9.0],PARAMETER["Scale_Factor",0.9996],'
       b'PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]')


def manifests():
    yield b"""name: Mall
output: "tiles/{floor}.pmtiles"
zoom: 17-22   # all
gcp: [[1, 2, 3, 4], "5,6,7,8"]
floors:
  - {floor: B1, ordinal: -1, image: b1.png, default: true}
  - &g
    floor: 01
    image: [a.png, 'b''.png']
    description: >-
      two
      lines
  - {<<: *g, floor: no, attribution: "\\u00a9 \\x41\\n"}
"""
    yield b'{"output": "t", "buildings": ["a.yaml", {"output": "u", "floors": []}]}\n'
    yield b"%YAML 1.1\n%TAG !e! tag:yaml.org,2002:\n---\n- !!str a\n- !e!int 3\n- ? b\n  : |2+\n    c\n\n...\n"
    yield b"a: &a [1, 2]\nb: &b [*a, *a]\nc: {<<: [{x: 1}, {x: 2, y: 3}], z: *b}\n"
    yield b"\xef\xbb\xbfkey: \xc3\xa9\xe2\x82\xac\xf0\x9f\x97\xba\r\nother: ~\r\n"


def definitions():
    yield WKT
    yield WKT[WKT.index(b"GEOGCS"):-1].split(b",PROJECTION")[0]
    yield b"EPSG:25832\n"
    yield b"+proj=utm +zone=32 +datum=WGS84 +units=m +no_defs"
    yield b"+proj=longlat +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +no_defs"
    yield b"+init=epsg:31467"
    yield b"urn:ogc:def:crs:EPSG::4326"
    yield (b'GEOGCRS["x",DATUM["y",ELLIPSOID["z",6378137,298.25]],CS[ellipsoidal,2],'
           b'AXIS["lat",north],AXIS["lon",east],ANGLEUNIT["degree",0.0174532925199433]]')
    yield (b'COMPD_CS["a",' + WKT + b',VERT_CS["b",VERT_DATUM["c",2005],UNIT["metre",1]]]')


def point_files():
    head = b"mapX,mapY,sourceX,sourceY,enable,dX,dY,residual\n"
    rows = b"11.5,48.1,10.5,-20.25,1,0,0,0\n11.6,48.1,90,-20,1,0,0,0\n11.5,48,10,-80,0,0,0,0\n"
    yield b"#CRS: EPSG:4326\n" + head + rows
    yield head.replace(b"source", b"pixel") + rows.replace(b"\n", b"\r\n")
    yield rows.replace(b",", b"\t")
    yield b"#CRS: " + WKT + b"\n" + head + b"5e5,5000000,1,-1,1,,,\n"
    yield head.replace(b"\n", b",crs\n") + b'1,2,3,-4,1,0,0,0,"EPSG:4326"\n'


BOX = (b"<LatLonBox><north>48.2</north><south>48.1</south><east>11.6</east><west>11.5</west>"
       b"<rotation>-12.5</rotation></LatLonBox>")
QUAD = (b"<gx:LatLonQuad><coordinates>11.5,48.1 11.6,48.1,0 11.6,48.2 11.5,48.2</coordinates>"
        b"</gx:LatLonQuad>")


def overlay(shape, image):
    return (b"<GroundOverlay><name>a</name><Icon><href>" + image + b"</href></Icon>" + shape
            + b"</GroundOverlay>")


def geojson_files():
    ring = b"[[1,2],[3,2],[3,4],[1,4],[1,2]]"
    polygon = b'{"type":"Polygon","coordinates":[' + ring + b"]}"
    feature = b'{"type":"Feature","properties":{"name":"a"},"geometry":' + polygon + b"}"
    yield polygon
    yield b'{"type":"MultiPolygon","coordinates":[[' + ring + b"," + ring + b"],[" + ring + b"]]}"
    yield b'{"type":"FeatureCollection","features":[' + feature + b"," + feature + b"]}"
    yield b'{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},' + polygon + b"]}"
    yield (b'{"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},'
           b'"type":"Polygon","coordinates":[[[-540,-90],[540,-90,1e3],[179.99999,90.0]]]}')


def kml(*overlays):
    return (b'<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"'
            b' xmlns:gx="http://www.google.com/kml/ext/2.2"><Folder>' + b"".join(overlays)
            + b"</Folder></kml>")


def kml_files():
    yield kml(overlay(BOX, b"files/image.png"))
    yield kml(overlay(QUAD, b"image.png"))
    yield kml(overlay(BOX, b"a%20b.png"), overlay(QUAD, b"image%2Epng"), overlay(b"", b""))
    yield kml(overlay(BOX, b"<![CDATA[a&b.png]]>")).replace(b"UTF-8", b"windows-1252")
    yield kml(overlay(BOX, b"a.png")).decode().encode("utf-16")
    yield b'<!DOCTYPE kml [<!ENTITY a "b">]>' + kml(overlay(BOX, b"&a;"))[38:]


def archive(files):
    """A ZIP archive; files are name, content and whether it is deflated."""
    data, table = b"", b""
    for name, content, is_deflated in files:
        packer = zlib.compressobj(wbits=-15)
        packed = packer.compress(content) + packer.flush() if is_deflated else content
        about = struct.pack("<HHHHHIIIHH", 20, 0, 8 if is_deflated else 0, 0, 0,
                            zlib.crc32(content), len(packed), len(content), len(name), 0)
        table += b"PK\1\2\24\0" + about + struct.pack("<HHHII", 0, 0, 0, 0, len(data)) + name
        data += b"PK\3\4" + about + name + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(files), len(files), len(table), len(data), 0)
    return data + table + b"PK\5\6" + end


def kmz_files():
    content = kml(overlay(BOX, b"files/image.png"))
    yield archive([(b"doc.kml", content, True), (b"files/image.png", b"png", False)])
    yield archive([(b"a/b.kml", content, False), (b"c.KML", content, False)])
    several = kml(overlay(BOX, b"../a%20b.png"), overlay(QUAD, b"c\\d.png"))
    yield archive([(b"a/doc.kml", several, True), (b"a b.png", b"png" * 100, True), (b"a/c/d.png", b"png", True)])
    yield archive([])


def pam(content):
    return b"<PAMDataset>\n" + content + b"</PAMDataset>\n"


def pam_files():
    srs = b'<SRS dataAxisToSRSAxisMapping="2,1">GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID[' \
        b'"WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.01745]]</SRS>'
    yield pam(srs + b"<GeoTransform> 11.5, 1e-5, 0, 48.2, 0, -1e-5</GeoTransform>")
    yield pam(b'<GCPList Projection="EPSG:4326" dataAxisToSRSAxisMapping="1,2">'
              + b"".join(b'<GCP Id="%d" Pixel="%d" Line="%d" X="48.%d" Y="11.%d"/>'
                         % (i, i * 10, i * i, i, i * i) for i in range(1, 5)) + b"</GCPList>")
    yield pam(b"".join(b'<PAMRasterBand band="%d"><NoDataValue>255</NoDataValue>'
                       b"</PAMRasterBand>" % band for band in (1, 2, 3)))
    doubles = b"".join(b"<Double>%d</Double>" % number for number in (1, 2, 30, 4, 50, 60))
    yield pam(b'<Metadata domain="xml:ESRI" format="xml"><GeodataXform xsi:type="typens:'
              b'PolynomialXform"><PolynomialOrder>1</PolynomialOrder><SpatialReference><WKT>' + WKT
              + b"</WKT></SpatialReference><SourceGCPs>" + doubles + b"</SourceGCPs><TargetGCPs>"
              + doubles + b"</TargetGCPs></GeodataXform></Metadata>")


def world_files():
    yield b"0.5\n0\n0\n-0.5\n500000.25\n4999999.75\n"
    yield b"\xef\xbb\xbf 1e-5\r\n2e-6\r\n-2e-6\r\n-1e-5\r\n11.5\r\n48.2"


def geo_key_files():
    """Four counts, then pixel scale, tiepoints and transformation, double parameters, keys and
    texts, as the harness reads them."""
    def file(keys, doubles=(), text=b"", scale=(2.0, 2.0, 0.0), ties=(0.0, 0, 0, 5e5, 5e6, 0)):
        directory = [1, 1, 0, len(keys)] + [number for key in keys for number in key]
        return (bytes([len(scale), len(ties), 0, len(doubles), len(directory)])
                + struct.pack(f"<{len(scale) + len(ties) + len(doubles)}d", *scale, *ties, *doubles)
                + struct.pack(f"<{len(directory)}H", *directory) + text)

    yield file([(1024, 0, 1, 1), (1025, 0, 1, 2), (3072, 0, 1, 32632)])
    yield file([(1024, 0, 1, 2), (2048, 0, 1, 4258), (2054, 0, 1, 9102)])
    name = b"own grid|"
    yield file([(1024, 0, 1, 1), (1026, 34737, len(name), 0), (2048, 0, 1, 4326),
                (3072, 0, 1, 32767), (3074, 0, 1, 32767), (3075, 0, 1, 1), (3076, 0, 1, 9001),
                (3080, 34736, 1, 0), (3081, 34736, 1, 1), (3082, 34736, 1, 2),
                (3083, 34736, 1, 3), (3092, 34736, 1, 4)], (9.0, 0, 500000, 0, 0.9996), name)
    yield file([(1024, 0, 1, 2), (2048, 0, 1, 32767), (2050, 0, 1, 32767), (2056, 0, 1, 32767),
                (2057, 34736, 1, 0), (2059, 34736, 1, 1), (2061, 34736, 1, 2),
                (2062, 34736, 3, 2)], (6378137, 298.25, 0.5, 1, 2))
    esri = b"ESRI PE String = " + WKT + b"|"
    yield file([(1024, 0, 1, 32767), (1026, 34737, len(esri), 0)], (), esri)


def varints(*numbers):
    found = b""
    for number in numbers:
        while number > 127:
            found += bytes([number & 127 | 128])
            number >>= 7
        found += bytes([number])
    return found


def archives():
    """PMTiles, plain and compressed, with and without a leaf directory."""
    leaf = varints(2, 0, 3, 1, 2, 4, 6, 1, 0)
    for pack in (bytes, gzip.compress):
        packed = pack(leaf)
        for root, leaves in ((packed, b""), (pack(varints(1, 0, 0, len(packed), 1)), packed)):
            parts = [root, pack(b'{"name": "a"}'), leaves, b"0123456789"]
            places = []
            end = 127
            for part in parts:
                places += [end, len(part)]
                end += len(part)
            header = b"PMTiles\3" + struct.pack("<11Q", *places, 3, 2, 2)
            header += bytes([1, 1 if pack is bytes else 2, 1, 2, 0, 1])
            header += struct.pack("<4iB2i", 0, 0, 10, 10, 0, 5, 5)
            yield header + b"".join(parts)


def databases():
    """MBTiles with a table of tiles, and with a view of two; small pages."""
    flat = ["CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, "
            "tile_data BLOB)",
            "CREATE UNIQUE INDEX i ON tiles (zoom_level, tile_column, tile_row)",
            "INSERT INTO tiles VALUES (0, 0, 0, x'89504e47'), (1, 1, 0, x'89504e47')"]
    shared = ["CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, "
              "tile_id TEXT)",
              "CREATE TABLE images (tile_data BLOB, tile_id TEXT)",
              "INSERT INTO map VALUES (0, 0, 0, 'a'), (1, 0, 1, 'a')",
              "INSERT INTO images VALUES (x'ffd8ff', 'a')",
              "CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map "
              "JOIN images ON images.tile_id = map.tile_id"]
    for tables in (flat, shared):
        with tempfile.NamedTemporaryFile(suffix=".mbtiles") as file:
            database = sqlite3.connect(file.name)
            database.execute("PRAGMA page_size = 512")
            database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
            rows = [("name", "a"), ("format", "png"), ("bounds", "-180,-85,180,85"),
                    ("minzoom", "0"), ("maxzoom", "1")]
            database.executemany("INSERT INTO metadata VALUES (?, ?)", rows)
            for statement in tables:
                database.execute(statement)
            database.commit()
            database.close()
            yield pathlib.Path(file.name).read_bytes()


def manifests_of_files():
    """Lists of a tileset's files, without the hash at the end."""
    def record(zoom, column, row):
        return struct.pack("<IIIIQQ", zoom, column, row, 99, 1, 2)

    records = record(0, 0, 0) + record(1, 0, 1) + record(1, 1, 1)
    yield (b"tilewright manifest 1\nmade 00112233445566778899aabbccddeeff\nimage plan.png\nside tilejson.json\n"
           b"told https://a.b/c\nsaid 00112233445566778899aabbccddeeff tilejson.json\n"
           b"tiles 3 xyz {z}/{x}/{y}.png\n\n" + records)
    yield (b"tilewright manifest 1\njob 00112233445566778899aabbccddeeff\ntold -\ntiles 0 tms {quadkey}.jpg\n"
           b"tiles 3 tms L1_{z}_{x}_{-y}.jpg\n\n" + records)


def indexes():
    """The index of a building, and of a campus."""
    floor = (b'{"floor":"1","label":"First","shortName":"1","ordinal":1,"default":true,"tilejson":"tilejson-1.json",'
             b'"tiles":"{z}/{x}/{y}.png","bounds":[2,48,3,49],"minzoom":3,"maxzoom":4,'
             b'"limits":[[3,2,1,4,1],[4,4,2,8,2]],"tileSize":256,"format":"png","tileCount":3,"digest":"00"}')
    archive = floor.replace(b'"tilejson":"tilejson-1.json","tiles":"{z}/{x}/{y}.png"', b'"archive":"1.pmtiles"')
    yield (b'{"version":1,"name":"Mall","manifest":"mall.yaml","floors":[' + floor + b"," + archive
           + b'],"generator":"tilewright"}')
    yield (b'{"version":1,"name":"Site","buildings":[{"name":"A","index":"a/building.json"},'
           b'{"name":"B","index":"b%20c/building.json"}],"generator":"tilewright"}')


def shards():
    """The count of records, the records and the pieces, as the harness reads them."""
    def record(kind, zoom, column, row, size):
        return struct.pack("<BBHIII16s", kind, zoom, 0, column, row, size, bytes(16))

    yield b"\0"
    yield bytes([2]) + record(1, 4, 3, 2, 5) + record(2, 3, 1, 1, 7) + bytes(12)
    yield bytes([1]) + record(3, 0, 0, 0, 4) + bytes(4)
    # Pixels of Zstandard: one block of 2048 times the same byte.
    yield b"\0" + bytes.fromhex("28b52ffd60000703400002")


def censuses():
    """Counts of colours: few, and more than a palette has."""
    def census(boxes, colors, flat, pinned=3):
        file = struct.pack("<Q", 100) + struct.pack("<Q", 7) * pinned + struct.pack("<I", len(boxes))
        file += b"".join(struct.pack("<I5Q", box, 9, 400, 500, 600, 9 * 255) for box in boxes)
        file += struct.pack("<I", colors if isinstance(colors, int) else len(colors))
        file += b"" if isinstance(colors, int) else b"".join(struct.pack("<I", color) for color in colors)
        return file + struct.pack("<I", len(flat)) + b"".join(struct.pack("<IQ", color, 9) for color in flat)

    yield census([], [], [])
    yield census(range(0, 1 << 18, 10007), 0xFFFFFFFF, [0xFF123456, 0x80402010])


def statements():
    """A letter for the kind, then JSON or rows."""
    limits = (b'"tileMatrixSetLimits":[{"tileMatrix":"3","minTileCol":2,"maxTileCol":4,'
              b'"minTileRow":1,"maxTileRow":1}]')
    common = (b'"name":"a","description":"b","attribution":"c","scheme":"tms","floor":"1",'
              b'"bounds":[2,48,3,49],"center":[2.5,48.5,3],"minzoom":3,"maxzoom":3,'
              b'"tileSize":512,"mediaTypes":["image/png","image/jpeg"],"tileCount":3,'
              b'"digest":"00","generator":"tilewright",' + limits)
    yield b't{"tilejson":"3.0.0","tiles":["https://a.b/{z}/{x}/{y}.png"],' + common + b"}"
    yield b"p{" + common + b"}"
    yield (b'm{"format":"jpg","bounds":"170,48,-170,49","center":"180,48,3","minzoom":"3",'
           b'"json":"{}"}')
    yield b"rname\ta\nformat\twebp\nbounds\t-180,-85,180,85\nminzoom\t0\nmaxzoom\t1"


def requests():
    """Target, Host, Range and If-None-Match, as the harness reads them."""
    tag = b'"0123456789abcdef"'
    for lines in (
            (b"/", b"127.0.0.1:8080", b"", b""),
            (b"/plan/17/66264/45437.png", b"localhost:8080", b"bytes=0-9", tag),
            (b"/harbour/mall/B1/0/0/0.webp?v=0a1b", b"[::1]:8080", b"bytes=-7", b"W/" + tag),
            (b"/erster%20Stock%C3%BC.json", b"Plans.Example", b"bytes=100-", b'"x", ' + tag),
            (b"/30/1/30/1073741823/1073741823.jpg", b"[fe80::1:2]", b"bytes=0-0,5-6", b"*"),
            (b"/%2e%2e/%252e%252e/plan.pmtiles", b"192.168.0.7:80", b"bytes=9223372036854775807-", b" , ,")):
        yield b"\n".join(lines)


def frames():
    """Messages in a renderer's pipe: a request for pixels, pixels, and JSON."""
    yield struct.pack("<6d4i6dI", 2, 0, 0, 0, 2, 0, -8, 512, 512, 512, 0, 0, 842, 595, 1, 0.5, 3)
    yield struct.pack("<II", 1, 0xFF0000FF)
    yield struct.pack("<I4I", 2, 1, 2, 3, 4)
    yield b'{"type":"pdf","page":2,"layers":["Walls"],"password":"a","memory":1000000,"seconds":60}'
    yield b'{"version":1,"libraries":"poppler 22.12.0"}'
    yield b'{"cause":"noLayer","reason":"there is no layer \'a\'"}'
    yield (b'{"pageCount":1,"width":842.5,"height":595,"resolution":96,"picture":{"columns":9,"rows":8,'
           b'"resolution":300},"sheetColor":[255,255,255],"layers":[{"name":"a","isShown":true}],'
           b'"missingFonts":["Helvetica"],"warnings":[],"viewports":[{"form":"lgi","matrix":[1,0,0,1,0,0],'
           b'"registration":[[1,2,3,4]],"projection":{"Datum":"WGE"}}],"pointsFromUnits":[1,0,0,0,-1,595]}')


def webp_files():
    """8 x 8 pixels: lossy, lossy with alpha, lossless with alpha, lossless with a palette."""
    for file in (
            "UklGRkQAAABXRUJQVlA4IDgAAAAQAgCdASoIAAgAAsBMJbACdLoAArl8+sAAAP70t2ZbOf2VwGUaS4KrtNcH"
            "sNf+b6nN7sBL+rAAAA==",
            "UklGRnoAAABXRUJQVlA4WAoAAAAQAAAABwAABwAAQUxQSBcAAAAND6AgbQMWtjsRERxiwWT+0F1BRPQ/dABW"
            "UDggPAAAABACAJ0BKggACAACwEwlsAJ0ugADCEHwJYAA/tFFbveosn0876kZ5MKs1evDbQMklWC/4Kb7w+UZ"
            "L3NgAA==",
            "UklGRjYAAABXRUJQVlA4TCkAAAAvB8ABELkyRPQ/dhHR/wBhtlFJzh90ryMYj9FSkLYBC9udCaCiB3j/AQA=",
            "UklGRjQAAABXRUJQVlA4TCcAAAAvB8ABEBcwCEKChOz/v86BQCBJdn+EA+wNYsE0pDG9ZIrof8QXXwwA"):
        yield base64.b64decode(file)


def heif_files():
    """16 x 16 pixels as AVIF: 4:2:0; 10 bits with alpha; two turned tiles; cropped gray. Then as HEIC,
    opaque and with alpha."""
    for file in (
            "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAA"
            "AAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB4AAAAo"
            "aWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAA"
            "ABAAAAAQAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAMAAAAABNjb2xybmNseAABAA0ABoAAAAAXaXBtYQAAAAAA"
            "AAABAAEEAQKDBAAAACZtZGF0EgAKCRgM/9ggIaDQgDIPH0A////EAAE7QbwZAVBa",
            "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAGNbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAA"
            "AAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAsaWxvYwAAAABEAAACAAEAAAABAAABygAAACAAAgAA"
            "AAEAAAG1AAAAFQAAAEJpaW5mAAAAAAACAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAAAaaW5mZQIAAAAAAgAA"
            "YXYwMUFscGhhAAAAABppcmVmAAAAAAAAAA5hdXhsAAIAAQABAAAAw2lwcnAAAACdaXBjbwAAABRpc3BlAAAAAAAA"
            "ABAAAAAQAAAAEHBpeGkAAAAAAwoKCgAAAAxhdjFDgSBAAAAAABNjb2xybmNseAAMAA0ABoAAAAAOcGl4aQAAAAAB"
            "CgAAAAxhdjFDgQBcAAAAADhhdXhDAAAAAHVybjptcGVnOm1wZWdCOmNpY3A6c3lzdGVtczphdXhpbGlhcnk6YWxw"
            "aGEAAAAAHmlwbWEAAAAAAAAAAgABBAECgwQAAgQBBYYHAAAAPW1kYXQSAAoFGAz/2NQyCkQAAIyjOUKwVzQSAAoI"
            "OAz/2MMDQaQyEh9AP///xAB58AHMH2p2aI/mFA==",
            "AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAAGXbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAA"
            "AAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAA6aWxvYwAAAABEAAADAAEAAAABAAABvwAAAAgAAgAA"
            "AAEAAAHHAAAAMQADAAAAAQAAAfgAAAAmAAAAXGlpbmYAAAAAAAMAAAAaaW5mZQIAAAAAAQAAZ3JpZENvbG9yAAAA"
            "ABppbmZlAgAAAQACAABhdjAxQ29sb3IAAAAAGmluZmUCAAABAAMAAGF2MDFDb2xvcgAAAAAcaXJlZgAAAAAAAAAQ"
            "ZGltZwABAAIAAgADAAAAo2lwcnAAAABxaXBjbwAAABRpc3BlAAAAAAAAAIAAAABAAAAAEHBpeGkAAAAAAwgICAAA"
            "ABNjb2xybmNseAABAA0ABoAAAAAJaXJvdAEAAAAJaW1pcgAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAAxhdjFDgQAM"
            "AAAAACppcG1hAAAAAAAAAAMAAQUBAgOEhQACBgYChwOEhQADBgYChwOEhQAAAGdtZGF0AAAAAQCAAEASAAoJGBV/"
            "/YICGg0IMiIfQD///8UA1/8n0qGTs+dutuPR7uXBRd5xS5FAz53ZhoCcEgAKCRgVf/2CAhoNCDIXH0A////EALUu"
            "8j0fqYzgLw3UTMe9HmA=",
            "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAARltZXRhAAAAAAAAAChoZGxyAAAAAAAAAABwaWN0AAAAAAAA"
            "AAAAAAAAbGliYXZpZgAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAE9AAAAGAAAAChpaW5m"
            "AAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAACRaXBycAAAAHFpcGNvAAAAFGlzcGUAAAAAAAAAEAAA"
            "ABAAAAAOcGl4aQAAAAABCAAAAAxhdjFDgQAcAAAAABNjb2xybmNseAABAA0ABoAAAAAoY2xhcAAAAAwAAAABAAAA"
            "CgAAAAH////+AAAAAf////0AAAABAAAAGGlwbWEAAAAAAAAAAQABBQECgwSFAAAAIG1kYXQSAAoIGAz/2GAhoNQy"
            "Ch9A//EAA8VCPIA=",
            "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAa1tZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA"
            "AAAAAAAAAAAAAA5waXRtAAAAAAACAAAAEGlkYXQAAAAAABAAEAAAADhpbG9jAQAAAERAAAIAAQAAAAAAAAHRAAEA"
            "AAAAAAAAMQACAAEAAAAAAAAAAQAAAAAAAAAIAAAAOGlpbmYAAAAAAAIAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAV"
            "aW5mZQIAAAAAAgAAZ3JpZAAAAADYaXBycAAAALZpcGNvAAAAdmh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAA"
            "AQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQAAADAAADAB6gIIEFluqumubgQEDAgAAA"
            "AwCAAAADAIQiAAEABkQBwXPBiQAAABRpc3BlAAAAAAAAAEAAAABAAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4"
            "aQAAAAADCAgIAAAAGmlwbWEAAAAAAAAAAgABAoECAAICA4QAAAAaaXJlZgAAAAAAAAAOZGltZwACAAEAAQAAADlt"
            "ZGF0AAAALSgBrwQSFkkc+OmM0hrEtTDhKDCTWtL2ykxbQMUfaN6xo/TaMxrDSqlDvlMIrA==",
            "AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAvxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAA"
            "AAAAAAAAAAAAAA5waXRtAAAAAAACAAAAGGlkYXQAAAAAABAAEAAAAAAAEAAQAAAAYGlsb2MBAAAAREAABAABAAAA"
            "AAAAAyAAAQAAAAAAAAAxAAIAAQAAAAAAAAABAAAAAAAAAAgAAwAAAAAAAANRAAEAAAAAAAAAIgAEAAEAAAAAAAAA"
            "AQAAAAgAAAAIAAAAYmlpbmYAAAAAAAQAAAAVaW5mZQIAAAEAAQAAaHZjMQAAAAAVaW5mZQIAAAAAAgAAZ3JpZAAA"
            "AAAVaW5mZQIAAAEAAwAAaHZjMQAAAAAVaW5mZQIAAAAABAAAZ3JpZAAAAAGxaXBycAAAAYRpcGNvAAAAdmh2Y0MB"
            "A3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQABACpCAQEDcAAAAwCQ"
            "AAADAAADAB6gIIEFluqumubgQEDAgAAAAwCAAAADAIQiAAEABkQBwXPBiQAAABRpc3BlAAAAAAAAAEAAAABAAAAA"
            "FGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4aQAAAAADCAgIAAAAcWh2Y0MBBAgAAAAAAAAAAAAe8AD8/Pj4AAAPAyAA"
            "AQAXQAEMAf//BAgAAAMAn/gAAAMAAB66AkAhAAEAJkIBAQQIAAADAJ/4AAADAAAewIIEFluqumubAgAAAwACAAAD"
            "AAIQIgABAAZEAcFzwYkAAAAUaXNwZQAAAAAAAABAAAAAQAAAABRpc3BlAAAAAAAAABAAAAAQAAAADnBpeGkAAAAA"
            "AQgAAAAnYXV4QwAAAAB1cm46bXBlZzpoZXZjOjIwMTU6YXV4aWQ6MQAAAAAlaXBtYQAAAAAAAAAEAAECgQIAAgID"
            "hAADAoUGAAQDB4iJAAAANmlyZWYAAAAAAAAADmRpbWcAAgABAAEAAAAOZGltZwAEAAEAAwAAAA5hdXhsAAQAAQAC"
            "AAAAW21kYXQAAAAtKAGvBBIWSRz46YzSGsS1MOEoMJNa0vbKTFtAxR9o3rGj9NozGsNKqUO+UwisAAAAHigBrggk"
            "JJnA8SrkUhMhcfkNjPY5mHTDswIgvkB2QA=="):
        yield base64.b64decode(file)


def with_metadata(webp, icc):
    """The same image with a profile and an EXIF block, which has a header as ImageMagick writes it."""
    def piece(name, data):
        return name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)

    head = struct.pack("<I", 0x28) + bytes([7, 0, 0, 7, 0, 0])
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0"
    body = (b"WEBP" + piece(b"VP8X", head) + piece(b"ICCP", icc) + webp[12:]
            + piece(b"EXIF", exif))
    return b"RIFF" + struct.pack("<I", len(body)) + body


def seeds():
    found = list(profiles())
    yield "icc", found
    forms = [(0, 1, 1), (0, 8, 1), (0, 16, 1), (2, 8, 3), (2, 16, 3), (3, 8, 1), (4, 8, 2),
             (6, 8, 4), (6, 16, 4)]
    images = [png(*form, interlaced) for form in forms for interlaced in (0, 1)]
    images.append(png(2, 8, 3, 0, [(b"iCCP", b"A\0\0" + zlib.compress(found[0]))]))
    images.append(png(2, 16, 3, 0, [(b"gAMA", struct.pack(">I", 100000)), (b"sRGB", b"\0")]))
    images.append(png(0, 8, 1, 0, [(b"cICP", b"\x09\x08\0\1"), (b"cHRM", bytes(32))]))
    yield "png", images
    adobe = segment(0xEE, b"Adobe\0\x64\0\0\0\0\2")
    icc = segment(0xE2, b"ICC_PROFILE\0\1\1" + found[0])
    yield "tiff", rasters(found[0])
    yield "worldfile", world_files()
    yield "points", point_files()
    yield "geojson", geojson_files()
    yield "kml", kml_files()
    yield "kmz", kmz_files()
    yield "auxxml", pam_files()
    yield "prj", definitions()
    yield "geokeys", geo_key_files()
    yield "pmtiles", archives()
    yield "mbtiles", databases()
    yield "statement", statements()
    yield "manifest", manifests_of_files()
    yield "index", indexes()
    yield "shard", shards()
    yield "colors", censuses()
    yield "yaml", manifests()
    yield "request", requests()
    yield "frames", frames()
    webps = list(webp_files())
    yield "webp", webps + [with_metadata(webps[0], found[0])]
    yield "heif", heif_files()
    # Width, height, effort; then colours with their runs.
    yield "png_write", [bytes([255, 40, effort * 4]) + bytes(range(seed, 240, 7))
                        for effort in range(3) for seed in range(3)]
    yield "jpeg", [jpeg(1), jpeg(3), jpeg(3, icc), jpeg(4), jpeg(4, adobe)]


def main(directory):
    for name, files in seeds():
        folder = pathlib.Path(directory, name)
        folder.mkdir(parents=True, exist_ok=True)
        for number, file in enumerate(files):
            (folder / f"seed{number}").write_bytes(file)


main(sys.argv[1])
