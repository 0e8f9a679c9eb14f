import Platform
import Publishing
import Tilesets

/// Files that a run reads. It writes over none of them and removes none, whatever else it may take over.
struct ReadFiles {
    private let paths: [String]
    private let entries: [PathEntries]

    /// Names the files.
    init(_ paths: [String]) {
        self.paths = paths
        entries = paths.map { PathEntries($0) }
    }

    /// Refuses a file as an output that is one of them.
    ///
    /// - Throws: `.outputRefused`.
    func check(file: String) throws(Failure) {
        guard let path = paths.first(where: { OutputFile.areSame($0, file) }) else { return }
        throw refusal(of: path, in: file)
    }

    /// Refuses an archive as an output that is one of them, or whose companions are.
    ///
    /// - Throws: `.outputRefused`.
    func check(archive path: String) throws(Failure) {
        let isDatabase = TilesetContainer(path: path) == .mbtiles
        for ending in [""] + (isDatabase ? MBTilesWriter.companionEndings : []) {
            try check(file: path + ending)
        }
    }

    /// Refuses a folder as an output in which one of them has a name of the program's own files.
    ///
    /// - Parameter isWritten: whether the run writes a file, whose path below the folder it gets.
    /// - Throws: `.outputRefused`.
    func check(folder: String, isWritten: (String) -> Bool) throws(Failure) {
        let names = PathEntries.paths(of: entries, below: folder)
        if names.allSatisfy(\.isEmpty) { return }
        let claims = TreeClaims(folder)
        let lost = names.firstIndex { $0.contains { isWritten($0) || claims.contain($0) } }
        if let lost { throw refusal(of: paths[lost], in: folder) }
    }

    /// Refuses a file as an output that is a part of a folder of tiles, which is read, also by a link.
    ///
    /// - Parameter isTile: whether a path below the folder is a tile's.
    /// - Throws: `.outputRefused`.
    static func check(_ path: String, isNoPartOf folder: String, isTile: (String) -> Bool) throws(Failure) {
        let names = PathEntries(path).paths(below: folder)
        if names.isEmpty { return }
        let claims = TreeClaims(folder)
        guard let name = names.first(where: { isTile($0) || claims.contain($0) }) else { return }
        throw Failure(
            .outputRefused, cannot: "write '\(path)'",
            "that is '\(name)' of '\(folder)', which is read for it",
            remedy: "give another OUTPUT")
    }

    private func refusal(of path: String, in output: String) -> Failure {
        Failure(
            .outputRefused, cannot: "write '\(output)'",
            "'\(path)' is read for it, and would be written over or removed",
            remedy: "give another OUTPUT, or move that file")
    }
}

extension TilesetBuild {
    /// Refuses to write over files that are read, or to remove them.
    ///
    /// - Throws: `.outputRefused`.
    func check(sparing files: ReadFiles) throws(Failure) {
        let output = request.output
        if output.container.isArchive { return try files.check(archive: output.path) }
        try files.check(folder: output.path) { isTile($0) || isDocument($0) }
    }

    private func isTile(_ path: String) -> Bool {
        guard let tile = names.coordinate(ofPath: path) else { return false }
        return plan.limits.contains {
            $0.zoom == tile.zoom && $0.columns.contains(tile.column) && $0.rows.contains(tile.row)
        }
    }

    private func isDocument(_ path: String) -> Bool {
        let metadata = TilesetMetadata(
            output: request.output, names: names, plan: plan, limits: plan.limits,
            contents: TilesetContents(tileCount: 0, digest: ""))
        let isOfEarth =
            request.output.docKML != nil && path.hasPrefix("doc")
            && (path.hasEnding(".kml") || path.hasEnding(".png"))
        return isOfEarth || TilesetDocuments(metadata).sideFiles.contains { $0.name == path }
    }
}
