import Platform
import Tiling

/// What stands beside the tiles of a tree and says what they are.
struct TreeDocuments {
    /// What the tree says of itself, the document that says most first.
    let statements: [TilesetStatement]
    /// What stands behind the dot of the tiles' names, if no TileJSON says it.
    let fileExtension: String

    /// Bytes of a document: one that says where millions of tiles are has a hundredth of it.
    static let largest = 16 << 20

    /// Looks for the documents of a floor.
    ///
    /// - Parameter isKnown: whether our list of files is there, so that the tiles need not be
    ///   found.
    /// - Returns: nil if nothing looks like a tileset.
    init?(in root: Directory, floor: String?, isKnown: Bool) throws {
        let metadata = try root.readFile(Self.name("metadata", floor: floor), most: Self.largest)
        let others = metadata.map { [TilesetStatement.metadataJSON($0)] } ?? []
        if let tileJSON = try root.readFile(Self.name("tilejson", floor: floor), most: Self.largest) {
            statements = [.tileJSON(tileJSON)] + others
            fileExtension = ""
        } else if isKnown {
            statements = others.isEmpty ? [.rows([])] : others
            fileExtension = ""
        } else {
            guard floor == nil, try Self.floors(in: root).isEmpty,
                let foreign = try ForeignTree(root)
            else { return nil }
            statements = others.isEmpty ? [.rows(foreign.rows)] : others
            fileExtension = foreign.fileExtension
        }
    }

    /// The name of a document; a floor's document has the floor in its name.
    static func name(_ document: String, floor: String?) -> String {
        floor.map { "\(document)-\($0).json" } ?? "\(document).json"
    }

    /// The floors whose TileJSON is there, nil for a tileset without one.
    static func floors(in root: Directory) throws -> [String?] {
        let (start, end) = ("tilejson-", ".json")
        return try root.names().compactMap { file in
            if file == name("tilejson", floor: nil) { return .some(nil) }
            guard file.hasPrefix(start), file.hasSuffix(end) else { return nil }
            let floor = String(file.dropFirst(start.count).dropLast(end.count))
            return TileNames.isFloor(floor) ? floor : nil
        }
    }
}
