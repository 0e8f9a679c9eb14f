/// A colour that stands for no data, and how far a pixel may be from it.
public struct NodataColor: Hashable, Sendable {
    /// Red, green and blue.
    public var channels: [UInt8]
    /// The largest difference in any channel that still counts as the colour.
    public var tolerance: Int

    /// Makes a colour of three channels.
    public init(red: UInt8, green: UInt8, blue: UInt8, tolerance: Int) {
        channels = [red, green, blue]
        self.tolerance = tolerance
    }
}
