import Tiling

extension PMTilesReader: ArchiveReader {
    func claims() throws -> ArchiveClaims {
        try ArchiveClaims(json: metadata(header.get()))
    }

    func intactAddresses() throws -> [PackedCoordinate]? {
        let header = try header.get()
        guard header.isAsWritten(size: size) else { return nil }
        var census = PMTilesCensus(header)
        var addresses: [PackedCoordinate] = []
        try forEachEntry(header) { entry in
            census.count(entry)
            if addresses.count + entry.run.count > ArchiveComparison.mostTiles {
                throw DamagedArchive()
            }
            for number in entry.run {
                addresses.append(PackedCoordinate(TileID(number).coordinate))
            }
        }
        guard census.finish().isEmpty else { return nil }
        addresses.sort()
        return addresses
    }

    func forEachRecord(_ body: (TileRecord) throws -> Void) throws {
        let header = try header.get()
        try forEachEntry(header) { entry in
            let bytes = try tile(entry, header)
            let hash = ContentHash(of: bytes)
            for number in entry.run {
                try body(TileRecord(TileID(number).coordinate, size: bytes.count, hash: hash))
            }
        }
    }

    func says(_ documents: TilesetDocuments, origin: TilesetOrigin) throws -> Bool {
        let header = try header.get()
        var expected = header
        expected.describe(documents.extent)
        return try expected == header && header.tileType == documents.format.pmtilesType
            && metadata(header) == documents.json(origin)
    }
}

extension PMTilesHeader {
    /// Whether the sections lie as `PMTilesFront` puts them, and fill the file.
    fileprivate func isAsWritten(size: Int) -> Bool {
        var expected = self
        expected.place(
            root: root.length, metadata: metadata.length, leaves: leaves.length, data: data.length)
        return expected == self && data.end.map { $0 == UInt64(size) } == true && isClustered
            && internalCompression == .gzip && tileCompression == .none
    }
}
