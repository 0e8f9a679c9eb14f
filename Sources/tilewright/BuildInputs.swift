import Codecs
import Diagnostics
import Georeferencing

/// The files that a build reads, as they are when it starts.
struct BuildInputs {
    /// The images, in the order of the command line.
    let images: [String]
    /// All files, each once: lists of images, the images, and what says where they lie, also where it
    /// does not count this time.
    let paths: [String]

    private let stamps: [FileStamp?]

    /// Finds the files, before any of them is read.
    ///
    /// - Throws: `Failure` where a list of images cannot be read, or names nothing.
    init(source: SourceOptions, position: PositionOptions) throws {
        let lists = source.sources.compactMap(SourceList.path)
        images = try source.paths()
        let named = [position.gcps, position.kml, position.worldFile].compactMap(\.self)
        let projection = position.worldFile.flatMap(WorldFile.findProjection)
        var seen: Set<String> = []
        let beside = try images.flatMap(Self.files)
        paths = (lists + beside + named + [projection].compactMap(\.self))
            .filter { seen.insert($0).inserted }
        stamps = paths.map(FileStamp.init)
    }

    /// An image, and the files beside it that say something of it.
    private static func files(of image: String) throws -> [String] {
        let beside = [
            PAMFile.path(beside: image), QGISPoints.find(beside: image),
            WorldFile.find(beside: image), WorldFile.findProjection(beside: image),
        ]
        return try ImageFile.paths(of: image) + beside.compactMap(\.self)
    }

    /// What is wrong where a file is no longer what it was at the start: tiles may be half of the old
    /// one and half of the new one, and are newer than both.
    func change() -> Failure? {
        let changed = zip(paths, stamps).first { path, stamp in FileStamp(path) != stamp }
        return changed.map { path, _ in
            Failure(
                .inputOutput, "cannot build tiles of '\(path)': it changed while it was read",
                remedy: "run the same command again when nobody writes it any more")
        }
    }
}
