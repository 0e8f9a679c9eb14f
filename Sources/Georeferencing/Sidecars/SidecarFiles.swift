package import Platform
package import Tiling

/// A world file: six numbers that place the centres of an image's pixels in a CRS that it does not name.
package struct WorldFile: Hashable, Sendable {
    /// From pixels, counted from the image's top-left corner, to coordinates.
    package let pixelToCRS: AffineTransform

    /// Makes the world file of a transform.
    package init(pixelToCRS: AffineTransform) {
        self.pixelToCRS = pixelToCRS
    }

    /// Reads the lines A, D, B, E, C, F. C and F are the centre of the first pixel.
    ///
    /// - Parameters:
    ///   - text: the file's content; any line ends and empty lines are fine.
    ///   - path: the file's name for messages.
    package init(parsing text: String, path: String) throws {
        pixelToCRS = try Failure.naming("use the world file '\(path)'") {
            let numbers = try WorldFile.numbers(in: text)
            let centred = AffineTransform(
                a: numbers[0], b: numbers[2], c: numbers[4], d: numbers[1], e: numbers[3], f: numbers[5])
            guard centred.determinant.isNormal else {
                throw Failure(.badInput, "its first four numbers squeeze the image into a line")
            }
            return .translation(x: -0.5, y: -0.5).followed(by: centred)
        }
    }

    /// Reads a world file.
    package init(contentsOf path: String) throws {
        try self.init(parsing: InputFile.text(of: path), path: path)
    }

    /// The file's content: six lines.
    package var text: String {
        let centred = AffineTransform.translation(x: 0.5, y: 0.5).followed(by: pixelToCRS)
        return [centred.a, centred.d, centred.b, centred.e, centred.c, centred.f]
            .map { "\($0)\n" }.joined()
    }

    private static func numbers(in text: String) throws -> [Double] {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count == 6 else {
            throw Failure(
                .badInput, "it holds \(fields.count) values instead of six",
                remedy:
                    "it needs six lines: pixel width, two rotation terms, negative pixel height, and "
                    + "x and y of the first pixel's centre")
        }
        return try fields.map { field in
            guard let number = Double(field), number.isFinite else {
                throw Failure(
                    .badInput, "'\(String(field).shortened)' is not a number",
                    remedy: field.contains(",") ? "write decimals with a dot" : nil)
            }
            return number
        }
    }
}

extension WorldFile {
    /// The names of world files next to an image, the usual name first: `plan.pgw`, `plan.pngw`, `plan.pgwx`
    /// of ArcGIS, `plan.wld` and `plan.png.wld` for `plan.png`, with the extension in lower and in upper
    /// case.
    package static func candidates(nextTo image: String) -> [String] {
        let (stem, fileExtension) = image.splitExtension
        var endings: [String] = []
        if let first = fileExtension.first, let last = fileExtension.last {
            endings = ["\(first)\(last)w", "\(fileExtension)w", "\(first)\(last)wx"]
        }
        let names = (endings + ["wld"]).map { (stem, $0) } + [(image, "wld")]
        return names.flatMap { ["\($0).\($1.lowercased())", "\($0).\($1.uppercased())"] }
    }

    /// The world file next to an image; nil if there is none.
    ///
    /// - Throws: `.missingInput` if it is not a regular file.
    package static func find(nextTo image: String) throws -> String? {
        try InputFile.first(of: candidates(nextTo: image))
    }

    /// The `.prj` file of a world file or an image; nil if there is none.
    ///
    /// - Throws: `.missingInput` if it is not a regular file.
    package static func findProjection(nextTo path: String) throws -> String? {
        let stem = path.splitExtension.stem
        return try InputFile.first(of: ["\(stem).prj", "\(stem).PRJ"])
    }
}

extension Georeference {
    /// The georeference that a world file gives an image.
    ///
    /// - Parameters:
    ///   - path: the world file.
    ///   - crs: the system of its numbers; nil for the `.prj` file next to it.
    /// - Throws: a `Failure` of kind `badInput` if there is neither: the system is never guessed.
    package static func worldFile(at path: String, crs: CRS?) throws -> Georeference {
        let worldFile = try WorldFile(contentsOf: path)
        return Georeference(
            crs: try crs ?? projection(of: path), pixelToCRS: .affine(worldFile.pixelToCRS))
    }

    private static func projection(of path: String) throws -> CRS {
        guard let projection = try WorldFile.findProjection(nextTo: path) else {
            throw Failure(
                .badInput,
                cannot: "use the world file '\(path)'",
                "it does not say in which coordinate reference system its numbers are",
                remedy:
                    "add --crs EPSG:3857 if they are Web Mercator metres, --crs EPSG:4326 if they "
                    + "are degrees, or put a .prj file next to it")
        }
        return try CRS(contentsOf: projection)
    }
}

extension CRS {
    /// Reads a `.prj` file.
    package init(contentsOf path: String) throws {
        self = try Failure.naming("use '\(path)'") {
            try CRS(InputFile.text(of: path), failure: .badInput)
        }
    }
}

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
