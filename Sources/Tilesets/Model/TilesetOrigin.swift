import Platform

/// The job and the images that a tileset was made of, as far as they are known.
package struct TilesetOrigin: Hashable, Sendable {
    /// Source bytes, options and version: tilesets of one job have the same tiles.
    package var job: ContentHash?
    /// The images, in the order in which they were given; empty if they are unknown.
    package var images: [SourceImage]

    /// Makes an origin; by default nothing is known.
    package init(job: ContentHash? = nil, images: [SourceImage] = []) {
        self.job = job
        self.images = images
    }
}

/// An image that a tileset was made of: the name of its file, without its folder, and the page.
package struct SourceImage: Hashable, Sendable {
    /// The file's name.
    package let name: String
    /// The page of the file, counted from 1.
    package let page: Int

    /// Names the image of a path.
    package init(path: String, page: Int = 1) {
        name = path.fileName
        self.page = page
    }
}

extension SourceImage {
    /// The name under which an archive lists the images that it was made of.
    package static let member = "images"
    /// The mark before a page that is not the first, as in addresses of PDF (RFC 8118, section 3).
    private static let pageMark = "#page="

    /// One word of ASCII: letters, digits and `-._~` as they are, all else percent-encoded; for a later page
    /// `#page=` and its number follow. It has no comma, space or line feed, so that words can be in lists.
    package var text: String {
        var text = ""
        for byte in name.utf8 {
            if Self.isPlain(byte) {
                text.unicodeScalars.append(UnicodeScalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.utf8.count < 2 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return page == 1 ? text : text + Self.pageMark + String(page)
    }

    /// Reads what `text` wrote.
    ///
    /// - Returns: nil if it is something else.
    package init?(text: some StringProtocol) {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.first, byte != UInt8(ascii: "#") {
            rest.removeFirst()
            if byte == UInt8(ascii: "%") {
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, let decoded = UInt8(digits, radix: 16) else { return nil }
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                guard Self.isPlain(byte) else { return nil }
                bytes.append(byte)
            }
        }
        guard let name = String(validating: bytes, as: UTF8.self), !name.isEmpty else { return nil }
        self.name = name
        if rest.isEmpty {
            page = 1
        } else {
            let mark = String(Substring(rest))
            guard mark.hasPrefix(Self.pageMark), let page = Int(mark.dropFirst(Self.pageMark.count)),
                page > 1
            else { return nil }
            self.page = page
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }
}

extension SourceImage: CustomStringConvertible {
    /// As messages name it: `'plan.png'`, `page 2 of 'plan.pdf'`.
    package var description: String { page == 1 ? "'\(name)'" : "page \(page) of '\(name)'" }
}

extension [SourceImage] {
    /// Refuses to replace a tileset that was made of these images by one of others. If the images of either
    /// are unknown, or one image is in both, they count as the same tileset.
    ///
    /// - Parameters:
    ///   - place: the tileset in OUTPUT, as `'tiles'`.
    ///   - wayOut: an alternative to --force.
    /// - Throws: `.outputRefused`.
    func checkReplacement(by new: [SourceImage], of place: String, wayOut: String) throws(Failure) {
        guard !isEmpty, !new.isEmpty, Set(self).isDisjoint(with: new) else { return }
        let shown = prefix(3).map(\.description)
        let more = count - shown.count
        let names = (more > 0 ? shown + ["\(more) more"] : shown).listed("and")
        throw Failure(.outputRefused, "\(place) was made from \(names): \(wayOut), or --force")
    }
}
