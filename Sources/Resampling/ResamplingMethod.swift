/// How pixels are made from the pixels of a finer or turned image.
public enum ResamplingMethod: String, CaseIterable, Codable, Sendable {
    /// The pixel under the centre; makes no new colours.
    case nearest
    /// A tent of one pixel to either side.
    case bilinear
    /// The Catmull-Rom spline, which is Keys' cubic with a = -1/2.
    case cubic
    /// A sinc windowed by a sinc, three lobes to either side.
    case lanczos
    /// The exact average of what the pixel covers.
    case area
    /// The most frequent of what the pixel covers; makes no new colours.
    case mode

    /// Whether results are whole pixels of the source, never mixtures.
    public var copiesPixels: Bool { self == .nearest || self == .mode }
}
