package import Tiling

/// The JSON object that PMTiles keeps beside its header, which says the rest: type, bounds, zooms.
package struct ArchiveJSON: Hashable, Sendable {
    /// What the object says.
    package var metadata: TilesetMetadata

    /// Makes the object of a tileset.
    package init(_ metadata: TilesetMetadata) { self.metadata = metadata }

    /// The object in UTF-8.
    package var bytes: [UInt8] {
        let members: [JSONValue.Member] = [
            .init("name", .string(metadata.name)),
            .init("description", .string(metadata.description)),
            .init("attribution", .string(metadata.attribution)),
            .init("type", .string("overlay")),
            .init("version", .string(TileJSON.tilesetVersion)),
        ]
        return JSONValue.object(members + metadata.ownMembers).fileBytes
    }
}
