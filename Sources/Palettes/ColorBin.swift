/// The pixels of a small box of colours: how many they are, and their exact sums. Sums that come from a file may be
/// those of no pixels; they wrap where they go beyond a number.
struct ColorBin {
    /// Pixels.
    var count: UInt64 = 0
    /// Of their premultiplied channels.
    var red: UInt64 = 0
    var green: UInt64 = 0
    var blue: UInt64 = 0
    /// Of their alpha.
    var alpha: UInt64 = 0

    /// Boxes of opaque colours, which have 6 bits per channel.
    static let opaqueBoxes = 1 << 18
    /// All boxes. Boxes of translucent colours come last, with 4 bits per channel and 4 of alpha.
    static let boxes = opaqueBoxes + (1 << 16)

    /// Which box a colour is in.
    static func box(of color: RGBA) -> Int {
        let shift = color.alpha == 255 ? 2 : 4
        let bits = 8 - shift
        let channels =
            ((color.red >> shift) << bits | color.green >> shift) << bits | color.blue >> shift
        return shift == 2 ? channels : opaqueBoxes + (channels << bits | color.alpha >> shift)
    }

    /// Takes in pixels of a colour of the box.
    mutating func add(_ color: RGBA, count added: UInt64) {
        let alpha = color.alpha
        count += added
        red += UInt64(color.red.premultiplied(by: alpha)) * added
        green += UInt64(color.green.premultiplied(by: alpha)) * added
        blue += UInt64(color.blue.premultiplied(by: alpha)) * added
        self.alpha += UInt64(alpha) * added
    }

    /// Takes pixels out that were taken in.
    mutating func remove(_ color: RGBA, count removed: UInt64) {
        let alpha = color.alpha
        count &-= removed
        red &-= UInt64(color.red.premultiplied(by: alpha)) &* removed
        green &-= UInt64(color.green.premultiplied(by: alpha)) &* removed
        blue &-= UInt64(color.blue.premultiplied(by: alpha)) &* removed
        self.alpha &-= UInt64(alpha) &* removed
    }

    /// Takes in the pixels of another bin of the same box.
    mutating func add(_ other: ColorBin) {
        count &+= other.count
        red &+= other.red
        green &+= other.green
        blue &+= other.blue
        alpha &+= other.alpha
    }
}
