import Codecs
import Platform
import Raster
import RenderProtocol
import Tiling

/// A page of a document as an image: its pixels are counted at a resolution, and drawn for whatever grid is asked for.
struct PageImage: Sendable {
    /// The page, and who draws it.
    let drawing: Drawing
    /// Pixels to the inch in which places of the image are counted.
    let resolution: Double
    /// What is known of the image.
    let info: RasterInfo
    /// The files that the document shows besides its own.
    let pictures: [String]

    /// Pixels to the inch of a page whose author counts in none.
    static let standardResolution = 150.0

    /// The page as an image.
    ///
    /// - Parameters:
    ///   - resolution: pixels to the inch; nil for those in which its author counts, or the standard.
    ///   - content: what the document shows besides its own file.
    /// - Throws: a `Failure` if it has more pixels along an edge than can be counted.
    init(_ drawing: Drawing, resolution: Double?, _ content: SVGContent? = nil) throws {
        let page = drawing.page
        self.drawing = drawing
        self.resolution = resolution ?? page.resolution ?? Self.standardResolution
        let scale = self.resolution / Self.pointsPerInch
        // What rounding makes of a whole number is not another pixel.
        let size = [page.width, page.height].map { max(1, ($0 * scale - 1e-6).rounded(.up)) }
        guard size.allSatisfy({ $0 <= Double(RasterInfo.longestEdge) }) else {
            throw Failure(
                .badInput, cannot: "read '\(drawing.file.path)'",
                "at \(self.resolution.shortText) pixels to the inch an edge has more than "
                    + "\(RasterInfo.longestEdge)", remedy: "give a lower --dpi")
        }
        var info = Self.info(drawing, width: Int(size[0]), height: Int(size[1]), resolution: self.resolution)
        info.warnings += (content?.warnings ?? []).map { Warning("linked", $0) }
        self.info = info
        pictures = content?.pictures ?? []
    }

    /// The page that is asked for; nil if the file is not a document whose pages are drawn.
    ///
    /// - Parameters:
    ///   - limits: what its renderers may take.
    ///   - scratch: the folder of a copy of a document that links to pictures.
    /// - Throws: a `Failure` if it cannot be opened, or if the request asks for what drawings do not have.
    init?(_ request: ImageRequest, limits: RendererLimits, scratch: String) throws {
        guard let type = ImageFile.pageFormat(of: request.path) else {
            if let option = request.optionForDrawings { throw Failure.onlyForDrawings(option, request.path) }
            return nil
        }
        if let option = request.optionForPixels { throw Failure.onlyForPixels(option, request.path) }
        var file = DrawingFile(request.path, OpenRequest.DocumentType(type), page: request.pageNumber)
        file.layers = request.layers
        file.password = try request.passwordFile.map(Self.password)
        let content = type == .svg ? try SVGContent(of: request.path, scratch: scratch) : nil
        file.copy = content?.copy
        try self.init(Drawing(file, limits: limits), resolution: request.position.dpi, content)
    }

    /// The first line of a file.
    private static func password(inFile path: String) throws -> String {
        let bytes = TextEncoding.utf8(try InputFile.bytes(of: path, atMost: 4096))
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return String(decoding: line, as: UTF8.self)
    }

    /// Points of a page to the inch.
    static let pointsPerInch = 72.0

    /// From pixels of the image to points of the page.
    var pointsFromPixels: AffineTransform {
        let scale = Self.pointsPerInch / resolution
        return AffineTransform(a: scale, b: 0, c: 0, d: 0, e: scale, f: 0)
    }

    /// The page's part that some pixels show, in points.
    func part(of window: PixelWindow) -> BoundingBox {
        let scale = pointsFromPixels
        let (first, last) = (
            scale(Point(x: Double(window.columns.lowerBound), y: Double(window.rows.lowerBound))),
            scale(Point(x: Double(window.columns.upperBound), y: Double(window.rows.upperBound)))
        )
        return BoundingBox(
            minX: first.x, minY: first.y, maxX: min(last.x, drawing.page.width),
            maxY: min(last.y, drawing.page.height))
    }

    /// By how many zooms the page's only picture is finer than the image's pixels; 0 of all other pages.
    var zoomsToPicture: Double {
        drawing.page.picture.map { log2($0.resolution / resolution) } ?? 0
    }

    /// Whether it shows more the larger it is drawn: a page that is nothing but a picture does not.
    var isVector: Bool { drawing.page.picture == nil }

    /// Draws the image in its own pixels.
    func source() -> any RasterSource {
        let window = PixelWindow(columns: 0..<info.width, rows: 0..<info.height)
        let scale = resolution / Self.pointsPerInch
        let grid = PageGrid(
            width: info.width, height: info.height,
            mapping: .whole(AffineTransform(a: scale, b: 0, c: 0, d: 0, e: scale, f: 0)),
            clip: part(of: window))
        return PageSource(drawing, on: grid, style: PageStyle(), info: info)
    }

    /// What is known of the image.
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
            ", nothing but a picture of \($0.columns) x \($0.rows) pixels, \($0.resolution.text(upTo: 1)) to the inch"
        }
        var info = RasterInfo(
            width: width, height: height, pixelFormat: .rgba8,
            summary: "\(drawing.file.type.name), \(number)\(size)\(picture ?? "")")
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
            let names = page.missingFonts.prefix(5).map { "'\($0.excerpt(60))'" }.joined(separator: ", ")
            let problem =
                switch drawing.file.type {
                case .pdf: "does not embed its fonts \(names)"
                case .svg: "has texts in fonts that are not installed here, \(names)"
                }
            warnings.append(
                Warning("fonts", "'\(drawing.file.path)' \(problem): letters look as this machine draws them")
            )
        }
        return warnings
    }
}

extension ImageRequest {
    /// An option that was given and that has a meaning for drawings only.
    fileprivate var optionForDrawings: String? {
        layers.map { _ in "--layers" } ?? passwordFile.map { _ in "--password-file" }
    }

    /// An option that was given and that has a meaning for files of pixels only.
    fileprivate var optionForPixels: String? {
        bands.map { _ in "--bands" } ?? rescale.map { _ in "--rescale" }
            ?? (keepColors ? "--keep-colors" : nil)
    }
}

extension Failure {
    fileprivate static func onlyForDrawings(_ option: String, _ path: String) -> Failure {
        Failure(
            .usage, "\(option) has no meaning for '\(path)', which is neither a PDF nor an SVG",
            remedy: "leave it out")
    }

    fileprivate static func onlyForPixels(_ option: String, _ path: String) -> Failure {
        Failure(
            .usage, "\(option) has no meaning for '\(path)', which is drawn: it has no samples of its own",
            remedy: "leave it out")
    }
}

extension OpenRequest.DocumentType {
    init(_ type: PageFormat) {
        switch type {
        case .pdf: self = .pdf
        case .svg: self = .svg
        }
    }

    /// What people call it.
    var name: String {
        switch self {
        case .pdf: "PDF"
        case .svg: "SVG"
        }
    }
}

extension RGBColor {
    /// A colour of three levels; nil if they are none.
    fileprivate init?(_ levels: [Int]) {
        let levels = levels.compactMap { UInt8(exactly: $0) }
        guard levels.count == 3 else { return nil }
        self.init(red: levels[0], green: levels[1], blue: levels[2])
    }
}
