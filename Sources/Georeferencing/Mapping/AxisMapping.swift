import Tiling

/// One axis of an image as a function of one axis of Web Mercator.
package struct AxisMapping: Hashable, Sendable {
    /// What the pixels are proportional to.
    package enum Kind: Hashable, Sendable {
        /// Mercator metres.
        case linear
        /// The latitude in degrees of the Mercator metres.
        case latitude
    }

    /// What the pixels are proportional to.
    package let kind: Kind
    /// Pixels per metre or per degree; negative if the axis runs west or south.
    package let scale: Double
    /// The pixel coordinate at zero metres or degrees.
    package let offset: Double

    /// Makes a mapping.
    package init(_ kind: Kind, scale: Double, offset: Double) {
        self.kind = kind
        self.scale = scale
        self.offset = offset
    }

    /// The pixel coordinate, counted from the image's edge, at a distance in metres from the
    /// origin of Web Mercator.
    package func callAsFunction(_ metres: Double) -> Double {
        switch kind {
        case .linear: scale * metres + offset
        case .latitude: scale * WebMercator.latitude(metres: metres) + offset
        }
    }
}
