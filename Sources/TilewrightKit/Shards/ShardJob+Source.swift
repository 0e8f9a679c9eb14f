import Codecs
import Platform
import Tilesets

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ShardJob.Source {
    /// Files up to this size are hashed by each worker: that takes hundredths of a second. Of larger TIFFs a worker
    /// hashes what it has read: else the hashes of many workers would cost as much as the tiles.
    static let largestWhole = 64 << 20
    /// The bytes of a part's hash.
    static let partHashSize = 8

    /// Looks at a file: hashes it, and its parts if it is so large a TIFF.
    ///
    /// - Throws: as `ContentHash`.
    init(_ path: String, size: Int) throws {
        let hasParts = size > Self.largestWhole && FileReads.areTold(of: path)
        var hashes: [UInt8] = []
        let digest = try ContentHash(ofFile: path, pieceSize: FileReads.partSize) {
            if hasParts { hashes += Self.hash(ofPart: $0) }
        }
        self.init(
            path: path, size: size, digest: digest.hex,
            parts: hasParts ? Data(hashes).base64EncodedString() : nil)
    }

    /// What the hash of a part begins with.
    static func hash(ofPart bytes: UnsafeRawBufferPointer) -> ArraySlice<UInt8> {
        ContentHash(of: bytes).bytes.prefix(partHashSize)
    }
}
