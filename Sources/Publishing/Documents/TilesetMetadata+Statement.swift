import Platform
package import Tilesets
package import Tiling

extension TilesetMetadata {
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
        let members = try StatementMembers(statement, path: path)
        let limits = try members.limits ?? limits()
        var (base, template): (String?, String) = (nil, "")
        if let address = members.tiles?.first { (base, template) = Self.divided(address) }
        self.init(
            name: members.name ?? path, description: members.description ?? "",
            attribution: members.attribution ?? "", floor: members.floor,
            format: try Self.format(members, of: statement, path: path),
            tileSize: try members.tileSize ?? tileSize(),
            scheme: members.scheme.flatMap(TileScheme.init) ?? .xyz, template: template,
            baseURL: base, bounds: Self.bounds(members, of: statement, limits: limits),
            limits: limits,
            contents: members.tileCount.map {
                TilesetContents(tileCount: $0, digest: members.digest ?? "")
            })
    }

    private static func format(
        _ members: StatementMembers, of statement: TilesetStatement, path: String
    ) throws -> TileFormat {
        if case .pmtiles(_, _, let format) = statement { return format }
        if members.mediaTypes?.count == 2 { return .auto }
        let name = (members.format ?? members.tiles?.first?.fileExtension ?? "png").lowercased()
        let formats = TileFormat.allCases.filter { $0 != .auto }
        let format = formats.first {
            [$0.rawValue, $0.fileExtension, $0.mediaTypes[0]].contains(name)
        }
        guard let format else {
            throw Failure(
                .badInput, "cannot read '\(path)': its tiles are \(name), which are not images",
                remedy: "tiles of PNG, JPEG and WebP are read")
        }
        return format
    }

    /// The stated bounds, or the bounds of the finest tiles if none are stated.
    static func bounds(
        _ members: StatementMembers, of statement: TilesetStatement, limits: [TileRange]
    ) -> BoundingBox {
        let tiles = TileRange.lonLatBounds(of: limits)
        guard let stated = members.statedBounds(in: statement) else { return tiles }
        guard stated.width >= 360, tiles.maxX > 180 else { return stated }
        // Bounds that cross the antimeridian are a whole turn in all documents; the centre tells the part.
        let middle = members.center?[0] ?? stated.center.x
        let reach = min(tiles.width, 179)
        return BoundingBox(
            minX: middle - reach, minY: stated.minY, maxX: middle + reach, maxY: stated.maxY)
    }
}

extension StatementMembers {
    /// The stated bounds in degrees; nil if they are missing or invalid. If the west is larger than the
    /// east, 360 is added to the east.
    func statedBounds(in statement: TilesetStatement) -> BoundingBox? {
        if case .pmtiles(_, let bounds, _) = statement { return bounds }
        guard let edges = bounds, edges[0] >= -180, edges[0] <= 180, edges[2] >= -180,
            edges[2] <= 180, edges[1] >= -90, edges[1] <= edges[3], edges[3] <= 90
        else { return nil }
        let east = edges[2] < edges[0] ? edges[2] + 360 : edges[2]
        return BoundingBox(minX: edges[0], minY: edges[1], maxX: east, maxY: edges[3])
    }
}

extension String {
    /// The part of a name after its last dot; nil if there is none.
    fileprivate var fileExtension: String? {
        guard let dot = lastIndex(of: "."), !self[dot...].contains("/") else { return nil }
        return String(self[index(after: dot)...])
    }
}
