import Codecs
import Georeferencing
import Platform
import Publishing
import Tilesets

/// The files that a build reads, as they are when it starts.
struct BuildInputs {
    /// The images, in the order of the command line.
    let images: [String]
    /// The files that pixels come from, each once.
    let pixelFiles: [String]
    /// All files, each once: lists of images, a cutline, the images, password files, and files with
    /// positions, even if another position takes precedence.
    let paths: [String]

    private let stamps: [FileStamp?]

    /// Finds the files, before any of them is read.
    ///
    /// - Parameters:
    ///   - others: files that named the images, and a cutline.
    ///   - worldFiles: whether to include world files that were found next to an image but not named.
    /// - Throws: `Failure` if the folder of an image cannot be read.
    init(_ requests: [ImageRequest], others: [String], worldFiles: Bool = true) throws {
        images = requests.map(\.path)
        try FarSources.open(requests)
        let pixels = try requests.map {
            try ImageFile.paths(of: $0.reference) + Self.linkedPictures(of: $0.path)
        }
        pixelFiles = pixels.flatMap(\.self).uniqued
        let files = zip(requests, pixels).flatMap { request, pixels in
            pixels + Self.sidecars(of: request, worldFiles: worldFiles)
        }
        paths =
            (others + files + requests.flatMap(\.position.source.files)
            + requests.compactMap(\.passwordFile)).uniqued
        stamps = paths.map { FileStamp($0) }
    }

    /// The pictures that an SVG links to. Files that a CAD drawing refers to are known only when it has been read:
    /// see `TilesetBuild.dependencies`. The renderer refuses pictures that cannot be read.
    private static func linkedPictures(of path: String) -> [String] {
        guard ImageFile.pageFormat(of: path) == .svg else { return [] }
        return (try? SVGContent(of: path, scratch: nil))?.pictures ?? []
    }

    /// The files next to an image that describe it. Their readers refuse files that cannot be read.
    private static func sidecars(of image: ImageRequest, worldFiles: Bool) -> [String] {
        let path = image.path
        var found = [
            try? PAMFile.path(nextTo: path), try? QGISPoints.find(nextTo: path, page: image.pageNumber),
        ]
        if worldFiles {
            found += [try? WorldFile.find(nextTo: path), try? WorldFile.findProjection(nextTo: path)]
        }
        return found.compactMap(\.self)
    }

    /// The failure if a file has changed since the start: tiles may mix its old and new contents, but would
    /// be newer than the file, and so look up to date.
    func change() -> Failure? {
        let changed = zip(paths, stamps).first { path, stamp in FileStamp(path) != stamp }
        return changed.map { path, _ in .changed(path) }
    }
}

extension Sequence where Element: Hashable {
    /// Each element once, where it comes first.
    var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Failure {
    /// The failure of a build whose input has changed.
    static func changed(_ path: String) -> Failure {
        InputFile.changed("build tiles of '\(path)'")
    }
}

extension ImageRequest {
    /// The image, and the files that its request names for its position.
    var namedFiles: [String] { [path] + position.source.namedFiles }
}

extension PositionRequest.Source {
    /// The files that the position names, and the projection of a world file.
    fileprivate var files: [String] {
        guard case .worldFile(let path) = self else { return namedFiles }
        let projection = try? WorldFile.findProjection(nextTo: path)
        return projection.map { [path, $0] } ?? [path]
    }

    /// The files that the position names.
    fileprivate var namedFiles: [String] {
        switch self {
        case .pointsFile(let path), .kml(let path), .worldFile(let path): [path]
        case .files, .bounds, .corners, .controlPoints, .anchor: []
        }
    }
}

/// Files that a run reads, and so neither overwrites nor removes, even with `--force`.
struct ReadFiles {
    private let paths: [String]
    private let entries: [PathEntries]

    /// Names the files.
    init(_ paths: [String]) {
        self.paths = paths
        entries = paths.map { PathEntries($0) }
    }

    /// Refuses an output file that is one of these files.
    ///
    /// - Throws: `.outputRefused`.
    func check(file: String) throws(Failure) {
        guard let path = paths.first(where: { OutputFile.areSame($0, file) }) else { return }
        throw refusal(of: path, in: file)
    }

    /// Refuses an output archive that is one of these files, or has one as a companion file.
    ///
    /// - Throws: `.outputRefused`.
    func check(archive path: String) throws(Failure) {
        let isDatabase = TilesetContainer(path: path) == .mbtiles
        for ending in [""] + (isDatabase ? MBTilesWriter.companionEndings : []) {
            try check(file: path + ending)
        }
    }

    /// Refuses an output folder in which one of these files has the name of a file that the run writes.
    ///
    /// - Parameter isWritten: whether the run writes a file with this path below the folder.
    /// - Throws: `.outputRefused`.
    func check(folder: String, isWritten: (String) -> Bool) throws(Failure) {
        let names = PathEntries.paths(of: entries, below: folder)
        if names.allSatisfy(\.isEmpty) { return }
        let claims = TreeReader.claims(in: folder)
        let lost = names.firstIndex { $0.contains { isWritten($0) || claims($0) } }
        if let lost { throw refusal(of: paths[lost], in: folder) }
    }

    /// Refuses an output file that, perhaps through a link, is part of a folder of tiles that the run reads.
    ///
    /// - Parameter isTile: whether a path below the folder is a tile's.
    /// - Throws: `.outputRefused`.
    static func check(_ path: String, isNoPartOf folder: String, isTile: (String) -> Bool) throws(Failure) {
        let names = PathEntries(path).paths(below: folder)
        if names.isEmpty { return }
        let claims = TreeReader.claims(in: folder)
        guard let name = names.first(where: { isTile($0) || claims($0) }) else { return }
        throw Failure(
            .outputRefused, cannot: "write '\(path)'",
            "that is '\(name)' in '\(folder)', which is an input",
            remedy: "give another OUTPUT")
    }

    private func refusal(of path: String, in output: String) -> Failure {
        Failure(
            .outputRefused, cannot: "write '\(output)'",
            "'\(path)' is an input, and would be overwritten or removed",
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
        let metadata = metadata(limits: plan.limits, contents: TilesetContents(tileCount: 0, digest: ""))
        let isOfEarth =
            request.output.docKML != nil && path.hasPrefix("doc")
            && (path.hasEnding(".kml") || path.hasEnding(".png"))
        return isOfEarth || TilesetDocuments(metadata).sideFiles.contains { $0.name == path }
    }
}
