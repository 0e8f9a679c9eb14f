package import Platform

/// The GroundOverlays of a KML file, or of a KMZ that contains one.
package struct KMLFile {
    private let path: String
    private let elements: [XMLElement]

    /// Reads a file, whatever its extension.
    ///
    /// - Throws: a `Failure` that names the file.
    package init(contentsOf path: String) throws {
        self.path = path
        elements = try Failure.naming("use '\(path)'") {
            let root =
                try ZIPArchive.isArchive(path)
                ? ZIPArchive(path: path).parsedDocument().root : XMLDocument.parse(InputFile.xml(of: path))
            return root.descendants("GroundOverlay")
        }
    }

    /// The overlay for an image: the only one, or the only one whose image has the same file name.
    ///
    /// - Parameter image: the path of the image.
    /// - Throws: a `Failure` of kind `badInput` that lists the overlays if several are possible.
    package func overlay(for image: String) throws -> GroundOverlay {
        try Failure.naming("use '\(path)'") {
            if elements.isEmpty { throw Self.noOverlay }
            if elements.count == 1 { return try GroundOverlay(elements[0]) }
            let overlays = elements.compactMap { try? GroundOverlay($0) }
            let name = image.splitPath.name
            let same = overlays.filter { $0.imageName == name }
            if same.count == 1 { return same[0] }
            throw ambiguous(same.isEmpty ? overlays : same, name)
        }
    }

    private func ambiguous(_ overlays: [GroundOverlay], _ name: String) -> Failure {
        let titles = overlays.map { "'\($0.title.shortened)'" }.firstFive
        return Failure(
            .badInput,
            "it has \(elements.count) overlays, but it is not clear which one shows '\(name)': \(titles)",
            remedy: "save that overlay alone in a file")
    }

    fileprivate static let noOverlay = Failure(
        .badInput, "it has no GroundOverlay",
        remedy: "in Google Earth, save the image overlay itself, not a place mark")
}

extension ZIPArchive {
    /// Whether a file begins like a ZIP archive.
    static func isArchive(_ path: String) throws -> Bool {
        try InputFile.head(of: path, count: 4) == [0x50, 0x4B, 3, 4]
    }

    /// The main document of a KMZ: `doc.kml`, as Google Earth names it, or else the first document, those in
    /// folders last. Nil if there is none.
    var document: Entry? {
        let documents = entries.filter { $0.name.lowercased().hasSuffix(".kml") }
        return documents.first { $0.name.lowercased() == "doc.kml" }
            ?? documents.first { !$0.name.contains("/") } ?? documents.first
    }

    /// Reads the main document of a KMZ: its outermost element, and its name.
    func parsedDocument() throws -> (root: XMLElement, name: String) {
        guard let document else { throw Failure(.badInput, "it contains no .kml file") }
        return (try XMLDocument.parse(content(of: document)), document.name)
    }
}

/// A KMZ as an image with a position: an archive with a KML document whose ground overlays show images of the
/// same archive. Their colour, opacity and drawing order are ignored.
package struct KMZFile: Sendable {
    /// A ground overlay.
    package struct Overlay: Sendable {
        /// The address of its image as in the document.
        package let image: String
        /// Its position, or what is wrong with it.
        package let position: Result<GroundOverlay, Failure>
    }

    /// The overlays in the order of the document, at least one.
    package let overlays: [Overlay]

    private let path: String
    /// The folder of the document; addresses are relative to it.
    private let folder: [Substring]

    /// Whether a file is a KMZ, and not another kind of file or archive.
    ///
    /// - Throws: a `Failure` if a file with the extension of a KMZ is damaged, or contains no document.
    package static func isKMZ(_ path: String) throws -> Bool {
        guard InputFile.isRegular(path), try ZIPArchive.isArchive(path) else { return false }
        do {
            if try ZIPArchive(path: path).document != nil { return true }
        } catch let failure as Failure {
            if failure.isOfSystem { throw failure }
            guard path.hasEnding(".kmz") else { return false }
            throw failure.inAttempt("read '\(path)'")
        }
        return false
    }

    /// Reads the document.
    ///
    /// - Throws: a `Failure` that names the file.
    package init(contentsOf path: String) throws {
        self.path = path
        (overlays, folder) = try Failure.naming("read '\(path)'") {
            let (root, name) = try ZIPArchive(path: path).parsedDocument()
            return (
                try Self.overlays(in: root),
                name.split(separator: "/", omittingEmptySubsequences: false).dropLast().map(\.self)
            )
        }
    }

    private static func overlays(in root: XMLElement) throws -> [Overlay] {
        let elements = root.descendants("GroundOverlay")
        let links = root.descendants("NetworkLink")
        // Links of a superoverlay name a region of the Earth; other links do not lead to pictures.
        if links.contains(where: { $0["Region"] != nil }) || elements.isEmpty && !links.isEmpty {
            throw Failure(
                .badInput, "it is a superoverlay: its pictures are in documents that it links to",
                remedy: "convert it to one image: gdal_translate -of GTiff overlay.kmz overlay.tif")
        }
        if elements.isEmpty { throw KMLFile.noOverlay }
        return elements.map { element in
            let position: Result<GroundOverlay, Failure>
            do { position = .success(try GroundOverlay(element)) } catch let failure as Failure {
                position = .failure(failure)
            } catch { position = .failure(Failure(.badInput, "its GroundOverlay cannot be read")) }
            return Overlay(image: GroundOverlay.image(of: element), position: position)
        }
    }

    /// One of the overlays.
    ///
    /// - Parameter number: counted from 1; nil for the only one.
    /// - Throws: a `Failure` of kind `badInput` that lists the overlays if there are several and none is
    ///   chosen.
    package func overlay(_ number: Int?) throws -> Overlay {
        if number == nil, overlays.count > 1 {
            let list = overlays.map { "'\($0.image.shortened)'" }.firstFive
            throw Failure(
                .badInput, cannot: "read '\(path)'", "it has \(overlays.count) overlays: \(list)",
                remedy: "choose one with --page: 1 is the first")
        }
        guard overlays.indices.contains((number ?? 1) - 1) else {
            let count = overlays.count == 1 ? "one overlay" : "\(overlays.count) overlays"
            throw Failure(
                .badInput, cannot: "read page \(number ?? 1) of '\(path)'", "it has \(count)",
                remedy: overlays.count == 1 ? "leave --page out" : "ask for one of them with --page")
        }
        return overlays[(number ?? 1) - 1]
    }

    /// The position of one of the overlays.
    ///
    /// - Throws: a `Failure` that names the file.
    package func position(_ number: Int?) throws -> GroundOverlay {
        let overlay = try overlay(number)
        return try Failure.naming("read '\(path)'") { try overlay.position.get() }
    }

    /// Copies the image of one of the overlays out of the archive.
    ///
    /// - Parameter directory: the folder of the copy, which is removed with its last owner.
    /// - Returns: the name of the image, and the copy.
    /// - Throws: a `Failure` that names the file.
    package func copyImage(
        _ number: Int?, into directory: String
    ) throws -> (name: String, copy: ReadableScratchFile) {
        let overlay = try overlay(number)
        return try Failure.naming("read '\(path)'") {
            let archive = try ZIPArchive(path: path)
            let names = try [overlay.image, overlay.image.decodingPercents].map(name)
            let (entries, spelled) = (archive.entries.filter { !$0.name.hasSuffix("/") }, names[0])
            let entry =
                names.lazy.compactMap { name in entries.first { $0.path == name } }.first
                ?? names.lazy.compactMap { name in
                    entries.first { $0.path.lowercased() == name.lowercased() }
                }.first
            guard let entry else {
                throw Failure(.badInput, "its image '\(spelled.shortened)' is not in the archive")
            }
            do { return (entry.name.shortened, try archive.copy(entry, into: directory)) } catch let error
                as SystemError
            {
                throw Failure(
                    Failure.Kind(ofWriting: error.code),
                    "it cannot be unpacked in '\(directory)': \(error.text)",
                    remedy: "name a folder with more room, --tmpdir FOLDER")
            }
        }
    }

    /// The path of an image in the archive. Addresses are relative to the document's folder, and never lead
    /// out of the archive.
    private func name(of address: String) throws -> String {
        let parts = address.replacing("\\", with: "/").split(separator: "/", omittingEmptySubsequences: false)
        if address.isEmpty { throw Failure(.badInput, "its overlay has no image") }
        if address.contains("://") || address.hasPrefix("//") {
            throw Failure(
                .badInput, "its image is not in the archive but at '\(address.shortened)'",
                remedy:
                    "nothing is downloaded: save the image, and build it with --kml \(ShellWord.quoted(path))"
            )
        }
        // A Windows drive, or a scheme without slashes.
        if parts[0].isEmpty || parts[0].contains(":") { throw Self.outside(address) }
        var all = folder
        for part in parts where part != "." && !part.isEmpty {
            if part != ".." {
                all.append(part)
            } else if all.popLast() == nil {
                throw Self.outside(address)
            }
        }
        return all.joined(separator: "/")
    }

    private static func outside(_ address: String) -> Failure {
        Failure(.badInput, "its image '\(address.shortened)' is outside the archive")
    }
}

extension ZIPArchive.Entry {
    /// Its path without empty parts and `.`; some programs write backslashes.
    fileprivate var path: String {
        name.replacing("\\", with: "/").split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
