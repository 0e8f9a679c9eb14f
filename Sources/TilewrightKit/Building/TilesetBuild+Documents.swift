import Platform
import Publishing
import Tilesets
import Tiling

extension TilesetBuild {
    /// The files that Google Earth wants.
    func earthFiles(
        _ tileset: any TilesetWriter, _ metadata: TilesetMetadata, _ report: BuildEventHandler
    ) async throws -> [SideFile] {
        switch request.output.docKML {
        case nil: return []
        case .superoverlay: return SuperOverlay(metadata, tiles: tileset.tiles).files
        case .overlay:
            let picture = try await OverlayPicture.render(plan)
            if let change = inputs.change() { throw change }
            if let shift = picture.visibleShift {
                report(
                    .warning(
                        "rows of doc.kml's picture are up to \(shift.text(decimals: 1)) pixels off, "
                            + "since the image is so tall; --doc-kml superoverlay is exact"))
            }
            return OverlayDocument(metadata, box: picture.box, picture: picture.bytes).files
        }
    }

    /// Writes what make is to know of the inputs: before the output is made, so that no output is ever
    /// newer than an input that make has not heard of.
    func writeDependencies() throws {
        guard let path = request.output.depfile else { return }
        try OutputFile.write(inputs.dependencies(of: request.output).text.utf8, to: path)
    }

    /// Writes what a run did.
    func writeChanges(_ summary: TilesetSummary, _ metadata: TilesetMetadata) throws {
        guard let path = request.output.changes else { return }
        var metadata = metadata
        if request.output.container.isArchive { metadata.template = TilesetMetadata.archiveTemplate }
        try OutputFile.write(ChangeList(metadata, summary).bytes, to: path)
    }
}
