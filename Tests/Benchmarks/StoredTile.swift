import Codecs
import FoundationEssentials
import Raster

/// A tile of a tree on disk, decoded to pixels for encoding.
struct StoredTile {
    /// RGBA, rows without gaps.
    let rgba: [UInt8]
    let size: Int

    init(path: String) throws {
        let source = try ImageFile.open(path: path)
        size = source.info.width
        precondition(source.info.height == size, "'\(path)' is not square")
        let samples = source.info.pixelFormat.bytesPerPixel
        var bytes = [UInt8](repeating: 0, count: size * size * samples)
        let (rows, stride) = (size, size * samples)
        try bytes.withUnsafeMutableBytes { buffer in
            guard let first = buffer.baseAddress else { preconditionFailure("a tile has pixels") }
            try source.readRows(rows, into: first, stride: stride)
        }
        rgba =
            samples == 4
            ? bytes
            : (0..<size * size).flatMap { pixel in
                let at = pixel * samples
                return samples == 1
                    ? [bytes[at], bytes[at], bytes[at], 255]
                    : [bytes[at], bytes[at + 1], bytes[at + 2], 255]
            }
    }

    /// Encodes the tile, and returns its size in bytes.
    func encode(with encoder: any TileEncoder) throws -> Int {
        try rgba.withUnsafeBufferPointer { bytes in
            try encoder.encode(TilePixels(size: size, bytes: bytes, isOpaque: false)).count
        }
    }

    /// The paths of all tiles below a folder, in a fixed order, without the program's own folder.
    static func paths(below folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { !$0.hasPrefix(".") && ($0.hasSuffix(".png") || $0.hasSuffix(".jpg")) }
            .sorted().map { "\(folder)/\($0)" }
    }
}
