import Tiling

/// A tile's number in the order of PMTiles: zoom by zoom, along a Hilbert curve in each.
///
/// Adjacent IDs belong to adjacent tiles, so that a client that shows one place reads one part of the file.
struct TileID: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// The first number after the tiles of zoom 30.
    static let end = first(ofZoom: 31).number

    /// The number, counted from 0 at zoom 0.
    var number: UInt64

    /// Makes an ID from a number, which must be below `end` if the coordinate is used.
    init(_ number: UInt64) { self.number = number }

    /// The ID of a tile.
    init(_ tile: TileCoordinate) {
        number = Self.first(ofZoom: tile.zoom).number + Self.distance(of: tile)
    }

    /// The first tile of a zoom: there are `1 + 4 + ... + 4^(zoom - 1) = (4^zoom - 1) / 3` before it.
    static func first(ofZoom zoom: Int) -> TileID { TileID(((1 << (2 * UInt64(zoom))) - 1) / 3) }

    /// The zoom: `3 * number + 1` is between `4^zoom` and `4^(zoom + 1)`.
    var zoom: Int { (63 - (3 * number + 1).leadingZeroBitCount) / 2 }

    /// The tile.
    var coordinate: TileCoordinate {
        let zoom = zoom
        let distance = number - Self.first(ofZoom: zoom).number
        var turn = Turn()
        var (column, row): (UInt64, UInt64) = (0, 0)
        for bit in stride(from: 2 * zoom - 2, through: 0, by: -2) {
            let digit = distance >> UInt64(bit) & 3
            // Along the curve the quarters are (0, 0), (0, 1), (1, 1), (1, 0).
            let (x, y) = (digit >> 1, (digit ^ digit >> 1) & 1)
            let quarter = turn.applied(to: (x, y))
            column = column << 1 | quarter.x
            row = row << 1 | quarter.y
            turn.enter((x, y))
        }
        return TileCoordinate(zoom: zoom, column: Int(column), row: Int(row))
    }

    /// The distance of a tile along the curve of its zoom.
    private static func distance(of tile: TileCoordinate) -> UInt64 {
        let (column, row) = (UInt64(tile.column), UInt64(tile.row))
        var turn = Turn()
        var distance: UInt64 = 0
        for bit in stride(from: UInt64(tile.zoom), to: 0, by: -1) {
            let (x, y) = turn.applied(to: (column >> (bit - 1) & 1, row >> (bit - 1) & 1))
            distance = distance << 2 | (3 * x ^ y)
            turn.enter((x, y))
        }
        return distance
    }

    static func < (left: TileID, right: TileID) -> Bool { left.number < right.number }
}

/// The orientation of the curve inside a quarter: unchanged, with columns and rows interchanged, counted from
/// the other end, or both. Each of these is its own inverse.
private struct Turn {
    private var isSwapped = false
    private var flip: UInt64 = 0

    typealias Quarter = (x: UInt64, y: UInt64)

    /// Applies the orientation to a quarter, or undoes it.
    func applied(to quarter: Quarter) -> Quarter {
        let (x, y) = (quarter.x ^ flip, quarter.y ^ flip)
        return isSwapped ? (y, x) : (x, y)
    }

    /// Enters a quarter, in the curve's order: the first and the last quarter are turned.
    mutating func enter(_ quarter: Quarter) {
        guard quarter.y == 0 else { return }
        flip ^= quarter.x
        isSwapped.toggle()
    }
}

extension TilesByZoom {
    /// Counts consecutive tiles. Its time does not depend on their number: along the curve, they are at most
    /// a few hundred squares.
    ///
    /// - Parameter run: IDs below `TileID.end`.
    mutating func count(_ run: Range<UInt64>) {
        var start = run.lowerBound
        while start < run.upperBound {
            let zoom = TileID(start).zoom
            let base = TileID.first(ofZoom: zoom).number
            let end = min(run.upperBound, TileID.first(ofZoom: zoom + 1).number)
            // A square of the whole world would be in both halves of the world.
            let largest = max(0, zoom - 1)
            let aligned = min(largest, (start - base).trailingZeroBitCount / 2)
            let fitting = (63 - (end - start).leadingZeroBitCount) / 2
            let level = min(aligned, fitting)
            countSquare(at: TileID(start).coordinate, level: level)
            start += 1 << UInt64(2 * level)
        }
    }

    /// Counts the square of `2^level` columns and rows that contains the tile.
    private mutating func countSquare(at tile: TileCoordinate, level: Int) {
        let last = (1 << level) - 1
        let (column, row) = (tile.column & ~last, tile.row & ~last)
        count(TileCoordinate(zoom: tile.zoom, column: column, row: row))
        count(TileCoordinate(zoom: tile.zoom, column: column + last, row: row + last))
    }
}
