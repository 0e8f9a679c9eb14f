import Platform
import Tiling

extension PMTilesReader: ArchiveReader {
    static func opened(_ path: String, budget: ReadingBudget) throws -> PMTilesReader {
        try PMTilesReader(path, budget: budget)
    }

    func claims() throws -> ArchiveClaims {
        try ArchiveClaims(json: metadata(header.get()))
    }

    func intactAddresses() throws -> [PackedCoordinate]? {
        try reading { header in
            guard header.isAsWritten(size: size) else { return nil }
            var audit = DirectoryAudit(header)
            var addresses: [PackedCoordinate] = []
            try forEachEntry(header) { entry, _ in
                audit.count(entry)
                for number in entry.run {
                    addresses.append(PackedCoordinate(TileID(number).coordinate))
                }
            }
            guard audit.finish().isEmpty else { return nil }
            addresses.sort()
            return addresses
        }
    }

    func readTiles(into ledger: inout TileLedger) throws {
        try reading { header in
            // Contents are copied as they are.
            guard header.tileCompression.ifKnown == .none else { throw DamagedArchive() }
            try forEachEntry(header) { entry, cost in
                try Task.checkCancellation()
                let bytes = try tile(entry, header, &cost, times: 1)
                let place = try part(entry, of: header.data, place: "tile data").offset
                let content = ledger.add(earlier: bytes, at: place)
                for number in entry.run { ledger.add(TileID(number).coordinate, content: content) }
            }
        }
    }

    /// Fills a buffer with bytes of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        let count = try trying("read '\(path)'", file.read(into: buffer, at: offset))
        if count < buffer.count { throw DamagedArchive() }
    }

    func says(_ documents: TilesetDocuments, origin: TilesetOrigin) throws -> Bool {
        let header = try header.get()
        var expected = header
        expected.describe(documents.extent)
        return try expected == header && header.tileType == documents.format.pmtilesType
            && metadata(header) == documents.json(origin)
    }
}

extension PMTilesReader {
    /// The bytes of a tile.
    func tile(_ entry: PMTilesEntry, _ header: PMTilesHeader) throws -> [UInt8] {
        let place = "tile \(entry.id.coordinate)"
        let section = try part(entry, of: header.data, place: place)
        let limit = ReadingBudget.largestTile
        let bytes = try read(section, limit: limit, place: place)
        return try inflated(bytes, header.tileCompression.ifKnown, limit: limit, place: place)
    }

    /// The bytes of a tile, in a pass over all tiles.
    ///
    /// - Parameter times: how often the bytes are passed on.
    func tile(
        _ entry: PMTilesEntry, _ header: PMTilesHeader, _ cost: inout ReadingCost, times: Int
    ) throws -> [UInt8] {
        try cost.add(bytes: Int(entry.length), times: times)
        let bytes = try tile(entry, header)
        try cost.add(bytes: max(0, bytes.count - Int(entry.length)), times: times)
        return bytes
    }

    /// The bytes to which an entry refers. Only the start of the section is used, not its length, which
    /// readers do not need and some writers leave out; `check` compares the lengths.
    func part(
        _ entry: PMTilesEntry, of section: PMTilesHeader.Section, place: String
    ) throws(PMTilesDamage) -> PMTilesHeader.Section {
        let (offset, overflow) = section.offset.addingReportingOverflow(entry.offset)
        let part = PMTilesHeader.Section(offset: offset, length: UInt64(entry.length))
        guard !overflow, let end = part.end, end <= UInt64(size) else {
            throw PMTilesDamage(place, "is beyond the end of the file")
        }
        return part
    }

    /// The metadata or a directory, decompressed.
    func document(
        _ section: PMTilesHeader.Section, _ compression: PMTilesHeader.Compression, limit: Int, place: String
    ) throws -> [UInt8] {
        let bytes = try read(section, limit: limit, place: place)
        return try inflated(bytes, compression, limit: limit, place: place)
    }

    private func inflated(
        _ bytes: [UInt8], _ compression: PMTilesHeader.Compression, limit: Int, place: String
    ) throws -> [UInt8] {
        switch compression {
        case .none: return bytes
        case .gzip:
            guard let content = try Gzip.decompress(bytes, limit: limit) else {
                throw PMTilesDamage(place, "cannot be inflated")
            }
            return content
        default:
            throw PMTilesDamage(
                place, "is compressed with \(compression.name): only gzip is supported")
        }
    }

    private func read(
        _ section: PMTilesHeader.Section, limit: Int, place: String
    ) throws -> [UInt8] {
        guard let end = section.end, end <= UInt64(size) else {
            throw PMTilesDamage(place, "is beyond the end of the file")
        }
        guard section.length <= UInt64(limit) else {
            throw PMTilesDamage(place, "has \(section.length) bytes: at most \(limit) are read")
        }
        let count = Int(section.length)
        return try Self.read(file, at: Int(section.offset), count: count, path: path)
    }

    /// Bytes of the file.
    static func read(
        _ file: borrowing FileDescriptor, at offset: Int, count: Int, path: String
    ) throws -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) { bytes = try file.readBytes(at: offset, count: count) } catch {
            throw Failure(.inputOutput, "cannot read '\(path)': \(error.text)")
        }
        guard bytes.count == count else {
            throw Failure(.inputOutput, "cannot read '\(path)': it was truncated while it was read")
        }
        return bytes
    }
}

extension PMTilesHeader {
    /// Whether the sections are placed as by `PMTilesPreamble`, and fill the file.
    fileprivate func isAsWritten(size: Int) -> Bool {
        var expected = self
        expected.place(
            root: root.length, metadata: metadata.length, leaves: leaves.length, data: data.length)
        return expected == self && data.end.map { $0 == UInt64(size) } == true && isClustered
            && internalCompression == .gzip && tileCompression == .none
    }
}

extension PMTilesReader {
    /// Reads only directories, not tiles: tiles are equal if they have the same offset in the file.
    package func survey() throws -> TilesetSurvey {
        try reading { header in
            guard let end = header.data.end, end <= UInt64(size) else {
                throw PMTilesDamage("tile data", "is beyond the end of the file")
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

    /// The metadata, for tiles of any type; the format is correct only for supported images.
    package func anyStatement() throws -> TilesetStatement {
        try reading { header in
            .pmtiles(
                json: try metadata(header), bounds: header.boundingBox,
                format: (try? format(header)) ?? .png)
        }
    }
}

extension PMTilesEntry {
    /// Identifies the bytes by their offset and length.
    fileprivate var place: ContentHash {
        withUnsafeBytes(of: (offset, UInt64(length))) { ContentHash(of: $0) }
    }
}

extension PMTilesReader {
    /// The file type of the tiles: that of the header, or else that of the first tile.
    func format(_ header: PMTilesHeader) throws -> TileFormat {
        guard let kind = header.tileType.kind else {
            if let format = try firstTile().flatMap({ TileFormat(signatureOf: $0.bytes) }) { return format }
            throw PMTilesDamage("header", "does not say what the tiles are")
        }
        if let format = TileFormat(rawValue: kind.rawValue) { return format }
        throw PMTilesDamage("tiles", "are \(header.tileType.name), not PNG, JPEG or WebP")
    }
}

extension PMTilesHeader {
    /// The bounds in degrees, or the whole world if they are empty. Bounds of 360 degrees are moved
    /// so that the centre is in their middle: tilesets that cross the antimeridian have them, too.
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

    /// Whether the bounds are not empty.
    var hasArea: Bool { bounds[0] < bounds[2] && bounds[1] < bounds[3] }
}

extension PMTilesHeader.Compression {
    /// `none` if it is unknown: writers of images often do not set it.
    var ifKnown: PMTilesHeader.Compression { self == .unknown ? .none : self }

    /// The name of the compression; nil if there is none, or it is unknown.
    fileprivate var surveyName: String? {
        let names = [nil, nil, "gzip", "brotli", "zstd"]
        return rawValue < names.count ? names[Int(rawValue)] : "unknown"
    }

    /// The name of an unsupported compression.
    var name: String {
        switch self {
        case .brotli: "Brotli"
        case .zstd: "Zstandard"
        default: "an unknown method (\(rawValue))"
        }
    }
}

extension PMTilesHeader.TileType {
    /// The name of an unsupported type.
    var name: String {
        switch self {
        case .vector: "vector tiles"
        case .avif: "AVIF"
        default: "of an unknown type (\(rawValue))"
        }
    }
}

/// The reason why an archive of PMTiles cannot be read.
struct PMTilesDamage: Error, Hashable {
    /// The fault and its place.
    var fault: TilesetFault

    /// Makes the damage of a part of the file; the problem is a clause: `is cut off`.
    init(_ place: String, _ problem: String) { fault = TilesetFault(place, problem) }

    /// The failure to report.
    ///
    /// - Parameter path: the archive.
    func failure(reading path: String) -> Failure {
        Failure(.badInput, "cannot read '\(path)': its \(fault.place) \(fault.problem)")
    }
}
