/// An opaque colour of 8 bits per channel, in sRGB.
public struct RGBColor: Hashable, Codable, Sendable {
    /// Red.
    public var red: UInt8
    /// Green.
    public var green: UInt8
    /// Blue.
    public var blue: UInt8

    /// Makes a colour.
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Pure white, the default background of JPEG tiles.
    public static let white = RGBColor(red: 255, green: 255, blue: 255)

    /// The colour as it is written in web pages: `#ffffff`.
    package var hex: String {
        let digits = Array("0123456789abcdef")
        return "#" + String([red, green, blue].flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
