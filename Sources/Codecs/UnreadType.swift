import Platform

/// A type of file that contains plans but is not supported: its name, how to recognise it, and how to convert
/// it.
struct UnreadType: Sendable {
    /// The type's name, as it follows "it is".
    let name: String
    /// The page format, if this is a document that has to be rendered; taken from the file's name if its
    /// first bytes do not show it.
    let pages: (@Sendable (_ path: String) -> PageFormat?)?
    private let fits: @Sendable (_ head: [UInt8]) -> Bool
    private let way: @Sendable (_ file: FileNames) -> String

    private init(
        _ name: String, pages: (@Sendable (String) -> PageFormat?)? = nil,
        _ fits: @escaping @Sendable ([UInt8]) -> Bool, way: @escaping @Sendable (FileNames) -> String
    ) {
        (self.name, self.pages, self.fits, self.way) = (name, pages, fits, way)
    }

    /// The first type that fits a file's first bytes, `head`.
    init?(head: [UInt8]) {
        guard let type = Self.all.first(where: { $0.fits(head) }) else { return nil }
        self = type
    }

    /// The error for a file of this type, which may have been copied from an archive.
    func failure(of image: ImageReference) -> Failure {
        Failure(
            .badInput, cannot: "read \(image.isCopy ? image.title : "'\(image.path)'")",
            "it is \(name), not a \(ImageFormats.names("or"))",
            remedy: image.isCopy
                ? "unpack the archive, and convert the image"
                : "'\(image.path)' is \(name): \(way(FileNames(path: image.path)))")
    }

    /// A file and the files that it may be converted to, as words of a shell.
    private struct FileNames {
        let path: String

        var file: String { ShellWord.quoted(path) }
        var stem: String { ShellWord.quoted(ShellWord.stem(of: path)) }
        var png: String { with(".png") }
        var tiff: String { with(".tif") }

        func with(_ ending: String) -> String { ShellWord.quoted(ShellWord.stem(of: path) + ending) }
    }

    /// A more specific type comes before a more general one.
    private static let all = [
        // PDF readers accept other bytes before the signature, up to offset 1024.
        UnreadType("a PDF", pages: { _ in .pdf }, { $0.prefix(1024).has("%PDF-") }) {
            "render it first: pdftoppm -r 300 -png \($0.file) \($0.stem)"
        },
        UnreadType(
            "an SVG drawing", pages: { _ in .svg },
            { (FileHead.isMarkup($0) ? $0[...] : $0.prefix(1024)).has("<svg") }
        ) { "render it first: rsvg-convert -w 8000 -o \($0.png) \($0.file)" },
        // The second signature is that of a file that also contains a preview picture.
        UnreadType(
            "a PostScript, EPS or Illustrator drawing",
            { $0.begins("%!PS") || $0.starts(with: [0xC5, 0xD0, 0xD3, 0xC6]) }
        ) { "make it a PDF first: ps2pdf -dEPSCrop \($0.file) \($0.with(".pdf"))" },
        UnreadType(
            "a DWG drawing", pages: { _ in .dwg },
            { $0.begins("AC10") && $0.count > 5 && $0[4].isDigit }, way: toPDF),
        UnreadType(
            "a DXF drawing", pages: { _ in .dxf }, { $0.begins("AutoCAD Binary DXF") || $0.isTextDXF },
            way: toPDF),
        UnreadType("an IFC model", { $0.begins("ISO-10303-21") }) { _ in
            "draw a plan of a floor as SVG or PDF, and build that"
        },
        UnreadType("a GIF", { $0.begins("GIF87a") || $0.begins("GIF89a") }, way: toPNG),
        UnreadType(
            "a BMP", { $0.begins("BM") && $0.count > 13 && $0[6..<10].allSatisfy { $0 == 0 } }, way: toPNG),
        // The signature box of a JP2 file; SOC and SIZ of a bare codestream.
        UnreadType(
            "a JPEG 2000 image",
            {
                $0.starts(with: [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20])
                    || $0.starts(with: [0xFF, 0x4F, 0xFF, 0x51])
            }, way: toTIFF),
        UnreadType(
            "a JPEG XL image", { $0.starts(with: [0xFF, 0x0A]) || $0.dropFirst(4).begins("JXL ") }
        ) { "convert it first: djxl \($0.file) \($0.png)" },
        UnreadType("a Photoshop document", { $0.begins("8BPS") }) {
            "convert it first: convert \(ShellWord.quoted($0.path + "[0]")) \($0.png)"
        },
        UnreadType("a virtual raster of GDAL", { $0.begins("<VRTDataset") }, way: toTIFF),
        UnreadType("an Erdas Imagine image", { $0.begins("EHFA_HEADER_TAG") }, way: toTIFF),
        UnreadType("an Esri ASCII grid", { $0.prefix(5).map { $0 | 0x20 }.begins("ncols") }) {
            "convert it first: gdal_translate -ot Float32 \($0.file) \($0.tiff), which keeps its position"
        },
        UnreadType(
            "a KML file", { FileHead.isMarkup($0) && $0.prefix(1024).has("<kml") }
        ) { "give the image that it names, and add --kml \($0.file)" },
        UnreadType(
            "a GeoPackage", { $0.begins("SQLite format 3\0") && $0.dropFirst(68).begins("GP") }, way: toTIFF),
        UnreadType("an SQLite database, such as MBTiles", { $0.begins("SQLite format 3\0") }, way: copyTiles),
        UnreadType("a PMTiles archive", { $0.begins("PMTiles") }, way: copyTiles),
        UnreadType("a ZIP archive", { $0.begins("PK\u{3}\u{4}") || $0.begins("PK\u{5}\u{6}") }) {
            "unpack it first: unzip \($0.file)"
        },
        UnreadType(
            "compressed with gzip",
            pages: { path in [".svg", ".svgz"].contains { path.lowercased().hasSuffix($0) } ? .svg : nil },
            { $0.starts(with: [0x1F, 0x8B]) }
        ) { "unpack it first: gunzip \($0.file)" },
    ]

    private static let toPDF: @Sendable (FileNames) -> String = { _ in "plot it to a PDF, and build that" }
    private static let toPNG: @Sendable (FileNames) -> String = {
        "convert it first: convert \($0.file) \($0.png)"
    }
    private static let toTIFF: @Sendable (FileNames) -> String = {
        "convert it first: gdal_translate \($0.file) \($0.tiff), which keeps its position"
    }
    private static let copyTiles: @Sendable (FileNames) -> String = {
        "if it contains tiles, copy them: tilewright convert \($0.file) OUT"
    }
}

extension Collection<UInt8> {
    fileprivate func begins(_ text: String) -> Bool { starts(with: text.utf8) }

    fileprivate func has(_ text: String) -> Bool { indices.contains { self[$0...].begins(text) } }

    /// A group code 0 and the word SECTION, on lines of their own, after comments with the group code 999.
    fileprivate var isTextDXF: Bool {
        let text = String(decoding: TextEncoding.utf8(Array(prefix(FileHead.size))), as: UTF8.self)
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
        func first() -> String? { lines.first.map { $0.filter { !$0.isWhitespace } } }
        var hasComments = false
        while first() == "999", lines.count > 2 {
            lines = lines.dropFirst(2)
            hasComments = true
        }
        // Comments may be longer than the bytes that are looked at.
        if lines.count <= 2, hasComments, count >= FileHead.size { return true }
        return first() == "0" && lines.dropFirst().first?.filter { !$0.isWhitespace } == "SECTION"
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
