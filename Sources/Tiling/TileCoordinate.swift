/// The address of a tile: zoom, column from the west, row from the north (XYZ).
public struct TileCoordinate: Hashable, Sendable {
    /// The zoom, 0 to 30: the world is `2^zoom` tiles wide and tall.
    public var zoom: Int
    /// The column, 0 in the west.
    public var column: Int
    /// The row, 0 in the north.
    public var row: Int

    /// Makes an address; a column beyond the antimeridian is wrapped into the world.
    public init(zoom: Int, column: Int, row: Int) {
        self.zoom = zoom
        self.column = column & ((1 << zoom) &- 1)
        self.row = row
    }

    /// The row as TMS and MBTiles count it, 0 in the south.
    public var tmsRow: Int { (1 << zoom) &- 1 &- row }

    /// Makes an address whose row is counted by a scheme.
    package init(zoom: Int, column: Int, row: Int, in scheme: TileScheme) {
        let tile = TileCoordinate(zoom: zoom, column: column, row: row)
        // Flipping is its own inverse.
        self.init(zoom: zoom, column: column, row: tile.row(in: scheme))
    }

    /// Whether the address is valid.
    package var isInWorld: Bool {
        0...30 ~= zoom && 0..<1 << zoom ~= column && 0..<1 << zoom ~= row
    }

    /// The row in a scheme.
    public func row(in scheme: TileScheme) -> Int {
        switch scheme {
        case .xyz: row
        case .tms: tmsRow
        }
    }

    /// The address as in Bing Maps: a digit for each zoom from the top, 0 NW, 1 NE, 2 SW, 3 SE.
    public var quadkey: String {
        var key = ""
        for bit in stride(from: zoom - 1, through: 0, by: -1) {
            key.append(String((column >> bit & 1) | (row >> bit & 1) << 1))
        }
        return key
    }
}

extension TileCoordinate: Comparable {
    /// Orders by zoom, then row, then column, like text on a page.
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

/// The part of a tile matrix that a tileset fills: a rectangle of columns and rows, ends included.
///
/// A tileset across the antimeridian has two rectangles at a zoom.
public struct TileRange: Hashable, Codable, Sendable {
    /// The zoom.
    public var zoom: Int
    /// First to last column, counted from the west.
    public var columns: ClosedRange<Int>
    /// First to last row, counted from the north (XYZ).
    public var rows: ClosedRange<Int>

    /// Makes limits from their ranges.
    public init(zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        (self.zoom, self.columns, self.rows) = (zoom, columns, rows)
    }
}

extension TileRange {
    /// The limits of one tile; its column may be beyond the antimeridian.
    package init(zoom: Int, column: Int, row: Int) {
        self.init(zoom: zoom, columns: column...column, rows: row...row)
    }

    /// Extends the rectangle to include a tile.
    package mutating func extend(toColumn column: Int, row: Int) {
        columns = columns.extended(to: column)
        rows = rows.extended(to: row)
    }

    /// The limits of columns that may go beyond the antimeridian: one rectangle, or two if they do.
    package static func wrapping(
        zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>
    ) -> [TileRange] {
        let edge = 1 << zoom
        func limits(_ columns: ClosedRange<Int>) -> TileRange {
            TileRange(zoom: zoom, columns: columns, rows: rows)
        }
        if columns.count >= edge { return [limits(0...edge - 1)] }
        let west = TileCoordinate(zoom: zoom, column: columns.lowerBound, row: 0).column
        let east = TileCoordinate(zoom: zoom, column: columns.upperBound, row: 0).column
        return west <= east ? [limits(west...east)] : [limits(west...edge - 1), limits(0...east)]
    }
}

extension ClosedRange<Int> {
    /// The range extended to include a number.
    func extended(to number: Int) -> ClosedRange<Int> {
        Swift.min(lowerBound, number)...Swift.max(upperBound, number)
    }
}

/// Finds the columns and rows that the tiles of each zoom fill, from tiles counted one by one.
package struct TilesByZoom: Sendable {
    private struct Zoom {
        var limits: TileRange
        /// The columns of the eastern half of the world, and of the western.
        var halves: [ClosedRange<Int>?] = [nil, nil]
    }

    private var zooms: [Int: Zoom] = [:]

    /// Starts with no tiles.
    package init() {}

    /// Counts a tile.
    package mutating func count(_ tile: TileCoordinate) {
        let (column, row) = (tile.column, tile.row)
        let single = TileRange(zoom: tile.zoom, column: column, row: row)
        var zoom = zooms[tile.zoom] ?? Zoom(limits: single)
        zoom.limits.extend(toColumn: column, row: row)
        let half = column < (1 << tile.zoom) / 2 ? 1 : 0
        zoom.halves[half] = zoom.halves[half]?.extended(to: column) ?? column...column
        zooms[tile.zoom] = zoom
    }

    /// The tiles that exist, per zoom from the lowest. A zoom has two entries if a gap wider than half the
    /// world shows that the tiles cross the antimeridian.
    package var limits: [TileRange] {
        zooms.sorted { $0.key < $1.key }.flatMap { zoom, tiles in
            let edge = 1 << zoom
            if let east = tiles.halves[0], let west = tiles.halves[1],
                east.lowerBound - west.upperBound > edge / 2, east.upperBound == edge - 1,
                west.lowerBound == 0
            {
                return [east, west].map {
                    TileRange(zoom: zoom, columns: $0, rows: tiles.limits.rows)
                }
            }
            return [tiles.limits]
        }
    }
}

extension RandomAccessCollection {
    /// The first index at which a condition holds in a sorted collection, or its end: a binary search.
    ///
    /// - Parameter holds: false for some first elements, and true for all elements after them.
    package func sortedFirstIndex(where holds: (Element) throws -> Bool) rethrows -> Index {
        var (start, count) = (startIndex, count)
        while count > 0 {
            let half = count / 2
            let middle = index(start, offsetBy: half)
            if try holds(self[middle]) {
                count = half
            } else {
                start = index(after: middle)
                count -= half + 1
            }
        }
        return start
    }
}

/// A tile as bytes of an image file, and its address.
public struct EncodedTile: Hashable, Sendable {
    /// The tile's address.
    public var coordinate: TileCoordinate
    /// The bytes of an image file.
    public var bytes: [UInt8]

    /// Makes an encoded tile.
    public init(coordinate: TileCoordinate, bytes: [UInt8]) {
        self.coordinate = coordinate
        self.bytes = bytes
    }
}

/// A destination of encoded tiles: a tree of files or an archive.
///
/// A sink has one owner, which writes tiles one after another, each address at most once, and then calls
/// `finish` of the concrete type.
package protocol TileSink {
    /// The tiles that an interrupted run of the same job left here: they need not be encoded again.
    var staged: Set<TileCoordinate> { get }

    /// Writes a tile.
    mutating func write(_ tile: EncodedTile) throws

    /// Keeps the packed deep pixels of a tile, for builds that make lower zooms from them later.
    mutating func keep(_ pixels: EncodedTile) throws
}

extension TileSink {
    /// Only builds that keep pixels call it.
    package mutating func keep(_ pixels: EncodedTile) { preconditionFailure("this sink takes only tiles") }
}

/// The file type of a tileset's tiles.
public enum TileFormat: String, CaseIterable, Codable, Sendable {
    /// PNG, lossless.
    case png
    /// JPEG, opaque.
    case jpeg
    /// WebP, lossy or lossless.
    case webp
    /// JPEG for opaque tiles and PNG for others, with the same extension.
    case auto

    /// The extension of the tiles' names, without a dot. It is `jpg` for JPEG, since mb-util and PMTiles know
    /// only this.
    public var fileExtension: String {
        switch self {
        case .png, .auto: "png"
        case .jpeg: "jpg"
        case .webp: "webp"
        }
    }

    /// The media types of the tiles; that of the extension is first.
    public var mediaTypes: [String] {
        switch self {
        case .png: ["image/png"]
        case .jpeg: ["image/jpeg"]
        case .webp: ["image/webp"]
        case .auto: ["image/png", "image/jpeg"]
        }
    }
}

extension TileFormat {
    /// Recognises a file type by its first bytes; nil if they are not those of a tile's file type.
    ///
    /// The signatures are those of the PNG specification (5.2), of JFIF (SOI and the first byte of the next
    /// marker) and of WebP's container (RIFF, four bytes of length, WEBP).
    package init?(signatureOf bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }

    /// The file types in a tileset of this format.
    package var members: Set<TileFormat> { self == .auto ? [.png, .jpeg] : [self] }

    /// The format of a tileset with tiles of several types, or nil if there is no such format.
    package init?(holding types: Set<TileFormat>) {
        let format = Self.allCases.first { types.isSubset(of: $0.members) }
        guard let format, !types.isEmpty else { return nil }
        self = format
    }
}
