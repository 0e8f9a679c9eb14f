import Diagnostics
package import Tiling

/// A finished tileset in a tree of files, ours or somebody else's.
///
/// In a tree of ours the list of its files says which tiles there are; in another one, or in a copy
/// without that list, all files count that are named like tiles.
package struct TileTree: TilesetReader {
    package let path: String
    /// The floor that is read, or nil for a tileset without one.
    package let floor: String?
    /// How the tiles are named.
    package let names: TileNames

    /// OUTPUT.
    let root: Directory
    /// What our list of files says, or nil where there is none.
    let manifest: TilesetManifest?
    private let tileJSON: [UInt8]

    /// Opens a tree.
    ///
    /// - Parameters:
    ///   - floor: the floor to read, of a tree that has several.
    ///   - naming: tells how tiles are named by the TileJSON, where our list of files does not.
    /// - Throws: `.missingInput` where there is no such directory or floor, `.badInput` where the
    ///   TileJSON is missing.
    package init(
        _ path: String, floor: String?, naming: (_ tileJSON: [UInt8]) throws -> TileNames
    ) throws {
        guard let root = try Directory.open(path) else {
            throw Failure(.missingInput, "cannot read '\(path)': there is no such directory")
        }
        let document = Self.documentName(floor: floor)
        guard let tileJSON = try root.readFile(document) else {
            throw Self.missing(document, floor: floor, in: root)
        }
        self.path = path
        self.floor = floor
        self.root = root
        self.tileJSON = tileJSON
        manifest = try TilesetState.publishedManifest(in: root, floor: floor)
        names = try manifest?.sections.last?.names ?? naming(tileJSON)
        if manifest?.unfinishedJob != nil {
            throw Failure(
                .badInput, "cannot read '\(path)': the run that published it did not end",
                remedy: "run the same build again")
        }
    }

    /// The floors of a tree, nil for a tileset without one, in the order of their names.
    package static func floors(of path: String) throws -> [String?] {
        guard let root = try Directory.open(path) else { return [] }
        let (start, end) = ("tilejson-", ".json")
        let names = try root.names()
        let floors = names.filter { $0.hasPrefix(start) && $0.hasSuffix(end) }.map {
            String($0.dropFirst(start.count).dropLast(end.count))
        }
        return (names.contains(documentName(floor: nil)) ? [nil] : []) + floors.sorted()
    }

    private static func documentName(floor: String?) -> String {
        floor.map { "tilejson-\($0).json" } ?? "tilejson.json"
    }

    private static func missing(
        _ document: String, floor: String?, in root: Directory
    ) -> Failure {
        let floors = ((try? floors(of: root.path)) ?? []).compactMap(\.self)
        let known = floors.map { "'\($0)'" }.joined(separator: ", ")
        guard floors.isEmpty else {
            let why =
                floor.map { "it has no floor '\($0)'" } ?? "it holds the tiles of several floors"
            return Failure(
                floor == nil ? .usage : .missingInput, "cannot read '\(root.path)': \(why)",
                remedy: "give --floor, one of \(known)")
        }
        return Failure(
            .badInput, "cannot read '\(root.path)': it has no \(document)",
            remedy: "a folder of tiles is known by its TileJSON")
    }

    package func statement() -> TilesetStatement { .tileJSON(tileJSON) }

    package func limits() throws -> [TileMatrixLimits] {
        var zooms = TilesByZoom()
        try forEachAddress { zooms.count($0) }
        return zooms.limits
    }

    package func forEachTile(_ body: (EncodedTile) throws -> Void) throws {
        var directories = TileDirectories(root: root)
        try forEachAddress { tile in
            let path = names.path(of: tile)
            let (parent, name) = TileDirectories.split(path)
            guard let bytes = try directories.open(parent)?.readFile(name) else {
                throw Failure(
                    .badInput, "cannot read '\(root.path(of: path))': the tile is missing",
                    remedy: "'tilewright verify' lists all that is wrong")
            }
            try body(EncodedTile(coordinate: tile, bytes: bytes))
        }
    }

    /// Lends the address of each tile.
    func forEachAddress(_ body: (TileCoordinate) throws -> Void) throws {
        if let manifest {
            for section in manifest.sections {
                for record in section.records.sorted { try body(record.coordinate) }
            }
        } else {
            try root.forEachFile { path in
                if let tile = names.coordinate(ofPath: path) { try body(tile) }
            }
        }
    }
}
