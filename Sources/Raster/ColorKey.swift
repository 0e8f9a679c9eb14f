/// A colour in sRGB, and how much a pixel may differ from it: no data, or the sheet that a drawing is on.
public struct ColorKey: Hashable, Codable, Sendable {
    /// Red, green and blue.
    public var channels: [UInt8]
    /// The largest difference in any channel that still counts as the colour: the noise of a scan.
    public var tolerance: Int

    /// Makes a colour of three channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, tolerance: Int = 0) {
        channels = [red, green, blue]
        self.tolerance = tolerance
    }
}
