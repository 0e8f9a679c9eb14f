import Diagnostics
import Files

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A note of the tile that is being written or was the last one: what its file holds when it is whole.
final class LatestTile: Sendable {
    private static let name = "latest"

    private let directory: Directory
    private let file: FileDescriptor
    /// What an earlier run noted last; nil if there was none.
    let earlier: TileRecord?

    /// Opens the note, and makes it if it is not there.
    init(in directory: Directory) throws {
        self.directory = directory
        do throws(SystemError) {
            file = try directory.open(Self.name, O_RDWR | O_CREAT | O_NOFOLLOW)
            let bytes = try file.readAll()
            earlier = bytes.withUnsafeBytes {
                $0.count == MemoryLayout<TileRecord>.size ? $0.loadUnaligned(as: TileRecord.self) : nil
            }
        } catch {
            throw error.failure("write '\(directory.path(of: Self.name))'")
        }
    }

    /// Takes note of a tile that is about to be written.
    func note(_ tile: TileRecord) throws {
        do throws(SystemError) {
            try withUnsafeBytes(of: tile) { bytes in
                Result { () throws(SystemError) in try file.write(bytes, at: 0) }
            }.get()
        } catch {
            throw error.failure("write '\(directory.path(of: Self.name))'")
        }
    }
}
