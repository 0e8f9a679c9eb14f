import Platform
import Foundation
import TestSupport
import Testing
import Tilesets

/// A folder of somebody's work, with what this program made and then somebody else edited, and beside it what nobody
/// may touch.
///
/// ```
/// plan.png, b1.png, 0.png, 1.png    images
/// house.yaml, shelf.yaml            a building in a folder of tiles, and one in archives
/// tiles/                            a tileset
/// house/                            the building's floors
/// shelf/                            B1.pmtiles, 0.pmtiles, 1.pmtiles
/// plan.mbtiles, plan.pmtiles        archives
/// victims/                          what is not theirs: texts, an archive, an index, files named like tiles
/// ```
struct ReceivedSite {
    /// Built once, and copied for each case.
    private static let original = Result { try make() }
    private static let manifests = [
        ("house", "tiles", "template: \"L{floor}_{z}_{x}_{y}.{ext}\"\n"), ("shelf", "archives", ""),
    ]

    private let scratch: TemporaryDirectory
    private let before: [String: String]

    init() throws {
        scratch = try TemporaryDirectory()
        let copy = try Tool.run("cp", ["-a", Self.original.get().url.path + "/.", scratch.url.path])
        #expect(copy.status == 0, "\(copy.errors)")
        before = try Self.state(of: scratch.path("victims"))
    }

    private static func make() throws -> TemporaryDirectory {
        let workshop = try Workshop()
        try workshop.drawFloors()
        for (name, container, template) in manifests {
            let output = container == "tiles" ? name : "\"\(name)/{floor}.pmtiles\""
            let floors = [("B1", -1), ("0", 0), ("1", 1)].map {
                "  - {floor: \($0), ordinal: \($1), image: \($0.lowercased()).png}\n"
            }
            let text =
                "name: \(name)\noutput: \(output)\n\(template)zoom: 16-17\nbounds: \(Workshop.bounds)\nfloors:\n"
            try workshop.write((text + floors.joined()).utf8, to: "\(name).yaml")
            try Program.succeed(["\(name).yaml"], in: workshop.url)
        }
        for output in ["tiles", "plan.mbtiles", "plan.pmtiles"] {
            try workshop.build(["--zoom", "16-17"], to: output)
        }
        try FileManager.default.createDirectory(
            at: workshop.file("victims/other"), withIntermediateDirectories: true)
        try workshop.write("mine".utf8, to: "victims/victim.txt")
        try workshop.write("mine".utf8, to: "victims/tilejson.json")
        for file in ["plan.pmtiles", "plan.mbtiles", "shelf/building.json"] {
            try FileManager.default.copyItem(
                at: workshop.file(file), to: workshop.file("victims/\(URL(filePath: file).lastPathComponent)")
            )
        }
        // A tileset of another place, whose files are named as those of 'tiles'.
        let made = try Tool.run("cp", ["-a", workshop.path("tiles"), workshop.path("victims/other/tiles")])
        #expect(made.status == 0)
        let copy = try TemporaryDirectory()
        let copied = try Tool.run("cp", ["-a", workshop.url.path + "/.", copy.url.path])
        #expect(copied.status == 0)
        return copy
    }

    /// The path of something in it.
    func path(_ name: String) -> String { scratch.path(name) }

    /// The whole of a file.
    func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: scratch.url.appending(path: name)))
    }

    /// Writes a file, and the folders that it belongs into.
    func write(_ bytes: some Collection<UInt8>, to name: String) throws {
        let url = scratch.url.appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Changes a text file; text that is not there is a mistake of the test.
    func edit(_ name: String, _ old: String, _ new: String) throws {
        let text = String(decoding: try bytes(name), as: UTF8.self)
        try #require(text.contains(old), "\(name) does not say \(old)")
        try write(text.replacing(old, with: new, maxReplacements: 1).utf8, to: name)
    }

    /// Adds lines to a list of files, in front of the first line of a kind, and signs it again, as anybody can.
    func sign(_ manifest: String = "tiles/.tilewright/tileset/manifest", adding lines: [String]) throws {
        let bytes = try bytes(manifest)
        let place = try #require(bytes.firstRange(of: Array("\ntiles ".utf8))).lowerBound + 1
        let added = lines.flatMap { Array("\($0)\n".utf8) }
        var signed = Array(bytes[..<place]) + added + bytes[place..<bytes.count - 16]
        withUnsafeBytes(of: ContentHash(of: signed)) { signed.append(contentsOf: $0) }
        try write(signed, to: manifest)
    }

    /// Takes away whatever has a name.
    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

    /// Puts a link, a pipe or a device in the place of whatever has a name.
    func plant(_ plant: Plant, at name: String) throws {
        try? remove(name)
        let path = path(name)
        let result: Int32 =
            switch plant {
            case .fifo: mkfifo(path, 0o666)
            case .link(let target): symlink(target, path)
            case .device: mknod(path, S_IFCHR | 0o666, dev_t(1 << 8 | 5))
            case .directory: mkdir(path, 0o777)
            }
        try #require(result == 0, "\(name): \(String(cString: strerror(errno)))")
    }

    /// What somebody may put in the place of a file.
    enum Plant: Hashable {
        case fifo, directory
        /// To a path, counted from the link.
        case link(String)
        /// Zeros without end, as /dev/zero; only root can make it.
        case device
    }

    /// Runs a command, and expects that it ends, that it is not the program's fault, and that nothing that is not the
    /// output's is another one afterwards.
    @discardableResult
    func run(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> Tool.Outcome
    {
        // Ten times what the slowest of them takes on a machine with much to do; 124 if that is over.
        let outcome = try Tool.run(
            "timeout", ["-s", "KILL", "20", Program.path] + arguments, in: scratch.url)
        let command = arguments.joined(separator: " ")
        #expect(
            [0, 1, 64, 65, 66, 73, 74, 75].contains(outcome.status), "\(command): \(outcome)",
            sourceLocation: sourceLocation)
        #expect(
            !outcome.errors.unicodeScalars.contains {
                $0.properties.generalCategory == .control && $0 != "\n"
            },
            "\(command): \(outcome)", sourceLocation: sourceLocation)
        expectVictims(after: command, sourceLocation: sourceLocation)
        return outcome
    }

    /// Runs commands that may all end as they like.
    func runAll(_ commands: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        for command in commands {
            try run(command.split(separator: " ").map(String.init), sourceLocation: sourceLocation)
        }
    }

    /// Runs commands that are all to be refused with a status and a word.
    func refuseAll(
        _ commands: [String], status: Int32, _ word: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for command in commands {
            let outcome = try run(
                command.split(separator: " ").map(String.init), sourceLocation: sourceLocation)
            #expect(
                outcome.status == status && outcome.errors.contains(word), "\(command): \(outcome)",
                sourceLocation: sourceLocation)
        }
    }

    private func expectVictims(after command: String, sourceLocation: SourceLocation) {
        let after = try? Self.state(of: path("victims"))
        #expect(after == before, "\(command) changed what is not its own", sourceLocation: sourceLocation)
    }

    /// Names, contents, modes and times of all that is in a folder.
    private static func state(of folder: String) throws -> [String: String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).reduce(into: [:]) { state, name in
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { return }
            let isFile = status.st_mode & S_IFMT == S_IFREG
            let content = isFile ? try ContentHash(ofFile: path).hex : ""
            state[name] =
                "\(status.st_mode) \(status.st_uid) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(content)"
        }
    }
}

extension ReceivedSite {
    /// All that reads or writes the folder 'tiles'.
    static let ofTiles = readsTiles + writesTiles

    /// What writes it: a build that changes nothing, one that does, and the end.
    static let writesTiles = [
        "plan.png --bounds \(Workshop.bounds) --zoom 16-17 -o tiles",
        "plan.png --bounds \(Workshop.bounds) --zoom 16 -o tiles", "remove tiles --all",
    ]

    /// What reads the folder 'tiles'.
    static let readsTiles = [
        "verify tiles", "info tiles", "info tiles --json", "convert tiles copy.pmtiles --force",
        "convert tiles copied --force", "viewer tiles --force", "snippet tiles --for leaflet",
        "tile tiles 16/33132/22780 -o tile.png", "snapshot tiles -o view.png", "camera tiles",
    ]

    /// What reads a folder with an index.
    static func reads(_ folder: String) -> [String] {
        ["info \(folder)", "viewer \(folder) --force", "viewer \(folder) -o \(folder).html --force"]
    }

    /// What reads a folder with an index, and builds and removes what it names.
    static func ofBuilding(_ name: String) -> [String] {
        reads(name) + [
            "verify \(name).yaml", "viewer \(name).yaml --force",
            "snapshot \(name).yaml --floor 0 -o view.png",
            "\(name).yaml", "\(name).yaml --only 0", "remove \(name) --floor 0", "remove \(name) --all",
        ]
    }
}
