package import Tilesets

/// The JSON object in a PMTiles archive. The archive's header says the rest: type, bounds, zooms.
package struct ArchiveJSON: Hashable, Sendable {
    /// What the object says.
    package var metadata: TilesetMetadata
    /// What made the tiles, as far as that is known.
    package var origin: TilesetOrigin

    /// Makes the object of a tileset.
    package init(_ metadata: TilesetMetadata, origin: TilesetOrigin = TilesetOrigin()) {
        self.metadata = metadata
        self.origin = origin
    }

    /// The object in UTF-8.
    package var bytes: [UInt8] {
        let members: [JSONValue.Member] = [
            .init("name", .string(metadata.name)),
            .init("description", .string(metadata.description)),
            .init("attribution", .string(metadata.attribution)),
            .init("type", .string("overlay")),
            .init("version", .string(TileJSON.tilesetVersion)),
        ]
        return JSONValue.file(members + metadata.ownMembers + originMembers)
    }

    private var originMembers: [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if !origin.images.isEmpty {
            let images = origin.images.map { JSONValue.string($0.text) }
            members.append(.init(SourceImage.member, .array(images)))
        }
        if let job = origin.job { members.append(.init(TilesetMetadata.jobMember, .string(job.hex))) }
        return members
    }
}
