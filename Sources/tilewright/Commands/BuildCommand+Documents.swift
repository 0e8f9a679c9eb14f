import Diagnostics
import Publishing
import Tilesets
import Tiling

extension BuildCommand {
    /// The files that Google Earth wants.
    func earthFiles(
        _ plan: TilesetPlan, _ tileset: any TilesetWriter, _ metadata: TilesetMetadata
    ) async throws -> [SideFile] {
        switch output.docKml {
        case nil: return []
        case .superoverlay: return SuperOverlay(metadata, tiles: tileset.tiles).files
        case .overlay:
            let picture = try await OverlayPicture.render(plan, tiles: tiles, run: resources)
            if let shift = picture.visibleShift, !reports.quiet {
                Console.warn(
                    "rows of doc.kml's picture are up to \(shift.text(decimals: 1)) pixels off, "
                        + "since the image is so tall; --doc-kml superoverlay is exact")
            }
            return OverlayDocument(metadata, box: picture.box, picture: picture.bytes).files
        }
    }

    /// Writes the files that say what a run did.
    func writeLists(_ summary: TilesetSummary, _ metadata: TilesetMetadata) throws {
        if let path = output.changes {
            let list = ChangeList(
                metadata, added: summary.added, changed: summary.changed, removed: summary.removed)
            try OutputFile.write(list.bytes, to: path)
        }
        if let path = output.depfile {
            let fragment = try DependencyFile(
                target: output.target, source: source, position: position)
            try OutputFile.write(fragment.text.utf8, to: path)
        }
    }
}
