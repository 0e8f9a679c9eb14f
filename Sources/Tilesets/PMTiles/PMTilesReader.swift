import Platform
import Synchronization
package import Tiling

/// An archive of PMTiles, version 3, made by any program.
///
/// Nothing in it is trusted: lengths are compared with the file's length before memory is allocated, the
/// sizes of decompressed data are limited, and a pass over the tiles costs no more than a `ReadingBudget`
/// allows. One tile, one directory of each depth, and the directories in `KeptDirectories` are in memory.
package final class PMTilesReader: TilesetReader {
    /// The maximum number of directories on the path to a tile; other readers have the same limit.
    static let depth = 4

    package let path: String
    /// The header, or why it cannot be read.
    let header: Result<PMTilesHeader, PMTilesDamage>
    /// The bytes of the file.
    let size: Int
    /// The file, which is read at offsets.
    let file: FileDescriptor
    private let budget: ReadingBudget
    /// The bytes of the file that are not holes.
    let storedSize: Int
    private let directories = KeptDirectories()

    /// Opens an archive, and reads its header.
    ///
    /// - Throws: `.missingInput` if the file cannot be opened, another kind if the system is the cause,
    ///   `.badInput` if it is not a file.
    package init(_ path: String, budget: ReadingBudget = ReadingBudget()) throws {
        self.path = path
        self.budget = budget
        file = try FileDescriptor.archive(path)
        size = try file.sizeOfArchive(path)
        storedSize = file.storedSize(of: size)
        let front = try Self.read(file, at: 0, count: min(size, PMTilesHeader.size), path: path)
        header = Result { () throws(PMTilesDamage) in try PMTilesHeader(decoding: front) }
    }

    static func isOurs(_ path: String) throws -> Bool {
        try Failure.unlessLimited { try PMTilesReader(path).claims() }?.isOurs == true
    }

    package func statement() throws -> TilesetStatement {
        try reading { header in
            .pmtiles(
                json: try metadata(header), bounds: header.boundingBox,
                format: try format(header))
        }
    }

    package func limits() throws -> [TileRange] {
        var zooms = TilesByZoom()
        try reading { header in
            try forEachEntry(header) { entry, _ in zooms.count(entry.run) }
        }
        return zooms.limits
    }

    package func forEachTile(_ body: (EncodedTile) throws -> Void) throws {
        try reading { header in
            try forEachEntry(header) { try lend($0, header, &$1, to: body) }
        }
    }

    /// Calls `body` with each tile of an entry, whose bytes are read once.
    func lend(
        _ entry: PMTilesEntry, _ header: PMTilesHeader, _ cost: inout ReadingCost,
        to body: (EncodedTile) throws -> Void
    ) throws {
        let bytes = try tile(entry, header, &cost, times: entry.run.count)
        for number in entry.run {
            try body(EncodedTile(coordinate: TileID(number).coordinate, bytes: bytes))
        }
    }

    package func tile(at coordinate: TileCoordinate) throws -> [UInt8]? {
        try reading { header in
            let id = TileID(coordinate)
            var place = "root directory"
            var directory = try directory(header.root, header, place: place)
            var depth = 1
            while let entry = directory.last(upTo: id) {
                if entry.runLength > 0 {
                    return entry.run.contains(id.number) ? try tile(entry, header) : nil
                }
                depth += 1
                (directory, place) = try leaf(entry, depth: depth, header)
            }
            return nil
        }
    }

    /// Turns `PMTilesDamage` and `ReadingExcess` into failures for the user.
    func reading<Result>(_ body: (PMTilesHeader) throws -> Result) throws -> Result {
        do { return try body(header.get()) } catch let damage as PMTilesDamage {
            throw damage.failure(reading: path)
        } catch let excess as ReadingExcess {
            throw excess.failure(reading: path)
        }
    }

    /// The JSON metadata, decompressed; an empty object if there is none.
    func metadata(_ header: PMTilesHeader) throws -> [UInt8] {
        if header.metadata.length == 0 { return Array("{}".utf8) }
        let json = try document(
            header.metadata, header.internalCompression, limit: ReadingBudget.largestMetadata,
            place: "metadata")
        guard ReadingBudget.isShort(json) else { throw PMTilesDamage("metadata", "has too many values") }
        return json
    }

    /// A pass over the entries.
    private struct Walk {
        let header: PMTilesHeader
        /// The first tile that the next entry may have.
        var next: UInt64 = 0
        var cost: ReadingCost
    }

    /// Calls `body` with each entry for tiles, in ascending order, and with the cost of the pass so far,
    /// which already includes the number of these tiles.
    ///
    /// - Throws: `PMTilesDamage` if a directory is damaged, a `ReadingExcess` if the pass costs too much, and
    ///   the errors of `body`.
    func forEachEntry(
        _ header: PMTilesHeader, _ body: (PMTilesEntry, inout ReadingCost) throws -> Void
    ) throws {
        let place = "root directory"
        var walk = Walk(header: header, cost: ReadingCost(budget, size: storedSize))
        let root = try directory(header.root, header, place: place)
        try walk.cost.add(directoryBytes: Int(clamping: header.root.length))
        try forEachEntry(of: root, place, depth: 1, in: &walk, body)
    }

    private func forEachEntry(
        of directory: [PMTilesEntry], _ place: String, depth: Int, in walk: inout Walk,
        _ body: (PMTilesEntry, inout ReadingCost) throws -> Void
    ) throws {
        for entry in directory {
            guard entry.id.number >= walk.next else {
                throw PMTilesDamage(place, "is not in ascending order, or has a tile twice")
            }
            // The sum of the two could overflow.
            guard entry.id.number < TileID.end,
                UInt64(entry.runLength) <= TileID.end - entry.id.number
            else { throw PMTilesDamage(place, "has tiles beyond zoom 30") }
            if entry.runLength > 0 {
                try walk.cost.add(
                    tiles: entry.run.count, claimed: Int(clamping: walk.header.addressedTiles))
                try body(entry, &walk.cost)
                walk.next = entry.run.upperBound
            } else {
                try walk.cost.add(directoryBytes: Int(entry.length))
                let (leaf, place) = try leaf(entry, depth: depth + 1, walk.header)
                try forEachEntry(of: leaf, place, depth: depth + 1, in: &walk, body)
            }
        }
    }

    private func leaf(
        _ entry: PMTilesEntry, depth: Int, _ header: PMTilesHeader
    ) throws -> ([PMTilesEntry], place: String) {
        let place = "leaf directory at \(entry.offset)"
        guard depth <= Self.depth else { throw PMTilesDamage(place, "is nested too deep") }
        let section = try part(entry, of: header.leaves, place: place)
        let leaf = try directory(section, header, place: place)
        guard leaf[0].id == entry.id else {
            throw PMTilesDamage(place, "does not begin with the tile that its entry names")
        }
        return (leaf, place)
    }

    private func directory(
        _ section: PMTilesHeader.Section, _ header: PMTilesHeader, place: String
    ) throws -> [PMTilesEntry] {
        try directories.directory(in: section) {
            let bytes = try document(
                section, header.internalCompression, limit: ReadingBudget.largestDirectory, place: place)
            return try PMTilesDirectory.decode(bytes, place: place)
        }
    }
}

extension [PMTilesEntry] {
    /// The last entry that does not begin after a tile; entries must be in ascending order.
    fileprivate func last(upTo id: TileID) -> PMTilesEntry? {
        let next = sortedFirstIndex { $0.id > id }
        return next > startIndex ? self[next - 1] : nil
    }
}

/// A cache of the last directories that were used: tiles that are read one after another are often
/// neighbours, which share a directory.
final class KeptDirectories: Sendable {
    private struct State {
        var directories: [PMTilesHeader.Section: (entries: [PMTilesEntry], lastUse: Int)] = [:]
        var entryCount = 0
        var uses = 0
    }

    private let state = Mutex(State())

    /// The entries of a directory.
    ///
    /// - Parameter read: reads the directory if it is not in the cache; two tasks may read it at the same
    ///   time.
    func directory(
        in section: PMTilesHeader.Section, read: () throws -> [PMTilesEntry]
    ) throws -> [PMTilesEntry] {
        let kept = state.withLock { state in
            state.uses += 1
            state.directories[section]?.lastUse = state.uses
            return state.directories[section]?.entries
        }
        if let kept { return kept }
        let entries = try read()
        state.withLock { Self.keep(entries, as: section, in: &$0) }
        return entries
    }

    /// Adds a directory to the cache. If the cache then has too many entries, only the most recent
    /// directories stay: as many as are on the path to a tile, even if they are large, since otherwise each
    /// tile would decompress them again.
    private static func keep(
        _ entries: [PMTilesEntry], as section: PMTilesHeader.Section, in state: inout State
    ) {
        guard state.directories[section] == nil else { return }
        state.directories[section] = (entries, state.uses)
        state.entryCount += entries.count
        guard state.entryCount > ReadingBudget.keptEntries else { return }
        let last = state.directories.sorted { $0.value.lastUse > $1.value.lastUse }.prefix(
            PMTilesReader.depth)
        state.directories = Dictionary(uniqueKeysWithValues: last.map { ($0.key, $0.value) })
        state.entryCount = last.reduce(0) { $0 + $1.value.entries.count }
    }
}
