import Platform

/// What a tileset was made of, as far as that is known: what its tiles show does not tell it.
package struct TilesetOrigin: Hashable, Sendable {
    /// Source bytes, options and version: tilesets of one job have the same tiles.
    package var job: ContentHash?
    /// The images, in the order in which they were given; empty if nobody says.
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
    /// Under which name an archive says which images it was made of.
    package static let member = "images"
    /// What stands before a page that is not the first, as in addresses of PDF (RFC 8118, section 3).
    private static let pageMark = "#page="

    /// One word of ASCII: letters, digits and `-._~` as they are, all else percent-encoded; for a later
    /// page `#page=` and its number follow. A comma, a blank or a line feed is not in it, so that words can
    /// stand in lists.
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

/// A tileset that would take the place of another one: nobody wants that if it shows something else.
struct Replacement {
    /// The images that the tileset in OUTPUT was made of.
    let old: [SourceImage]
    /// The images of this run.
    let new: [SourceImage]

    /// Whether it is known of both, and no image is one of both.
    private var isOfOthers: Bool {
        !old.isEmpty && !new.isEmpty && Set(old).isDisjoint(with: new)
    }

    /// Refuses a tileset that was made of other images.
    ///
    /// - Parameters:
    ///   - place: the tileset in OUTPUT, as `'tiles'`.
    ///   - wayOut: what else to do than to force it.
    /// - Throws: `.outputRefused`.
    func check(_ place: String, wayOut: String) throws(Failure) {
        guard isOfOthers else { return }
        throw Failure(
            .outputRefused, "\(place) was made from \(oldNames): \(wayOut), or --force")
    }

    /// The images, at most three by their names.
    private var oldNames: String {
        let shown = 3
        let names = old.prefix(shown).map(\.description)
        let more = old.count - names.count
        return (more > 0 ? names + ["\(more) more"] : names).listed("and")
    }
}
