/// What a file says that its colours are, and what becomes of them.
package struct ColorProfile: Hashable, Sendable {
    /// What is done with the colours.
    package enum Treatment: String, Sendable {
        /// They are sRGB, to a 255th: nothing is done.
        case isSRGB = "sRGB"
        /// They become sRGB.
        case converted
        /// Their numbers are taken as sRGB, since somebody wished it.
        case kept
    }

    /// The profile's own name, or words for the numbers that stand in its place.
    package var description: String
    /// What is done with the colours.
    package var treatment: Treatment

    /// Makes a description.
    package init(description: String, treatment: Treatment) {
        self.description = description
        self.treatment = treatment
    }
}
