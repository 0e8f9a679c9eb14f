import Platform

/// A KML file, or a KMZ that holds one, for its GroundOverlays.
package struct KMLFile {
    private let path: String
    private let elements: [XMLElement]

    /// Reads a file, whatever its name says.
    ///
    /// - Throws: a `Failure` that names the file.
    package init(contentsOf path: String) throws {
        self.path = path
        elements = try KMLFile.naming(path) {
            let bytes =
                try ZIPArchive.isArchive(path) ? KMLFile.document(inKMZ: path) : InputFile.xml(of: path)
            return try XMLDocument.parse(bytes).descendants("GroundOverlay")
        }
    }

    /// The overlay that is meant for an image: the only one, or the only one that shows a file of its
    /// name.
    ///
    /// - Parameter image: the path of the image.
    /// - Throws: a `Failure` of kind `badInput` that lists the overlays, if it is not clear.
    package func overlay(for image: String) throws -> GroundOverlay {
        try KMLFile.naming(path) {
            guard !elements.isEmpty else {
                throw Failure(
                    .badInput, "it has no GroundOverlay",
                    remedy: "in Google Earth, save the image overlay itself, not a place mark")
            }
            if elements.count == 1 { return try GroundOverlay(elements[0]) }
            let overlays = elements.compactMap { try? GroundOverlay($0) }
            let name = image.splitPath.name
            let same = overlays.filter { $0.imageName == name }
            if same.count == 1 { return same[0] }
            throw ambiguous(same.isEmpty ? overlays : same, name)
        }
    }

    private func ambiguous(_ overlays: [GroundOverlay], _ name: String) -> Failure {
        let titles = overlays.prefix(5).map { "'\($0.title.shortened)'" }.joined(separator: ", ")
        return Failure(
            .badInput,
            "it has \(elements.count) overlays, and it is not clear which one shows '\(name)': "
                + titles + (overlays.count > 5 ? ", …" : ""),
            remedy: "save the one overlay as a file of its own")
    }

    private static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as Failure where failure.kind == .badInput {
            throw failure.inAttempt("use '\(path)'")
        }
    }

    private static func document(inKMZ path: String) throws -> [UInt8] {
        let archive = try ZIPArchive(path: path)
        guard let document = archive.document else { throw Failure(.badInput, "there is no .kml file in it") }
        return try archive.content(of: document)
    }
}

extension ZIPArchive {
    /// Whether a file begins as one.
    static func isArchive(_ path: String) throws -> Bool {
        try InputFile.head(of: path, count: 4) == [0x50, 0x4B, 3, 4]
    }

    /// The main document of a KMZ: Google Earth's own is `doc.kml`; else the first one counts, those in folders
    /// last. Nil if there is none.
    var document: Entry? {
        let documents = entries.filter { $0.name.lowercased().hasSuffix(".kml") }
        return documents.first { $0.name.lowercased() == "doc.kml" }
            ?? documents.first { !$0.name.contains("/") } ?? documents.first
    }
}
