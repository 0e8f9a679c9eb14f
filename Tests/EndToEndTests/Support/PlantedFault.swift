import Foundation
import TestSupport

/// Something wrong that a test puts into a good tileset, and what `verify` is to say of it.
struct PlantedFault: Sendable {
    /// A tileset that is to be spoilt.
    struct Tileset {
        /// A folder, or the file of an archive.
        var url: URL

        /// The tiles of a folder at a zoom, in the order of their names.
        func tiles(_ zoom: Int) throws -> [URL] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: url.path)
            return paths.filter { $0.hasPrefix("\(zoom)/") && $0.hasSuffix(".png") }.sorted()
                .map { url.appending(path: $0) }
        }

        /// Replaces text in a file of a folder.
        func edit(_ name: String, _ old: String, _ new: String) throws {
            let file = url.appending(path: name)
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.contains(old) else { throw CocoaError(.fileReadCorruptFile) }
            try Data(text.replacing(old, with: new).utf8).write(to: file)
        }

        /// Changes bytes of an archive.
        func poke(_ offset: Int, _ bytes: [UInt8]) throws {
            var data = try Data(contentsOf: url)
            data.replaceSubrange(offset..<offset + bytes.count, with: bytes)
            try data.write(to: url)
        }

        /// Runs statements on a database.
        func query(_ sql: String) throws {
            let outcome = try Tool.run("sqlite3", [url.path, sql])
            if outcome.status != 0 { throw CocoaError(.fileWriteUnknown) }
        }

        /// Runs a script on an archive, whose path is `sys.argv[1]`.
        func python(_ script: String) throws {
            let outcome = try Python.run(script, [url.path])
            if outcome.status != 0 { throw CocoaError(.fileWriteUnknown) }
        }
    }

    /// Its name in the test's report.
    var name: String
    /// A part of the line that is to be printed.
    var line: String
    /// Puts it in.
    var plant: @Sendable (Tileset) throws -> Void

    init(_ name: String, says line: String, plant: @escaping @Sendable (Tileset) throws -> Void) {
        self.name = name
        self.line = line
        self.plant = plant
    }
}

extension PlantedFault {
    /// An image that is no tile of the set: 100 pixels wide and tall.
    static func smallPicture() throws -> Data {
        let scratch = try TemporaryDirectory()
        try Picture(width: 100, height: 100).write(to: scratch.path("small.png"))
        return try Data(contentsOf: scratch.url.appending(path: "small.png"))
    }

    private static func swap(_ one: URL, _ other: URL) throws {
        let (first, second) = (try Data(contentsOf: one), try Data(contentsOf: other))
        try second.write(to: one)
        try first.write(to: other)
    }

    /// Faults of a folder with its list of files.
    static let ofFolders = [
        PlantedFault("a missing tile", says: ".png: is missing") {
            try FileManager.default.removeItem(at: $0.tiles(18)[3])
        },
        PlantedFault("a damaged tile", says: ".png: has changed since it was written") {
            let tile = try $0.tiles(18)[2]
            var data = try Data(contentsOf: tile)
            data[60] ^= 1
            try data.write(to: tile)
        },
        PlantedFault("a shortened tile", says: " bytes, but was written with ") {
            let tile = try $0.tiles(17)[0]
            try Data(contentsOf: tile).dropLast(9).write(to: tile)
        },
        PlantedFault("a directory for a tile", says: ".png: is not a file") {
            let tile = try $0.tiles(17)[0]
            try FileManager.default.removeItem(at: tile)
            try FileManager.default.createDirectory(at: tile, withIntermediateDirectories: false)
        },
        PlantedFault("a foreign file", says: "file 18/letter.txt: belongs to no tileset here") {
            try Data([1]).write(to: $0.url.appending(path: "18/letter.txt"))
        },
        PlantedFault("a foreign tile", says: "file 15/1/1.png: belongs to no tileset here") {
            let directory = $0.url.appending(path: "15/1")
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true)
            try Data(contentsOf: $0.tiles(18)[0]).write(to: directory.appending(path: "1.png"))
        },
        PlantedFault("no TileJSON", says: "tilejson.json: is missing") {
            try FileManager.default.removeItem(at: $0.url.appending(path: "tilejson.json"))
        },
        PlantedFault("no metadata.json", says: "metadata.json: is missing") {
            try FileManager.default.removeItem(at: $0.url.appending(path: "metadata.json"))
        },
    ]

    /// Faults of a folder that was copied without its list of files.
    static let ofCopies = [
        PlantedFault("a missing tile", says: "claims 19 tiles, but there are 18") {
            try FileManager.default.removeItem(at: $0.tiles(18)[3])
        },
        PlantedFault("a missing overview", says: "is missing, although there are finer tiles in its place") {
            try FileManager.default.removeItem(at: $0.tiles(17)[1])
        },
        PlantedFault("an empty file", says: ".png: cannot be decoded: it is empty") {
            try Data().write(to: $0.tiles(18)[1])
        },
        PlantedFault("a tile that is cut off", says: ".png: cannot be decoded: the file ends") {
            let tile = try $0.tiles(18)[1]
            try Data(contentsOf: tile).dropLast(20).write(to: tile)
        },
        PlantedFault(
            "a tile of another size", says: "has 100 x 100 pixels, in a tileset of 256 x 256"
        ) {
            try Self.smallPicture().write(to: $0.tiles(18)[1])
        },
        PlantedFault("a tile that is no image", says: ".png: cannot be decoded: it is not a PNG") {
            try Data("<html>not found</html>".utf8).write(to: $0.tiles(18)[1])
        },
        PlantedFault("two tiles swapped", says: "tilejson.json: its digest does not match the tiles") {
            let tiles = try $0.tiles(18)
            try Self.swap(tiles[4], tiles[7])
        },
        PlantedFault("a tile elsewhere", says: "is outside the claimed limits") {
            let directory = $0.url.appending(path: "18/5")
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true)
            try FileManager.default.moveItem(
                at: $0.tiles(18)[0], to: directory.appending(path: "5.png"))
        },
        PlantedFault("bounds too far east", says: "its bounds do not contain the westernmost tiles") {
            try $0.edit("tilejson.json", "\"bounds\": [2,", "\"bounds\": [2.0025,")
        },
        PlantedFault("bounds too large", says: "its bounds reach farther north than any tile") {
            try $0.edit("metadata.json", ",48.002\"", ",48.5\"")
        },
        PlantedFault(
            "bounds of one file", says: "metadata.json: has the bounds '2,48,2.003,48.002'"
        ) {
            try $0.edit("tilejson.json", "2.003, 48.002]", "2.0029, 48.002]")
        },
        PlantedFault("a wrong zoom", says: "has minzoom 14, but the lowest zoom with a tile is 15") {
            try $0.edit("tilejson.json", "\"minzoom\": 15", "\"minzoom\": 14")
        },
        PlantedFault("limits too wide", says: "tilejson.json: claims tiles at zoom 18") {
            let text = try String(
                contentsOf: $0.url.appending(path: "tilejson.json"), encoding: .utf8)
            let entry = text.components(separatedBy: "\"tileMatrix\": \"18\", \"minTileRow\": ")[1]
            let row = entry.prefix { $0 != "," }
            try $0.edit(
                "tilejson.json", "\"18\", \"minTileRow\": \(row)", "\"18\", \"minTileRow\": 90000")
        },
        PlantedFault("a centre elsewhere", says: "tilejson.json: its center is outside its bounds") {
            try $0.edit("tilejson.json", "\"center\": [2.0015", "\"center\": [12.0015")
        },
        PlantedFault("no address", says: "tilejson.json: has no 'tiles'") {
            try $0.edit("tilejson.json", "\"tiles\"", "\"tile\"")
        },
        PlantedFault("a number among strings", says: "metadata.json: its 'minzoom' is not a string") {
            try $0.edit("metadata.json", "\"15\"", "15")
        },
    ]

    /// Faults of MBTiles, made with sqlite3.
    static let ofMBTiles = [
        PlantedFault("a missing tile", says: "tileCount") {
            try $0.query(
                "DELETE FROM tiles_shallow WHERE tile_data_id = "
                    + "(SELECT max(tile_data_id) FROM tiles_data)")
        },
        PlantedFault("a tile without data", says: "refers to 7, which is not in tiles_data") {
            try $0.query("DELETE FROM tiles_data WHERE tile_data_id = 7")
        },
        PlantedFault("a tile of another size", says: "has 100 x 100 pixels") {
            let hex = try Self.smallPicture().map { String(Int($0) | 0x100, radix: 16).dropFirst() }
            try $0.query(
                "UPDATE tiles_data SET tile_data = x'\(hex.joined())' WHERE tile_data_id = 5")
        },
        PlantedFault("a damaged tile", says: "cannot be decoded: ") {
            try $0.query(
                "UPDATE tiles_data SET tile_data = substr(tile_data, 1, 100) "
                    + "WHERE tile_data_id = 9")
        },
        PlantedFault("a tile beyond the world", says: "is outside the world") {
            try $0.query("INSERT INTO tiles_shallow VALUES (3, 9, 1, 1)")
        },
        PlantedFault("two tiles swapped", says: "metadata: its digest does not match the tiles") {
            try $0.query(
                "UPDATE tiles_data SET tile_data_id = 99 WHERE tile_data_id = 8; "
                    + "UPDATE tiles_data SET tile_data_id = 8 WHERE tile_data_id = 9; "
                    + "UPDATE tiles_data SET tile_data_id = 9 WHERE tile_data_id = 99")
        },
        PlantedFault("a wrong zoom", says: "minzoom") {
            try $0.query("UPDATE metadata SET value = '3' WHERE name = 'minzoom'")
        },
        PlantedFault("wrong bounds", says: "its bounds do not contain the southernmost tiles") {
            try $0.query(
                "UPDATE metadata SET value = '2,48.0019,2.003,48.002' WHERE name = 'bounds'")
        },
        PlantedFault("another format", says: "is PNG, but the tileset's format is JPEG") {
            try $0.query("UPDATE metadata SET value = 'jpg' WHERE name = 'format'")
        },
    ]

    // Where the numbers stand in the header of PMTiles, version 3: section 3.1 of its
    // specification.
    private static let (dataOffset, addressedTiles, tileType, minZoom, minLon) = (
        56, 72, 99, 100, 102
    )

    /// Faults of PMTiles.
    static let ofPMTiles = [
        PlantedFault("a bad count", says: "header: counts 7 addressed tiles, but there are 19") {
            try $0.poke(Self.addressedTiles, [7, 0])
        },
        PlantedFault("a wrong zoom", says: "header: says that the lowest zoom is 3, but it is 15") {
            try $0.poke(Self.minZoom, [3])
        },
        PlantedFault("another type", says: "is PNG, but the tileset's format is JPEG") {
            try $0.poke(Self.tileType, [3])
        },
        PlantedFault("wrong bounds", says: "its bounds do not contain the westernmost tiles") {
            // 2.0025 degrees, as E7.
            try $0.poke(Self.minLon, [0xA8, 0x8E, 0x31, 0x01])
        },
        PlantedFault("a damaged tile", says: "cannot be decoded: ") {
            let data = try Data(contentsOf: $0.url)
            let start = (0..<8).reduce(0) { $0 | Int(data[Self.dataOffset + $1]) << (8 * $1) }
            try $0.poke(start + 60, [data[start + 60] ^ 1])
        },
        PlantedFault("an end that is cut off", says: "tile data: is beyond the end of the file") {
            try Data(contentsOf: $0.url).dropLast(50).write(to: $0.url)
        },
        PlantedFault("more than the archive", says: "file: is not as long as the sum of its parts") {
            try (Data(contentsOf: $0.url) + [1, 2, 3]).write(to: $0.url)
        },
        PlantedFault("a damaged directory", says: "root directory: cannot be inflated") {
            try $0.poke(127 + 20, [0xFF, 0xFF, 0xFF])
        },
    ]

    /// Faults of PMTiles, made with Python: the lengths of the first two tiles are exchanged.
    static let shuffledDirectory = PlantedFault("a shuffled directory", says: "cannot be decoded: ") {
        try $0.python(
            """
            import gzip, struct, sys
            path = sys.argv[1]
            data = bytearray(open(path, "rb").read())
            start, length = struct.unpack_from("<QQ", data, 8)
            varints, value, shift = [], 0, 0
            for byte in gzip.decompress(data[start:start + length]):
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    varints.append(value)
                    value, shift = 0, 0
            count = varints[0]
            first = 1 + 2 * count
            varints[first:first + 2] = reversed(varints[first:first + 2])
            root = bytearray()
            for value in varints:
                while value > 127:
                    root.append(value & 127 | 128)
                    value >>= 7
                root.append(value)
            packed = gzip.compress(bytes(root), mtime=0)
            # What follows moves along.
            for field in (24, 40, 56):
                offset, = struct.unpack_from("<Q", data, field)
                struct.pack_into("<Q", data, field, offset + len(packed) - length)
            struct.pack_into("<Q", data, 16, len(packed))
            data[start:start + length] = packed
            open(path, "wb").write(data)
            """)
    }
}
