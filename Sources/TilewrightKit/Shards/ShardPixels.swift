import Files
import Pyramid
import Shards
import Tiling

/// Packs the pixels that a shard keeps.
final class ShardPacker: KeptPixels.Packer {
    private let packer: PackedPixels

    init() throws { packer = try PackedPixels() }

    func pack(_ pixels: UnsafeBufferPointer<Int16>) -> [UInt8] { packer.pack(pixels) }
}

/// The pixels that shards kept.
struct ShardPixels: KeptPixels.Source {
    /// Where those of a tile are.
    struct Place: Sendable {
        let shard: Int
        let piece: ShardPiece
    }

    let readers: [ShardReader]
    let places: [TileCoordinate: Place]

    func unpack(_ tile: TileCoordinate, into result: UnsafeMutableBufferPointer<Int16>) throws -> Bool {
        guard let place = places[tile] else { return false }
        let bytes = try readers[place.shard].bytes(of: place.piece)
        guard try PackedPixels.unpack(bytes, into: result) else { throw ShardReader.Fault.damaged }
        return true
    }
}
