"""Applies a patch as martin's `mbtiles apply-patch` does, by the rules in its source (mbtiles/src/patcher.rs and
validation.rs, 2026), and compares the result with the new tileset.

    martin_rules.py OLD.mbtiles NEW.mbtiles PATCH.mbtiles SCRATCH.mbtiles

SCRATCH becomes a copy of OLD in martin's flat schema, to which the patch is applied.
"""

import hashlib
import sqlite3
import sys

HASH, BEFORE, AFTER = (f"agg_tiles_hash{end}" for end in ("", "_before_apply", "_after_apply"))


def open_file(path):
    database = sqlite3.connect(path)
    database.isolation_level = None
    return database


def is_flat(database):
    """is_flat_tables_type: `tiles` is a table of four columns with these types."""
    names = {"zoom_level": "INT", "tile_column": "INT", "tile_row": "INT"}
    [(count,)] = database.execute(
        "SELECT count(*) FROM sqlite_master WHERE name = 'tiles' AND type = 'table'")
    columns = {row[1]: row[2] for row in database.execute("PRAGMA table_info(tiles)")}
    return (count == 1 and len(columns) == 4 and columns.get("tile_data") == "BLOB"
            and all(kind in columns.get(name, "").upper() for name, kind in names.items()))


def has_unique_address(database):
    """check_for_uniqueness_constraint: an index over exactly these columns."""
    address = {"zoom_level", "tile_column", "tile_row"}
    indexes = [row[1] for row in database.execute("PRAGMA index_list(tiles)") if row[2] == 1]
    return any({row[2] for row in database.execute(f"PRAGMA index_info({name})")} == address
               for name in indexes)


def has_valid_types(database):
    """check_tiles_type_validity."""
    return database.execute("""
        SELECT 1 FROM tiles
        WHERE typeof(zoom_level) != 'integer' OR zoom_level < 0 OR zoom_level > 30
            OR typeof(tile_column) != 'integer' OR tile_column < 0 OR tile_column >= (1 << zoom_level)
            OR typeof(tile_row) != 'integer' OR tile_row < 0 OR tile_row >= (1 << zoom_level)
            OR (typeof(tile_data) != 'blob' AND typeof(tile_data) != 'null')""").fetchone() is None


def aggregate_hash(database):
    """calc_agg_tiles_hash."""
    digest = hashlib.md5()
    for zoom, column, row, data in database.execute(
            "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles ORDER BY 1, 2, 3"):
        digest.update(f"{zoom}{column}{row}".encode() + (data or b""))
    return digest.hexdigest().upper()


def value(database, name):
    row = database.execute("SELECT value FROM metadata WHERE name = ?", (name,)).fetchone()
    return row and row[0]


def apply(base_path, patch_path):
    patch = open_file(patch_path)
    assert is_flat(patch) and has_unique_address(patch) and has_valid_types(patch), "the patch is not flat"
    assert patch.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert value(patch, BEFORE) and value(patch, AFTER), "the patch has no hashes"
    assert value(patch, HASH) == aggregate_hash(patch), "the patch has another hash than it says"
    after = value(patch, AFTER)
    base = open_file(base_path)
    assert is_flat(base) and has_unique_address(base)
    assert value(base, BEFORE) is None and value(base, AFTER) is None
    assert value(base, HASH) == value(patch, BEFORE), "AggHashMismatchWithDiff"
    patch.close()
    base.execute("ATTACH DATABASE ? AS patchDb", (patch_path,))
    chosen = "SELECT zoom_level, tile_column, tile_row, tile_data FROM patchDb.tiles"
    base.execute(
        "INSERT OR REPLACE INTO tiles (zoom_level, tile_column, tile_row, tile_data) "
        f"{chosen} WHERE tile_data NOTNULL")
    base.execute(f"""
        DELETE FROM tiles WHERE (zoom_level, tile_column, tile_row) IN (
            SELECT zoom_level, tile_column, tile_row FROM ({chosen} WHERE tile_data ISNULL))""")
    base.execute(f"""
        INSERT OR REPLACE INTO metadata (name, value)
        SELECT IIF(name = '{AFTER}', '{HASH}', name) AS name, value FROM patchDb.metadata
        WHERE name NOTNULL AND name NOT IN ('{HASH}', '{BEFORE}')""")
    base.execute("DELETE FROM metadata WHERE name IN (SELECT name FROM patchDb.metadata WHERE value ISNULL)")
    base.execute("DETACH DATABASE patchDb")
    result = aggregate_hash(base)
    assert result == after == value(base, HASH), "AggHashMismatchAfterApply"
    base.close()
    return result


def make_flat(path, source):
    """A copy in martin's flat schema, with the hash of its tiles."""
    copy = open_file(path)
    copy.executescript("""
        CREATE TABLE metadata (name TEXT NOT NULL PRIMARY KEY, value TEXT);
        CREATE TABLE tiles (
            zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL,
            tile_data BLOB, PRIMARY KEY (zoom_level, tile_column, tile_row))""")
    copy.execute("ATTACH DATABASE ? AS source", (source,))
    copy.execute("INSERT INTO tiles SELECT zoom_level, tile_column, tile_row, tile_data FROM source.tiles")
    copy.execute("INSERT INTO metadata SELECT name, value FROM source.metadata")
    copy.execute("INSERT INTO metadata VALUES (?, ?)", (HASH, aggregate_hash(copy)))
    copy.close()


def content(path):
    database = open_file(path)
    rows = dict(database.execute("SELECT name, value FROM metadata"))
    rows.pop(HASH, None)
    return rows, database.execute("SELECT * FROM tiles ORDER BY 1, 2, 3").fetchall()


if __name__ == "__main__":
    old, new, patch_file, scratch = sys.argv[1:]
    make_flat(scratch, old)
    apply(scratch, patch_file)
    assert content(scratch) == content(new), "martin's result is not the new tileset"
    print("same")
