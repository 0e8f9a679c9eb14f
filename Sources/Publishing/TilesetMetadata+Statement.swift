import Diagnostics
package import Tiling

extension TilesetMetadata {
    /// What a statement says, be it ours or somebody else's.
    ///
    /// - Parameters:
    ///   - limits: finds the tiles that exist, where the statement does not say.
    ///   - path: the tileset, for messages, and for a name where the statement has none.
    /// - Throws: `.badInput` where the statement is damaged, or the tiles are no images.
    package init(
        reading statement: TilesetStatement, limits: () throws -> [TileMatrixLimits], path: String
    ) throws {
        let members = try Self.members(of: statement, path: path)
        let limits = try members.limits ?? limits()
        var (base, template): (String?, String) = (nil, "")
        if let address = members.tiles?.first { (base, template) = Self.divided(address) }
        self.init(
            name: members.name ?? path, description: members.description ?? "",
            attribution: members.attribution ?? "", floor: members.floor,
            format: try Self.format(members, of: statement, path: path),
            tileSize: members.tileSize ?? 256,
            scheme: members.scheme.flatMap(TileScheme.init) ?? .xyz, template: template,
            baseURL: base, bounds: Self.bounds(members, of: statement, limits: limits),
            limits: limits,
            contents: members.tileCount.map {
                TilesetContents(tileCount: $0, digest: members.digest ?? "")
            })
    }

    private static func members(
        of statement: TilesetStatement, path: String
    ) throws -> StatementMembers {
        switch statement {
        case .tileJSON(let bytes):
            try StatementMembers(parsing: bytes, document: "the TileJSON of '\(path)'")
        case .rows(let rows): StatementMembers(rows)
        case .pmtiles(let json, _, _):
            try StatementMembers(parsing: json, document: "the metadata of '\(path)'")
        }
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
        if case .pmtiles(_, let bounds, _) = statement { return bounds }
        if let edges = members.bounds, edges.count == 4 {
            return BoundingBox(minX: edges[0], minY: edges[1], maxX: edges[2], maxY: edges[3])
        }
        return TileMatrixLimits.lonLatBounds(of: limits)
    }
}

extension String {
    /// What stands behind the last dot of a name.
    fileprivate var fileExtension: String? {
        guard let dot = lastIndex(of: "."), !self[dot...].contains("/") else { return nil }
        return String(self[index(after: dot)...])
    }
}
