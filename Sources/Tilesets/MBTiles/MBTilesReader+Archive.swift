import Platform
import Tiling

extension MBTilesReader: ArchiveReader {
    static func opened(_ path: String, budget: ReadingBudget) throws -> MBTilesReader {
        try MBTilesReader(path, budget: budget)
    }

    func claims() throws -> ArchiveClaims { ArchiveClaims(rows: try rows()) }

    func says(_ documents: TilesetDocuments, origin: TilesetOrigin) throws -> Bool {
        try rows() == documents.rows(origin: origin)
    }

    func readTiles(into ledger: inout TileLedger) throws {
        var numbers: [(id: Int, content: UInt32)] = []
        try forEachContent { id, bytes in
            try Task.checkCancellation()
            guard id >= 0 else { throw DamagedArchive() }
            numbers.append((id, ledger.add(earlier: bytes, at: UInt64(id))))
        }
        try forEachAddress { tile, id in
            let index = numbers.sortedFirstIndex { $0.id >= id }
            guard index < numbers.count, numbers[index].id == id else { throw DamagedArchive() }
            ledger.add(tile, content: numbers[index].content)
        }
    }

    func intactAddresses() throws -> [PackedCoordinate]? {
        guard try isAsWritten() else { return nil }
        var addresses: [PackedCoordinate] = []
        try forEachAddress { tile, _ in addresses.append(PackedCoordinate(tile)) }
        addresses.sort()
        return addresses
    }

    /// Whether the file has the length in its header, and tilewright was the last to change it.
    func isAsWritten() throws -> Bool { try header()?.isOfTilewright(fileSize: size) == true }

    /// The header of the file; nil if it is none.
    func header() throws -> SQLiteHeader? { SQLiteHeader(decoding: try front()) }

    /// Whether a file that SQLite refuses, because it is shorter than its header says, begins like one that
    /// tilewright made: its header is that of an unchanged file, and the page after the schema has metadata
    /// that names tilewright. Long metadata is elsewhere in the file, and is not found.
    var isCutOff: Bool {
        guard let front = try? front(), let header = SQLiteHeader(decoding: front),
            header.isOfTilewright(fileSize: header.pageCount * header.pageSize)
        else { return false }
        return front.contains(Array("generator\(TilesetMetadata.generator)".utf8))
    }

    /// The pages of the schema and of the metadata.
    private func front() throws -> [UInt8] {
        do throws(SystemError) {
            return try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
                .readBytes(at: 0, count: 2 * MBTilesTables.pageSize)
        } catch { throw Failure(.inputOutput, "cannot read '\(path)': \(error.text)") }
    }

    /// Calls `body` with each tile and the number of its content, in the order of the key. Only for files
    /// that tilewright made.
    func forEachAddress(_ body: (TileCoordinate, Int) throws -> Void) throws {
        try reading { database in
            let query = try database.prepare(MBTilesTables.addressesQuery)
            var cost = newCost
            while try query.step() {
                try cost.addRow(bytes: 0)
                guard let number = query.integer(3) else {
                    throw SQLiteError("tile \(query.addressText(in: .tms)) has no data")
                }
                try body(query.address(in: .tms), number)
            }
        }
    }

    /// Calls `body` with the number and the bytes of each content, in the order of the numbers. Only for
    /// files that tilewright made.
    func forEachContent(_ body: (Int, [UInt8]) throws -> Void) throws {
        try reading { database in
            let query = try database.prepare(MBTilesTables.contentsQuery)
            var cost = newCost
            while try query.step() {
                guard let number = query.integer(0), let bytes = query.bytes(1) else {
                    throw SQLiteError("it has tiles without data")
                }
                try cost.addRow(bytes: bytes.count)
                try body(number, bytes)
            }
        }
    }
}

extension MBTilesReader {
    /// If the file stores each content once, tiles are equal if they refer to the same content, and only the
    /// first bytes of contents are read. Otherwise, each tile is read once.
    package func survey() throws -> TilesetSurvey {
        try reading { database in
            let layout = try MBTilesLayout(of: database, scheme: scheme)
            var survey = TilesetSurvey(storesOnce: layout.shared != nil)
            let query = try database.prepare(layout.surveyQuery)
            var cost = newCost
            while try query.step() {
                let tile = try query.address(in: layout.scheme)
                let data = try query.tileData(in: layout.scheme)
                // SQLite reads a whole content even if only its first bytes are requested.
                try cost.addRow(bytes: layout.shared == nil ? data.count : query.integer(4) ?? 0)
                survey.note(front: Array(data.prefix(16)))
                if layout.shared == nil {
                    survey.count(tile, size: data.count, content: ContentHash(of: data))
                } else {
                    let zoom = layout.hasZoomsOfData ? "\(tile.zoom)/" : ""
                    let content = ContentHash(of: zoom + query.printed(5))
                    survey.count(tile, size: query.integer(4) ?? 0, content: content)
                }
            }
            return survey
        }
    }
}

extension MBTilesLayout {
    /// The addresses of all tiles, with their bytes or, if each content is stored once, with the first bytes,
    /// the size and the key of their content.
    fileprivate var surveyQuery: String {
        guard let shared else { return tilesQuery }
        let (addresses, data, key) = (shared.addresses, shared.data, shared.key)
        let zoom = hasZoomsOfData ? " AND a.zoom_level = d.zoom_level" : ""
        return """
            SELECT a.zoom_level, a.tile_column, a.tile_row, substr(tile_data, 1, 16), length(tile_data), a.\(key)
            FROM \(addresses) AS a JOIN \(data) AS d ON a.\(key) = d.\(key)\(zoom)
            """
    }
}
