import Platform
import Pyramid
import Tilesets
import Tiling

/// Packs the pixels that a shard keeps.
final class ShardPacker: KeptPixels.Packer {
    private let packer: PackedPixels

    init() throws { packer = try PackedPixels() }

    func pack(_ pixels: UnsafeBufferPointer<Int16>) throws -> [UInt8] { try packer.pack(pixels) }
}

/// The pixels that shards kept, in a scratch file: they are read again when all shards have been read once, from the
/// first byte to the last.
///
/// Unchecked: pixels are added before any are taken, and taking changes nothing.
final class ShardPixels: KeptPixels.Source, @unchecked Sendable {
    private let scratch: FileDescriptor
    private let directory: String
    private var places: [TileCoordinate: Range<Int>] = [:]
    private var end = 0

    /// Makes the scratch file.
    init(in directory: String) throws {
        self.directory = directory
        do throws(SystemError) { scratch = try FileDescriptor(scratchFileIn: directory) } catch {
            throw error.failure("make a scratch file in '\(directory)'")
        }
    }

    /// Adds the pixels of a tile, packed.
    func add(_ bytes: [UInt8], of tile: TileCoordinate) throws {
        do throws(SystemError) { try scratch.write(bytes) } catch {
            throw error.failure("write to a scratch file in '\(directory)'")
        }
        places[tile] = end..<end + bytes.count
        end += bytes.count
    }

    func unpack(_ tile: TileCoordinate, into result: UnsafeMutableBufferPointer<Int16>) throws -> Bool {
        guard let place = places[tile] else { return false }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try scratch.readBytes(at: place.lowerBound, count: place.count)
        } catch { throw error.failure("read a scratch file in '\(directory)'") }
        guard try PackedPixels.unpack(bytes, into: result) else { throw ShardReader.Fault.damaged }
        return true
    }
}
