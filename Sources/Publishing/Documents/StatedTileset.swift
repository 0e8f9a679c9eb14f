package import Platform
package import Tilesets
package import Tiling

/// What a tileset says of itself, in its own words: nothing is refused, and nothing made up.
///
/// `TilesetMetadata` is what a tileset of images comes to; this is also for tiles that are not images.
package struct StatedTileset: Sendable {
    private let statement: TilesetStatement
    private let members: StatementMembers

    /// Reads a statement.
    ///
    /// - Parameter path: the tileset, for messages.
    /// - Throws: `.badInput` if it is not an object of JSON.
    package init(_ statement: TilesetStatement, path: String) throws {
        self.statement = statement
        members = try StatementMembers(statement, path: path)
    }

    /// The name for people.
    package var name: String? { text("name") }
    /// What the tileset shows.
    package var description: String? { text("description") }
    /// Whom to credit.
    package var attribution: String? { text("attribution") }
    /// The floor that it shows.
    package var floor: String? { text("floor") }
    /// The file type of the tiles, in the statement's own word.
    package var format: String? { text("format") }
    /// Pixels along a tile's edge.
    package var tileSize: Int? { members.tileSize }
    /// How rows are counted.
    package var scheme: TileScheme? { members.scheme.flatMap(TileScheme.init) }
    /// The program that made it, and its version if that is said.
    package var generator: String? {
        text("generator") ?? text("planetiler:version").map { "planetiler \($0)" }
    }
    /// How that program was called.
    package var generatorOptions: String? { text("generator_options") }
    /// When it was made, in the statement's own form.
    package var made: String? { text("planetiler:buildtime") }
    /// The media types of the tiles, if they share an extension.
    package var mediaTypes: [String] { members.mediaTypes ?? [] }

    /// The layers of vector tiles. MBTiles has them in a document inside of the row `json`.
    package var vectorLayers: [String] {
        var layers = members.members["vector_layers"]
        if layers == nil, let json = text("json"), case .object(let inner) = ParsedJSON(parsing: json.utf8) {
            layers = inner["vector_layers"]
        }
        guard case .array(let entries) = layers else { return [] }
        return entries.compactMap { entry in
            if case .object(let layer) = entry { layer["id"]?.string } else { nil }
        }
    }

    /// The template of the tiles' names, and what stands before it in addresses; the template is nil if nothing
    /// is said.
    package var address: (base: String?, template: String?) {
        guard let address = members.tiles?.first else { return (nil, nil) }
        let (base, template) = TilesetMetadata.divided(address)
        return (base, template)
    }

    /// Whether it says, in degrees, where the tileset lies.
    package var hasBounds: Bool { statedBounds != nil }

    /// Where it says that it lies, in degrees.
    var statedBounds: BoundingBox? { members.statedBounds(in: statement) }

    /// The stated bounds in degrees, or those of the finest tiles.
    package func bounds(_ limits: [TileRange]) -> BoundingBox {
        TilesetMetadata.bounds(members, of: statement, limits: limits)
    }

    /// The text of a member; nil if it is empty or something else.
    private func text(_ member: String) -> String? {
        members.members[member]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension StatedTileset {
    /// What is doubtful about where the tileset lies, if its bounds and its tiles do not meet at all.
    ///
    /// - Parameters:
    ///   - limits: the tiles.
    ///   - scheme: how rows were taken to count; nil of a container that leaves no doubt.
    ///   - path: the tileset, for the warning.
    /// - Returns: nothing if all is well, or no bounds are stated.
    package func placeWarnings(
        _ limits: [TileRange], scheme: TileScheme?, path: String
    ) -> [Warning] {
        let doubt = placeDoubt(limits, scheme: scheme)
        return doubt.map { [Warning("bounds-elsewhere", "'\(path)': \($0)")] } ?? []
    }

    private func placeDoubt(_ limits: [TileRange], scheme: TileScheme?) -> String? {
        guard let stated = statedBounds, !limits.isEmpty else { return nil }
        let tiles = TileRange.lonLatBounds(of: limits)
        if stated.meets(tiles) { return nil }
        let mirrored = BoundingBox(minX: tiles.minX, minY: -tiles.maxY, maxX: tiles.maxX, maxY: -tiles.minY)
        guard stated.meets(mirrored), let scheme else { return "its bounds lie elsewhere than its tiles" }
        let isNorth = mirrored.center.y > 0
        let (count, other) = scheme == .tms ? ("north", TileScheme.xyz) : ("south", .tms)
        return "its bounds lie \(isNorth ? "north" : "south") of the equator, and its tiles as far "
            + "\(isNorth ? "south" : "north") of it: either its rows count from the \(count), and convert "
            + "--in-scheme \(other.rawValue) takes them so, or its bounds are wrong"
    }
}

extension BoundingBox {
    /// Whether boxes in degrees touch, however often one is moved around the world.
    fileprivate func meets(_ other: BoundingBox) -> Bool {
        minY <= other.maxY && other.minY <= maxY
            && [-360, 0, 360.0].contains { minX <= other.maxX + $0 && other.minX + $0 <= maxX }
    }
}
