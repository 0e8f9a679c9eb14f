/// An opaque colour.
struct Ink: Hashable, Sendable {
    /// Red, green and blue.
    let red, green, blue: UInt8

    /// Paper, and what sets marks off from the plan.
    static let white = Ink(red: 255, green: 255, blue: 255)
    /// Text.
    static let black = Ink(red: 33, green: 33, blue: 33)
    /// Lines that only lead the eye.
    static let gray = Ink(red: 150, green: 150, blue: 150)
    /// Marks: Okabe and Ito's blue, which people of any colour vision tell from vermilion.
    static let blue = Ink(red: 0, green: 90, blue: 181)
    /// What is probably wrong: their vermilion.
    static let vermilion = Ink(red: 213, green: 60, blue: 0)
}
