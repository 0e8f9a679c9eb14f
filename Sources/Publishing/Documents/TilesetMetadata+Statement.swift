import Diagnostics
package import Tilesets
package import Tiling

extension TilesetMetadata {
    /// What a statement says, be it ours or somebody else's.
    ///
    /// - Parameters:
    ///   - limits: finds the tiles that exist, where the statement does not say.
    ///   - tileSize: finds the pixels along a tile's edge, where the statement does not say.
    ///   - path: the tileset, for messages, and for a name where the statement has none.
    /// - Throws: `.badInput` where the statement is damaged, or the tiles are no images.
    package init(
        reading statement: TilesetStatement, limits: () throws -> [TileMatrixLimits],
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
                .badInput, "cannot read '\(path)': its tiles are \(name), which are no images",
                remedy: "tiles of PNG, JPEG and WebP are read")
        }
        return format
    }

    /// The bounds that are stated, else those of the finest tiles.
    private static func bounds(
        _ members: StatementMembers, of statement: TilesetStatement, limits: [TileMatrixLimits]
    ) -> BoundingBox {
        let tiles = TileMatrixLimits.lonLatBounds(of: limits)
        guard let stated = members.statedBounds(in: statement) else { return tiles }
        guard stated.width >= 360, tiles.maxX > 180 else { return stated }
        // Across the antimeridian all documents say the whole turn, and the centre where on it.
        let middle = members.center?[0] ?? stated.center.x
        let reach = min(tiles.width, 179)
        return BoundingBox(
            minX: middle - reach, minY: stated.minY, maxX: middle + reach, maxY: stated.maxY)
    }
}

extension StatementMembers {
    /// The bounds that a statement names, or nil where they are none; the east is beyond 180 where
    /// they run from a larger longitude to a smaller one.
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
    /// What stands behind the last dot of a name.
    fileprivate var fileExtension: String? {
        guard let dot = lastIndex(of: "."), !self[dot...].contains("/") else { return nil }
        return String(self[index(after: dot)...])
    }
}
