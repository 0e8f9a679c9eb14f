import Tiling

/// A tile's address in 64 bits, whose order is that of zoom, column, row: a bit that tells the zoom,
/// and behind it as many bits of column and of row as the zoom has.
struct PackedCoordinate: Hashable, Comparable, Sendable, BitwiseCopyable {
    private let bits: UInt64

    /// Packs an address.
    init(_ tile: TileCoordinate) {
        let zoom = UInt64(tile.zoom)
        bits = 1 << (2 * zoom) | UInt64(tile.column) << zoom | UInt64(tile.row)
    }

    /// The address.
    var coordinate: TileCoordinate {
        let zoom = (63 - bits.leadingZeroBitCount) / 2
        let mask: UInt64 = (1 << UInt64(zoom)) - 1
        return TileCoordinate(
            zoom: zoom, column: Int(bits >> UInt64(zoom) & mask), row: Int(bits & mask))
    }

    static func < (left: PackedCoordinate, right: PackedCoordinate) -> Bool {
        left.bits < right.bits
    }
}
