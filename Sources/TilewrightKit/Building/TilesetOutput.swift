import Platform
import Tilesets
import Tiling

extension TilesetOptions {
    /// Opens or makes OUTPUT: an archive, or a folder of tiles with the same options.
    ///
    /// - Parameters:
    ///   - names: how the tiles of a tree are named, and which floor they show.
    ///   - job: the same for all runs that write the same tiles, such as copies of one tileset: in a tree,
    ///     such a run continues from the tiles that an earlier one has left.
    ///   - scratchDirectory: the folder in which an archive's tiles wait until they are sorted.
    ///   - jobs: threads that may publish tiles at a time.
    func open(
        names: TileNames, job: ContentHash, scratchDirectory: String, jobs: Int = 1
    ) throws -> any TilesetWriter {
        switch TilesetContainer(path: path) {
        case .directory: return try TreeWriter(self, names: names, job: job, threads: jobs)
        case .mbtiles: return try MBTilesWriter(self, scratchDirectory: scratchDirectory)
        case .pmtiles: return try PMTilesWriter(self, scratchDirectory: scratchDirectory)
        }
    }
}

/// The file that a single tile goes to.
public struct TileFile: Sendable {
    /// Its path.
    public let path: String

    /// Names a file for a tile of images.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - images: what the tile is rendered from.
    ///   - others: other files that are read: lists that named the images, a cutline.
    /// - Throws: a `Failure`: `usage` if the file is an input of the tile, `outputRefused` if no file can be
    ///   written there.
    public init(_ path: String, of images: [ImageRequest], others: [String] = []) throws {
        try OutputPicture.check(path, isNoneOf: images, others: others)
        try OutputFile.checkPlace(path)
        self.path = path
    }

    /// Names a file for a tile of a finished tileset.
    ///
    /// - Throws: a `Failure`: `usage` if the file is in the tileset, `outputRefused` if no file can be
    ///   written there.
    public init(_ path: String, of tileset: StoredTileset) throws {
        try OutputPicture.check(path, isOutside: tileset)
        try OutputFile.checkPlace(path)
        self.path = path
    }

    /// The folder of a file.
    public static func folder(of path: String) -> String { path.parentDirectory }

    /// Writes the tile, whole or not at all; replaces a file of that name.
    ///
    /// - Throws: a `Failure`: `outputRefused` if the file cannot be made, `inputOutput` if writing fails.
    public func write(_ bytes: [UInt8]) throws { try OutputFile.write(bytes, to: path) }
}

/// Keeps a picture from overwriting its inputs.
enum OutputPicture {
    /// Refuses a path that leads to an image, or to a file next to it.
    static func check(
        _ path: String, isNoneOf images: [ImageRequest], others: [String]
    ) throws {
        let inputs = try BuildInputs(images, others: others).paths
        if let input = inputs.first(where: { OutputFile.areSame($0, path) }) {
            throw refusal(path, "'\(input)' is an input")
        }
    }

    /// Refuses a path that leads into a tileset.
    static func check(_ path: String, isOutside tileset: StoredTileset) throws {
        if OutputFile.isInside(path, tileset.path) || OutputFile.areSame(path, tileset.path) {
            throw refusal(path, "that is a part of the tileset '\(tileset.path)'")
        }
    }

    /// The refusal of a path, with a remedy.
    static func refusal(_ path: String, _ why: String) -> Failure {
        Failure(.usage, cannot: "write '\(path)'", why, remedy: "choose another file for the output")
    }
}

/// The files that a run writes for other programs.
struct OutputLists {
    /// `--changes`; nil for none.
    var changes: String?
    /// `--pending`; nil for none.
    var pending: String?
    /// `--depfile`; nil for none.
    var depfile: String?

    /// Refuses paths that would overwrite an input or each other, or that are inside an output.
    ///
    /// - Parameter target: the file that depends on the inputs.
    /// - Throws: `.usage`; `.outputRefused` if no file can be made there.
    func check(inputs: [String], outputs: [String], target: String) throws {
        let named = [("--changes", changes), ("--pending", pending), ("--depfile", depfile)]
            .compactMap { name, path in path.map { (name: name, path: $0) } }
        for (name, path) in named {
            if let input = inputs.first(where: { OutputFile.areSame($0, path) }) {
                throw Failure(
                    .usage, "\(name) would overwrite '\(input)', which is an input",
                    remedy: "choose another file for \(name)")
            }
            if let output = outputs.first(where: { OutputFile.isInside(path, $0) }) {
                throw Failure(
                    .usage, "\(name) '\(path)' is inside the output",
                    remedy: "choose a path outside '\(output)'")
            }
            try OutputFile.checkPlace(path)
        }
        for (index, one) in named.enumerated() {
            if let other = named[(index + 1)...].first(where: { OutputFile.areSame(one.path, $0.path) }) {
                throw Failure(.usage, "\(one.name) and \(other.name) cannot be one file")
            }
        }
        if let pending { try PendingFile(pending, fsync: false).check() }
        if depfile != nil { try DependencyFile(target: target, dependencies: inputs).check() }
    }

    /// Writes the dependencies before the output is made, so that make knows all inputs of any new output.
    func writeDependencies(of target: String, on inputs: [String]) throws {
        guard let depfile else { return }
        // Make knows no times of files on other machines.
        let files = inputs.filter { !FarFiles.isAddress($0) }
        let dependencies = DependencyFile(target: target, dependencies: files)
        try dependencies.check()
        try OutputFile.write(dependencies.text.utf8, to: depfile)
    }
}

extension OutputRequest {
    /// The lists of the request.
    var lists: OutputLists {
        OutputLists(changes: changes, pending: pending, depfile: depfile)
    }
}

/// A fragment of a Makefile: the output depends on the images and the files next to them.
private struct DependencyFile {
    /// The output.
    let target: String
    /// The inputs, each once.
    let dependencies: [String]

    /// The variable for an equals sign, which would turn a target into an assignment.
    private static let equals = "$(tilewright_equals)"

    /// Refuses names that a Makefile cannot have, before anything is written.
    ///
    /// - Throws: `.usage`.
    func check() throws(Failure) {
        for name in [target] + dependencies
        where name.contains(where: { $0.isNewline || ";|\t".contains($0) }) || name.hasSuffix("\\") {
            throw Failure(
                .usage, "--depfile cannot name '\(name)': a Makefile cannot contain this name",
                remedy: "choose a name without ;, |, tab and line feed, and without \\ at its end")
        }
    }

    /// The fragment. Each input is also a target without a recipe, so that a missing input is not an error.
    var text: String {
        let files = dependencies.map { Self.escaped($0) }
        let rule = "\(Self.asTarget(target)): \\\n  \(files.joined(separator: " \\\n  "))\n"
        let text = rule + dependencies.map { "\n\(Self.asTarget($0)):\n" }.joined()
        return text.contains(Self.equals) ? "tilewright_equals := =\n\(text)" : text
    }

    /// A name on the left side of a rule, where a percent sign would make it a pattern.
    private static func asTarget(_ name: String) -> String { escaped(name, also: "%") }

    /// A name as make reads it. A backslash precedes each character that would end the name or match other
    /// names, and each backslash before such a character.
    private static func escaped(_ name: String, also special: String = "") -> String {
        var (text, backslashes) = ("", "")
        for character in name {
            if character == "\\" {
                backslashes.append(character)
                continue
            }
            let isSpecial = " #:*?[".contains(character) || special.contains(character)
            text += isSpecial ? "\(backslashes)\(backslashes)\\" : backslashes
            text += character == "$" ? "$$" : character == "=" ? equals : String(character)
            backslashes = ""
        }
        return text
    }
}
