/// How many pixels an image has to the inch of its paper.
package struct Resolution: Hashable, Sendable {
    /// Columns per inch.
    package let across: Double
    /// Rows per inch.
    package let down: Double

    /// Metres in an inch.
    package static let metresPerInch = 0.0254

    /// Describes a resolution in pixels per inch; nil if a number is not positive.
    package init?(across: Double, down: Double) {
        guard across > 0, down > 0, across.isFinite, down.isFinite else { return nil }
        (self.across, self.down) = (across, down)
    }
}
