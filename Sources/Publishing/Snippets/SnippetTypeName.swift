package import Platform

/// The name of a snippet's main type.
package enum SnippetTypeName {
    /// Words that begin with a capital letter and have a meaning of their own in one of the languages.
    private static let reserved: Set<String> = ["Any", "Class", "Protocol", "Self", "Type"]

    /// Refuses what is not a name of a type in all of the languages.
    ///
    /// - Throws: `.usage`.
    package static func check(_ name: String) throws(Failure) {
        let isName =
            name.first.map { ("A"..."Z").contains($0) } == true
            && name.unicodeScalars.allSatisfy { isLetter($0) || isDigit($0) || $0 == "_" }
        if isName, !reserved.contains(name) { return }
        throw Failure(
            .usage, "'\(name)' is no name of a type",
            remedy: "a name has letters from A to Z and digits, and begins with a capital: HarbourMall")
    }

    /// The name for a floor's tiles: `Floor1Tiles`, or `PlanTiles` without a floor. Snippets of several
    /// floors can be used together.
    static func ofTileset(floor: String?) -> String {
        guard let floor else { return "PlanTiles" }
        return "Floor\(floor.unicodeScalars.map { spelled($0) ?? "_" }.joined())Tiles"
    }

    /// The name for a building's floors: `HarbourMallFloors`. What is not a letter or a digit ends a word.
    package static func ofBuilding(_ name: String) -> String {
        let words = name.unicodeScalars.split { spelled($0) == nil }.map { word in
            let letters = word.compactMap(spelled).joined()
            return letters.prefix(1).uppercased() + letters.dropFirst()
        }
        let text = words.joined()
        let isStart = text.unicodeScalars.first.map(isLetter) == true
        return (isStart ? "" : "Building") + text + "Floors"
    }

    /// A character as a part of a name, beyond ASCII by its number; nil for signs.
    private static func spelled(_ scalar: Unicode.Scalar) -> String? {
        if !scalar.isASCII { return "u" + String(scalar.value, radix: 16) }
        return isLetter(scalar) || isDigit(scalar) ? String(scalar) : nil
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.properties.isAlphabetic
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}
