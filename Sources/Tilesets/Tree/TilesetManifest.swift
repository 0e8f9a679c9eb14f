import Platform
import Tiling

/// The list of our files in a tileset's directory. All other files there are not touched.
///
/// While a run publishes, the manifest lists the files of the last run and of this run, so that a killed run
/// does not leave unlisted files.
struct TilesetManifest: Hashable, Sendable {
    /// Tiles with the same naming.
    struct Section: Hashable, Sendable {
        /// The names of the tiles.
        var names: TileNames
        /// The records of the tiles.
        var records: TileRecords
    }

    /// The tiles: one section, and another for each run that was killed while it published. The first section
    /// describes the last completed run, and is empty if there was none.
    var sections: [Section] = []
    /// The names of our files next to the tiles.
    var sideFiles: [ContainedPath] = []
    /// The job whose tiles, the last section, are being published; nil after that.
    var unfinishedJob: ContentHash?
    /// The job whose tiles, the only section, have been published.
    var job: ContentHash?
    /// The images that the tiles were made from, including those of runs that were killed while they
    /// published; empty if unknown.
    var images: [SourceImage] = []
    /// The contents of the files next to the tiles that a run has announced last, by name: from these, the
    /// next run knows what has changed. Empty while a first run publishes; nil if unknown.
    var told: [String: ContentHash]?
    /// The base URL of the tileset in that announcement; nil if it was unknown.
    var baseURL: String?

    /// This manifest while the tileset of a new manifest is published, as the last section. Until something
    /// was announced, the base URL is that of the new tileset.
    func adding(_ new: TilesetManifest) -> TilesetManifest {
        let nothing = new.sections.map { Section(names: $0.names, records: TileRecords()) }
        let earlier = sections.isEmpty ? nothing : sections.filter { !new.sections.contains($0) }
        return TilesetManifest(
            sections: earlier + new.sections,
            sideFiles: Set(sideFiles + new.sideFiles).sorted { $0.text < $1.text }, unfinishedJob: new.job,
            images: images + new.images.filter { !images.contains($0) },
            told: told ?? [:], baseURL: told == nil ? new.baseURL : baseURL)
    }

    /// The number of tiles.
    var tileCount: Int { sections.reduce(0) { $0 + $1.records.sorted.count } }

    /// Whether a file is one of the tileset's.
    func owns(_ path: String) -> Bool {
        sideFiles.contains { $0.text == path } || sections.contains { $0.record(at: path) != nil }
    }

    /// The announced contents of a file next to the tiles. Manifests of older versions have no announcement;
    /// then only the file on the disk counts.
    func contents(ofSideFile name: String) -> [ContentHash?] {
        if let told { return [told[name]] }
        return unfinishedJob == nil && !sections.isEmpty ? [] : [nil]
    }

    /// This manifest with some of its files.
    func filter(_ isIncluded: (_ path: String) -> Bool) -> TilesetManifest {
        var manifest = self
        manifest.sections = sections.map { section in
            section.filter { isIncluded(section.names.path(of: $0.coordinate)) }
        }
        manifest.sideFiles.removeAll { !isIncluded($0.text) }
        return manifest
    }
}

extension TilesetManifest.Section {
    /// The record of the tile at a path; nil for other paths.
    func record(at path: String) -> TileRecord? {
        names.coordinate(ofPath: path).flatMap(records.record)
    }

    /// The record of the file that has the name of a tile in another naming; nil if there is none.
    func record(of tile: TileCoordinate, named other: TileNames) -> TileRecord? {
        names == other ? records.record(of: tile) : record(at: other.path(of: tile))
    }

    /// Some of the tiles.
    func filter(_ isIncluded: (TileRecord) throws -> Bool) rethrows -> Self {
        Self(names: names, records: TileRecords(try records.sorted.filter(isIncluded)))
    }

    /// Parses the text after `tiles` in a line, and removes the section's records from the start of the
    /// bytes.
    fileprivate init?(_ line: Substring, floor: String?, taking bytes: inout ArraySlice<UInt8>) {
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, let count = Int(words[0]),
            let scheme = TileScheme(rawValue: String(words[1])),
            let template = try? TileTemplate(String(words[2])),
            let names = try? TileNames(template, fileExtension: "", floor: floor, scheme: scheme)
        else { return nil }
        guard 0...(bytes.count / TileRecord.size) ~= count else { return nil }
        let records = TileRecord.read(bytes.prefix(count * TileRecord.size))
        guard records.count == count else { return nil }
        bytes = bytes.dropFirst(count * TileRecord.size)
        self.init(names: names, records: TileRecords(records))
    }
}

// The file: lines of text,
//
//     tilewright manifest 1                the version of the format
//     job <32 hexadecimal digits>          while publishing only
//     made <32 hexadecimal digits>         the job, when that is done
//     image <name, percent-encoded>        per image that the tiles were made of
//     side <name>                          per side file
//     told <address on the web, or ->      the base URL, and what the last completed run announced:
//     said <32 hexadecimal digits> <name>  per side file
//     tiles <count> <xyz or tms> <template, floor and extension filled in>    per section
//     <empty line>
//
// then each section's records (see TileRecord), sorted by zoom, column, row; then the XXH3-128 of everything
// before it, as in a record.
extension TilesetManifest {
    private static let title = "tilewright manifest "
    private static let version = 1
    private static let hashSize = 16

    /// The bytes of the file.
    var encoded: [UInt8] {
        var lines = ["\(Self.title)\(Self.version)"]
        if let unfinishedJob { lines.append("job \(unfinishedJob.hex)") }
        if let job { lines.append("made \(job.hex)") }
        lines += images.map { "image \($0.text)" }
        lines += sideFiles.map { "side \($0.text)" }
        if let told {
            lines.append("told \(baseURL ?? "-")")
            lines += told.sorted { $0.key < $1.key }.map { "said \($0.value.hex) \($0.key)" }
        }
        lines += sections.map {
            let names = $0.names
            return "tiles \($0.records.sorted.count) \(names.scheme) \(names.template.text)"
        }
        var bytes = Array((lines.joined(separator: "\n") + "\n\n").utf8)
        for section in sections { bytes += TileRecord.bytes(of: section.records.sorted) }
        return bytes + Self.hash(of: bytes[...])
    }

    /// The reason why a manifest cannot be used.
    enum Damage: Error, Hashable {
        /// The bytes are damaged.
        case damaged
        /// A newer tilewright wrote them, in a format of this version.
        case newer(Int)
        /// Among the files next to the tiles, they list a name that no such file can have. An attacker can
        /// make such a manifest with a valid hash.
        case foreignName(String)
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameter floor: the floor of the manifest.
    init(decoding bytes: [UInt8], floor: String?) throws(Damage) {
        try Self.checkVersion(bytes)
        let end = bytes.count - Self.hashSize
        guard end > 0, bytes[end...].elementsEqual(Self.hash(of: bytes[..<end])),
            let headerEnd = bytes.firstRange(of: Array("\n\n".utf8))?.upperBound, headerEnd <= end
        else { throw .damaged }
        let header = String(decoding: bytes[..<headerEnd], as: UTF8.self)
        var rest = bytes[headerEnd..<end]
        for line in header.split(separator: "\n").dropFirst() {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2, !line.unicodeScalars.contains(where: \.properties.isControl) else {
                throw .damaged
            }
            switch words[0] {
            case "job": unfinishedJob = ContentHash(hex: words[1])
            case "made": job = ContentHash(hex: words[1])
            case "image": images += SourceImage(text: words[1]).map { [$0] } ?? []
            case "side": sideFiles.append(try Self.sideFile(String(words[1])))
            case "told": (told, baseURL) = ([:], words[1] == "-" ? nil : String(words[1]))
            case "said":
                let said = words[1].split(separator: " ", maxSplits: 1)
                guard said.count == 2, told != nil, let hash = ContentHash(hex: said[0]) else {
                    throw .damaged
                }
                told?[String(said[1])] = hash
            case "tiles":
                guard let section = Section(words[1], floor: floor, taking: &rest) else {
                    throw .damaged
                }
                sections.append(section)
            default: throw .damaged
            }
        }
        guard rest.isEmpty, max(sections.count, sideFiles.count) <= Self.mostParts else { throw .damaged }
    }

    /// The most sections, and the most files next to the tiles: each file of a folder is looked up in all of
    /// them. There are few in practice, and one more section for each successive run that was killed.
    private static let mostParts = 1000

    private static func sideFile(_ name: String) throws(Damage) -> ContainedPath {
        guard let path = ContainedPath(name), path.isName, SideFile.isName(name.lowercased()) else {
            throw .foreignName(name)
        }
        return path
    }

    /// The last bytes of a file, after the others.
    private static func hash(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        let hash = bytes.withUnsafeBytes { ContentHash(of: $0) }
        return [hash.high, hash.low].flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
    }

    private static func checkVersion(_ bytes: [UInt8]) throws(Damage) {
        let line = bytes.prefix(40).prefix { $0 != UInt8(ascii: "\n") }
        let words = String(decoding: line, as: UTF8.self)
        guard words.hasPrefix(title), let number = Int(words.dropFirst(title.count)), number >= version
        else { throw .damaged }
        if number > version { throw .newer(number) }
    }
}

extension TilesetManifest.Damage {
    /// The failure to report.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - output: OUTPUT, for a run that would replace the tileset; nil for other readers.
    func failure(reading path: String, toReplace output: String?) -> Failure {
        let kind: Failure.Kind = output == nil ? .badInput : .outputRefused
        let remedy = output.map {
            "remove '\($0)' and build it again; or give --force, but stale tiles then stay"
        }
        return switch self {
        case .damaged: Failure(kind, cannot: "read '\(path)'", "it is damaged", remedy: remedy)
        case .newer(let version):
            Failure(
                kind, cannot: "use '\(path)'",
                "a newer tilewright wrote it, in version \(version) of its format",
                remedy: "install the newer tilewright")
        case .foreignName(let name):
            Failure(
                .badInput, cannot: "use '\(path)'",
                "it lists '\(name.excerpt(60))' as a document of the tileset, which it is not",
                remedy: remedy ?? "tilewright did not write this list")
        }
    }
}
