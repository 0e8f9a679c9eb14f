import Diagnostics
import Publishing
import Tilesets
import Tiling

extension BuildCommand {
    /// The files that Google Earth wants.
    func earthFiles(
        _ plan: TilesetPlan, of inputs: BuildInputs, _ tileset: any TilesetWriter,
        _ metadata: TilesetMetadata
    ) async throws -> [SideFile] {
        switch output.docKml {
        case nil: return []
        case .superoverlay: return SuperOverlay(metadata, tiles: tileset.tiles).files
        case .overlay:
            let picture = try await OverlayPicture.render(plan, tiles: tiles, run: resources)
            if let change = inputs.change() { throw change }
            if let shift = picture.visibleShift, !reports.quiet {
                Console.warn(
                    "rows of doc.kml's picture are up to \(shift.text(decimals: 1)) pixels off, "
                        + "since the image is so tall; --doc-kml superoverlay is exact")
            }
            return OverlayDocument(metadata, box: picture.box, picture: picture.bytes).files
        }
    }

    /// Refuses places of lists where they would write over an input, or into the output.
    func checkLists(_ inputs: BuildInputs) throws {
        let lists = [("--changes", output.changes), ("--depfile", output.depfile)]
        let given = lists.compactMap { name, path in path.map { (name: name, path: $0) } }
        for list in given {
            if let input = inputs.paths.first(where: { OutputFile.areSame($0, list.path) }) {
                throw Failure(
                    .usage, "\(list.name) would write over '\(input)', which is an input",
                    remedy: "give it a name of its own")
            }
            if OutputFile.isInside(list.path, output.output) {
                throw Failure(
                    .usage, "\(list.name) '\(list.path)' lies in the output",
                    remedy: "give it a place beside '\(output.output)'")
            }
            try OutputFile.checkPlace(list.path)
        }
        if output.depfile != nil { try dependencies(inputs).check() }
        if given.count == 2, OutputFile.areSame(given[0].path, given[1].path) {
            throw Failure(.usage, "--changes and --depfile cannot be one file")
        }
    }

    private func dependencies(_ inputs: BuildInputs) -> DependencyFile {
        DependencyFile(target: output.target, dependencies: inputs.paths)
    }

    /// Refuses an output that is one of the images, whatever --force says.
    func checkSources(_ inputs: BuildInputs) throws {
        for path in inputs.images where OutputFile.areSame(path, output.output) {
            throw Failure(
                .usage, "cannot write '\(output.output)': that is the image itself",
                remedy: "give another OUTPUT")
        }
    }

    /// Writes what make is to know of the inputs: before the output is made, so that no output is ever
    /// newer than an input that make has not heard of.
    func writeDependencies(_ inputs: BuildInputs) throws {
        guard let path = output.depfile else { return }
        try OutputFile.write(dependencies(inputs).text.utf8, to: path)
    }

    /// Writes what a run did.
    func writeChanges(_ summary: TilesetSummary, _ metadata: TilesetMetadata) throws {
        guard let path = output.changes else { return }
        var metadata = metadata
        if container.isArchive { metadata.template = TilesetMetadata.archiveTemplate }
        let list = ChangeList(
            metadata, added: summary.added, changed: summary.changed, removed: summary.removed)
        try OutputFile.write(list.bytes, to: path)
    }
}
