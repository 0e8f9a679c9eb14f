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

    /// Parses the format of `text`.
    ///
    /// - Returns: nil if the text has another format.
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
    /// The image in messages: `'plan.png'`, `page 2 of 'plan.pdf'`.
    package var description: String { page == 1 ? "'\(name)'" : "page \(page) of '\(name)'" }
}

extension [SourceImage] {
    /// Refuses to replace a tileset of these images with a tileset of other images. The two count as the same
    /// tileset if the images of either are unknown, or if they share an image.
    ///
    /// - Parameters:
    ///   - place: the tileset in OUTPUT, such as `'tiles'`.
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
