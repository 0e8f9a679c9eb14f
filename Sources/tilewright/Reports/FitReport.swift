import Georeferencing
import Tiling

/// How well control points agree, for programs. What is not known is null, and no member is left out.
struct FitReport: Encodable {
    /// A control point that takes part.
    struct Point: Encodable {
        /// What messages call it.
        var name: String
        /// Column and row from the top-left corner of the image as its points see it.
        var pixel: [Double]
        /// Longitude and latitude in degrees.
        var place: [Double]
        /// How far the fit misses it on the image.
        @Nullable var pixels: Double?
        /// How far the fit misses it on the ground, in metres.
        @Nullable var metres: Double?
        /// How far a fit of all others misses it on the ground, in metres.
        @Nullable var leftOut: Double?
    }

    /// Roots of the means of the squares.
    struct Means: Encodable {
        /// Of the misses on the image.
        @Nullable var pixels: Double?
        /// Of the misses on the ground, in metres.
        @Nullable var metres: Double?
        /// Of the misses of points that were left out, in metres.
        @Nullable var leftOut: Double?
    }

    /// The family of transforms.
    var transform: String
    /// The points.
    var points: [Point]
    /// The means over the points.
    var rms: Means
    /// The name of the point that is probably wrong.
    @Nullable var suspect: String?
    /// A pixel's width on the ground as a multiple of its height, at the image's middle.
    @Nullable var square: Double?

    init(_ fit: ControlPointFit) {
        transform = fit.model.rawValue
        points = fit.residuals.map(Point.init)
        rms = Means(
            pixels: fit.rmsPixels.ifFinite, metres: fit.rmsMetres.ifFinite,
            leftOut: fit.rmsLeftOutMetres?.ifFinite)
        suspect = fit.suspect?.point.name
        square = fit.pixelRatio.ifFinite
    }
}

extension FitReport.Point {
    fileprivate init(_ residual: Residual) {
        let point = residual.point
        self.init(
            name: point.name, pixel: [point.pixel.x, point.pixel.y],
            place: [point.lonLat.x, point.lonLat.y],
            pixels: residual.miss.pixels.ifFinite, metres: residual.miss.metres.ifFinite,
            leftOut: residual.leftOut?.metres.ifFinite)
    }
}

extension Double {
    /// JSON has no number for anything else.
    fileprivate var ifFinite: Double? { isFinite ? self : nil }
}

/// A member that is written as `null` if it is nil, where an optional one would be missing.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue {
            try container.encode(wrappedValue)
        } else {
            try container.encodeNil()
        }
    }
}
