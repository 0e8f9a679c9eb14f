package import Tilesets
import Tiling

extension TilesetDocuments {
    /// The documents of a tileset for every container.
    package init(_ metadata: TilesetMetadata) {
        let files = [
            MetadataJSON(metadata).file, TileMapResource(metadata)?.file, TileJSON(metadata).file,
        ]
        self.init(
            sideFiles: files.compactMap(\.self),
            rows: MetadataJSON(metadata).tableRows,
            json: { ArchiveJSON(metadata, origin: $0).bytes },
            extent: PublishedExtent(of: metadata), format: metadata.format,
            baseURL: metadata.baseURL)
    }
}

extension TilesetMetadata {
    /// Members that no specification has, with the same names in every document: `tileSize`, which
    /// clients of raster tiles need; `floor`; `mediaTypes`, if tiles of two types share an extension;
    /// `tileCount` and `digest`, which show that a copy is whole; and `generator`.
    var ownMembers: [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("tileSize", .integer(tileSize))]
        if let floor { members.append(.init("floor", .string(floor))) }
        if format.mediaTypes.count > 1 {
            members.append(.init("mediaTypes", .array(format.mediaTypes.map(JSONValue.string))))
        }
        if let contents {
            members.append(.init("tileCount", .integer(contents.tileCount)))
            members.append(.init("digest", .string(contents.digest)))
        }
        return members + [.init("generator", .string(Self.generator))]
    }
}
