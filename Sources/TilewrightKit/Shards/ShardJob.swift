import Diagnostics
import Files
import Georeferencing
import Shards
import Tilesets
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A pyramid that is made in parts, on any machines: what `job.json` says.
struct ShardJob: Codable, Hashable {
    /// The name of the file in the job's folder.
    static let fileName = "job.json"
    /// The folder of the shards in it.
    static let shardFolder = "shards"
    /// The number of the file's form.
    static let currentVersion = 1

    /// A file that the tiles are made of.
    struct Source: Codable, Hashable {
        /// Its name, as the command that split the job found it.
        var path: String
        /// Its bytes.
        var size: Int
        /// The hash of its bytes.
        var digest: String
        /// The hash of samples of it, if it is so large that not every worker reads all of it.
        var sample: String?
    }

    /// A part of the pyramid.
    struct Shard: Codable, Hashable {
        /// The tiles at the cut that it owns, and all below them; nil for none. Columns may go on counting beyond the
        /// antimeridian.
        var tiles: TileMatrixLimits?
        /// How much work it is, in tiles of the maximum zoom.
        var work: Int
    }

    /// The number of the file's form.
    var version = Self.currentVersion
    /// The version of the program.
    var program = Version.current
    /// How pixels are decoded, rendered and encoded; see `JobFingerprint`.
    var rendering = JobFingerprint.rendering
    /// What the libraries make of a test tile: the hash of the file.
    var testTile: String
    /// Where the images lie, to the last bit: the hash of their outlines.
    var outlines: String
    /// The images, each over the ones before it.
    var images: [ImageRequest]
    /// What to build of them.
    var pyramid: PyramidRequest
    /// Files that named the images.
    var lists: [String]
    /// All files that count, each once.
    var sources: [Source]
    /// What decides the tiles, as for a build on one machine.
    var fingerprint: String
    /// The lowest zoom that shards make. The zooms below are made of the pixels that they keep of it.
    var cut: Int
    /// The parts.
    var shards: [Shard]

    /// What the files of its shards carry.
    func identity(_ index: Int) throws -> ShardIdentity {
        ShardIdentity(job: ContentHash(of: try json), index: index)
    }

    /// The bytes of the file; the same job has the same bytes.
    var json: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return try Array(encoder.encode(self)) + Array("\n".utf8)
        }
    }

    /// Refuses a worker whose program or libraries make other bytes.
    ///
    /// - Throws: `.badInput` that names the first difference.
    func checkMachine() throws {
        let difference: String? =
            if program != Version.current {
                "by tilewright \(program), and this is \(Version.current)"
            } else if rendering != JobFingerprint.rendering {
                "by a program that renders otherwise"
            } else if try testTile != TestTile.hash(pyramid.encoding) {
                "with another version of the library that encodes \(pyramid.encoding.format.rawValue)"
            } else { nil }
        guard let difference else { return }
        throw Failure(
            .badInput, cannot: "work on the job", "it was split \(difference): tiles would have other bytes",
            remedy: "use the same version everywhere, or run 'tilewright split' again")
    }

    /// Refuses images that lie elsewhere, or are read otherwise, than where the job was split.
    func check(_ tiles: TilesOnDemand) throws {
        let digests = Dictionary(uniqueKeysWithValues: sources.map { ($0.path, $0.digest) })
        let own = try JobFingerprint(tiles) { digests[$0] ?? "" }
        let difference: String? =
            if outlines != tiles.pyramid.outlineHash.hex {
                "its images lie elsewhere: it was split with another version of PROJ or of its data"
            } else if fingerprint != own.hash.hex {
                "its images are read otherwise: it was split with other versions of libraries"
            } else { nil }
        guard let difference else { return }
        throw Failure(
            .badInput, cannot: "work on the job", difference,
            remedy: "use the same version everywhere, or run 'tilewright split' again")
    }

    /// Refuses files that are not those that the job was split for.
    ///
    /// - Throws: `.missingInput`, or `.badInput` that names the file.
    func checkSources() throws {
        for source in sources {
            let found = try Source(source.path, isSampled: source.sample != nil)
            let isSame =
                found.size == source.size
                && (source.sample == nil ? found.digest == source.digest : found.sample == source.sample)
            guard isSame else {
                throw Failure(
                    .badInput, cannot: "work on the job",
                    "'\(source.path)' is not the file that the job was split for",
                    remedy: "copy it from where the job was split, or run 'tilewright split' again")
            }
        }
    }
}

extension ShardJob {
    /// Reads the job of a folder.
    ///
    /// - Throws: `.missingInput` if there is none, `.badInput` if it is not one, or of another version.
    init(in folder: String) throws {
        let path = folder.path(of: Self.fileName)
        guard let bytes = try WholeFile.read(path) else {
            throw Failure(
                .missingInput, cannot: "read the job in '\(folder)'", "there is no '\(Self.fileName)'",
                remedy: "'tilewright split' writes it")
        }
        struct Form: Decodable {
            let version: Int
            let program: String
        }
        let decoder = JSONDecoder()
        do {
            let form = try decoder.decode(Form.self, from: Data(bytes))
            guard form.version == Self.currentVersion else {
                throw Self.refusal(path, "it was made by tilewright \(form.program)")
            }
            self = try decoder.decode(Self.self, from: Data(bytes))
        } catch let error as DecodingError {
            throw Self.refusal(path, "it is damaged: \(error.place)")
        }
    }

    private static func refusal(_ path: String, _ why: String) -> Failure {
        Failure(.badInput, cannot: "read '\(path)'", why, remedy: "run 'tilewright split' again")
    }
}

extension DecodingError {
    /// Where in a document something is wrong.
    fileprivate var place: String {
        let context: Context? =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: nil
            }
        let path = context?.codingPath.map(\.stringValue).joined(separator: ".") ?? ""
        return path.isEmpty ? "it is not such a document" : "'\(path)' is not what it should be"
    }
}
