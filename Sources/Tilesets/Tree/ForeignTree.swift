import Platform
import Tiling

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
            remedy: "a folder of tiles has one extension for all")
    }
}
