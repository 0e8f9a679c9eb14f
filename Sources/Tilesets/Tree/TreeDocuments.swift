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

/// A tree without a TileJSON, as gdal2tiles and mb-util make it: `{z}/{x}/{y}` and an extension.
struct ForeignTree {
    private static let imageExtensions = ["png", "jpg", "jpeg", "webp"]

    /// What stands behind the dot of all tiles' names.
    let fileExtension: String
    /// What can be seen, in the words of MBTiles: format and scheme.
    let rows: [MetadataRow]

    /// Looks at a directory.
    ///
    /// - Returns: nil if nothing in it looks like a tile.
    /// - Throws: `.badInput` if the tiles are not in Web Mercator.
    init?(_ root: Directory) throws {
        guard let fileExtension = try Self.fileExtension(in: root) else { return nil }
        self.fileExtension = fileExtension
        // A tree without a word of its scheme is taken for XYZ.
        let scheme = try Self.countsFromSouth(root) ? [MetadataRow("scheme", "tms")] : []
        rows = [MetadataRow("format", fileExtension)] + scheme
    }

    /// The extension of the first file that is named like a tile.
    private static func fileExtension(in root: Directory) throws -> String? {
        try firstNumbered(in: root) { columns in
            try firstNumbered(in: columns) { rows in
                try rows.names().sorted().lazy.compactMap { name in
                    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
                    return parts.count == 2 && Int(parts[0]) != nil ? String(parts[1]) : nil
                }.first
            }
        }
    }

    /// What is found in the first directory inside that has it, of those whose names are numbers. One is open at a
    /// time: a zoom can have thousands of columns.
    private static func firstNumbered(
        in directory: Directory, _ find: (Directory) throws -> String?
    ) throws -> String? {
        for name in try directory.names().sorted() where Int(name) != nil {
            guard try directory.status(of: name)?.kind == .directory,
                let inner = try directory.subdirectory(name)
            else { continue }
            if let found = try find(inner) { return found }
        }
        return nil
    }

    /// Whether a description of TMS stands beside the tiles, which gdal2tiles writes for no other
    /// scheme.
    private static func countsFromSouth(_ root: Directory) throws -> Bool {
        guard let xml = try root.readFile("tilemapresource.xml", most: TreeDocuments.largest) else {
            return false
        }
        let text = String(decoding: xml, as: UTF8.self)
        if text.contains("mercator") { return true }
        throw Failure(
            .badInput,
            "cannot read '\(root.path)': its tilemapresource.xml says that the tiles are not in "
                + "Web Mercator")
    }

    /// Refuses a tile of another extension than the first: it would be left out.
    static func checkNoTile(_ path: String, beside names: TileNames, in root: Directory) throws {
        guard let dot = path.lastIndex(of: "."), let last = names.template.parts.last,
            case .literal(let ending) = last
        else { return }
        let other = path[path.index(after: dot)...].lowercased()
        guard imageExtensions.contains(other), "." + path[path.index(after: dot)...] != ending,
            names.coordinate(ofPath: path[..<dot] + ending) != nil
        else { return }
        throw Failure(
            .badInput, "cannot read '\(root.path(of: path))': other tiles end in \(ending)",
            remedy: "all tiles of a folder must have the same extension")
    }
}
