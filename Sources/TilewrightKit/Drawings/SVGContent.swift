import Platform
import Publishing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An SVG with the pictures that it links to, in one file: a renderer reads only one.
///
/// Only pictures in the document's folder or below it are included, and none behind a symbolic link. All
/// other references are left out, with a warning.
struct SVGContent {
    /// The document with its pictures in it; nil if it links to no pictures.
    let copy: ReadableScratchFile?
    /// The files of the pictures.
    let pictures: [String]
    /// The references that are left out, a line each.
    let warnings: [String]

    /// In bytes: the largest document that is searched, the largest picture, and all pictures together.
    private static let (largestDocument, largestPicture, most) = (256 << 20, 256 << 20, 1 << 30)

    /// Reads a document and the pictures that it links to.
    ///
    /// - Parameters:
    ///   - path: an SVG; a compressed SVG is not searched.
    ///   - scratch: the folder of the copy; nil if only the names of pictures are needed.
    /// - Throws: a `Failure` if the document or a picture cannot be read.
    init(of path: String, scratch: String?) throws {
        guard InputFile.isRegular(path), InputFile.size(of: path) <= Self.largestDocument else {
            (copy, pictures, warnings) = (nil, [], [])
            return
        }
        let bytes = try InputFile.bytes(of: path, atMost: Self.largestDocument)
        let folder = path.parentDirectory
        var (parts, next): ([[UInt8]], Int) = ([], 0)
        var (found, missing, sum): ([String], [String], Int) = ([], [], 0)
        for link in SVGLinks(bytes).all {
            guard let place = link.place, let name = Self.name(link.address),
                let directory = Self.directory(of: name, in: folder)
            else {
                missing.append(Self.warning(link, in: path))
                continue
            }
            found.append(folder.path(of: name))
            if scratch == nil { continue }
            let picture = try Self.picture(name, in: directory)
            sum += picture.count
            guard sum <= Self.most else {
                throw Failure(
                    .badInput, cannot: "read '\(path)'", "the pictures it links to are larger than 1 GiB")
            }
            parts += [Array(bytes[next..<place.lowerBound]), Self.dataAddress(of: picture)]
            next = place.upperBound
        }
        pictures = found
        warnings = missing.uniqued
        copy =
            try parts.isEmpty ? nil : scratch.map { try Self.file(parts + [Array(bytes[next...])], in: $0) }
    }

    /// The name of a file below the folder; nil for an address that leads elsewhere.
    private static func name(_ address: String) -> ContainedPath? {
        let path = address.hasPrefix("./") ? String(address.dropFirst(2)) : address
        guard RemoteAddress(path) == nil, !path.contains("#") else { return nil }
        return ContainedPath(TilesetMetadata.unescaped(path))
    }

    /// The directory of a picture; nil if there is no such file.
    private static func directory(of name: ContainedPath, in folder: String) -> Directory? {
        guard let directory = try? Directory.open(folder)?.parent(of: name), let last = name.components.last,
            let status = try? directory.status(of: last), status.kind == .file
        else { return nil }
        return directory
    }

    private static func picture(_ name: ContainedPath, in directory: Directory) throws -> [UInt8] {
        let last = name.components.last.unwrapped("a path has a name")
        return try Failure.ofInput {
            guard let bytes = try directory.readFile(last, most: largestPicture) else {
                throw InputFile.unreadable(directory.path(of: last), SystemError(code: ENOENT))
            }
            return bytes
        }
    }

    /// A picture as a data URL (RFC 2397).
    private static func dataAddress(of picture: [UInt8]) -> [UInt8] {
        let types: [(front: [UInt8], type: String)] = [
            ([0x89, 0x50, 0x4E, 0x47], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
            (Array("GIF8".utf8), "image/gif"), (Array("RIFF".utf8), "image/webp"),
        ]
        let type = types.first { picture.starts(with: $0.front) }?.type ?? "image/svg+xml"
        return Array("data:\(type);base64,\(Data(picture).base64EncodedString())".utf8)
    }

    /// A scratch file that holds some bytes, part by part.
    static func file(_ parts: [[UInt8]], in folder: String) throws -> ReadableScratchFile {
        do {
            let file = try ReadableScratchFile(in: folder)
            try file.fill(length: parts.reduce(0) { $0 + $1.count }) { memory in
                var place = 0
                for part in parts {
                    UnsafeMutableRawBufferPointer(rebasing: memory[place..<place + part.count])
                        .copyBytes(from: part)
                    place += part.count
                }
            }
            return file
        } catch let error as SystemError { throw error.failure("write a scratch file into '\(folder)'") }
    }

    private static func warning(_ link: SVGLinks.Link, in path: String) -> String {
        let name = link.address.excerpt(60)
        return switch link.kind {
        case .picture:
            "'\(path)' shows '\(name)', which is not a file in its folder or below it: the picture is left out"
        case .styles: "'\(path)' takes styles from '\(name)', which is not read: put them into the document"
        case .shape: "'\(path)' uses '\(name)', which is not read: put the shape into the document"
        }
    }
}

/// The links of an SVG to other files.
///
/// Tags are found by the syntax of XML, without resolving anything. In a document that is not valid XML,
/// whatever looks like a link counts. Compressed text, and text in other encodings than UTF-8, has no links.
struct SVGLinks {
    /// A reference of an element to another file.
    struct Link: Hashable {
        /// The kind of the referenced content.
        enum Kind { case picture, styles, shape }
        /// The kind of the referenced content.
        var kind: Kind
        /// The address, without entities.
        var address: String
        /// The place of the address in the file, between its quotes; nil if the address cannot be replaced by
        /// the file's contents.
        var place: Range<Int>?
    }

    /// The links, in the order of the file.
    private(set) var all: [Link] = []

    private let bytes: [UInt8]

    /// Finds the links of a document.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var place = 0
        while let start = find("<", from: place) { place = read(at: start) }
    }

    /// Reads the tag or other part that a `<` begins; returns the end of that part.
    private mutating func read(at start: Int) -> Int {
        if matches("<!--", at: start) { return end(of: "-->", from: start + 4) }
        if matches("<![CDATA[", at: start) { return end(of: "]]>", from: start + 9) }
        if matches("<?xml-stylesheet", at: start) {
            let end = end(of: "?>", from: start)
            for (name, value) in attributes(from: start + 16, to: end) where name == "href" {
                add(.styles, value)
            }
            return end
        }
        if matches("<!", at: start) || matches("<?", at: start) || matches("</", at: start) {
            return end(of: ">", from: start)
        }
        let nameEnd =
            bytes[(start + 1)...].firstIndex { Self.isBlank($0) || "/>".utf8.contains($0) } ?? bytes.count
        let element = local(text(start + 1..<nameEnd))
        let end = endOfTag(from: nameEnd)
        let kind: Link.Kind? =
            switch element {
            case "image", "feImage": .picture
            case "use": .shape
            default: nil
            }
        if let kind {
            for (name, value) in attributes(from: nameEnd, to: end) where local(name) == "href" {
                add(kind, value)
            }
        }
        if element == "style", bytes[end - 1] == UInt8(ascii: ">") { addImports(from: end) }
        return end
    }

    /// Adds an address, unless it is in the document itself.
    private mutating func add(_ kind: Link.Kind, _ value: Range<Int>) {
        let address = String(Self.unescaped(text(value))[...].trimmed)
        if address.isEmpty || address.hasPrefix("#") || address.lowercased().hasPrefix("data:") { return }
        all.append(Link(kind: kind, address: address, place: kind == .picture ? value : nil))
    }

    private mutating func addImports(from start: Int) {
        let end = find("</", from: start) ?? bytes.count
        var place = start
        while let found = find("@import", from: place), found < end {
            place = found + 7
            let rest = text(place..<min(end, place + 1024)).prefix { $0 != ";" }
            let address = rest.replacing("url(", with: "").filter { !"\"'() \n\r\t".contains($0) }
            if !address.isEmpty { all.append(Link(kind: .styles, address: address)) }
        }
    }

    /// Names and the places of values, between quotes.
    private func attributes(from start: Int, to end: Int) -> [(name: String, value: Range<Int>)] {
        var result: [(String, Range<Int>)] = []
        var place = start
        while let equals = bytes[place..<end].firstIndex(of: UInt8(ascii: "=")) {
            let name = String(text(place..<equals)[...].trimmed)
            guard let open = bytes[(equals + 1)..<end].firstIndex(where: { !Self.isBlank($0) }),
                [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[open]),
                let close = bytes[(open + 1)..<end].firstIndex(of: bytes[open])
            else { break }
            result.append((name, open + 1..<close))
            place = close + 1
        }
        return result
    }

    /// The place after the `>` of a tag; a `>` between quotes does not count.
    private func endOfTag(from start: Int) -> Int {
        var quote: UInt8?
        for place in start..<bytes.count {
            let byte = bytes[place]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return place + 1
            }
        }
        return bytes.count
    }

    private func find(_ text: String, from start: Int) -> Int? {
        let text = Array(text.utf8)
        var place = start
        while place + text.count <= bytes.count,
            let found = bytes[place...(bytes.count - text.count)].firstIndex(of: text[0])
        {
            if bytes[found..<found + text.count].elementsEqual(text) { return found }
            place = found + 1
        }
        return nil
    }

    private func end(of text: String, from start: Int) -> Int {
        find(text, from: start).map { $0 + text.utf8.count } ?? bytes.count
    }

    private func matches(_ text: String, at place: Int) -> Bool { bytes[place...].starts(with: text.utf8) }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func local(_ name: String) -> String { name.split(separator: ":").last.map(String.init) ?? name }

    private static func isBlank(_ byte: UInt8) -> Bool { " \n\r\t".utf8.contains(byte) }

    /// The predefined entities of XML.
    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
