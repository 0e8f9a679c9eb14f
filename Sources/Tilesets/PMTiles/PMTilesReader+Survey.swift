import Platform
import Tiling

extension PMTilesReader {
    /// Directories alone are read, and no tile: tiles hold the same if they have the same place in the file.
    package func survey() throws -> TilesetSurvey {
        try reading { header in
            guard let end = header.data.end, end <= UInt64(size) else {
                throw PMTilesDamage("tile data", "lies beyond the end of the file")
            }
            var survey = TilesetSurvey(storesOnce: true)
            survey.compression = header.tileCompression.surveyName
            var first: PMTilesEntry?
            try forEachEntry(header) { entry, _ in
                first = first ?? entry
                let place = "tile \(entry.id.coordinate)"
                _ = try part(entry, of: header.data, place: place)
                survey.count(entry.run, size: Int(entry.length), content: entry.place)
            }
            if let kind = header.tileType.kind {
                survey.note(kind)
            } else if let first, let bytes = try? tile(first, header) {
                survey.note(front: Array(bytes.prefix(16)))
            }
            return survey
        }
    }

    /// What it says of itself, whatever its tiles are; the format counts only if they are images that are
    /// read.
    package func anyStatement() throws -> TilesetStatement {
        try reading { header in
            .pmtiles(
                json: try metadata(header), bounds: header.boundingBox,
                format: (try? format(header)) ?? .png)
        }
    }

    /// When the file changed, in seconds since 1970.
    package var changed: Int? { FileStamp(path)?.modifiedSeconds }
}

extension PMTilesEntry {
    /// What stands for the bytes: where they are.
    fileprivate var place: ContentHash {
        withUnsafeBytes(of: (offset, UInt64(length))) { ContentHash(of: $0) }
    }
}

extension PMTilesHeader.TileType {
    /// What the tiles are; nil if the header does not say it.
    fileprivate var kind: TileKind? {
        switch self {
        case .vector: .mvt
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        case .avif: .avif
        case .other: nil
        default: .unknown
        }
    }
}

extension PMTilesHeader.Compression {
    /// What it is called; nil if there is none, or nobody says.
    fileprivate var surveyName: String? {
        switch self {
        case .unknown, .none: nil
        case .gzip: "gzip"
        case .brotli: "brotli"
        case .zstd: "zstd"
        default: "unknown"
        }
    }
}
