import Platform
import Dispatch
import Synchronization
package import Tilesets
package import Tiling

/// Decodes tiles on all cores and checks that they are sound.
package struct TileInspector: Sendable {
    /// Decodes the bytes of a tile to their type and size in pixels. Its failure is a clause that says
    /// what is wrong.
    package typealias Decoder =
        @Sendable (_ bytes: [UInt8]) throws -> (format: TileFormat, width: Int, height: Int)

    /// The file types that tiles may have.
    private let formats: Set<TileFormat>
    private let tileSize: Int
    private let decode: Decoder

    /// Makes an inspector that expects the file types and the tile size of a tileset.
    package init(_ metadata: TilesetMetadata, decode: @escaping Decoder) {
        formats = metadata.format.members
        tileSize = metadata.tileSize
        self.decode = decode
    }

    /// What is wrong with some of the contents of tiles, by their index; sound ones have no entry.
    ///
    /// - Throws: if the system is at fault and no tile, as when there is too little memory.
    func problems(of contents: [[UInt8]]) throws -> [Int: String] {
        let problems = Mutex<[Int: Result<String?, any Error>]>([:])
        // The readers lend tiles in a loop that cannot wait, so the loop's own thread takes part.
        DispatchQueue.concurrentPerform(iterations: contents.count) { index in
            let found = Result { try problem(of: contents[index]) }
            problems.withLock { $0[index] = found }
        }
        return try problems.withLock { $0 }.compactMapValues { try $0.get() }
    }

    private func problem(of bytes: [UInt8]) throws -> String? {
        do {
            let picture = try decode(bytes)
            if !formats.contains(picture.format) {
                let expected = formats.map(\.name).sorted().joined(separator: " or ")
                return "is \(picture.format.name), in a tileset of \(expected)"
            }
            if picture.width != tileSize || picture.height != tileSize {
                return "has \(picture.width) x \(picture.height) pixels, in a tileset of "
                    + "\(tileSize) x \(tileSize)"
            }
            return nil
        } catch let failure as Failure {
            if failure.isOfSystem { throw failure.inAttempt("decode a tile") }
            return "cannot be decoded: \(failure.message)"
        } catch {
            return "cannot be decoded: \(error)"
        }
    }
}

extension TileFormat {
    /// The file type's name for people.
    fileprivate var name: String { self == .webp ? "WebP" : rawValue.uppercased() }
}
