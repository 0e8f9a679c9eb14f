import Codecs
import Raster

/// Measures the codecs alone, on one core.
enum CodecBenchmark {
    /// Prints the seconds for decoding an image once and for encoding all tiles of a tree again, as JSON.
    /// This is the lower limit for a build that reads the whole image and writes these tiles with these
    /// codecs.
    static func floor(source: String, tree: String, encoder: any TileEncoder) throws {
        let decode = try decodingTime(of: source)
        var encode = Duration.zero
        for path in try StoredTile.paths(below: tree) {
            let tile = try StoredTile(path: path)
            encode += try ContinuousClock().measure { _ = try tile.encode(with: encoder) }
        }
        print(#"{"decode": \#(decode / .seconds(1)), "encode": \#(encode / .seconds(1))}"#)
    }

    /// Prints microseconds and bytes per tile for each encoder, on every n-th tile of a tree.
    static func encoders(tree: String) throws {
        let paths = try StoredTile.paths(below: tree)
        let step = max(1, paths.count / 200)
        let tiles = try stride(from: 0, to: paths.count, by: step).map {
            try StoredTile(path: paths[$0])
        }
        print("encoder           us a tile   bytes a tile, of \(tiles.count) tiles")
        let encoders: [(String, any TileEncoder)] =
            PNGLevel.allCases.map { ("png, \($0.rawValue)", PNGTileEncoder(level: $0)) }
            + [75, 85, 95].flatMap { quality in
                JPEGLevel.allCases.map {
                    ("jpeg, \(quality), \($0.rawValue)", JPEGTileEncoder(quality: quality, level: $0))
                }
            }
            + [75, 85, 95].map { (quality: Int) in
                ("webp, quality \(quality)", WebPTileEncoder(quality: quality))
            }
            + [("webp, lossless", WebPTileEncoder(quality: nil))]
        for (name, encoder) in encoders {
            var bytes = 0
            var fastest = Duration.seconds(1_000_000)
            for _ in 0..<3 {
                bytes = 0
                let time = try ContinuousClock().measure {
                    for tile in tiles { bytes += try tile.encode(with: encoder) }
                }
                fastest = min(fastest, time)
            }
            let microseconds = Int((fastest / .microseconds(1)).rounded()) / tiles.count
            print(
                name.padded(to: 18) + "\(microseconds)".padded(to: 12) + "\(bytes / tiles.count)")
        }
    }

    /// Opens an image, and decodes all rows.
    static func decode(path: String) throws { try readAllRows(of: ImageFile.open(path: path)) }

    private static func decodingTime(of path: String) throws -> Duration {
        let source = try ImageFile.open(path: path)
        return try ContinuousClock().measure { try readAllRows(of: source) }
    }

    private static func readAllRows(of source: any RasterSource) throws {
        let stride = source.info.width * source.info.pixelFormat.bytesPerPixel
        // The number of rows that a build decodes at a time.
        let rows = 128
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: rows * stride, alignment: 64)
        defer { buffer.deallocate() }
        guard let first = buffer.baseAddress else { preconditionFailure("an image has pixels") }
        var top = 0
        while top < source.info.height {
            let count = min(rows, source.info.height - top)
            try source.readRows(count, into: first, stride: stride)
            top += count
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
