import Platform
import Tiling

/// What is ours in a tileset's directory. Everything else there is left alone.
///
/// While a run publishes, the manifest names the files of the last run and those of this one, so
/// that a killed run leaves no file without an owner.
struct TilesetManifest: Hashable, Sendable {
    /// Tiles that are named in one way.
    struct Section: Hashable, Sendable {
        /// How they are named.
        var names: TileNames
        /// Which they are.
        var records: TileRecords
    }

    /// The tiles; one section, and one more for each run that was killed while it published. The first
    /// describes the last completed run; it has no tile if there was none.
    var sections: [Section] = []
    /// The names of our files beside the tiles.
    var sideFiles: [ContainedPath] = []
    /// The job whose tiles, the last section, were being published; nil when that is done.
    var unfinishedJob: ContentHash?
    /// The job whose tiles, the only section, were published.
    var job: ContentHash?
    /// The images that the tiles were made of, also those of a run that was killed while it published;
    /// empty if that is not known.
    var images: [SourceImage] = []
    /// What was last announced of the files beside the tiles; nil if nothing was, or nobody knows.
    var told: ToldDocuments?

    /// This manifest and, last in it, a tileset that is going to be published.
    func adding(
        _ new: Section, sideFiles names: [ContainedPath], job: ContentHash, images others: [SourceImage] = []
    ) -> TilesetManifest {
        let nothing = Section(names: new.names, records: TileRecords())
        let earlier = sections.isEmpty ? [nothing] : sections.filter { $0 != new }
        return TilesetManifest(
            sections: earlier + [new],
            sideFiles: Set(sideFiles + names).sorted { $0.text < $1.text }, unfinishedJob: job,
            images: images + others.filter { !images.contains($0) }, told: told)
    }

    /// Whether a file beside the tiles is ours.
    func hasSideFile(_ name: String) -> Bool { sideFiles.contains { $0.text == name } }

    /// How what was told of a file beside the tiles compares with what is to be in it. A manifest of
    /// before such things were kept says nothing, and then it counts what is on the disk.
    func compare(_ file: SideFile) -> Ownership.Comparison {
        guard let told else { return unfinishedJob == nil && !sections.isEmpty ? .same : .added }
        guard let hash = told.contents[file.name] else { return .added }
        return hash == ContentHash(of: file.bytes) ? .same : .changed
    }
}

/// What a run has announced of the files beside the tiles, by which the next one knows what is news.
struct ToldDocuments: Hashable, Sendable {
    /// Where the tileset was to be found on the web; nil if that was not known.
    var baseURL: String?
    /// What the files held, by their names.
    var contents: [String: ContentHash]

    /// Describes documents that are announced.
    init(_ documents: TilesetDocuments) {
        baseURL = documents.baseURL
        contents = Dictionary(
            documents.sideFiles.map { ($0.name, ContentHash(of: $0.bytes)) }
        ) { _, last in last }
    }

    /// Begins without a document.
    init(baseURL: String?) {
        self.baseURL = baseURL
        contents = [:]
    }
}

// The file: lines of text,
//
//     tilewright manifest 1
//     job <32 hexadecimal digits>          while publishing only
//     made <32 hexadecimal digits>         the job, when that is done
//     image <name, percent-encoded>        per image that the tiles were made of
//     side <name>                          per side file
//     told <address on the web, or ->      what the last completed run announced, and then
//     said <32 hexadecimal digits> <name>  per side file
//     tiles <count> <xyz or tms> <template, floor and extension filled in>    per section
//     <empty line>
//
// then each section's records, 32 bytes each, little-endian: zoom, column, row from the north, bytes
// of the file (UInt32 each), XXH3-128 of the file (high half, low half; UInt64 each), sorted by zoom,
// column, row; then the XXH3-128 of all that stands before it.
extension TilesetManifest {
    private static let firstLine = "tilewright manifest 1"
    private static let hashSize = MemoryLayout<ContentHash>.size

    /// The bytes of the file.
    var encoded: [UInt8] {
        var lines = [Self.firstLine]
        if let unfinishedJob { lines.append("job \(unfinishedJob.hex)") }
        if let job { lines.append("made \(job.hex)") }
        lines += images.map { "image \($0.text)" }
        lines += sideFiles.map { "side \($0.text)" }
        lines += told?.lines ?? []
        lines += sections.map {
            let names = $0.names
            return "tiles \($0.records.sorted.count) \(names.scheme) \(names.template.text)"
        }
        var bytes = Array((lines.joined(separator: "\n") + "\n\n").utf8)
        for section in sections {
            section.records.sorted.withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        withUnsafeBytes(of: ContentHash(of: bytes)) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Why the bytes of a file cannot be used.
    enum Damage: Error, Hashable {
        /// They are not what this program writes.
        case damaged
        /// They call something a file beside the tiles that is none. Anybody can make such a list, and its hash.
        case foreignName(String)
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameter floor: the floor whose state the file is.
    init(decoding bytes: [UInt8], floor: String?) throws(Damage) {
        let end = bytes.count - Self.hashSize
        guard end > 0, Self.hasValidHash(bytes), let headerEnd = Self.endOfHeader(bytes), headerEnd <= end
        else { throw .damaged }
        let header = String(decoding: bytes[..<headerEnd], as: UTF8.self)
        var lines = header.split(separator: "\n")
        guard !lines.isEmpty, lines.removeFirst() == Self.firstLine else { throw .damaged }

        var rest = bytes[headerEnd..<end]
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2, !line.unicodeScalars.contains(where: \.properties.isControl) else {
                throw .damaged
            }
            switch words[0] {
            case "job": unfinishedJob = ContentHash(hex: words[1])
            case "made": job = ContentHash(hex: words[1])
            case "image": images += SourceImage(text: words[1]).map { [$0] } ?? []
            case "side": sideFiles.append(try Self.sideFile(String(words[1])))
            case "told": told = ToldDocuments(baseURL: words[1] == "-" ? nil : String(words[1]))
            case "said":
                guard told?.take(words[1]) == true else { throw .damaged }
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

    /// Sections, and files beside the tiles: each file of a folder is looked up in all of them. There are few, and a
    /// section more for each run in a row that was killed.
    private static let mostParts = 1000

    private static func sideFile(_ name: String) throws(Damage) -> ContainedPath {
        guard let path = ContainedPath(name), path.isName, SideFile.isName(name.lowercased()) else {
            throw .foreignName(name)
        }
        return path
    }

    private static func hasValidHash(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            let end = buffer.count - hashSize
            return ContentHash(of: UnsafeRawBufferPointer(rebasing: buffer[..<end]))
                == buffer.loadUnaligned(fromByteOffset: end, as: ContentHash.self)
        }
    }

    private static func endOfHeader(_ bytes: [UInt8]) -> Int? {
        let newline = UInt8(ascii: "\n")
        let index = bytes.indices.dropLast().first {
            bytes[$0] == newline && bytes[$0 + 1] == newline
        }
        return index.map { $0 + 2 }
    }
}

extension TilesetManifest.Damage {
    /// The failure to report.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - kind: whose fault it is that a list is damaged.
    func failure(reading path: String, as kind: Failure.Kind, remedy: String? = nil) -> Failure {
        switch self {
        case .damaged: Failure(kind, cannot: "read '\(path)'", "it is damaged", remedy: remedy)
        case .foreignName(let name):
            Failure(
                .badInput, cannot: "use '\(path)'",
                "it calls '\(name.excerpt(60))' a document of the tileset, which it is not",
                remedy: remedy ?? "tilewright did not write this list")
        }
    }
}

extension ToldDocuments {
    fileprivate var lines: [String] {
        ["told \(baseURL ?? "-")"]
            + contents.sorted { $0.key < $1.key }.map { "said \($0.value.hex) \($0.key)" }
    }

    /// Reads what follows `said` in a line.
    ///
    /// - Returns: whether it could be read.
    fileprivate mutating func take(_ line: Substring) -> Bool {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2, let hash = ContentHash(hex: words[0]) else { return false }
        contents[String(words[1])] = hash
        return true
    }
}

extension TilesetManifest.Section {
    /// Reads what follows `tiles` in a line, and takes the records from the front of the bytes.
    fileprivate init?(_ line: Substring, floor: String?, taking bytes: inout ArraySlice<UInt8>) {
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, let count = Int(words[0]),
            let scheme = TileScheme(rawValue: String(words[1])),
            let template = try? TileTemplate(String(words[2])),
            let names = try? TileNames(template, fileExtension: "", floor: floor, scheme: scheme)
        else { return nil }
        let stride = MemoryLayout<TileRecord>.stride
        guard count >= 0, count <= bytes.count / stride else { return nil }
        let records = bytes.prefix(count * stride).withUnsafeBytes { buffer in
            (0..<count).map {
                buffer.loadUnaligned(fromByteOffset: $0 * stride, as: TileRecord.self)
            }
        }
        guard records.allSatisfy(\.isValid) else { return nil }
        bytes = bytes.dropFirst(count * stride)
        self.init(names: names, records: TileRecords(records))
    }
}
