import Tiling

extension TilesetMetadata {
    /// The template as a URL: absolute where the base is known, else relative to the document.
    var address: String {
        guard var base = baseURL else { return Self.escaped(template) }
        if !base.hasSuffix("/") { base += "/" }
        return base + Self.escaped(template)
    }

    /// Percent-encodes what cannot stand in a URL's path (RFC 3986, section 3.3). The braces of the
    /// client's placeholders stay; a colon does not, since it could end a URL's scheme.
    private static func escaped(_ template: String) -> String {
        var url = ""
        for byte in template.utf8 {
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80,
                character.isLetter || character.isNumber || pathMarks.contains(character)
            {
                url.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                url += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return url
    }

    private static let pathMarks: Set<Character> = Set("-._~!$&'()*+,;=@/{}")
}
