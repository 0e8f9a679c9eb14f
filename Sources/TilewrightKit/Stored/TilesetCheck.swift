import Codecs
import Publishing
public import Tilesets
import Tiling

/// A check of a finished tileset, or of all tilesets in a folder, against the metadata. Every tile is read
/// and decoded.
public struct TilesetCheck: Sendable {
    /// The progress of a check.
    public enum Event: Sendable {
        /// A tileset is read next; the number of tiles is an estimate.
        case began(tileCount: Int)
        /// The number of its tiles that were read.
        case progressed(tilesDone: Int)
        /// The tileset was read.
        case ended
        /// A fault was found.
        case fault(TilesetFault)
        /// A tileset was checked.
        case checked(Checked)
        /// A part is valid, but some readers may reject it.
        case warning(TilesetFault)
    }

    /// A tileset that was checked.
    public struct Checked: Hashable, Sendable {
        /// A folder or an archive.
        public let path: String
        /// The floor of a folder.
        public let floor: String?
        /// Its tiles and faults.
        public let summary: Summary
        /// The hash of all tiles, as its metadata say.
        public let digest: String?
    }

    /// The result of a check.
    public struct Summary: Hashable, Sendable {
        /// The number of tiles, including missing ones.
        public var tiles = 0
        /// Their bytes.
        public var bytes = 0
        /// The number of faults.
        public var faults = 0
    }

    private let floor: String?
    private let tilesets: [StoredTileset]

    /// The tilesets, by the floors of a folder.
    public var floors: [String?] {
        tilesets.map(\.tree?.floor).filter { floor == nil || $0 == floor }
    }

    /// Opens a tileset, damaged or not.
    ///
    /// - Parameters:
    ///   - path: a folder or an archive.
    ///   - floor: the floor to check; nil for all floors of a folder.
    ///   - maxTiles: the maximum number of tiles that a tileset may have.
    /// - Throws: a `Failure` if nothing can be checked, or another run writes it.
    public init(
        _ path: String, floor: String? = nil, maxTiles: Int = BuildResources.standardMaxTiles
    ) throws {
        self.floor = floor
        // All tilesets of a folder are opened, since a file of one tileset is not foreign to another.
        var floors = [floor]
        if TilesetContainer(existing: path) == .directory {
            let all = try TreeReader.floors(of: path)
            if floor.map(all.contains) ?? !all.isEmpty { floors = all }
        }
        tilesets = try floors.map { try StoredTileset(checking: path, floor: $0, maxTiles: maxTiles) }
        for tileset in tilesets { try tileset.tree?.checkNobodyWrites() }
    }

    /// Reports all faults, in the same order in each run.
    ///
    /// Decodes on all cores, and returns when everything is read: call it from a task that may wait.
    ///
    /// - Throws: only if the check cannot continue, for example if a disk fails or there are too many tiles;
    ///   `CancellationError` if the task was cancelled.
    public func run(report: @escaping (Event) -> Void = { _ in }) throws -> Summary {
        var summary = Summary()
        func addFault(_ fault: TilesetFault) {
            summary.faults += 1
            report(.fault(fault))
        }
        for tileset in tilesets where floor == nil || tileset.tree?.floor == floor {
            report(.began(tileCount: Self.estimatedTileCount(of: tileset.metadata)))
            defer { report(.ended) }
            let before = summary.faults
            let verification = try verification(of: tileset)
            let part = try verification.run(
                progress: { report(.progressed(tilesDone: $0)) }, report: addFault)
            verification.warnings.forEach { report(.warning($0)) }
            summary.tiles += part.tileCount
            summary.bytes += part.bytes
            tileset.warnings.forEach { addFault(TilesetFault("its place", $0.text)) }
            report(
                .checked(
                    Checked(
                        path: tileset.path, floor: tileset.tree?.floor,
                        summary: Summary(
                            tiles: part.tileCount, bytes: part.bytes, faults: summary.faults - before),
                        digest: tileset.metadata.contents?.digest)))
        }
        try TreeReader.checkForeignFiles(
            among: trees(), isOurs: BuildingIndex.isOurs, addFault)
        return summary
    }

    /// The approximate number of tiles, without counting them.
    private static func estimatedTileCount(of metadata: TilesetMetadata) -> Int {
        let area = metadata.limits.reduce(0.0) { $0 + Double($1.columns.count) * Double($1.rows.count) }
        // A file may claim any number.
        return metadata.contents?.tileCount ?? Int(min(area, 1e15))
    }

    /// The trees of a folder, if this program made all of them and can tell the owner of each file.
    private func trees() throws -> [TreeReader] {
        let areOurs = try tilesets.allSatisfy { try verification(of: $0).isOfThisProgram }
        return areOurs ? tilesets.compactMap(\.tree) : []
    }

    private func verification(of tileset: StoredTileset) throws -> TilesetVerification {
        let inspector = TileInspector(tileset.metadata) { try TileInspection.inspect($0) }
        return try TilesetVerification(
            of: tileset.reader, floor: tileset.tree?.floor, inspector: inspector, budget: tileset.budget)
    }
}
