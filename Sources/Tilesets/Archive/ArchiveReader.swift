import Platform
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A finished archive, read by a run that will replace it.
protocol ArchiveReader: TilesetReader {
    /// The bytes of the file.
    var size: Int { get }
    /// The bytes of the file that are not holes.
    var storedSize: Int { get }

    /// Opens an archive.
    static func opened(_ path: String, budget: ReadingBudget) throws -> Self

    /// Whether tilewright made the file at a path.
    ///
    /// - Throws: `.systemLimit`.
    static func isOurs(_ path: String) throws -> Bool

    /// The generator, job and size that the archive states.
    ///
    /// - Throws: if these cannot be read.
    func claims() throws -> ArchiveClaims

    /// The addresses of all tiles, by zoom, column, row. Nil if the file is not as tilewright wrote it: it is
    /// cut off, longer, changed by another program, or its counts contradict each other. Reads the whole file
    /// except the tiles.
    ///
    /// - Throws: if the part that is read is damaged.
    func intactAddresses() throws -> [PackedCoordinate]?

    /// Adds all contents and tiles to an empty ledger. Reads each content once, or once for each run of tiles
    /// that have it.
    ///
    /// - Throws: `.badInput` or `DamagedArchive` if the archive is damaged, or a run cannot copy its contents.
    func readTiles(into ledger: inout TileLedger) throws

    /// Whether its metadata is that of `documents` and `origin`.
    func says(_ documents: TilesetDocuments, origin: TilesetOrigin) throws -> Bool
}

extension ArchiveReader {
    package var origin: TilesetOrigin { (try? claims())?.origin ?? TilesetOrigin() }

    /// When the file changed, in seconds since 1970.
    package var changed: Int? { FileStamp(path)?.modifiedSeconds }
}

extension FileDescriptor {
    /// Opens an archive to read it.
    ///
    /// - Throws: `.missingInput` if it cannot be opened, another kind if the system is the cause, `.badInput`
    ///   if it is not a file.
    static func archive(_ path: String) throws -> FileDescriptor {
        do throws(SystemError) {
            // Without O_NONBLOCK, opening a pipe would wait for its other end.
            let file = try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
            if try file.status().kind == .file { return file }
        } catch { throw InputFile.unreadable(path, error) }
        throw Failure(.badInput, "cannot read '\(path)': it is not a file")
    }

    /// The size of such a file in bytes.
    ///
    /// - Throws: as `archive`.
    func sizeOfArchive(_ path: String) throws -> Int {
        do throws(SystemError) { return try status().size } catch {
            throw InputFile.unreadable(path, error)
        }
    }
}

/// The existing archive, made by tilewright, that a new one will replace.
struct EarlierArchive<Reader: ArchiveReader>: Sendable {
    /// Its reader.
    let reader: Reader
    /// Its tiles, by zoom, column, row, if they are known to be those of the job.
    let complete: [PackedCoordinate]?

    /// What it claims.
    let claims: ArchiveClaims

    /// Reads the file that has the name of the archive.
    ///
    /// - Returns: nil if it does not exist, is not ours or cannot be read.
    /// - Throws: `.systemLimit`.
    init?(_ options: TilesetOptions) throws {
        let opened = try Failure.unlessLimited { try Reader.opened(options.path, budget: options.budget) }
        guard let reader = opened,
            let claims = try Failure.unlessLimited({ try reader.claims() }), claims.isOurs
        else { return nil }
        self.reader = reader
        self.claims = claims
        complete = options.reusesTiles ? Self.tiles(of: options.origin.job, in: reader, claims) : nil
    }

    private static func tiles(
        of job: ContentHash?, in reader: Reader, _ claims: ArchiveClaims
    ) -> [PackedCoordinate]? {
        guard let job, claims.origin.job == job, let contents = claims.contents,
            let tiles = try? reader.intactAddresses(), tiles.count == contents.tileCount
        else { return nil }
        return tiles
    }

    /// Whether it seems undamaged, and its metadata is that of `documents`, with any origin.
    func isWhole(saying documents: TilesetDocuments) -> Bool {
        guard (try? reader.says(documents, origin: claims.origin)) == true else { return false }
        return complete != nil || (try? reader.intactAddresses()) != nil
    }

    /// A ledger that begins with the tiles of the earlier archive; an empty one if that is damaged. Reads all
    /// of its tiles.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    func ledger() throws -> TileLedger {
        var ledger = TileLedger()
        do {
            try reader.readTiles(into: &ledger)
            ledger.endEarlier()
            return ledger
        } catch let cancellation as CancellationError {
            throw cancellation
        } catch { return TileLedger() }
    }
}

/// An archive that tilewright made does not contain the tiles that it claims. Nothing was changed.
package struct DamagedArchive: Error {}

/// What an archive states about itself: from this, a later run knows which work it can skip.
struct ArchiveClaims: Hashable, Sendable {
    /// The program that made the archive.
    var generator: String?
    /// The origin of its tiles, as far as stated.
    var origin: TilesetOrigin
    /// The count and digest of its tiles, if stated.
    var contents: TilesetContents?

    /// Whether tilewright made it.
    var isOurs: Bool { generator == TilesetMetadata.generator }

    private enum CodingKeys: String, CodingKey {
        case generator, images, job, tileCount, digest
    }

    private init(
        images: [some StringProtocol], tileCount: Int?, text: (_ member: CodingKeys) -> String?
    ) {
        generator = text(.generator)
        origin = TilesetOrigin(
            job: text(.job).flatMap(ContentHash.init(hex:)),
            images: images.compactMap { SourceImage(text: $0) })
        if let tileCount, let digest = text(.digest) {
            contents = TilesetContents(tileCount: tileCount, digest: digest)
        }
    }
}

extension ArchiveClaims: Decodable {
    /// Reads the rows of MBTiles. If a name occurs twice, the last row counts.
    init(rows: [MetadataRow]) {
        func text(_ member: CodingKeys) -> String? { rows.last { $0.name == member.rawValue }?.value }
        let images = text(.images).flatMap {
            ReadingBudget.isShort($0.utf8) ? $0.split(separator: ",") : nil
        }
        self.init(images: images ?? [], tileCount: text(.tileCount).flatMap { Int($0) }, text: text)
    }

    /// Reads the JSON metadata of PMTiles.
    ///
    /// - Throws: if it is not a JSON object.
    init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(ArchiveClaims.self, from: Data(json))
    }

    // A member of the wrong type counts as missing.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            images: (try? members.decode([String].self, forKey: .images)) ?? [],
            tileCount: try? members.decode(Int.self, forKey: .tileCount)
        ) { try? members.decode(String.self, forKey: $0) }
    }
}
