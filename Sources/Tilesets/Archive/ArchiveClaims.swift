import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What an archive says of itself, from which a later run knows what it need not do again.
struct ArchiveClaims: Hashable, Sendable {
    /// The program that made it.
    var generator: String?
    /// What made its tiles, as far as it says so.
    var origin: TilesetOrigin
    /// How much it holds, if it says so.
    var contents: TilesetContents?

    /// Whether this program made it.
    var isOurs: Bool { generator == TilesetMetadata.generator }

    private init(
        generator: String?, images: [some StringProtocol], job: String?, tileCount: Int?, digest: String?
    ) {
        self.generator = generator
        origin = TilesetOrigin(
            job: job.flatMap(ContentHash.init(hex:)),
            images: images.compactMap { SourceImage(text: $0) })
        if let tileCount, let digest {
            contents = TilesetContents(tileCount: tileCount, digest: digest)
        }
    }
}

extension ArchiveClaims {
    /// Reads the rows of MBTiles; of two with one name the last counts.
    init(rows: [MetadataRow]) {
        func value(_ name: String) -> String? { rows.last { $0.name == name }?.value }
        let images = value(SourceImage.member).flatMap {
            ReadingBudget.isShort($0.utf8) ? $0.split(separator: ",") : nil
        }
        self.init(
            generator: value("generator"),
            images: images ?? [],
            job: value(TilesetMetadata.jobMember),
            tileCount: value("tileCount").flatMap { Int($0) }, digest: value("digest"))
    }

    /// Reads the JSON metadata of PMTiles.
    ///
    /// - Throws: if they are not an object of JSON.
    init(json: [UInt8]) throws {
        self = try JSONDecoder().decode(ArchiveClaims.self, from: Data(json))
    }
}

extension ArchiveClaims: Decodable {
    private enum CodingKeys: String, CodingKey {
        case generator, images, job, tileCount, digest
    }

    // A member of another type than ours counts as missing.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            generator: try? members.decode(String.self, forKey: .generator),
            images: (try? members.decode([String].self, forKey: .images)) ?? [],
            job: try? members.decode(String.self, forKey: .job),
            tileCount: try? members.decode(Int.self, forKey: .tileCount),
            digest: try? members.decode(String.self, forKey: .digest))
    }
}
