import Platform

/// A type of file that people keep plans in, but that is not read: its name, and how to convert it.
enum UnreadType: CaseIterable {
    case pdf, svg, postScript, dwg, dxf, ifc, gif, bmp, jpeg2000, jpegXL, photoshop, vrt, erdas, asciiGrid,
        kml
    case geoPackage, sqlite, pmtiles, zip, gzip

    /// The first type that a file may have whose first bytes are `head`.
    init?(head: [UInt8]) {
        guard let type = Self.allCases.first(where: { $0.fits(head) }) else { return nil }
        self = type
    }

    /// The type's name, with its article.
    var name: String {
        switch self {
        case .pdf: "a PDF"
        case .svg: "an SVG drawing"
        case .postScript: "a PostScript, EPS or Illustrator drawing"
        case .dwg: "a DWG drawing"
        case .dxf: "a DXF drawing"
        case .ifc: "an IFC model"
        case .gif: "a GIF"
        case .bmp: "a BMP"
        case .jpeg2000: "a JPEG 2000 image"
        case .jpegXL: "a JPEG XL image"
        case .photoshop: "a Photoshop document"
        case .vrt: "a virtual raster of GDAL"
        case .erdas: "an Erdas Imagine image"
        case .asciiGrid: "a grid in text"
        case .kml: "a KML file, which names images"
        case .geoPackage: "a GeoPackage"
        case .sqlite: "a database, as MBTiles are"
        case .pmtiles: "a PMTiles archive"
        case .zip: "a ZIP archive"
        case .gzip: "compressed with gzip"
        }
    }

    /// The error for a file of this type.
    func failure(path: String) -> Failure {
        let (file, png) = (ShellWord.quoted(path), ShellWord.quoted(ShellWord.stem(of: path) + ".png"))
        let stem = ShellWord.quoted(ShellWord.stem(of: path))
        let tiff = ShellWord.quoted(ShellWord.stem(of: path) + ".tif")
        let pdf = ShellWord.quoted(ShellWord.stem(of: path) + ".pdf")
        let way =
            switch self {
            case .pdf: "render it first, pdftoppm -r 300 -png \(file) \(stem)"
            case .svg: "render it first, rsvg-convert -w 8000 -o \(png) \(file)"
            case .postScript: "make a PDF of it first, ps2pdf -dEPSCrop \(file) \(pdf)"
            case .dwg, .dxf: "plot it to a PDF, and build that"
            case .ifc: "draw a plan of a floor as SVG or PDF, and build that"
            case .gif, .bmp: "convert it first, convert \(file) \(png)"
            case .jpeg2000, .vrt, .erdas, .geoPackage:
                "convert it first, gdal_translate \(file) \(tiff), which keeps its place"
            case .asciiGrid:
                "convert it first, gdal_translate -ot Float32 \(file) \(tiff), which keeps its place"
            case .kml: "name the image, and add --kml \(file)"
            case .sqlite, .pmtiles:
                "it holds finished tiles, if any: tilewright convert \(file) OUT copies them"
            case .photoshop: "convert it first, convert \(ShellWord.quoted(path + "[0]")) \(png)"
            case .jpegXL: "convert it first, djxl \(file) \(png)"
            case .zip: "unpack it first, unzip \(file)"
            case .gzip: "unpack it first, gunzip \(file)"
            }
        return Failure(
            .badInput, cannot: "read '\(path)'",
            "it is \(name), not a \(ImageFormats.names("or"))",
            remedy: "'\(path)' is \(name): \(way)")
    }

    /// The error for a file of this type that was copied out of an archive.
    func failure(ofCopy title: String) -> Failure {
        Failure(
            .badInput, cannot: "read \(title)", "it is \(name), not a \(ImageFormats.names("or"))",
            remedy: "unpack the archive, and convert the image")
    }
}

extension UnreadType {
    /// Whether a file of this type may begin with these bytes.
    func fits(_ head: [UInt8]) -> Bool {
        switch self {
        // Readers allow so much before it.
        case .pdf: Self.has("%PDF-", in: head.prefix(1024))
        case .svg: Self.has("<svg", in: FileHead.isMarkup(head) ? head[...] : head.prefix(1024))
        // The other one is the head of a file that also has a picture for a quick look.
        case .postScript: Self.begins(head, "%!PS") || head.starts(with: [0xC5, 0xD0, 0xD3, 0xC6])
        case .dwg: Self.begins(head, "AC10") && head.count > 5 && Self.isDigit(head[4])
        case .dxf: Self.begins(head, "AutoCAD Binary DXF") || Self.isTextDXF(head)
        case .ifc: Self.begins(head, "ISO-10303-21")
        case .vrt: Self.begins(head, "<VRTDataset")
        case .erdas: Self.begins(head, "EHFA_HEADER_TAG")
        case .asciiGrid: Self.begins(head.prefix(5).map { $0 | 0x20 }, "ncols")
        case .kml: FileHead.isMarkup(head) && Self.has("<kml", in: head.prefix(1024))
        case .geoPackage: Self.begins(head, "SQLite format 3\0") && Self.begins(head.dropFirst(68), "GP")
        case .sqlite: Self.begins(head, "SQLite format 3\0")
        case .pmtiles: Self.begins(head, "PMTiles")
        case .gif: Self.begins(head, "GIF87a") || Self.begins(head, "GIF89a")
        case .bmp: Self.begins(head, "BM") && head.count > 13 && head[6..<10].allSatisfy { $0 == 0 }
        case .jpeg2000: Self.jpeg2000Signatures.contains { head.starts(with: $0) }
        case .jpegXL: head.starts(with: [0xFF, 0x0A]) || Self.begins(head.dropFirst(4), "JXL ")
        case .photoshop: Self.begins(head, "8BPS")
        case .zip: Self.begins(head, "PK\u{3}\u{4}") || Self.begins(head, "PK\u{5}\u{6}")
        case .gzip: head.starts(with: [0x1F, 0x8B])
        }
    }

    /// The signature box of a JP2 file; SOC and SIZ of a bare codestream.
    private static let jpeg2000Signatures: [[UInt8]] = [
        [0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20], [0xFF, 0x4F, 0xFF, 0x51],
    ]

    /// A group code 0 and the word SECTION, on lines of their own.
    private static func isTextDXF(_ head: [UInt8]) -> Bool {
        let lines = String(decoding: head, as: UTF8.self)
            .split(whereSeparator: \.isNewline).prefix(2)
            .map { $0.filter { $0 != " " } }
        return lines == ["0", "SECTION"]
    }

    private static func begins(_ bytes: some Sequence<UInt8>, _ text: String) -> Bool {
        bytes.starts(with: text.utf8)
    }

    private static func has(_ text: String, in bytes: ArraySlice<UInt8>) -> Bool {
        let pattern = Array(text.utf8)
        return bytes.indices.contains { bytes[$0] == pattern[0] && bytes[$0...].starts(with: pattern) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
