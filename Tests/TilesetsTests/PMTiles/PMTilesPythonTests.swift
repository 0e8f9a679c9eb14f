import Foundation
import TestSupport
import Testing
import Tiling

@testable import Tilesets

/// Our archives and those of the format's authors read each other.
@Suite(.long, .needsPython("pmtiles"))
struct PMTilesPythonTests {
    private let site: PMTilesSite

    init() throws { site = try PMTilesSite() }

    @Test("Python reads back every byte of ours", arguments: [200, 20_000])
    func readByPython(count: Int) throws {
        let tiles = manyTiles(count)
        try site.build(tiles)
        let outcome = try site.python(
            """
            import sys
            from pmtiles.reader import MmapSource, Reader, all_tiles
            source = MmapSource(open(sys.argv[1], "rb"))
            assert Reader(source).metadata()["name"] == "plan"
            for index, ((zoom, column, row), data) in enumerate(all_tiles(source)):
                if index % 97 == 0:
                    assert Reader(source).get(zoom, column, row) == data
                print(f"{zoom}/{column}/{row}", data.decode())
            """)
        #expect(outcome.errors == "")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.count == count)
        #expect(Set(lines) == Set(tiles.map(\.text)))
    }

    /// What `pmtiles verify` of go-pmtiles looks at, in our own words.
    @Test("our archives meet the checks of go-pmtiles", arguments: [1, 200, 50_000])
    func verified(count: Int) throws {
        try site.build(manyTiles(count))
        let outcome = try site.python(
            """
            import os, sys
            from pmtiles.reader import MmapSource
            from pmtiles.tile import deserialize_directory, deserialize_header, tileid_to_zxy
            source = MmapSource(open(sys.argv[1], "rb"))
            header = deserialize_header(source(0, 127))
            parts = ["root", "metadata", "leaf_directory", "tile_data"]
            for part in parts:
                assert header[part + "_offset"] > 0, part
            lengths = [header[part + "_length"] for part in parts]
            assert os.path.getsize(sys.argv[1]) == 127 + sum(lengths)
            assert header["root_offset"] + header["root_length"] <= 16384

            def entries(offset, length):
                for entry in deserialize_directory(source(offset, length)):
                    if entry.run_length:
                        yield entry
                    else:
                        yield from entries(
                            header["leaf_directory_offset"] + entry.offset, entry.length)

            found = list(entries(header["root_offset"], header["root_length"]))
            assert sum(entry.run_length for entry in found) == header["addressed_tiles_count"]
            assert len(found) == header["tile_entries_count"]
            assert len({entry.offset for entry in found}) == header["tile_contents_count"]
            end, last = 0, -1
            for entry in found:
                assert entry.tile_id > last
                last = entry.tile_id + entry.run_length - 1
                assert entry.offset <= end, "out of order"
                end = max(end, entry.offset + entry.length)
            assert end == header["tile_data_length"]
            assert tileid_to_zxy(found[0].tile_id)[0] == header["min_zoom"]
            assert tileid_to_zxy(found[-1].tile_id)[0] == header["max_zoom"]
            assert header["min_zoom"] <= header["center_zoom"] <= header["max_zoom"]
            for axis in ["lon", "lat"]:
                low, middle, high = (
                    header[f"{name}_{axis}_e7"] for name in ["min", "center", "max"])
                assert low < high and low <= middle <= high
            """)
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
    }

    @Test("we read back every byte of Python's, even if it is not clustered")
    func writtenByPython() throws {
        for order in ["", ", reverse=True"] {
            let outcome = try site.python(
                """
                import sys
                from pmtiles.tile import Compression, TileType, tileid_to_zxy, zxy_to_tileid
                from pmtiles.writer import Writer
                ids = [0] + [zxy_to_tileid(9, x, y) for x in range(200, 300) for y in range(99)]
                with open(sys.argv[1], "wb") as file:
                    writer = Writer(file)
                    for number in sorted(ids\(order)):
                        data = "sea" if number % 7 == 0 else f"tile {number}"
                        writer.write_tile(number, data.encode())
                        print("%d/%d/%d" % tileid_to_zxy(number), data)
                    writer.finalize(
                        {"tile_type": TileType.PNG, "tile_compression": Compression.NONE,
                         "min_lon_e7": 1, "min_lat_e7": 2, "max_lon_e7": 30, "max_lat_e7": 40},
                        {"name": "theirs"})
                """)
            #expect(outcome.errors == "")
            let expected = outcome.output.split(separator: "\n").map(String.init)
            #expect(Set(try site.tiles().map(\.text)) == Set(expected))
            #expect(try PMTilesReader(site.path).header.get().isClustered == order.isEmpty)
            #expect(try site.faults() == [])
            #expect(try !PMTilesReader.isOurs(site.path))
            #expect(
                try PMTilesReader(site.path).limits() == [
                    TileRange(zoom: 0, columns: 0...0, rows: 0...0),
                    TileRange(zoom: 9, columns: 200...299, rows: 0...98),
                ])
        }
    }
}
