import Codecs
import Georeferencing

/// A fragment of a Makefile: the output depends on the images and the files beside them.
struct DependencyFile {
    /// What is made.
    let target: String
    /// What it is made of, each file once.
    let dependencies: [String]

    /// Finds the files of a build, those beside its images also where they did not count this time.
    init(target: String, source: SourceOptions, position: PositionOptions) throws {
        self.target = target
        let lists = source.sources.filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
        let beside = try source.paths().flatMap(Self.files(of:))
        let named = [position.gcps, position.kml, position.worldFile].compactMap(\.self)
        let projection = position.worldFile.flatMap(WorldFile.findProjection)
        var seen: Set<String> = []
        dependencies = (lists + beside + named + [projection].compactMap(\.self)).filter {
            seen.insert($0).inserted
        }
    }

    /// An image, and the files beside it that say something of it.
    private static func files(of image: String) throws -> [String] {
        let beside = [
            PAMFile.path(beside: image), QGISPoints.find(beside: image),
            WorldFile.find(beside: image), WorldFile.findProjection(beside: image),
        ]
        return try ImageFile.paths(of: image) + beside.compactMap(\.self)
    }

    /// The fragment. Each file is also a target without a rule, so that one which is gone is no error.
    var text: String {
        let files = dependencies.map(Self.escaped)
        return "\(Self.escaped(target)): \\\n  \(files.joined(separator: " \\\n  "))\n"
            + files.map { "\n\($0):\n" }.joined()
    }

    /// A name as make reads it: blank, number sign and colon behind a backslash, a dollar sign twice.
    private static func escaped(_ name: String) -> String {
        name.replacing("$", with: "$$").replacing("#", with: "\\#").replacing(" ", with: "\\ ")
            .replacing(":", with: "\\:")
    }
}
