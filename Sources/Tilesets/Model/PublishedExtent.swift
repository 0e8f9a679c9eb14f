import Tiling

/// The extent of a tileset, in the form that its documents and the headers of archives share.
///
/// The bounds contain those of the tileset, with less than 1e-7 degrees to spare on each side. They are never
/// empty, since clients draw nothing if they are.
package struct PublishedExtent: Hashable, Sendable {
    private static let halfTurn = PublishedDegrees(whole: 180)

    /// West, south, east, north.
    package let bounds: [PublishedDegrees]
    /// Longitude and latitude of the middle, inside the bounds.
    package let center: [PublishedDegrees]
    /// The lowest and the highest zoom with a tile, or nil if there is none.
    package let zooms: ClosedRange<Int>?
    /// The zoom for a first look, or nil if there is no tile.
    package let centerZoom: Int?

    /// Derives the extent of a tileset.
    package init(of metadata: TilesetMetadata) {
        let box = metadata.bounds
        var longitudes = Self.widened(box.minX, box.maxX)
        let latitudes = Self.widened(box.minY, box.maxY)
        let middle = Self.wrapped(Self.middle(longitudes))
        if longitudes.lowerBound < PublishedDegrees(whole: -180)
            || longitudes.upperBound > Self.halfTurn
        {
            longitudes = PublishedDegrees(whole: -180)...Self.halfTurn
        }
        bounds = [
            longitudes.lowerBound, latitudes.lowerBound, longitudes.upperBound,
            latitudes.upperBound,
        ]
        center = [middle, Self.middle(latitudes)]
        zooms = metadata.limits.zooms
        centerZoom = Self.centerZoom(metadata)
    }

    /// The shortest interval of whole units that contains two angles; at least one unit long.
    private static func widened(_ low: Double, _ high: Double) -> ClosedRange<PublishedDegrees> {
        var low = PublishedDegrees(roundingDown: low)
        let high = PublishedDegrees(roundingUp: high)
        if low >= high { low = PublishedDegrees(units: high.units - 1) }
        return low...high
    }

    private static func middle(_ interval: ClosedRange<PublishedDegrees>) -> PublishedDegrees {
        PublishedDegrees(units: (interval.lowerBound.units + interval.upperBound.units) / 2)
    }

    /// Wraps a longitude beyond the antimeridian to between -180 and 180.
    private static func wrapped(_ longitude: PublishedDegrees) -> PublishedDegrees {
        let turn = 2 * halfTurn.units
        let turns = floorDivide(longitude.units + halfTurn.units, turn)
        return PublishedDegrees(units: longitude.units - turns * turn)
    }

    /// The highest zoom at which the tileset fits into 1024 x 1024 pixels, or else its lowest zoom.
    private static func centerZoom(_ metadata: TilesetMetadata) -> Int? {
        let zooms = Dictionary(grouping: metadata.limits, by: \.zoom)
        let fitting = zooms.filter { _, limits in
            let columns = limits.map(\.columns.count).reduce(0, +)
            let rows = limits.map(\.rows.count).reduce(0, max)
            return max(columns, rows) * metadata.tileSize <= 1024
        }
        return fitting.keys.max() ?? zooms.keys.min()
    }
}

extension [TileRange] {
    /// The lowest and the highest zoom; nil if there is none.
    package var zooms: ClosedRange<Int>? {
        let zooms = map(\.zoom)
        return zooms.min().flatMap { lowest in zooms.max().map { lowest...$0 } }
    }
}

/// An angle as it is published: a whole number of 1e-7 degrees, 11 mm on the equator, which is also the unit
/// of PMTiles. So text and bytes agree, and the text has no exponent.
package struct PublishedDegrees: Hashable, Comparable, Sendable {
    /// Units in a degree.
    private static let unitsPerDegree = 10_000_000
    /// The tolerance for rounding errors of earlier arithmetic, in units: 0.01 mm.
    private static let noise = 1e-3

    /// The angle in units of 1e-7 degrees.
    package var units: Int

    /// The angle in degrees.
    package var degrees: Double { Double(units) / Double(Self.unitsPerDegree) }

    /// Makes an angle from units.
    package init(units: Int) { self.units = units }

    /// Makes an angle from whole degrees.
    package init(whole degrees: Int) { units = degrees * Self.unitsPerDegree }

    /// The nearest value that is not above an angle.
    package init(roundingDown degrees: Double) {
        units = Int((degrees * Double(Self.unitsPerDegree) + Self.noise).rounded(.down))
    }

    /// The nearest value that is not below an angle.
    package init(roundingUp degrees: Double) {
        units = Int((degrees * Double(Self.unitsPerDegree) - Self.noise).rounded(.up))
    }

    /// Whether an angle is less than another.
    package static func < (left: PublishedDegrees, right: PublishedDegrees) -> Bool {
        left.units < right.units
    }
}

extension PublishedDegrees: CustomStringConvertible {
    /// The shortest decimal fraction of the value, such as `-0.13` or `51`.
    package var description: String {
        let (whole, rest) = units.magnitude.quotientAndRemainder(
            dividingBy: UInt(Self.unitsPerDegree))
        // The leading 1 keeps the zeros after the point.
        var fraction = String(rest + UInt(Self.unitsPerDegree)).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        let sign = units < 0 ? "-" : ""
        return fraction.isEmpty ? "\(sign)\(whole)" : "\(sign)\(whole).\(fraction)"
    }
}
