package import Tilesets

/// The JSON object in a PMTiles archive. The archive's header says the rest: type, bounds, zooms.
package struct ArchiveJSON: Hashable, Sendable {
    /// What the object says.
    package var metadata: TilesetMetadata
    /// The job that made the tiles; nil if it is not known.
    package var job: String?

    /// Makes the object of a tileset.
    package init(_ metadata: TilesetMetadata, job: String? = nil) {
        self.metadata = metadata
        self.job = job
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
        let made = job.map { [JSONValue.Member(TilesetMetadata.jobMember, .string($0))] }
        return JSONValue.file(members + metadata.ownMembers + (made ?? []))
    }
}
