package import Tilesets

extension TilesetDocuments {
    /// The documents of a tileset for every container.
    package init(_ metadata: TilesetMetadata) {
        let files = [
            MetadataJSON(metadata).file, TileMapResource(metadata)?.file, TileJSON(metadata).file,
        ]
        self.init(
            sideFiles: files.compactMap(\.self),
            rows: MetadataJSON(metadata).tableRows,
            json: { ArchiveJSON(metadata, job: $0).bytes },
            extent: PublishedExtent(of: metadata), format: metadata.format)
    }
}
