import Codecs
import Georeferencing
import Platform
import Raster
import Tiling

// A page of a CAD drawing as an image: the options that choose it, its properties and its position.

extension PageFormat {
    /// Whether it is a CAD drawing.
    var isCAD: Bool {
        switch self {
        case .dxf, .dwg: true
        case .pdf, .svg: false
        }
    }
}

extension ImageRequest {
    /// Refuses options that do not apply to a type of document.
    ///
    /// - Parameter format: nil for an image of pixels.
    /// - Throws: `.usage`.
    func check(for format: PageFormat?) throws(Failure) {
        func refuse(_ option: String?, _ why: String, _ remedy: String = "leave it out") throws(Failure) {
            guard let option else { return }
            throw Failure(.usage, "\(option) does not apply to '\(path)': \(why)", remedy: remedy)
        }
        let isCAD = format?.isCAD == true
        if format == nil { try refuse(layers.map { _ in "--layers" }, "it is not a PDF or CAD drawing") }
        if format == nil || isCAD {
            try refuse(passwordFile.map { _ in "--password-file" }, "it is not a PDF")
        }
        if !isCAD { try refuse(layout.map { _ in "--layout" }, "it is not a CAD drawing") }
        if isCAD, pageNumber != 1 {
            try refuse("--page", "it is a CAD drawing", "choose a page with --layout NAME")
        }
        if isCAD, layout.map({ $0.lowercased() != CADPage.modelSpace.lowercased() }) == true,
            position.isScaleOfPage
        {
            try refuse("--scale", "a layout is as large as its paper", "leave it out, or add --anchor")
        }
        if format == nil { return }
        let option =
            bands != nil ? "--bands" : rescale != nil ? "--rescale" : keepColors ? "--keep-colors" : nil
        try refuse(option, "\(isCAD ? "a CAD drawing" : "a PDF or SVG") has no samples")
    }

    /// The page of a CAD drawing that it asks for.
    func cad(isDWG: Bool, unit: Double?) -> CADRequest {
        CADRequest(
            path: path, isDWG: isDWG, layout: layout, layers: layers, scale: position.pageScale, unit: unit,
            isOnDark: isOnDark ?? false)
    }

    /// Metres in a unit of a CAD drawing whose coordinates are those of a system, if they cannot be in the unit in which
    /// it was read; else nil.
    func unit(of page: CADPage) throws -> Double? {
        guard case .files = position.source, page.geodata == nil, let crs = position.crs else { return nil }
        return try page.unit(ofCoordinatesIn: CRS(crs)).flatMap {
            abs($0 / page.metresPerUnit - 1) < Georeference.sameUnit ? nil : $0
        }
    }
}

extension PositionRequest {
    /// Whether a scale is given only for the page of a CAD drawing.
    fileprivate var isScaleOfPage: Bool {
        if case .anchor = source { return false }
        return scale != nil && transform != .rigid
    }

    /// The denominator of the scale of a page, which is that of the ground, too.
    fileprivate var pageScale: Double? {
        switch anyScale {
        case .oneTo(let denominator): denominator
        case .metresPerPixel(let metres):
            metres * (dpi ?? PageImage.standardResolution) / Resolution.metresPerInch
        case nil: nil
        }
    }
}

extension CADDrawing {
    /// The properties of the page, given those of its PDF.
    ///
    /// - Parameter resolution: pixels per inch.
    func described(_ info: RasterInfo, path: String, resolution: Double) -> RasterInfo {
        var info = info
        info.summary = summary(size: info.pageInfo?.millimetres ?? Point(x: 0, y: 0), path: path)
        info.pageInfo?.layers = page.layers.map {
            PageInfo.Layer($0.name, isShown: $0.isShown, state: $0.state)
        }
        info.pageInfo?.layout = page.layout
        info.pageInfo?.layouts = page.layouts
        info.pageInfo?.metresPerPixel = page.metresPerPoint.map { $0 * PageImage.pointsPerInch / resolution }
        info.warnings = info.warnings.filter { $0.name != "fonts" } + warnings(path)
        return info
    }

    /// Its type, layout, size and unit: `DXF, model space at 1:100, 214 x 130 mm, in metres`.
    private func summary(size: Point, path: String) -> String {
        let type = ImageFile.pageFormat(of: path) == .dwg ? "DWG" : "DXF"
        let place =
            page.layout == CADPage.modelSpace
            ? "model space at 1:\(page.scale.text(upTo: 3))" : "layout '\(page.layout.excerpt(60))'"
        let unit = page.unit.excerpt(40) + (page.isUnitAssumed ? ", which are assumed" : "")
        return "\(type), \(place), \(size.x.text(upTo: 1)) x \(size.y.text(upTo: 1)) mm, in \(unit)"
    }

    /// The most warnings that are shown.
    private static let mostWarnings = 20

    private func warnings(_ path: String) -> [Warning] {
        let clauses = ([page.farContent].compactMap(\.self) + page.warnings).prefix(Self.mostWarnings).map {
            Warning("drawing", "'\(path)': \($0.excerpt(300))")
        }
        if page.missingFonts.isEmpty { return clauses }
        return clauses + [.missingFonts(page.missingFonts, in: path)]
    }
}

extension CADPage {
    /// The name of the layout that is the model space.
    static let modelSpace = "Model"

    /// Metres from the origin beyond which coordinates are likely to be those of a grid: no site is as large.
    private static let farFromOrigin = 100_000.0

    /// Metres per unit if its coordinates are those of a system; nil if no unit puts them into the area of the system.
    fileprivate func unit(ofCoordinatesIn crs: CRS) throws -> Double? {
        try bulkInModel.flatMap {
            try Georeference.unit(ofCoordinates: $0, stated: isUnitAssumed ? nil : metresPerUnit, in: crs)
        }
    }

    /// Whether the coordinates look like those of a map: far from the origin, and not because the drawing is
    /// large.
    fileprivate var hasMapCoordinates: Bool {
        guard let modelFromPoints else { return false }
        let ends = [Point(x: 0, y: 0), Point(x: width, y: height)].map { modelFromPoints($0) }
        let middle = (ends[0] + ends[1]) * 0.5
        let distance = max(abs(middle.x), abs(middle.y))
        let metres = isUnitAssumed ? 1 : metresPerUnit
        return distance * metres > Self.farFromOrigin && distance > 2 * ends[0].distance(to: ends[1])
    }
}

extension PageImage {
    /// The way out for a CAD drawing without a position whose GEODATA lacks only the system, or whose coordinates
    /// look like those of a map; else nil.
    var coordinatesAdvice: String? {
        if let geodata = cad?.page.geodata, geodata.crs == nil {
            return "its GEODATA names no EPSG code: add --crs EPSG:n, its reference system"
        }
        guard cad?.page.hasMapCoordinates == true else { return nil }
        return "if its coordinates are map coordinates, add --crs EPSG:n, their reference system"
    }

    /// The position that the GEODATA of a CAD drawing states.
    ///
    /// - Parameter crs: replaces the system that GEODATA names.
    /// - Returns: nil if it has none, or shows no model space from above.
    func position(of page: CADPage, crs: CRS?) throws -> DocumentPosition? {
        guard let geodata = page.geodata, let model = modelFromPixels,
            let crs = try crs ?? geodata.crs.map({ try CRS($0) })
        else { return nil }
        return DocumentPosition(
            source: "GEODATA",
            georeference: try .metres(
                model.followed(by: geodata.metresFromModel), around: geodata.place, in: crs))
    }

    /// The position of a CAD drawing whose coordinates are those of a system, which a file next to it precedes.
    ///
    /// - Parameter crs: the system; nil if it is not known.
    func coordinatesPosition(crs: CRS?) throws -> DocumentPosition? {
        guard let page = cad?.page, let model = modelFromPixels, let crs else { return nil }
        return DocumentPosition(
            source: "the drawing's coordinates",
            georeference: try .coordinates(
                model,
                metresPerUnit: page.unit(ofCoordinatesIn: crs)
                    ?? (page.isUnitAssumed ? nil : page.metresPerUnit),
                in: crs))
    }

    private var modelFromPixels: AffineTransform? {
        cad?.page.modelFromPoints.map { pointsFromPixels.followed(by: $0) }
    }
}
