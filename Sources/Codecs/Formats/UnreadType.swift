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
