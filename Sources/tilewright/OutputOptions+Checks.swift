import Diagnostics
import Publishing

extension OutputOptions {
    /// Documents of so many tiles take some 60 MB.
    private static let mostTilesOfSuperOverlay = 100_000

    /// Refuses what so many tiles are too many for.
    func check(tileCount: Int) throws {
        guard docKml == .superoverlay, tileCount > Self.mostTilesOfSuperOverlay else { return }
        throw Failure(
            .usage,
            "cannot write a superoverlay of \(tileCount) tiles: Google Earth wants no more than "
                + "\(Self.mostTilesOfSuperOverlay)",
            remedy: "ask for a lower --zoom, or for --doc-kml overlay")
    }

    /// The file that changes when the output does: its TileJSON, or the archive itself.
    var target: String {
        if Container(path: output).isArchive { return output }
        let directory = output.hasSuffix("/") ? String(output.dropLast()) : output
        return "\(directory)/" + TileJSON.fileName(floor: floor)
    }
}
