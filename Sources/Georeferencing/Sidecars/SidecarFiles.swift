package import Platform

extension InputFile {
    /// Larger files are none of the kinds read here: hundreds of thousands of control points fit.
    /// A byte can cost 50 when it is parsed, if lines or fields are empty.
    private static let largestText = 8 << 20
    /// A larger XML file than GDAL's for an image, unless that has a table of attributes, or than a
    /// KML file for its overlays. A byte can cost 30.
    static let largestXML = 16 << 20

    /// The text of a small file beside an image, in UTF-8 or with a byte order mark; bytes that make no sense become
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
    /// What is wrong with a reference system that a file describes: the user names it instead.
    static func unclearSystem(_ message: String) -> Failure {
        Failure(.badInput, message, remedy: "name the system of its coordinates: --crs EPSG:n")
    }

    /// Does something, and says in failures what was tried, unless they say already which file is not there.
    static func naming<Result>(_ attempt: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let failure as Failure
            where failure.kind == .badInput || failure.attempt == nil
        {
            throw failure.inAttempt(attempt)
        }
    }
}

/// A file next to an image that says where it lies, and that is not read: what makes something readable of
/// it.
package enum UnreadNeighbour {
    /// A sentence about the first one that is there; nil if there is none.
    ///
    /// - Parameters:
    ///   - image: the path of the image.
    ///   - hasRPC: whether the image's own tags hold rational polynomials, as satellites' do.
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
        /// What to do with the image, the file and a new TIFF.
        var way: @Sendable (_ image: String, _ file: String, _ tiff: String) -> String
    }

    private static let kinds = [
        Kind(endings: [".tab", ".TAB", ".Tab"], name: "MapInfo's") { image, _, tiff in
            "gdal_translate \(image) \(tiff) writes what it says into a TIFF"
        },
        Kind(endings: [".map", ".MAP"], name: "OziExplorer's") { _, file, tiff in
            "gdal_translate \(file) \(tiff) writes what it says into a TIFF"
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
        "gdalwarp -rpc -t_srs EPSG:3857 \(image) \(tiff) makes an image of them that has a position"
    }
}
