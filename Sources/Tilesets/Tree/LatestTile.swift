import Platform

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

    /// Reads the note, and begins another one.
    init(in directory: Directory) throws {
        self.directory = directory
        let size = MemoryLayout<TileRecord>.size
        earlier = try directory.readFile(Self.name, most: 1 << 20)?.withUnsafeBytes {
            $0.count == size ? $0.loadUnaligned(as: TileRecord.self) : nil
        }
        do throws(SystemError) { file = try directory.makeFile(Self.name) } catch {
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
