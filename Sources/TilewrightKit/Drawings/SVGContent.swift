import Platform
import Publishing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
/// An SVG with the pictures that it links to: a renderer reads one file, and no other.
///
/// A picture counts if it is a file in the document's folder or below it, and no symbolic link leads to it. What else the
/// document refers to is left out, with a warning.
struct SVGContent {
    /// The document with its pictures in it; nil if it is all in its own file.
    let copy: ReadableScratchFile?
    /// The files of the pictures.
    let pictures: [String]
    /// What is left out, a line each.
    let warnings: [String]

    /// The largest document that is searched, the largest picture, and the most bytes of all.
    private static let (largestDocument, largestPicture, most) = (256 << 20, 256 << 20, 1 << 30)

    /// Reads a document, and the pictures that it links to.
    ///
    /// - Parameters:
    ///   - path: an SVG; a compressed one is taken as it is.
    ///   - scratch: the folder of the copy; nil if only the pictures' names are asked for.
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
                    .badInput, cannot: "read '\(path)'", "the pictures that it links to have more than 1 GiB")
            }
            parts += [Array(bytes[next..<place.lowerBound]), Self.dataAddress(of: picture)]
            next = place.upperBound
        }
        pictures = found
        var seen: Set<String> = []
        warnings = missing.filter { seen.insert($0).inserted }
        copy =
            try parts.isEmpty ? nil : scratch.map { try Self.file(parts + [Array(bytes[next...])], in: $0) }
    }

    /// The name of a file below the folder; nil of an address that leads elsewhere.
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
                throw InputFile.unreadable(directory.path(of: last), ENOENT)
            }
            return bytes
        }
    }

    /// A picture as the address of itself (RFC 2397).
    private static func dataAddress(of picture: [UInt8]) -> [UInt8] {
        let types: [(front: [UInt8], type: String)] = [
            ([0x89, 0x50, 0x4E, 0x47], "image/png"), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
            (Array("GIF8".utf8), "image/gif"), (Array("RIFF".utf8), "image/webp"),
        ]
        let type = types.first { picture.starts(with: $0.front) }?.type ?? "image/svg+xml"
        return Array("data:\(type);base64,\(Data(picture).base64EncodedString())".utf8)
    }

    /// A scratch file of some parts.
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
            "'\(path)' shows '\(name)', which is no file in its folder or below it: the picture is left out"
        case .styles: "'\(path)' takes styles from '\(name)', which is not read: put them into the document"
        case .shape: "'\(path)' uses '\(name)', which is not read: put the shape into the document"
        }
    }
}
