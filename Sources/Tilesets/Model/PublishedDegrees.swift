/// An angle as it is published: a whole number of 1e-7 degrees, 11 mm on the equator, which is also
/// the unit of PMTiles. Text and bytes made of it agree, and no exponent gets into the text.
package struct PublishedDegrees: Hashable, Comparable, Sendable {
    /// Units in a degree.
    private static let unitsPerDegree = 10_000_000
    /// What is taken for an error of the arithmetic before it, in units: 0.01 mm.
    private static let noise = 1e-3

    /// The angle in units of 1e-7 degrees.
    package var units: Int

    /// The angle in degrees.
    package var degrees: Double { Double(units) / Double(Self.unitsPerDegree) }

    /// Takes units.
    package init(units: Int) { self.units = units }

    /// Whole degrees.
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
        // The leading 1 keeps the zeros behind the point.
        var fraction = String(rest + UInt(Self.unitsPerDegree)).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        let sign = units < 0 ? "-" : ""
        return fraction.isEmpty ? "\(sign)\(whole)" : "\(sign)\(whole).\(fraction)"
    }
}
