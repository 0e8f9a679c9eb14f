import Codecs
import Palettes
import Platform
import Raster
import Rendering
import Tilesets
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// The checks of a job from another machine.
extension ShardJob {
    /// Whether the numbers are consistent; requests of images are checked when the images are placed.
    var isSound: Bool {
        guard (try? pyramid.check()) != nil, let lowest = pyramid.zoom.minimum,
            let highest = pyramid.zoom.maximum, lowest...highest ~= cut, highest...30 ~= whole.finest,
            !images.isEmpty, 1...JobSplit.mostShards ~= shards.count
        else { return false }
        let (edge, window) = (
            TileMatrix(zoom: whole.finest, tileSize: pyramid.tileSize.rawValue).pixelsPerEdge, whole.window
        )
        return (-edge...2 * edge).contains(window.columns) && (0...edge).contains(window.rows)
            && !window.isEmpty && shards.allSatisfy(isSound)
    }

    private func isSound(_ shard: Shard) -> Bool {
        let edge = 1 << cut
        return shard.images.allSatisfy(images.indices.contains)
            && zip(shard.images, shard.images.dropFirst()).allSatisfy { $0 < $1 }
            && shard.tiles.allSatisfy {
                $0.zoom == cut && (-edge...2 * edge).contains($0.columns) && (0...edge).contains($0.rows)
            }
    }

    /// Refuses pieces that do not belong to a shard: tiles of other shards, pixels of other zooms than the
    /// cut, and colours outside a survey.
    ///
    /// - Throws: `ShardReader.Fault.damaged`.
    func check(
        _ pieces: [ShardPiece], of index: Int, _ round: ShardIdentity.Round
    ) throws(ShardReader.Fault) {
        let shard = shards[index]
        var colors = 0
        for piece in pieces {
            let isRight: Bool
            switch piece.kind {
            case .tile: isRight = round == .shard && owns(piece.coordinate, shard)
            case .pixels: isRight = piece.coordinate.zoom == cut && owns(piece.coordinate, shard)
            case .colors:
                colors += 1
                isRight = round == .survey && colors == 1
            }
            if !isRight { throw .damaged }
        }
    }

    private func owns(_ tile: TileCoordinate, _ shard: Shard) -> Bool {
        guard let lowest = pyramid.zoom.minimum, let highest = pyramid.zoom.maximum,
            lowest...highest ~= tile.zoom
        else { return false }
        if tile.zoom < cut { return shard.makesRest }
        let (column, row) = (tile.column >> (tile.zoom - cut), tile.row >> (tile.zoom - cut))
        return shard.tiles.contains { limits in
            // Columns continue beyond the antimeridian, at either end.
            limits.rows.contains(row) && (-1...1).contains { limits.columns.contains(column + $0 << cut) }
        }
    }
}

extension ClosedRange<Int> {
    fileprivate func contains(_ other: Range<Int>) -> Bool {
        contains(other.lowerBound) && contains(other.upperBound)
    }

    fileprivate func contains(_ other: ClosedRange<Int>) -> Bool {
        contains(other.lowerBound) && contains(other.upperBound)
    }
}

/// Checks that the files that a worker reads are those of the job.
struct SourceCheck {
    /// For files that are not hashed whole, records which parts of them are read.
    let reads: FileReads
    private let inParts: [ShardJob.Source]

    /// Checks the size of each file, and hashes the files that every worker reads whole.
    ///
    /// - Throws: `.missingInput`, or `.badInput` that names the file.
    init(_ sources: [ShardJob.Source]) throws {
        for source in sources {
            guard try Self.size(of: source.path) == source.size else { throw Self.difference(source) }
            if source.parts == nil { try Self.checkWhole(source) }
        }
        inParts = sources.filter { $0.parts != nil }
        reads = FileReads(of: Dictionary(inParts.map { ($0.path, $0.size) }) { first, _ in first })
    }

    /// Before any file is opened, refuses a job that names a file which is not one of its sources, or a
    /// source whose size differs, or the version that its server tells.
    ///
    /// - Parameter indices: the numbers of the images that are read.
    /// - Throws: `.missingInput`, or `.badInput` that names the file.
    static func checkNames(of job: ShardJob, images indices: [Int]) throws {
        try checkNames(job.pyramid.files, among: job.sources)
        for image in indices.map({ job.images[$0] }) {
            try checkNames(image.request.namedFiles, among: image.sources)
            // Passwords have no digest.
            _ = try InputFile.first(of: [image.request.passwordFile].compactMap(\.self))
        }
        try FarSources.open(indices.map { job.images[$0].request })
        for source in job.sources(ofImages: indices) {
            guard try size(of: source.path) == source.size,
                try FarFiles.version(of: source.path) == source.version
            else { throw difference(source) }
        }
    }

    private static func checkNames(_ names: [String], among sources: [ShardJob.Source]) throws {
        let known = Set(sources.map(\.path))
        guard let other = names.first(where: { !known.contains($0) }) else { return }
        throw Failure.refusingJob(
            "it names '\(other)', which is not one of its sources", remedy: "do not use this job")
    }

    /// For files that are not hashed whole, checks the parts of them that were read.
    ///
    /// - Throws: the same errors as for files that are hashed whole.
    func checkWhatWasRead() throws {
        for source in inParts {
            guard let parts = reads.parts(of: source.path) else {
                try Self.checkWhole(source)
                continue
            }
            try Self.check(source, parts)
        }
    }

    /// The bytes of a file.
    ///
    /// - Throws: `.missingInput` if it cannot be opened, `.badInput` if it is not a file, such as a pipe.
    static func size(of path: String) throws -> Int {
        do throws(SystemError) { return try FileDescriptor(reading: path).status().size } catch {
            throw InputFile.unreadable(path, error)
        }
    }

    private static func check(_ source: ShardJob.Source, _ parts: [Int]) throws {
        let size = ShardJob.Source.partHashSize
        guard let hashes = source.parts.flatMap({ Data(base64Encoded: $0) }).map(Array.init) else {
            throw difference(source)
        }
        let file: FileDescriptor
        do throws(SystemError) { file = try FileDescriptor(reading: source.path) } catch {
            throw InputFile.unreadable(source.path, error)
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FileReads.partSize, alignment: 64)
        defer { buffer.deallocate() }
        for part in parts {
            let count: Int
            do throws(SystemError) { count = try file.read(into: buffer, at: part * buffer.count) } catch {
                throw error.failure("read '\(source.path)'")
            }
            let found = ShardJob.Source.hash(ofPart: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            let place = part * size..<(part + 1) * size
            guard place.upperBound <= hashes.count, found == hashes[place] else { throw difference(source) }
        }
    }

    private static func checkWhole(_ source: ShardJob.Source) throws {
        guard try ContentHash(ofFile: source.path).hex == source.digest else { throw difference(source) }
    }

    private static func difference(_ source: ShardJob.Source) -> Failure {
        .refusingJob(
            "'\(source.path)' differs from the file that was split",
            remedy: FarFiles.isAddress(source.path)
                ? "bring back the file that was there" : "copy the file from the machine that split the job")
    }
}

/// A tile whose bytes differ between versions of an encoder's library, and whose pixels differ between
/// versions of a decoder's.
enum TestTile {
    /// Large enough for several blocks of deflate, but small, since each worker encodes it.
    private static let size = 128

    /// The hash of the pixels that libjpeg decodes after encoding the tile. It represents the version of
    /// libjpeg, which the library does not tell.
    static func hashOfJPEG() throws -> String {
        let bytes = try pixels(true).withUnsafeBufferPointer {
            try JPEGTileEncoder(quality: 75).encode(TilePixels(size: size, bytes: $0, isOpaque: true))
        }
        let decoded = UnsafeMutableRawBufferPointer.allocate(byteCount: size * size * 4, alignment: 4)
        defer { decoded.deallocate() }
        try TileDecoder.decode(
            bytes, size: size, into: decoded.baseAddress.unwrapped("it has bytes"), stride: size * 4)
        return ContentHash(of: UnsafeRawBufferPointer(decoded)).hex
    }

    /// The hash of the tile's file.
    static func hash(_ encoding: TileEncoding) throws -> String {
        let encoder = encoding.makeEncoder(palette: nil)
        // An opaque tile and a translucent one: `auto` takes another type for each.
        return try [true, false].map { isOpaque in
            let bytes = try pixels(isOpaque).withUnsafeBufferPointer {
                try encoder.encode(TilePixels(size: size, bytes: $0, isOpaque: isOpaque))
            }
            return ContentHash(of: bytes).hex
        }.joined(separator: " ")
    }

    /// Areas of one colour, ramps, and noise that repeats.
    private static func pixels(_ isOpaque: Bool) -> [UInt8] {
        (0..<size * size).flatMap { index -> [UInt8] in
            let (x, y) = (index % size, index / size)
            if !isOpaque, x + y < size / 2 { return [0, 0, 0, 0] }
            let noise = x > size / 2 ? (x &* 7919 ^ y &* 104_729) >> 3 & 63 : 0
            let alpha = isOpaque || x < size / 2 ? 255 : 128 + noise
            return [x & 0xC0 | noise, y, (x + y) / 2, alpha].map { UInt8(truncatingIfNeeded: $0) }
        }
    }
}

extension ShardJob.Source {
    /// Each worker hashes whole files up to this size, in hundredths of a second. For larger TIFFs, a worker
    /// hashes only the parts that it has read: otherwise, the hashes of many workers would take as long as
    /// the tiles.
    static let largestWhole = 64 << 20
    /// The bytes of a part's hash.
    static let partHashSize = 8

    /// Hashes a file, and the parts of a large TIFF.
    ///
    /// - Throws: as `ContentHash`.
    init(_ path: String, size: Int) throws {
        let hasParts =
            size > Self.largestWhole && !FarFiles.isAddress(path) && FileReads.areTold(of: path)
        var hashes: [UInt8] = []
        let digest = try ContentHash(ofFile: path, pieceSize: FileReads.partSize) {
            if hasParts { hashes += Self.hash(ofPart: $0) }
        }
        self.init(
            path: path, size: size, digest: digest.hex,
            parts: hasParts ? Data(hashes).base64EncodedString() : nil,
            version: try FarFiles.version(of: path))
    }

    /// The first bytes of the hash of a part.
    static func hash(ofPart bytes: UnsafeRawBufferPointer) -> ArraySlice<UInt8> {
        ContentHash(of: bytes).bytes.prefix(partHashSize)
    }
}
