extension String {
    /// The text on one line, and not too long for a message.
    ///
    /// - Parameters:
    ///   - most: how many Unicode scalars it may have.
    ///   - ending: how many of its last ones are kept of a longer one.
    package func excerpt(_ most: Int = 40, ending: Int = 0) -> String {
        guard unicodeScalars.count > most else { return String(Substring(self).unicodeScalars.onOneLine) }
        return String(unicodeScalars.prefix(most - ending).onOneLine) + "..."
            + String(unicodeScalars.suffix(ending).onOneLine)
    }
}

extension Substring.UnicodeScalarView {
    fileprivate var onOneLine: String.UnicodeScalarView {
        var scalars = String.UnicodeScalarView()
        for scalar in self {
            scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return scalars
    }
}
