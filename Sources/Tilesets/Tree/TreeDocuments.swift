import Platform
import Tiling

/// The documents next to the tiles of a tree, which describe them.
struct TreeDocuments {
    /// The documents that describe the tree, the most detailed first.
    let statements: [TilesetStatement]
    /// The extension of the tiles' names, if there is no TileJSON that states it.
    let fileExtension: String

    /// The maximum number of bytes of a document: even one for millions of tiles has a hundredth of this.
    static let largest = 16 << 20

    /// Looks for the documents of a floor.
    ///
    /// - Parameter isKnown: whether there is a manifest, so that the tiles need not be searched.
    /// - Returns: nil if there is nothing like a tileset.
    init?(in root: Directory, floor: String?, isKnown: Bool) throws {
        func read(_ document: String) throws -> [UInt8]? {
            try root.readFile(SideFile.name(document, floor: floor), most: Self.largest)
        }
        let metadata = try read("metadata").map { TilesetStatement.metadataJSON($0) }
        let tileJSON = try read("tilejson").map { TilesetStatement.tileJSON($0) }
        var rows: [MetadataRow] = []
        if tileJSON == nil, !isKnown {
            guard floor == nil, try Self.floors(in: root).isEmpty, let found = try ForeignTree.rows(in: root)
            else { return nil }
            rows = found
        }
        let found = [tileJSON, metadata].compactMap(\.self)
        statements = found.isEmpty ? [.rows(rows)] : found
        fileExtension = rows.first?.value ?? ""
    }

    /// The floors that have a TileJSON; nil for a tileset without a floor.
    static func floors(in root: Directory) throws -> [String?] {
        try root.names().floors { SideFile.name("tilejson", floor: $0) }
    }
}

/// A tree without a TileJSON, such as those of gdal2tiles and mb-util: `{z}/{x}/{y}` and an extension.
enum ForeignTree {
    private static let imageExtensions = TileFormat.allCases.map(\.fileExtension) + ["jpeg"]

    /// The extension of all tiles' names as their format, and perhaps their scheme, as rows of MBTiles.
    ///
    /// - Returns: nil if nothing in the directory looks like a tile.
    /// - Throws: `.badInput` if the tiles are not in Web Mercator.
    static func rows(in root: Directory) throws -> [MetadataRow]? {
        guard let fileExtension = try fileExtension(in: root) else { return nil }
        // A tree that does not state its scheme is read as XYZ.
        let scheme = try countsFromSouth(root) ? [MetadataRow("scheme", "tms")] : []
        return [MetadataRow("format", fileExtension)] + scheme
    }

    /// The extension of the first file that is named like a tile, below directories whose names are numbers.
    /// Only one of these is open at a time, since a zoom can have thousands of columns.
    ///
    /// - Parameter depth: the number of directories above the file.
    private static func fileExtension(in directory: Directory, below depth: Int = 2) throws -> String? {
        for name in try directory.names().sorted() {
            let parts = name.split(separator: ".", omittingEmptySubsequences: false)
            guard Int(parts[0]) != nil, parts.count == (depth == 0 ? 2 : 1) else { continue }
            if depth == 0 { return String(parts[1]) }
            guard try directory.status(of: name)?.kind == .directory,
                let inner = try directory.subdirectory(name),
                let found = try fileExtension(in: inner, below: depth - 1)
            else { continue }
            return found
        }
        return nil
    }

    /// Whether there is a description of TMS next to the tiles, which gdal2tiles writes only for this scheme.
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

    /// Refuses a tile whose extension differs from that of the first tile: it would be ignored.
    static func checkNoTile(_ path: String, nextTo names: TileNames, in root: Directory) throws {
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
