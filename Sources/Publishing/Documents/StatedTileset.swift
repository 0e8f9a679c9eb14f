package import Platform
package import Tilesets
package import Tiling

/// A tileset's metadata, unchanged: nothing is refused, and nothing is derived.
///
/// `TilesetMetadata` describes a tileset of images; this also describes tiles that are not images. A member
/// of the wrong type counts as missing, so that tilesets of other programs can be read; `StatementCheck`
/// reports it.
package struct StatedTileset: Sendable {
    /// The document.
    let statement: TilesetStatement
    /// All members as they were read, by the names that all documents share.
    let members: [String: ParsedJSON]

    /// Reads a statement.
    ///
    /// - Parameter path: the tileset, for messages.
    /// - Throws: `.badInput` if it is not a JSON object.
    package init(_ statement: TilesetStatement, path: String) throws {
        self.statement = statement
        members =
            switch statement {
            case .tileJSON(let json): try Self.parse(json, "the TileJSON of '\(path)'")
            case .metadataJSON(let json): try Self.parse(json, "the metadata.json of '\(path)'")
            case .pmtiles(let json, _, _): try Self.parse(json, "the metadata of '\(path)'")
            // If two rows have the same name, the last one is used.
            case .rows(let rows): Dictionary(rows.map { ($0.name, .string($0.value)) }) { _, last in last }
            }
    }

    private static func parse(_ json: [UInt8], _ document: String) throws -> [String: ParsedJSON] {
        guard ReadingBudget.isShort(json) else {
            throw Failure(.badInput, "cannot read \(document): it has too many values")
        }
        if case .object(let members)? = ParsedJSON(parsing: json) { return members }
        throw Failure(.badInput, "cannot read \(document): it is damaged, or not a JSON object")
    }

    /// The name for people.
    package var name: String? { words("name") }
    /// The description of the tileset.
    package var description: String? { words("description") }
    /// The credit to show.
    package var attribution: String? { words("attribution") }
    /// The floor that it shows.
    package var floor: String? { words("floor") }
    /// The file type of the tiles, in the statement's own word.
    package var format: String? { words("format") }
    /// The program that made it, with its version if known.
    package var generator: String? {
        words("generator") ?? words("planetiler:version").map { "planetiler \($0)" }
    }
    /// The options of that program.
    package var generatorOptions: String? { words("generator_options") }
    /// The time of the build, in the statement's own form.
    package var made: String? { words("planetiler:buildtime") }

    /// The layers of vector tiles. MBTiles has them in a JSON document in the row `json`.
    package var vectorLayers: [String] {
        var layers = members["vector_layers"]
        if layers == nil, let json = words("json"), case .object(let inner) = ParsedJSON(parsing: json.utf8) {
            layers = inner["vector_layers"]
        }
        guard case .array(let entries) = layers else { return [] }
        return entries.compactMap { entry in
            if case .object(let layer) = entry { layer["id"]?.string } else { nil }
        }
    }

    /// The template of the tiles' names, and what precedes it in addresses. The template is empty if there are
    /// no addresses.
    package var address: (base: String?, template: String) {
        tiles?.first.map(TilesetMetadata.divided) ?? (nil, "")
    }

    /// The text of a member; nil if it is empty or something else.
    private func words(_ member: String) -> String? {
        text(member).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Warns if the bounds and the tiles do not overlap at all.
    ///
    /// - Parameters:
    ///   - limits: the tiles.
    ///   - scheme: the assumed scheme of rows; nil for a container with only one scheme.
    ///   - path: the tileset, for the warning.
    /// - Returns: no warning if they overlap, or if no bounds are stated.
    package func placeWarnings(
        _ limits: [TileRange], scheme: TileScheme?, path: String
    ) -> [Warning] {
        placeDoubt(limits, scheme: scheme).map { [Warning("bounds-elsewhere", "'\(path)': \($0)")] } ?? []
    }

    private func placeDoubt(_ limits: [TileRange], scheme: TileScheme?) -> String? {
        guard let stated = statedBounds, !limits.isEmpty else { return nil }
        let tiles = TileRange.lonLatBounds(of: limits)
        if stated.meets(tiles) { return nil }
        let mirrored = BoundingBox(minX: tiles.minX, minY: -tiles.maxY, maxX: tiles.maxX, maxY: -tiles.minY)
        guard stated.meets(mirrored), let scheme else { return "its bounds are elsewhere than its tiles" }
        let isNorth = mirrored.center.y > 0
        let (count, other) = scheme == .tms ? ("north", TileScheme.xyz) : ("south", .tms)
        let repair =
            if case .tileJSON = statement {
                "write \"scheme\": \"\(other.rawValue)\" into its TileJSON"
            } else { "convert it with --in-scheme \(other.rawValue)" }
        return "its bounds are \(isNorth ? "north" : "south") of the equator, but its tiles are "
            + "\(isNorth ? "south" : "north") of it: if its rows count from the \(count), \(repair); "
            + "else its bounds are wrong"
    }
}

extension BoundingBox {
    /// Whether boxes in degrees touch, even if one of them is moved by whole turns around the world.
    fileprivate func meets(_ other: BoundingBox) -> Bool {
        minY <= other.maxY && other.minY <= maxY
            && [-360, 0, 360.0].contains { minX <= other.maxX + $0 && other.minX + $0 <= maxX }
    }
}

extension StatedTileset {
    /// The text of a member.
    func text(_ name: String) -> String? { members[name]?.string }

    /// How rows are counted.
    package var scheme: TileScheme? { text("scheme").flatMap(TileScheme.init) }
    /// Pixels along a tile's edge.
    package var tileSize: Int? {
        members["tileSize"]?.integer.flatMap { TilesetMetadata.possibleTileSizes ~= $0 ? $0 : nil }
    }
    /// The number of tiles.
    var tileCount: Int? { members["tileCount"]?.integer }
    /// The lowest zoom.
    var minzoom: Int? { members["minzoom"]?.integer }
    /// The highest zoom.
    var maxzoom: Int? { members["maxzoom"]?.integer }
    /// The addresses of the tiles.
    var tiles: [String]? { members["tiles"]?.list?.compactMap(\.string) }
    /// The media types of the tiles, if they share an extension.
    package var mediaTypes: [String] { members["mediaTypes"]?.list?.compactMap(\.string) ?? [] }
    /// Longitude, latitude, zoom.
    var center: [Double]? { numbers("center", count: 3) }

    private func numbers(_ name: String, count: Int) -> [Double]? {
        let numbers = members[name]?.list?.compactMap(\.number)
        return numbers?.count == count ? numbers : nil
    }

    /// The stated bounds in degrees; nil if they are missing or invalid. If the west is larger than the east,
    /// 360 is added to the east.
    package var statedBounds: BoundingBox? {
        if case .pmtiles(_, let bounds, _) = statement { return bounds }
        guard let edges = numbers("bounds", count: 4), edges[0] >= -180, edges[0] <= 180, edges[2] >= -180,
            edges[2] <= 180, edges[1] >= -90, edges[1] <= edges[3], edges[3] <= 90
        else { return nil }
        let east = edges[2] < edges[0] ? edges[2] + 360 : edges[2]
        return BoundingBox(minX: edges[0], minY: edges[1], maxX: east, maxY: edges[3])
    }

    /// The tiles that exist; nil if this member is missing, cannot be read, or has more than two rectangles
    /// per zoom. Each tile is looked up in all rectangles of its zoom.
    package var limits: [TileRange]? {
        guard let entries = members["tileMatrixSetLimits"]?.list, entries.count <= 2 * 31 else { return nil }
        let limits = entries.compactMap(Self.limits)
        return limits.count == entries.count ? limits : nil
    }

    private static func limits(_ entry: ParsedJSON) -> TileRange? {
        guard case .object(let members) = entry else { return nil }
        let names = ["tileMatrix", "minTileCol", "minTileRow", "maxTileCol", "maxTileRow"]
        return TileRange(numbers: names.compactMap { members[$0]?.integer })
    }

    /// The stated bounds, or the bounds of the finest tiles if none are stated.
    package func bounds(_ limits: [TileRange]) -> BoundingBox {
        let tiles = TileRange.lonLatBounds(of: limits)
        guard let stated = statedBounds else { return tiles }
        guard stated.width >= 360, tiles.maxX > 180 else { return stated }
        // Bounds that cross the antimeridian are a whole turn in all documents; the centre shows the real
        // part.
        let middle = center?[0] ?? stated.center.x
        let reach = min(tiles.width, 179)
        return BoundingBox(
            minX: middle - reach, minY: stated.minY, maxX: middle + reach, maxY: stated.maxY)
    }
}

extension TilesetMetadata {
    /// The sizes that tiles can have, in pixels along an edge. Larger tiles cannot be decoded; for smaller
    /// ones, a view would have more tiles than pixels.
    package static let possibleTileSizes = 16...4096

    /// Reads the statement of a tileset, made by this program or by another.
    ///
    /// - Parameters:
    ///   - limits: finds the tiles that exist, if the statement does not say.
    ///   - tileSize: finds the pixels along a tile's edge, if the statement does not say.
    ///   - path: the tileset, for messages, and as its name if the statement has none.
    /// - Throws: `.badInput` if the statement is damaged, or the tiles are not images.
    package init(
        reading statement: TilesetStatement, limits: () throws -> [TileRange],
        tileSize: () throws -> Int = { 256 }, path: String
    ) throws {
        let stated = try StatedTileset(statement, path: path)
        let limits = try stated.limits ?? limits()
        let (base, template) = stated.address
        self.init(
            name: stated.text("name") ?? path, description: stated.text("description") ?? "",
            attribution: stated.text("attribution") ?? "", floor: stated.text("floor"),
            format: try Self.format(stated, path: path), tileSize: try stated.tileSize ?? tileSize(),
            scheme: stated.scheme ?? .xyz, template: template, baseURL: base,
            bounds: stated.bounds(limits), limits: limits,
            contents: stated.tileCount.map {
                TilesetContents(tileCount: $0, digest: stated.text("digest") ?? "")
            })
    }

    private static func format(_ stated: StatedTileset, path: String) throws -> TileFormat {
        if case .pmtiles(_, _, let format) = stated.statement { return format }
        if stated.mediaTypes.count == 2 { return .auto }
        let ending = stated.tiles?.first?.splitExtension.fileExtension ?? ""
        let name = (stated.text("format") ?? (ending.isEmpty ? "png" : ending)).lowercased()
        let format = TileFormat.allCases.first {
            $0 != .auto && [$0.rawValue, $0.fileExtension, $0.mediaTypes[0]].contains(name)
        }
        guard let format else {
            throw Failure(
                .badInput, "cannot read '\(path)': its tiles are \(name), which are not images",
                remedy: "tilewright reads tiles of PNG, JPEG and WebP")
        }
        return format
    }
}
