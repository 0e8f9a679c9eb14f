"""Makes archives that ask for far more than their size explains: archives.py FOLDER. Prints their names."""

import gzip
import json
import os
import sqlite3
import struct
import sys
import zlib

FOLDER = sys.argv[1]
METADATA = {"name": "a", "generator": "tilewright", "format": "png"}


def chunk(name, data):
    body = name + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


def png(size=256, shade=0):
    """A gray tile."""
    rows = (b"\0" + bytes([shade]) * size) * size
    head = struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


TILE = png()


# PMTiles

def varints(numbers):
    found = bytearray()
    for number in numbers:
        while number > 127:
            found.append(number & 127 | 128)
            number >>= 7
        found.append(number)
    return bytes(found)


def directory(entries):
    """Of entries of ID, run, length and offset."""
    last, ids = 0, []
    for entry in entries:
        ids.append(entry[0] - last)
        last = entry[0]
    return varints([len(entries)] + ids + [e[1] for e in entries] + [e[2] for e in entries]
                   + [e[3] + 1 for e in entries])


def pmtiles(name, root, data=TILE, leaves=b"", metadata=METADATA, tile_compression=1, zooms=(0, 12),
            packed=True, sections=None, length=None):
    pack = (lambda part: gzip.compress(part, mtime=0)) if packed else bytes
    if not isinstance(metadata, bytes):
        metadata = json.dumps(metadata).encode()
    parts = [pack(root), pack(metadata), leaves, data]
    places, end = [], 127
    for part in parts:
        places += [end, len(part)]
        end += len(part)
    if length is not None:
        places[7] = length
    header = b"PMTiles\3" + struct.pack("<11Q", *(sections or places), 0, 0, 0)
    header += bytes([1, 2 if packed else 1, tile_compression, 2, *zooms])
    header += struct.pack("<4iB2i", -1800000000, -850000000, 1800000000, 850000000, zooms[0], 0, 0)
    path = os.path.join(FOLDER, name + ".pmtiles")
    with open(path, "wb") as file:
        file.write(header + b"".join(parts))
        if length is not None:
            file.truncate(places[6] + length)
    print(name + ".pmtiles")


def first(zoom):
    """The ID of the first tile of a zoom."""
    return (4 ** zoom - 1) // 3


def all_pmtiles():
    tile = len(TILE)
    pmtiles("ocean", directory([(first(8), 4 ** 8, tile, 0)]), zooms=(8, 8))
    pmtiles("run", directory([(0, 2 ** 32 - 1, tile, 0)]))
    pmtiles("runs", directory([(first(14) + i * 1000, 999, tile, 0) for i in range(9000)]), zooms=(14, 14))
    # One content of 20 MB, which is a hole in the file, for thousands of tiles.
    large = [(first(8) + 2 * i, 1, 20 << 20, 0) for i in range(3000)]
    pmtiles("content", directory(large), zooms=(8, 8), length=20 << 20)
    pmtiles("run-of-content", directory([(first(10), 4 ** 10, 20 << 20, 0)]), zooms=(10, 10), length=20 << 20)
    pmtiles("root-bomb", bytes(64 << 20))
    pmtiles("metadata-bomb", directory([(0, 1, tile, 0)]), metadata=b" " * (64 << 20) + b"{}")
    bomb = gzip.compress(TILE + bytes(60 << 20), mtime=0)
    pmtiles("tile-bombs", directory([(first(6) + i, 1, len(bomb), i * len(bomb)) for i in range(40)]),
            data=bomb * 40, tile_compression=2, zooms=(6, 6))
    leaf = gzip.compress(directory([(first(8), 100, tile, 0)]), mtime=0)
    pmtiles("shared-leaf", directory([(first(8), 0, len(leaf), 0)] * 5000), leaves=leaf)
    # A leaf that names itself: its length does not depend on its offset.
    pmtiles("cycle", directory([(1, 0, 5, 0)]), leaves=varints([1, 1, 0, 5, 1]), packed=False)
    # Leaves that begin one after the other, and all reach to the end.
    small = [gzip.compress(directory([(first(9) + i, 1, tile, 0)]), mtime=0) for i in range(2000)]
    end = small[-1][-4:]
    body = b"".join(small) + bytes(3 << 20) + end
    offsets = [sum(map(len, small[:i])) for i in range(len(small))]
    pmtiles("long-leaves", directory(
        [(first(9) + i, 0, len(body) - offset, offset) for i, offset in enumerate(offsets)]), leaves=body)
    limits = [{"tileMatrix": "9", "minTileCol": 511, "maxTileCol": 511, "minTileRow": i % 512,
               "maxTileRow": 511} for i in range(20000)]
    pmtiles("limits", directory([(first(8), 4 ** 8, tile, 0)]), zooms=(8, 8),
            metadata={**METADATA, "tileMatrixSetLimits": limits})
    for name, value in [("numbers", b"1,"), ("objects", b"{},")]:
        pmtiles(name, directory([(0, 1, tile, 0)]), zooms=(0, 0),
                metadata=b'{"generator":"tilewright","format":"png","a":[' + value * 2000000 + b"0]}")
    # Tiles of zoom 30 far from each other, each of which lacks thirty coarser ones.
    fine = [(first(30) + i * 4 ** 23 + i, 1, tile, 0) for i in range(9000)]
    pmtiles("scattered", directory([(0, 1, tile, 0)] + fine), zooms=(0, 30))
    pmtiles("nested", directory([(0, 1, tile, 0)]), metadata=b'{"a":' + b"[" * 1000000 + b"]" * 1000000 + b"}")
    pmtiles("pixel", directory([(first(12), 4 ** 8, len(png(1)), 0)]), data=png(1), zooms=(12, 12),
            metadata={**METADATA, "tileSize": 1})
    beyond = 2 ** 64 - 1
    pmtiles("beyond", b"", sections=[beyond, beyond, 2 ** 63, 2 ** 63, 127, beyond, beyond - 1, 2])


# MBTiles

FLAT = "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);"
REAL = FLAT.replace("TABLE tiles", "TABLE real")
SHARED = """
    CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
    CREATE TABLE images (tile_data BLOB, tile_id TEXT);
    CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data FROM map
        JOIN images ON images.tile_id = map.tile_id;
    """
ROWS = [(8, i // 64, i % 64, TILE) for i in range(1000)]


def mbtiles(name, schema, rows=None, change=None):
    """Rows are of a table, and their values."""
    path = os.path.join(FOLDER, name + ".mbtiles")
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
    database.executemany("INSERT INTO metadata VALUES (?, ?)", METADATA.items())
    database.executescript(schema)
    for table, values in (rows or {}).items():
        database.executemany(f"INSERT INTO {table} VALUES ({','.join('?' * len(values[0]))})", values)
    database.commit()
    database.close()
    if change:
        with open(path, "r+b") as file:
            change(file)
    print(name + ".mbtiles")


def view(columns, tables):
    return f"CREATE VIEW tiles AS SELECT {columns} FROM {tables};"


def write_at(offset, data):
    def change(file):
        file.seek(offset)
        file.write(data)
    return change


def all_mbtiles():
    columns = "a.zoom_level, a.tile_column, a.tile_row, a.tile_data"
    mbtiles("plain", FLAT, {"tiles": ROWS})
    joined = ", ".join(f"real {letter}" for letter in "abcde")
    mbtiles("joined", REAL + view(columns, joined), {"real": ROWS})
    views = "".join(f"CREATE VIEW v{i} AS SELECT a.* FROM {'real' if i == 0 else f'v{i - 1}'} a,"
                    f" {'real' if i == 0 else f'v{i - 1}'} b LIMIT 3;" for i in range(30))
    mbtiles("views", REAL + views + view(columns, "v29 a"), {"real": ROWS})
    mbtiles("recursion", REAL + "CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1"
            f" FROM n) SELECT {columns} FROM real a, n;", {"real": ROWS})
    inner = ", ".join(["t0 AS (SELECT * FROM real LIMIT 9)"]
                      + [f"t{i} AS (SELECT a.* FROM t{i - 1} a, t{i - 1} b LIMIT 9)" for i in range(1, 30)])
    mbtiles("tables", REAL + f"CREATE VIEW tiles AS WITH {inner} SELECT {columns} FROM t29 a;", {"real": ROWS})
    sums = ", ".join(f"c{i} INTEGER AS (c{i - 1} + c{i - 1})" for i in range(1, 40))
    mbtiles("computed", REAL.replace("tile_data BLOB", f"tile_data BLOB, c0 INTEGER, {sums}")
            + view("a.c39 AS zoom_level, a.tile_column, a.tile_row, a.tile_data", "real a"))
    shared = {"map": [(8, i // 64, i % 64, "a") for i in range(3000)]}
    mbtiles("content", SHARED, {**shared, "images": [(TILE + bytes(20 << 20), "a")]})
    mbtiles("no-index", SHARED, {
        "map": [(8, i // 64, i % 64, str(i)) for i in range(3000)],
        "images": [(TILE + bytes(200), str(i)) for i in range(3000)]})
    # Each row is behind the bytes of its tile.
    mbtiles("behind", "CREATE TABLE tiles (tile_data BLOB, zoom_level INTEGER, tile_column INTEGER,"
            " tile_row INTEGER);", {"tiles": [(TILE + bytes(3 << 20), 8, i, i) for i in range(8)]})
    doubled = "||".join(["a.tile_data"] * 90)
    mbtiles("long", REAL + view(f"a.zoom_level, a.tile_column, b.tile_row, {doubled} AS tile_data",
                                "real a, real b"), {"real": [(8, 1, i, "x" * 300000) for i in range(9)]})
    text = "x" * 1000000
    large = [(8, 1, i, text + str(i)) for i in range(4)]
    mbtiles("compared", REAL + "CREATE TABLE n (i);" + view(
        columns, "real a, n b, n c, n d, n e WHERE a.tile_data < a.tile_data || b.i"),
        {"real": large, "n": [(str(i),) for i in range(200)]})
    mbtiles("sorted", REAL + "CREATE TABLE n (i);" + view(
        "DISTINCT a.zoom_level, b.i AS tile_column, c.i AS tile_row, a.tile_data", "real a, n b, n c, n d"),
        {"real": large, "n": [(i,) for i in range(200)]})
    mbtiles("addresses", REAL + "CREATE TABLE n (i);" + view(
        "a.tile_data AS zoom_level, a.tile_column, a.tile_row, x'00' AS tile_data", "real a, n b, n c"),
        {"real": large, "n": [(i,) for i in range(300)]})
    mbtiles("keys", SHARED.replace("CREATE TABLE images", "CREATE TABLE n (i); CREATE TABLE real")
            .replace("CREATE VIEW", "CREATE VIEW images AS SELECT a.tile_data, a.tile_id || b.tile_id AS tile_id"
                     " FROM real a, real b, real c; CREATE VIEW"),
            {"map": [(8, 1, i, text) for i in range(4)], "real": [(TILE, text + str(i)) for i in range(200)][:4]})
    mbtiles("triggers", FLAT + "CREATE TRIGGER t AFTER INSERT ON tiles BEGIN DELETE FROM metadata; END;")
    mbtiles("expressions", FLAT.replace("tile_data BLOB", "tile_data BLOB CHECK (length(hex(tile_data)) > 0)")
            + "CREATE INDEX i ON tiles (hex(tile_data)); CREATE INDEX j ON tiles (tile_column)"
              " WHERE hex(tile_data) > '';", {"tiles": ROWS})
    mbtiles("types", FLAT, {"tiles": [("eight", 1, 2, TILE), (8, b"1", 2, TILE), (8, 1.5, 2, TILE),
                                      (8, 1, None, TILE), (8, 2, 2, 12), (8, 3, 3, None), (10 ** 15, 1, 1, TILE)]})
    mbtiles("metadata", FLAT + "DROP TABLE metadata; CREATE TABLE n (name TEXT);"
            "CREATE VIEW metadata AS SELECT a.name, b.name AS value FROM n a, n b, n c, n d, n e;",
            {"tiles": ROWS, "n": [("x" * 1000,)] * 300})
    # Bytes of the header: both formats are WAL; the file has no pages, or very many.
    mbtiles("wal", FLAT, {"tiles": ROWS}, write_at(18, b"\2\2"))
    mbtiles("no-pages", FLAT, {"tiles": ROWS}, write_at(28, bytes(4)))
    mbtiles("many-pages", FLAT, {"tiles": ROWS}, write_at(28, b"\x7f\xff\xff\xff"))
    mbtiles("hole", REAL + view(columns, joined), {"real": ROWS}, lambda file: file.truncate(1 << 30))
    mbtiles("virtual", FLAT + "PRAGMA writable_schema = ON; INSERT INTO sqlite_master VALUES"
            " ('table', 'boxes', 'boxes', 0, 'CREATE VIRTUAL TABLE boxes USING rtree(i, a, b)');", {"tiles": ROWS})


all_pmtiles()
all_mbtiles()
