import Platform
public import Tiling

/// A point of an image whose place on the Earth is known.
public struct ControlPoint: Hashable, Codable, Sendable {
    /// The point on the image, in pixels from its top-left corner.
    public var pixel: Point
    /// Its place, longitude and latitude in degrees on WGS 84.
    public var lonLat: Point
    /// How messages call it: `line 4`, or its numbers as they were typed.
    public var name: String
    /// Whether it takes part in fits.
    public var isEnabled: Bool

    /// Makes a control point.
    public init(pixel: Point, lonLat: Point, name: String, isEnabled: Bool = true) {
        self.pixel = pixel
        self.lonLat = lonLat
        self.name = name
        self.isEnabled = isEnabled
    }

    /// Reads `COL,ROW,LON,LAT`, as on a command line.
    ///
    /// - Throws: a `Failure` of kind `usage` that quotes the text.
    public init(parsing text: String) throws {
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = fields.compactMap { Double($0.filter { !$0.isWhitespace }) }
        guard fields.count == 4, numbers.count == 4, numbers.allSatisfy(\.isFinite) else {
            throw Failure(
                .usage, "'\(text.shortened)' is not a control point",
                remedy: "write COL,ROW,LON,LAT, in decimal degrees: 120.5,80,8.5417,47.3769")
        }
        let lonLat = Point(x: numbers[2], y: numbers[3])
        try Georeference.checkPlace(lonLat, of: "control point '\(text)'")
        self.init(pixel: Point(x: numbers[0], y: numbers[1]), lonLat: lonLat, name: text)
    }
}
