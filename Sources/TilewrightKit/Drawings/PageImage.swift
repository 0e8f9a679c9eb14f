import Codecs
import Georeferencing
import Platform
import Raster
import RenderProtocol
import Tiling

/// A page of a document as an image: its pixels are counted at a resolution, and drawn for any grid.
struct PageImage: Sendable {
    /// The page.
    let drawing: Drawing
    /// The resolution, in pixels per inch, in which positions in the image are counted.
    let resolution: Double
    /// The image's size, format and other properties.
    let info: RasterInfo
    /// Other files that the page was made of: pictures that the document links to, or what a CAD drawing
    /// refers to.
    let otherFiles: [String]
    /// The page of a CAD drawing; nil for all other documents.
    let cad: CADDrawing?

    /// Pixels per inch of a page that names no resolution.
    static let standardResolution = 150.0
    /// Points of a page per inch.
    static let pointsPerInch = 72.0

    /// The page as an image.
    ///
    /// - Parameters:
    ///   - resolution: pixels per inch; nil for the page's own, or the standard.
    ///   - content: the pictures that the document links to.
    ///   - cad: the page of a CAD drawing.
    /// - Throws: a `Failure` if it has more pixels along an edge than can be counted.
    init(
        _ drawing: Drawing, resolution: Double?, _ content: SVGContent? = nil, cad: CADDrawing? = nil
    ) throws {
        let page = drawing.page
        (self.drawing, self.cad) = (drawing, cad)
        let resolution = resolution ?? page.resolution ?? Self.standardResolution
        self.resolution = resolution
        let size = [page.width, page.height].map { Self.pixels(ofPoints: $0, resolution: resolution) }
        guard size.allSatisfy({ $0 <= Double(RasterInfo.longestEdge) }) else {
            throw Failure(
                .badInput, cannot: "read '\(drawing.file.path)'",
                "at \(resolution.shortText) pixels per inch, an edge is longer than "
                    + "\(RasterInfo.longestEdge)", remedy: "give a lower --dpi")
        }
        var info = Self.info(drawing, width: Int(size[0]), height: Int(size[1]), resolution: self.resolution)
        info.warnings += (content?.warnings ?? []).map { Warning("linked", $0) }
        self.info = cad.map { $0.described(info, path: drawing.file.path, resolution: resolution) } ?? info
        otherFiles = content?.pictures ?? cad?.page.files ?? []
    }

    /// The number of pixels along an edge of a page.
    static func pixels(ofPoints points: Double, resolution: Double) -> Double {
        // A rounding error must not add a pixel.
        max(1, (points * resolution / pointsPerInch - 1e-6).rounded(.up))
    }

    /// The page of a request; nil if the file is not a document whose pages are drawn.
    ///
    /// - Parameters:
    ///   - scratch: the folder of a copy of a document: with the pictures that it links to, or the page of a CAD
    ///     drawing.
    ///   - listsPages: whether the description lists all pages of the document.
    /// - Throws: a `Failure` if it cannot be opened, or if options of the request do not apply to it.
    init?(
        _ request: ImageRequest, limits: RendererLimits, scratch: String, listsPages: Bool = false
    ) throws {
        let format = ImageFile.pageFormat(of: request.path)
        try request.check(for: format)
        guard let format else { return nil }
        if format.isCAD {
            try self.init(cad: request, isDWG: format == .dwg, limits: limits, scratch: scratch)
            return
        }
        let type: OpenRequest.DocumentType = format == .pdf ? .pdf : .svg
        var file = DrawingFile(request.path, type, page: request.pageNumber)
        file.layers = request.layers
        file.listsPages = listsPages
        file.password = try request.passwordFile.map(Self.password)
        let content = type == .svg ? try SVGContent(of: request.path, scratch: scratch) : nil
        file.copy = content?.copy
        try self.init(Drawing(file, limits: limits), resolution: request.position.dpi, content)
    }

    /// The page of a CAD drawing: a PDF that is drawn of it.
    private init(cad request: ImageRequest, isDWG: Bool, limits: RendererLimits, scratch: String) throws {
        // Before the work of minutes.
        if CompanionProgram(named: CADDrawing.companion) != nil,
            CompanionProgram(named: Drawing.companion) == nil
        {
            throw Drawing.missing(for: request.path, "its page")
        }
        func page(unit: Double? = nil) throws -> CADDrawing {
            try CADDrawings.shared.drawing(
                request.cad(isDWG: isDWG, unit: unit), limits: CADLimits(limits), scratch: scratch)
        }
        var cad = try page()
        if let unit = try request.unit(of: cad.page) { cad = try page(unit: unit) }
        var file = DrawingFile(request.path, .pdf)
        file.copy = cad.pdf
        let drawing = try Drawing(file, limits: limits)
        guard cad.describes(width: drawing.page.width, height: drawing.page.height) else {
            throw Failure(
                .systemLimit, cannot: "read '\(request.path)'",
                "'\(CADDrawing.companion)' describes another page than it has drawn",
                remedy: "please report it")
        }
        try self.init(drawing, resolution: request.position.dpi, cad: cad)
    }

    private static func password(inFile path: String) throws -> String {
        let bytes = TextEncoding.utf8(try InputFile.bytes(of: path, atMost: 4096))
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return String(decoding: line, as: UTF8.self)
    }

    /// From pixels of the image to points of the page.
    var pointsFromPixels: AffineTransform { .scale(Self.pointsPerInch / resolution) }

    /// The part of the page that some pixels show, in points.
    func part(of window: PixelWindow) -> BoundingBox {
        let scale = Self.pointsPerInch / resolution
        return BoundingBox(
            minX: scale * Double(window.columns.lowerBound), minY: scale * Double(window.rows.lowerBound),
            maxX: min(scale * Double(window.columns.upperBound), drawing.page.width),
            maxY: min(scale * Double(window.rows.upperBound), drawing.page.height))
    }

    /// The number of zooms by which a page's picture is finer than the image's pixels, if the page is only a
    /// picture; else 0.
    var zoomsToPicture: Double {
        drawing.page.picture.map { log2($0.resolution / resolution) } ?? 0
    }

    /// The way out if it has too many pixels.
    var smallerPageAdvice: String {
        guard let cad else { return "give a lower --dpi" }
        let far = cad.page.farContent.map { "\($0.excerpt(300)); or " } ?? ""
        // Only pages that are made have warnings.
        let unit = cad.request.unit == nil ? "" : "its coordinates are read as \(cad.page.unit.excerpt(40)): "
        return unit + far + "give a coarser --scale 1:N, or a lower --dpi"
    }

    /// Whether a larger drawing shows more detail: not if the page is only a picture.
    var isVector: Bool { drawing.page.picture == nil }

    /// Draws the image in its own pixels.
    func source() -> any RasterSource {
        let grid = PageGrid(
            width: info.width, height: info.height, mapping: .whole(.scale(resolution / Self.pointsPerInch)),
            clip: part(of: info.window))
        return PageSource(drawing, on: grid, style: PageStyle(), info: info)
    }

    private static func info(_ drawing: Drawing, width: Int, height: Int, resolution: Double) -> RasterInfo {
        let page = drawing.page
        let scale = resolution / pointsPerInch
        let toMillimetres = 25.4 / pointsPerInch
        var pageInfo = PageInfo(
            size: Point(x: page.width * scale, y: page.height * scale),
            millimetres: Point(x: page.width * toMillimetres, y: page.height * toMillimetres),
            resolution: resolution)
        pageInfo.picture = page.picture.map { Point(x: Double($0.columns), y: Double($0.rows)) }
        pageInfo.layers = page.layers.map { PageInfo.Layer($0.name, isShown: $0.isShown) }
        pageInfo.sheetColor = page.sheetColor.flatMap(RGBColor.init)
        let number = page.pageCount > 1 ? "page \(drawing.file.page) of \(page.pageCount), " : "a page of "
        let size = "\(pageInfo.millimetres.x.text(upTo: 1)) x \(pageInfo.millimetres.y.text(upTo: 1)) mm"
        let picture = page.picture.map {
            ", only a picture of \($0.columns) x \($0.rows) pixels, \($0.resolution.text(upTo: 1)) per inch"
        }
        var info = RasterInfo(
            width: width, height: height, pixelFormat: .rgba8,
            summary: "\(drawing.file.type.rawValue.uppercased()), \(number)\(size)\(picture ?? "")")
        info.pageInfo = pageInfo
        info.pageCount = page.pageCount
        info.resolution = Resolution(across: resolution, down: resolution)
        info.secondsPerPixel = 6e-9
        info.warnings = Self.warnings(page, drawing)
        return info
    }

    private static func warnings(_ page: PageDescription, _ drawing: Drawing) -> [Warning] {
        var warnings = page.warnings.map { Warning("page", $0) }
        if !page.missingFonts.isEmpty {
            warnings.append(
                drawing.file.type == .svg
                    ? .missingFonts(page.missingFonts, in: drawing.file.path)
                    : .fonts(page.missingFonts, in: drawing.file.path, "does not embed its fonts"))
        }
        return warnings
    }
}

extension Warning {
    /// The warning about fonts of texts that are not installed.
    static func missingFonts(_ names: [String], in path: String) -> Warning {
        fonts(names, in: path, "has texts in fonts that are not installed here,")
    }

    fileprivate static func fonts(_ names: [String], in path: String, _ problem: String) -> Warning {
        let names = names.prefix(5).map { "'\($0.excerpt(60))'" }.joined(separator: ", ")
        return Warning("fonts", "'\(path)' \(problem) \(names): letters may look different elsewhere")
    }
}

extension RGBColor {
    /// A colour of three levels; nil if the levels are not a colour.
    fileprivate init?(_ levels: [Int]) {
        let levels = levels.compactMap { UInt8(exactly: $0) }
        guard levels.count == 3 else { return nil }
        self.init(red: levels[0], green: levels[1], blue: levels[2])
    }
}

/// The position that a document gives for one of its pages.
struct DocumentPosition {
    /// The part of the document that gives the position, for people.
    let source: String
    /// From pixels of the image to coordinates.
    let georeference: Georeference
    /// The edge of the map on the page, in pixels of the image, without its first point repeated at the end;
    /// nil if the map fills the page.
    var neatline: [Point]?
    /// Further warnings, a clause each.
    var warnings: [String] = []

    /// The number of parts into which each edge of the neatline is split, since a reference system may bend
    /// it.
    private static let partsOfEdge = 16

    /// The neatline in Mercator metres.
    ///
    /// - Parameters:
    ///   - mapping: the mapping of a window of the image.
    ///   - window: the pixels of the image to which the mapping applies.
    func outline(by mapping: ImageMapping, of window: PixelWindow) -> [Point]? {
        guard let neatline, neatline.count > 2 else { return nil }
        let corner = Point(x: Double(window.columns.lowerBound), y: Double(window.rows.lowerBound))
        var ring = neatline.indices.flatMap { index in
            let (start, end) = (neatline[index], neatline[(index + 1) % neatline.count])
            return (0..<Self.partsOfEdge).map { part in
                start + (end - start) * (Double(part) / Double(Self.partsOfEdge)) - corner
            }
        }
        mapping.mercatorPoints(ofImage: &ring)
        return ring.allSatisfy(\.isFinite) ? ring : nil
    }
}

extension PageImage {
    /// The page's position in the document; nil if it has none.
    ///
    /// - Parameter crs: replaces the system that the document names.
    /// - Throws: a `Failure` of kind `badInput` that does not name the file.
    func position(crs: CRS?) throws -> DocumentPosition? {
        if let cad { return try position(of: cad.page, crs: crs) }
        let page = drawing.page
        if page.viewports.isEmpty { return nil }
        let m = page.pointsFromUnits
        guard m.count == 6 else {
            throw Failure(.badInput, "its renderer does not say how the page is turned")
        }
        let turned = AffineTransform(a: m[0], b: m[1], c: m[2], d: m[3], e: m[4], f: m[5])
        guard
            let found = try GeospatialPDF(
                page.viewports.map(GeospatialPart.init), pointsFromUnits: turned, crs: crs)
        else { return nil }
        let pixelsFromPoints = pointsFromPixels.inverse ?? .identity
        return DocumentPosition(
            source: found.source, georeference: found.georeference.applying(first: pointsFromPixels),
            neatline: found.neatline?.map { pixelsFromPoints($0) }, warnings: found.warnings)
    }
}

extension GeospatialPart {
    fileprivate init(_ viewport: GeospatialViewport) {
        let form: Form =
            switch viewport.form {
            case .measure:
                .measure(
                    GeospatialMeasure(
                        box: viewport.box, bounds: viewport.bounds, groundPoints: viewport.groundPoints,
                        boxPoints: viewport.boxPoints,
                        system: GeospatialMeasure.System(
                            type: viewport.systemType, epsg: viewport.epsg, wkt: viewport.wkt)))
            case .lgi:
                .lgiDict(
                    LGIDict(
                        matrix: viewport.matrix, registration: viewport.registration,
                        neatline: viewport.neatline, projection: viewport.projection ?? [:]))
            }
        self.init(name: viewport.name, form: form)
    }
}
