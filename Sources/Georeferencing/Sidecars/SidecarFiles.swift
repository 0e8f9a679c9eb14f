package import Platform

extension InputFile {
    /// The largest text file that is read; hundreds of thousands of control points fit. If lines or fields
    /// are empty, parsing takes up to 50 bytes per byte.
    private static let largestText = 8 << 20
    /// The largest XML file that is read: larger than GDAL's file for an image, unless it has an attribute
    /// table, and than a KML file of overlays. Parsing takes up to 30 bytes per byte.
    static let largestXML = 16 << 20

    /// The text of a small file next to an image, in UTF-8 or with a byte order mark; invalid bytes become
    /// replacement characters.
    package static func text(of path: String) throws -> String {
        String(decoding: TextEncoding.utf8(try bytes(of: path, atMost: largestText)), as: UTF8.self)
    }

    /// The bytes of an XML file.
    static func xml(of path: String) throws -> [UInt8] {
        try bytes(of: path, atMost: largestXML)
    }
}

extension Failure {
    /// The failure for an unusable reference system of a file: the user can name it instead.
    static func unclearSystem(_ message: String) -> Failure {
        Failure(.badInput, message, remedy: "name the system of its coordinates: --crs EPSG:n")
    }

    /// Calls `body`, and adds the attempt to failures, except if they already name a missing file.
    static func naming<Result>(_ attempt: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let failure as Failure
            where failure.kind == .badInput || failure.attempt == nil
        {
            throw failure.inAttempt(attempt)
        }
    }
}

/// A file next to an image with a position in a format that is not read, and how to convert it.
package enum UnreadNeighbour {
    /// Advice on the first such file that exists; nil if there is none.
    ///
    /// - Parameters:
    ///   - image: the path of the image.
    ///   - hasRPC: whether the image's own tags hold rational polynomials, as those of satellite images do.
    package static func advice(on image: String, hasRPC: Bool) -> String? {
        let stem = image.splitExtension.stem
        let (word, tiff) = (ShellWord.quoted(image), ShellWord.quoted("\(stem)-placed.tif"))
        let found = kinds.lazy.compactMap { kind in
            kind.endings.lazy.map { stem + $0 }.first { InputFile.isRegular($0) }.map { ($0, kind) }
        }.first
        if let (path, kind) = found {
            return "'\(path)' is \(kind.name): " + kind.way(word, ShellWord.quoted(path), tiff)
        }
        return hasRPC ? "its tags are rational polynomials (RPC): " + warp(word, tiff) : nil
    }

    private struct Kind: Sendable {
        var endings: [String]
        var name: String
        /// The advice for the image, the file and a new TIFF.
        var way: @Sendable (_ image: String, _ file: String, _ tiff: String) -> String
    }

    private static let kinds = [
        Kind(endings: [".tab", ".TAB", ".Tab"], name: "a MapInfo file") { image, _, tiff in
            "gdal_translate \(image) \(tiff) writes its position into a TIFF"
        },
        Kind(endings: [".map", ".MAP"], name: "an OziExplorer file") { _, file, tiff in
            "gdal_translate \(file) \(tiff) writes its position into a TIFF"
        },
        Kind(endings: [".gcp", ".GCP"], name: "a list of control points") { _, file, _ in
            "add --gcps \(file), and --crs EPSG:n if they are not degrees"
        },
        Kind(endings: [".kml", ".KML"], name: "a KML file") { _, file, _ in "add --kml \(file)" },
        Kind(
            endings: ["_RPC.TXT", "_rpc.txt", ".RPB", ".rpb"], name: "a list of rational polynomials (RPC)"
        ) { image, _, tiff in warp(image, tiff) },
    ]

    private static func warp(_ image: String, _ tiff: String) -> String {
        "gdalwarp -rpc -t_srs EPSG:3857 \(image) \(tiff) uses them to make a georeferenced image"
    }
}
