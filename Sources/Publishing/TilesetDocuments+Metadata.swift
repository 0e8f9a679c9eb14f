package import Tiling

extension TilesetDocuments {
    /// The documents of a tileset for every container.
    package init(_ metadata: TilesetMetadata) {
        self.init(
            sideFiles: [MetadataJSON(metadata).file, TileJSON(metadata).file],
            rows: MetadataJSON(metadata).tableRows, json: ArchiveJSON(metadata).bytes,
            extent: PublishedExtent(of: metadata), format: metadata.format)
    }
}
