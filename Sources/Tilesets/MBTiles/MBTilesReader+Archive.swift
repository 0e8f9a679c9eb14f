import Platform
import Tiling

extension MBTilesReader: ArchiveReader {
    func claims() throws -> ArchiveClaims { ArchiveClaims(rows: try rows()) }

    func says(_ documents: TilesetDocuments, origin: TilesetOrigin) throws -> Bool {
        try rows() == documents.rows(origin: origin)
    }

    /// Holds 24 bytes for each content in memory.
    func forEachRecord(_ body: (TileRecord) throws -> Void) throws {
        var contents: [(hash: ContentHash, size: Int)] = []
        try forEachContent { number, bytes in
            guard number == contents.count else { throw DamagedArchive() }
            contents.append((ContentHash(of: bytes), bytes.count))
        }
        try forEachAddress { tile, number in
            guard contents.indices.contains(number) else { throw DamagedArchive() }
            let content = contents[number]
            try body(TileRecord(tile, size: content.size, hash: content.hash))
        }
    }

    func intactAddresses() throws -> [PackedCoordinate]? {
        guard try isAsWritten() else { return nil }
        var addresses: [PackedCoordinate] = []
        try forEachAddress { tile, _ in addresses.append(PackedCoordinate(tile)) }
        addresses.sort()
        return addresses
    }

    /// Whether the file is as long as its header says, and nobody changed it since it was made.
    private func isAsWritten() throws -> Bool {
        try SQLiteHeader(decoding: front()) == MBTilesTables.header(fileSize: size)
    }

    /// Whether a file that SQLite does not read, since it is shorter than its header says, begins as
    /// this program has it: with the header of a file that nobody changed since, and behind the schema
    /// with metadata that name the program. Long ones do not lie there, and are not found.
    var isCutOff: Bool {
        guard let front = try? front(), let header = SQLiteHeader(decoding: front),
            header == MBTilesTables.header(fileSize: header.pageCount * header.pageSize)
        else { return false }
        return front.contains(Array("generator\(TilesetMetadata.generator)".utf8))
    }

    /// The page of the schema, and the page of the metadata.
    private func front() throws -> [UInt8] {
        do throws(SystemError) {
            return try FileDescriptor(opening: path, flags: SQLiteHeader.openFlags)
                .readBytes(at: 0, count: 2 * MBTilesTables.pageSize)
        } catch { throw Failure(.inputOutput, "cannot read '\(path)': \(error.text)") }
    }

    /// Lends each tile and the number of its content, in the order of the key; of our own layout.
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

    /// Lends the number and the bytes of each content, in the order of numbers; of our own layout.
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
