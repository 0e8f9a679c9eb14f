import Platform
package import Tilesets
package import Tiling

/// Compares a tileset's metadata with its specification, and with the tiles that exist.
package struct StatementCheck {
    /// The statement.
    package let stated: StatedTileset
    private let floor: String?

    /// Reads a statement.
    ///
    /// - Throws: `.badInput` if it is not a JSON object.
    package init(_ statement: TilesetStatement, floor: String?, path: String) throws {
        self.floor = floor
        stated = try StatedTileset(statement, path: path)
    }

    /// Whether it says that this program made the tileset.
    package var isOurs: Bool { stated.text("generator") == TilesetMetadata.generator }

    /// All faults of the statement.
    ///
    /// - Parameters:
    ///   - limits: the tiles that exist.
    ///   - tileCount: the number of tiles that exist.
    ///   - digest: the digest of their contents; nil if tiles are missing or damaged, since it would
    ///     differ anyway.
    package func faults(
        limits: [TileRange], tileCount: Int, digest: String?
    ) -> [TilesetFault] {
        var problems = bounds(limits) + center + self.digest(digest)
        // The readers of archives check what the archives' specifications require.
        switch stated.statement {
        case .tileJSON, .metadataJSON:
            problems += requiredMembers + malformedMembers + zooms(limits) + number(tileCount)
        case .pmtiles: problems += number(tileCount)
        case .rows: break
        }
        return problems.map { TilesetFault(place, $0) }
    }

    /// Warnings about metadata that some readers may not accept, although the tiles have no fault.
    package var warnings: [TilesetFault] {
        guard case .tileJSON = stated.statement,
            stated.tiles?.contains(where: { RemoteAddress($0) == nil }) == true
        else { return [] }
        return [
            TilesetFault(
                place,
                "has relative addresses, but the specification requires absolute ones (TileJSON 3.0.0, 3.2): "
                    + "build or convert with --url, or 'url' in the manifest")
        ]
    }

    /// The members that differ between this and another statement of the same tileset.
    package func contradictions(of other: StatementCheck) -> [TilesetFault] {
        let names = [
            "name", "description", "attribution", "scheme", "format", "bounds", "center", "minzoom",
            "maxzoom", "tileSize", "floor", "mediaTypes", "tileCount", "digest",
        ]
        return names.compactMap { name in
            guard let others = other.stated.members[name] else { return nil }
            guard let mine = stated.members[name] else {
                // All documents of this program say the same.
                if !other.isOurs { return nil }
                return TilesetFault(place, "does not contain the \(name), but \(other.place) does")
            }
            if mine.says(others) { return nil }
            return TilesetFault(
                place,
                "has the \(name) '\(mine.text.excerpt(100))', but \(other.place) "
                    + "has '\(others.text.excerpt(100))'"
            )
        }
    }

    /// The document's name in messages.
    package var place: String {
        switch stated.statement {
        case .tileJSON: SideFile.name("tilejson", floor: floor)
        case .metadataJSON: SideFile.name("metadata", floor: floor)
        case .rows, .pmtiles: "metadata"
        }
    }

    /// Missing members that TileJSON 3.0.0 requires in sections 3.1 and 3.2.
    private var requiredMembers: [String] {
        guard case .tileJSON = stated.statement else { return [] }
        let version = stated.members["tilejson"]?.string?.split(separator: ".").map { Int($0) }
        let hasVersion = version?.count == 3 && version?.contains(nil) == false
        let hasAddress = stated.tiles?.isEmpty == false
        return (hasVersion ? [] : ["has no 'tilejson', the version of its specification"])
            + (hasAddress ? [] : ["has no 'tiles', the address of the tiles"])
    }

    /// Members that exist but cannot be read.
    private var malformedMembers: [String] {
        let readable: [(String, Bool)] = [
            ("bounds", stated.statedBounds != nil), ("center", stated.center != nil),
            ("minzoom", stated.minzoom != nil), ("maxzoom", stated.maxzoom != nil),
            ("scheme", stated.scheme != nil), ("tileMatrixSetLimits", stated.limits != nil),
            ("tileSize", stated.tileSize != nil), ("tileCount", stated.tileCount != nil),
        ]
        let malformed = readable.filter { stated.members[$0.0] != nil && !$0.1 }
            .map { "its '\($0.0)' is invalid" }
        guard case .metadataJSON = stated.statement else { return malformed }
        // Importers copy the values into a table of strings, and fail on anything else.
        let others = stated.members.filter { $0.value.string == nil }.keys.sorted()
        return malformed + others.map { "its '\($0.excerpt())' is not a string" }
    }

    private func zooms(_ limits: [TileRange]) -> [String] {
        let zooms = limits.map(\.zoom)
        let ends = [
            ("minzoom", "lowest", stated.minzoom, zooms.min()),
            ("maxzoom", "highest", stated.maxzoom, zooms.max()),
        ]
        return ends.compactMap { name, end, said, found in
            guard let said, let found, said != found else { return nil }
            return "has \(name) \(said), but the \(end) zoom with a tile is \(found)"
        }
    }

    /// Bounds that would hide tiles and, in a tileset of this program, bounds that reach beyond all
    /// tiles.
    private func bounds(_ limits: [TileRange]) -> [String] {
        guard let bounds = stated.statedBounds, !limits.isEmpty else { return [] }
        let (inner, outer) = (TileRange.innerBounds(of: limits), TileRange.lonLatBounds(of: limits))
        // How far each edge is inside the outermost tiles, and outside them, in degrees.
        var edges: [(name: String, inside: Double, outside: Double)] = [
            ("south", bounds.minY - inner.minY, outer.minY - bounds.minY),
            ("north", inner.maxY - bounds.maxY, bounds.maxY - outer.maxY),
        ]
        // Bounds that cross the antimeridian are written as a whole turn.
        if bounds.width < 360 - Self.noise {
            edges += [
                ("west", bounds.minX - inner.minX, outer.minX - bounds.minX),
                ("east", inner.maxX - bounds.maxX, bounds.maxX - outer.maxX),
            ]
        }
        let hiding = edges.filter { $0.inside > Self.noise }
        let reaching = isOurs ? edges.filter { $0.outside > Self.noise } : []
        return hiding.map { "its bounds do not contain the \($0.name)ernmost tiles" }
            + reaching.map { "its bounds reach farther \($0.name) than any tile" }
    }

    /// Two units of published degrees. Bounds are rounded outwards by less than one unit.
    private static let noise = 2e-7

    private var center: [String] {
        guard let center = stated.center else { return [] }
        var problems: [String] = []
        if let bounds = stated.statedBounds {
            let longitudes = bounds.minX - Self.noise...bounds.maxX + Self.noise
            let isBetween = longitudes.contains(center[0]) || longitudes.contains(center[0] + 360)
            let latitudes = bounds.minY - Self.noise...bounds.maxY + Self.noise
            if !isBetween || !latitudes.contains(center[1]) {
                problems.append("its center is outside its bounds")
            }
        }
        let (lowest, highest) = (Double(stated.minzoom ?? 0), Double(stated.maxzoom ?? 30))
        if center[2] < lowest || center[2] > highest || center[2] != center[2].rounded() {
            problems.append("the zoom of its center is not one of its zooms")
        }
        return problems
    }

    private func number(_ tileCount: Int) -> [String] {
        guard let claimed = stated.tileCount, claimed != tileCount else { return [] }
        return ["claims \(claimed) tiles, but there are \(tileCount)"]
    }

    private func digest(_ digest: String?) -> [String] {
        guard let digest, let claimed = stated.text("digest"), claimed != digest else { return [] }
        return ["its digest does not match the tiles: some were changed or swapped"]
    }
}

extension ParsedJSON {
    /// Whether the values of two documents agree; one of them may be the text of an MBTiles row. An empty
    /// text agrees with every value.
    fileprivate func says(_ other: ParsedJSON) -> Bool {
        if text == other.text || text.isEmpty || other.text.isEmpty { return true }
        guard let mine = list, let others = other.list, mine.count == others.count else {
            return number != nil && number == other.number
        }
        return zip(mine, others).allSatisfy { $0.number != nil && $0.number == $1.number }
    }

    /// The value as in a row of MBTiles.
    fileprivate var text: String {
        switch self {
        case .null: ""
        case .bool(let value): String(value)
        case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
        case .string(let text): text
        case .array(let values): values.map(\.text).joined(separator: ",")
        case .object(let members):
            members.sorted { $0.key < $1.key }.map(\.value.text).joined(separator: ",")
        }
    }
}
