import Files
import Tiling

/// What stands beside the tiles of a tree and says what they are.
struct TreeDocuments {
    /// What the tree says of itself, the document that says most first.
    let statements: [TilesetStatement]
    /// What stands behind the dot of the tiles' names, if no TileJSON says it.
    let fileExtension: String

    /// Looks for the documents of a floor.
    ///
    /// - Parameter isKnown: whether our list of files is there, so that the tiles need not be
    ///   found.
    /// - Returns: nil if nothing looks like a tileset.
    init?(in root: Directory, floor: String?, isKnown: Bool) throws {
        let metadata = try root.readFile(Self.name("metadata", floor: floor))
        let others = metadata.map { [TilesetStatement.metadataJSON($0)] } ?? []
        if let tileJSON = try root.readFile(Self.name("tilejson", floor: floor)) {
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
            return String(file.dropFirst(start.count).dropLast(end.count))
        }
    }
}
