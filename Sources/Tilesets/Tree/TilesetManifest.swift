import Diagnostics
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
    var sideFiles: [String] = []
    /// The job whose tiles, the last section, were being published; nil when that is done.
    var unfinishedJob: ContentHash?
    /// The job whose tiles, the only section, were published.
    var job: ContentHash?

    /// This manifest and, last in it, a tileset that is going to be published.
    func adding(_ new: Section, sideFiles names: [String], job: ContentHash) -> TilesetManifest {
        let nothing = Section(names: new.names, records: TileRecords())
        let earlier = sections.isEmpty ? [nothing] : sections.filter { $0 != new }
        return TilesetManifest(
            sections: earlier + [new],
            sideFiles: Set(sideFiles + names).sorted(), unfinishedJob: job)
    }
}

// The file: lines of text,
//
//     tilewright manifest 1
//     job <32 hexadecimal digits>          while publishing only
//     made <32 hexadecimal digits>         the job, when that is done
//     side <name>                          per side file
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
        lines += sideFiles.map { "side \($0)" }
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

    /// Reads the bytes of a file.
    ///
    /// - Parameter floor: the floor whose state the file is.
    /// - Returns: nil if they are damaged.
    init?(decoding bytes: [UInt8], floor: String?) {
        let end = bytes.count - Self.hashSize
        guard end > 0, Self.hasValidHash(bytes) else { return nil }
        guard let headerEnd = Self.endOfHeader(bytes) else { return nil }
        let header = String(decoding: bytes[..<headerEnd], as: UTF8.self)
        var lines = header.split(separator: "\n")
        guard !lines.isEmpty, lines.removeFirst() == Self.firstLine else { return nil }

        var rest = bytes[headerEnd..<end]
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { return nil }
            switch words[0] {
            case "job": unfinishedJob = ContentHash(hex: words[1])
            case "made": job = ContentHash(hex: words[1])
            case "side": sideFiles.append(String(words[1]))
            case "tiles":
                guard let section = Section(words[1], floor: floor, taking: &rest) else {
                    return nil
                }
                sections.append(section)
            default: return nil
            }
        }
        guard rest.isEmpty else { return nil }
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
