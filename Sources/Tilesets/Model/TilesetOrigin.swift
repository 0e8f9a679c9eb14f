import Platform

/// The job and the images that a tileset was made from, as far as known.
package struct TilesetOrigin: Hashable, Sendable {
    /// The hash of the source bytes, options and version: tilesets of the same job have the same tiles.
    package var job: ContentHash?
    /// The images, in the order in which they were given; empty if unknown.
    package var images: [SourceImage]

    /// Makes an origin; by default, everything is unknown.
    package init(job: ContentHash? = nil, images: [SourceImage] = []) {
        self.job = job
        self.images = images
    }
}

/// An image that a tileset was made from: the name of its file, without the folder, and the page.
package struct SourceImage: Hashable, Sendable {
    /// The file's name.
    package let name: String
    /// The page of the file, counted from 1.
    package let page: Int

    /// Makes the image of a path.
    package init(path: String, page: Int = 1) {
        name = path.fileName
        self.page = page
    }
}

extension SourceImage {
    /// The name under which an archive lists the images that it was made from.
    package static let member = "images"
    /// The text before the number of a later page, as in addresses of PDF (RFC 8118, section 3).
    private static let pageMark = "#page="

    /// The image as one ASCII word: letters, digits and `-._~` are kept, all else is percent-encoded;
    /// `#page=` and the number follow for a later page. It has no comma, space or line feed, so that it can
    /// be part of a list.
    package var text: String {
        let text = TilesetMetadata.escaped(name, keeping: ["-", ".", "_", "~"])
        return page == 1 ? text : text + Self.pageMark + String(page)
    }

    /// Parses the format of `text`.
    ///
    /// - Returns: nil if the text has another format.
    package init?(text: some StringProtocol) {
        let end = text.firstIndex(of: "#") ?? text.endIndex
        name = TilesetMetadata.unescaped(text[..<end])
        page = Int(text[end...].dropFirst(Self.pageMark.count)) ?? 1
        guard !name.isEmpty, page > 0, self.text == text else { return nil }
    }
}

extension TilesetMetadata {
    /// The inverse of `escaped`.
    package static func unescaped(_ url: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(url).utf8
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.count == 2, let escaped = UInt8(digits, radix: 16) {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Percent-encodes all but ASCII letters, digits and some marks; by default, what a URL's path cannot
    /// contain (RFC 3986, section 3.3). The braces of the client's placeholders stay. A colon is encoded,
    /// since it could end a URL's scheme.
    package static func escaped(_ text: String, keeping marks: Set<Character> = pathMarks) -> String {
        var url = ""
        for byte in text.utf8 {
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80,
                character.isLetter || character.isNumber || marks.contains(character)
            {
                url.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                url += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return url
    }

    /// The marks that a URL's path can contain.
    package static let pathMarks: Set<Character> = Set("-._~!$&'()*+,;=@/{}")
}

extension SourceImage: CustomStringConvertible {
    /// The image in messages: `'plan.png'`, `page 2 of 'plan.pdf'`.
    package var description: String { page == 1 ? "'\(name)'" : "page \(page) of '\(name)'" }
}

extension TilesetOptions {
    /// Refuses to replace a tileset of other images, unless the options allow it. The two count as the same
    /// tileset if the images of either are unknown, or if they share an image.
    ///
    /// - Parameters:
    ///   - old: the images of the tileset in OUTPUT.
    ///   - place: that tileset, such as `'tiles'`.
    ///   - wayOut: an alternative to --force.
    /// - Throws: `.outputRefused`.
    func checkReplacement(of old: [SourceImage], place: String, wayOut: String) throws(Failure) {
        let new = origin.images
        guard !force, !replacesOthers, !old.isEmpty, !new.isEmpty, Set(old).isDisjoint(with: new) else {
            return
        }
        let shown = old.prefix(3).map(\.description)
        let more = old.count - shown.count
        let names = (more > 0 ? shown + ["\(more) more"] : shown).listed("and")
        throw Failure(.outputRefused, "\(place) was made from \(names): \(wayOut), or --force")
    }
}
