import Platform
import Tiling

extension PMTilesReader {
    /// The file type of the tiles; if the header does not say it, the file type of the first tile.
    func format(_ header: PMTilesHeader) throws -> TileFormat {
        switch header.tileType {
        case .png: return .png
        case .jpeg: return .jpeg
        case .webp: return .webp
        case .other:
            if let format = try firstTile()?.bytes.format { return format }
            throw PMTilesDamage("header", "does not say what the tiles are")
        default:
            throw PMTilesDamage(
                "tiles", "are \(header.tileType.name), and PNG, JPEG and WebP are read")
        }
    }
}

extension [UInt8] {
    /// The file type that its first bytes tell.
    fileprivate var format: TileFormat? {
        if starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        let isWebP = starts(with: "RIFF".utf8) && dropFirst(8).starts(with: "WEBP".utf8)
        return isWebP ? .webp : nil
    }
}

extension PMTilesHeader {
    /// The bounds in degrees; the whole world's if they are empty. A whole turn, which is
    /// also what crosses the antimeridian, is laid around the centre.
    var boundingBox: BoundingBox {
        guard hasArea else {
            let latitude = WebMercator.maximumLatitude
            return BoundingBox(minX: -180, minY: -latitude, maxX: 180, maxY: latitude)
        }
        let degrees = bounds.map { Double($0) / 1e7 }
        if degrees[2] - degrees[0] >= 360 {
            let middle = Double(center[0]) / 1e7
            return BoundingBox(
                minX: middle - 180, minY: degrees[1], maxX: middle + 180, maxY: degrees[3])
        }
        return BoundingBox(
            minX: degrees[0], minY: degrees[1], maxX: degrees[2], maxY: degrees[3])
    }

    /// Whether the bounds hold anything.
    var hasArea: Bool { bounds[0] < bounds[2] && bounds[1] < bounds[3] }
}

extension PMTilesHeader.Compression {
    /// None if it is unknown: writers of images often leave it so.
    var ifKnown: PMTilesHeader.Compression { self == .unknown ? .none : self }

    /// What it is called, if it is none that is read.
    var name: String {
        switch self {
        case .brotli: "Brotli"
        case .zstd: "Zstandard"
        default: "an unknown method (\(rawValue))"
        }
    }
}

extension PMTilesHeader.TileType {
    /// What it is called.
    var name: String {
        switch self {
        case .vector: "vector tiles"
        case .avif: "AVIF"
        default: "of an unknown type (\(rawValue))"
        }
    }
}

/// What keeps an archive of PMTiles from being read.
struct PMTilesDamage: Error, Hashable {
    /// What is wrong, and where.
    var fault: TilesetFault

    /// Says what is wrong with a part of the file, as a clause: `is cut off`.
    init(_ place: String, _ problem: String) { fault = TilesetFault(place, problem) }

    /// The failure to report.
    ///
    /// - Parameter path: the archive.
    func failure(reading path: String) -> Failure {
        Failure(.badInput, "cannot read '\(path)': its \(fault.place) \(fault.problem)")
    }
}
