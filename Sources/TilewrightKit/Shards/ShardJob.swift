import Codecs
import Georeferencing
import Platform
import Rendering
import Tilesets
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The content of `job.json`: a pyramid that is made in parts, on any machines.
struct ShardJob: Codable, Hashable {
    /// The name of the file in the job's folder.
    static let fileName = "job.json"
    /// The folder of the shards in it.
    static let shardFolder = "shards"
    /// The maximum number of bytes of the file: a hundred thousand shards of two rectangles take a third of
    /// them, and as many images two thirds.
    static let largest = 1 << 28
    /// The remedy for a larger file.
    static let wayToSmaller = "split fewer images, or into fewer shards"
    /// The version of the file's format.
    static let currentVersion = 1

    /// Whether a path below the job's folder is one of the job's files.
    static func isFile(_ path: String) -> Bool {
        path == fileName || path == JobPalette.fileName || path.hasPrefix(shardFolder + "/")
    }

    /// An input file.
    struct Source: Codable, Hashable {
        /// Its name in the command that split the job.
        var path: String
        /// Its bytes.
        var size: Int
        /// The hash of its bytes; of its address and version if it has one.
        var digest: String
        /// The first eight bytes of the hash of each part, in Base64, if the file is so large that workers
        /// read only parts of it.
        var parts: String?
        /// What its server says about the state of a file at an address: size, and tag or date. Nobody reads
        /// all of such a file to hash it.
        var version: String?
    }

    /// An image, with the hashes that identify it on another machine.
    struct Image: Codable, Hashable {
        /// The request.
        var request: ImageRequest
        /// The image's files, and the files next to it that describe it.
        var sources: [Source]
        /// The libraries whose versions decide its pixels.
        var libraries: String
        /// The hash of its outline on the map, to the last bit.
        var place: String
        /// The hash of its options and its files.
        var reading: String
    }

    /// A part of the pyramid.
    struct Shard: Codable, Hashable {
        /// Its tiles at the cut. It also makes all finer tiles under them. Columns may continue beyond the
        /// antimeridian.
        var tiles: [TileRange]
        /// The numbers of its images.
        var images: [Int]
        /// The amount of work, in tiles of the maximum zoom.
        var work: Int
        /// Whether the shard also makes the zooms below the cut, which happens if pages are drawn for each
        /// zoom.
        var makesRest = false
    }

    /// The version of the file's format.
    var version = Self.currentVersion
    /// The version of the program.
    var program = Version.current
    /// The version of decoding, rendering and encoding; see `JobFingerprint`.
    var rendering = JobFingerprint.rendering
    /// The hash of the file that the libraries make of a test tile.
    var testTile: String
    /// The hash of the pixels that libjpeg makes of a test image.
    var testImage: String
    /// The images, each over the ones before it.
    var images: [Image]
    /// The pyramid to build of them, with all zooms and kernels chosen.
    var pyramid: PyramidRequest
    /// The facts about the whole that each part needs.
    var whole: WholePyramid
    /// Files that named the images.
    var lists: [String]
    /// Other input files: a cutline.
    var sources: [Source]
    /// The fingerprint of the tiles, as for a build on one machine.
    var fingerprint: String
    /// The lowest zoom that shards make. The zooms below are made from its pixels, which shards keep.
    var cut: Int
    /// The parts.
    var shards: [Shard]

    /// Whether a palette is chosen from the pixels of all shards, before tiles are made.
    var needsSurvey: Bool { pyramid.encoding.palette != nil }

    /// Refuses a survey of tiles without a palette.
    ///
    /// - Throws: `.usage`.
    func checkSurvey(in folder: String) throws(Failure) {
        if needsSurvey { return }
        throw Failure(
            .usage, "--survey does not apply to '\(folder)', whose tiles have no palette",
            remedy: "leave it out")
    }

    /// The identity of a shard's file: a digest of exactly what decides its bytes, so that a later job
    /// recognises the same shard.
    ///
    /// - Parameter palette: the palette of tiles; nil for a survey, and for tiles without a palette.
    func identity(
        _ index: Int, _ round: ShardIdentity.Round = .shard, palette: JobPalette? = nil
    ) throws -> ShardIdentity {
        struct Decisions: Encodable {
            let program: String
            let rendering: Int
            let testTile: String
            let testImage: String
            let pyramid: PyramidRequest
            let whole: WholePyramid
            let sources: [String]
            let cut: Int
            let tiles: [TileRange]
            let makesRest: Bool
            let images: [String]
            let round: String
            let colors: [[Int]]?
        }
        let shard = shards[index]
        let decisions = Decisions(
            program: program, rendering: rendering, testTile: testTile, testImage: testImage,
            pyramid: pyramid, whole: whole,
            sources: sources.map(\.digest), cut: cut, tiles: shard.tiles, makesRest: shard.makesRest,
            images: shard.images.flatMap { [images[$0].libraries, images[$0].place, images[$0].reading] },
            round: round.rawValue, colors: palette?.colors)
        return ShardIdentity(
            digest: ContentHash(of: try Self.json(decisions)), index: index, round: round)
    }

    /// The bytes of the file; the same job has the same bytes.
    var json: [UInt8] { get throws { try Self.json(self) } }

    private static func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(value)) + Array("\n".utf8)
    }

    /// Refuses a worker whose program or libraries would make other bytes.
    ///
    /// - Throws: `.badInput` that names the first difference.
    func checkMachine() throws {
        let difference: String? =
            if program != Version.current {
                "by tilewright \(program), but this is \(Version.current)"
            } else if rendering != JobFingerprint.rendering {
                "by a program that renders differently"
            } else if try testTile != TestTile.hash(pyramid.encoding) {
                "with another version of the library that encodes \(pyramid.encoding.format.rawValue)"
            } else if try testImage != TestTile.hashOfJPEG() {
                "with another version of libjpeg"
            } else { nil }
        guard let difference else { return }
        throw Failure.refusingJob(
            "it was split \(difference): the bytes of tiles would differ",
            remedy: "use the same version everywhere")
    }

    /// Refuses images that this machine reads or places differently than the one that split the job.
    ///
    /// - Parameter indices: the numbers of the images of the tiles.
    func check(_ tiles: TilesOnDemand, images indices: [Int]) throws {
        for (index, (image, factor)) in zip(indices, zip(tiles.images, tiles.reductionFactors)) {
            let (wanted, found) = (images[index], try Image(image, reducedBy: factor, images[index].sources))
            let difference: String? =
                if found.libraries != wanted.libraries {
                    "is read by \(found.libraries), but the job was split with \(wanted.libraries)"
                } else if found.place != wanted.place {
                    "is placed differently than where the job was split: PROJ or its data differ"
                } else if found.reading != wanted.reading {
                    "is read differently than where the job was split"
                } else { nil }
            guard let difference else { continue }
            throw Failure.refusingJob(
                "\(image.request.title) \(difference)", remedy: "use the same versions everywhere")
        }
    }

    /// The files of some images, and those of all images.
    func sources(ofImages indices: [Int]) -> [Source] { sources + indices.flatMap { images[$0].sources } }
}

extension ShardJob {
    /// Reads the job of a folder.
    ///
    /// - Throws: `.missingInput` if there is no job, `.badInput` if the file is not a job or has another
    ///   version.
    init(in folder: String) throws {
        let path = folder.path(of: Self.fileName)
        let bytes = try Failure.ofInput {
            try WholeFile.found(path, atMost: Self.largest, remedy: Self.wayToSmaller)
        }
        guard let bytes else {
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
            guard isSound else { throw Self.refusal(path, "it is damaged: its numbers do not fit together") }
        } catch let error as DecodingError {
            throw Self.refusal(path, "it is damaged: \(error.place)")
        }
    }

    private static func refusal(_ path: String, _ why: String) -> Failure {
        Failure(.badInput, cannot: "read '\(path)'", why, remedy: "run 'tilewright split' again")
    }
}

extension Failure {
    /// The refusal of a worker whose tiles would differ.
    static func refusingJob(_ reason: String, remedy: String) -> Failure {
        Failure(
            .badInput, cannot: "work on the job", reason, remedy: remedy + ", or run 'tilewright split' again"
        )
    }
}

extension ShardJob.Image {
    /// Describes an image, with its files.
    init(_ image: PlacedImage, reducedBy factor: Int, _ sources: [ShardJob.Source]) throws {
        let digests = Dictionary(sources.map { ($0.path, $0.digest) }) { first, _ in first }
        request = image.request
        // The range of all data is not searched again.
        request.rescale = image.fileInfo.sampleRange.map { SampleRange($0) } ?? request.rescale
        self.sources = sources
        libraries = try image.libraries
        let numbers = image.mapping.outline.flatMap { [$0.x, $0.y] }
        place = numbers.withUnsafeBytes { ContentHash(of: $0) }.hex
        let fields = try JobFingerprint.fields(of: image, reducedBy: factor) { digests[$0] ?? "" }
        reading = ContentHash(of: fields.joined(separator: "\n")).hex
    }
}

extension DecodingError {
    /// The place of a fault in a document.
    fileprivate var place: String {
        let context: Context? =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: nil
            }
        let path = context?.codingPath.map(\.stringValue).joined(separator: ".") ?? ""
        return path.isEmpty ? "it is not a document of this kind" : "'\(path)' is invalid"
    }
}
