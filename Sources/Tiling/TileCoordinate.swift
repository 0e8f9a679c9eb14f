/// The address of a tile: zoom, column from the west, row from the north (XYZ).
public struct TileCoordinate: Hashable, Sendable {
    /// The zoom, 0 to 30: the world is `2^zoom` tiles wide and tall.
    public var zoom: Int
    /// The column, 0 in the west.
    public var column: Int
    /// The row, 0 in the north.
    public var row: Int

    /// Makes an address; a column beyond the antimeridian is brought back into the world.
    public init(zoom: Int, column: Int, row: Int) {
        self.zoom = zoom
        self.column = column & ((1 << zoom) &- 1)
        self.row = row
    }

    /// The row as TMS and MBTiles count it, 0 in the south.
    public var tmsRow: Int { (1 << zoom) &- 1 &- row }

    /// Whether there is such a tile in the world.
    package var isInWorld: Bool {
        0...30 ~= zoom && 0..<1 << zoom ~= column && 0..<1 << zoom ~= row
    }

    /// The row under a scheme. This is the only place where rows are flipped.
    public func row(in scheme: TileScheme) -> Int {
        switch scheme {
        case .xyz: row
        case .tms: tmsRow
        }
    }

    /// The address in Bing Maps' form: a digit per zoom from the top, 0 NW, 1 NE, 2 SW, 3 SE.
    public var quadkey: String {
        var key = ""
        for bit in stride(from: zoom - 1, through: 0, by: -1) {
            key.append(String((column >> bit & 1) | (row >> bit & 1) << 1))
        }
        return key
    }
}

extension TileCoordinate: Comparable {
    /// By zoom, then row, then column: the order of a page that is read.
    public static func < (left: TileCoordinate, right: TileCoordinate) -> Bool {
        (left.zoom, left.row, left.column) < (right.zoom, right.row, right.column)
    }
}

extension TileCoordinate: CustomStringConvertible {
    /// The address as it is usually written, `z/x/y`.
    public var description: String { "\(zoom)/\(column)/\(row)" }
}

/// How the rows of a tile matrix are counted.
public enum TileScheme: String, CaseIterable, Sendable {
    /// Row 0 in the north, as Google Maps, OpenStreetMap and most clients count.
    case xyz
    /// Row 0 in the south, as the OSGeo Tile Map Service and MBTiles count.
    case tms
}
