import Tiling

extension PMTilesReader: ArchiveReader {
    func claims() throws -> ArchiveClaims {
        try ArchiveClaims(json: metadata(header.get()))
    }

    func intactAddresses() throws -> [PackedCoordinate]? {
        try reading { header in
            guard header.isAsWritten(size: size) else { return nil }
            var census = DirectoryAudit(header)
            var addresses: [PackedCoordinate] = []
            try forEachEntry(header) { entry, _ in
                census.count(entry)
                for number in entry.run {
                    addresses.append(PackedCoordinate(TileID(number).coordinate))
                }
            }
            guard census.finish().isEmpty else { return nil }
            addresses.sort()
            return addresses
        }
    }

    func forEachRecord(_ body: (TileRecord) throws -> Void) throws {
        try reading { header in
            try forEachEntry(header) { entry, cost in
                let bytes = try tile(entry, header, &cost, times: 1)
                let hash = ContentHash(of: bytes)
                for number in entry.run {
                    try body(TileRecord(TileID(number).coordinate, size: bytes.count, hash: hash))
                }
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
    /// Whether the sections lie as `PMTilesPreamble` puts them, and fill the file.
    fileprivate func isAsWritten(size: Int) -> Bool {
        var expected = self
        expected.place(
            root: root.length, metadata: metadata.length, leaves: leaves.length, data: data.length)
        return expected == self && data.end.map { $0 == UInt64(size) } == true && isClustered
            && internalCompression == .gzip && tileCompression == .none
    }
}
