import Codecs
import Georeferencing
import Platform
import Plotting
import Raster
import RenderProtocol
import Tiling

/// The picture of a fit: an SVG file, or a PNG file, which needs `tilewright-render`.
public struct FitPlotFile {
    private let request: ImageRequest
    private let path: String
    /// The program that draws a PNG; nil for an SVG.
    private let renderer: CompanionProgram?

    /// Describes the picture of an image, its control points, and their residuals, enlarged.
    ///
    /// - Throws: a `Failure`: `usage` if the name is not that of an SVG or PNG file, or if the file is an
    ///   input; `missingInput` for a PNG without a renderer.
    public init(_ image: ImageRequest, path: String) throws {
        let isSVG = path.lowercased().hasSuffix(".svg")
        guard isSVG || path.lowercased().hasSuffix(".png") else {
            throw Failure(
                .usage, cannot: "write '\(path)'", "the picture of a fit is an SVG or PNG file",
                remedy: "choose a name that ends in .svg or .png")
        }
        guard !OutputFile.areSame(path, image.path) else {
            throw Failure(
                .usage, cannot: "write '\(path)'", "that is the image itself",
                remedy: "choose another name for the picture")
        }
        try OutputPicture.check(path, isNoneOf: [image], others: [])
        (request, self.path) = (image, path)
        renderer = isSVG ? nil : try Self.renderer(for: path)
    }

    private static func renderer(for path: String) throws -> CompanionProgram {
        if let program = CompanionProgram(named: Drawing.companion) { return program }
        throw Failure(
            .missingInput, cannot: "write '\(path)'",
            "'\(Drawing.companion)', which draws a PNG, is neither next to this program nor in PATH",
            remedy: "'make companions' builds it; or choose a name that ends in .svg")
    }

    /// Reads the image again, and writes the picture of its fit.
    ///
    /// - Throws: a `Failure` of kind `usage` if its position is not made of control points.
    public func write(_ image: PlacedImage) throws {
        let fit = try image.requiredFit()
        try write { FitPlot(fit, on: try plan(image.placement.view)) }
    }

    /// Writes the picture of points that have no fit. It shows the fit without the points that are probably
    /// wrong, or a transform with less freedom. Writes nothing if there are too few points.
    public func writeNearestFit() throws {
        guard let info = try? request.fileInfo(),
            let position = try? Position(request.position, of: request, info: info)
        else { return }
        let view = ImageView(info, position: position, orient: request.position.orient)
        guard let found = try position.controlPoints(width: view.width, height: view.height),
            let choice = try? FitChoice(request.position, ofFile: found.kept, info: info),
            let nearest = NearestFit(
                found.points, model: choice.model, keeping: choice.kept, width: view.width,
                height: view.height, crop: request.crop)
        else { return }
        let count = found.points.filter(\.isEnabled).count
        let model = choice.model ?? .standard(forPoints: count)
        try write { FitPlot(nearest, missing: model, on: try plan(view)) }
    }

    private func write(_ plot: () throws -> FitPlot) throws {
        let svg = Array(try plot().svg.utf8)
        try OutputFile.write(renderer.map { try png(of: svg, by: $0) } ?? svg, to: path)
    }

    private func plan(_ view: ImageView) throws -> FitPlot.Plan {
        var picture = try PlanPicture(of: request, longestEdge: Self.longestEdge)
        // Many readers of SVG accept attributes of at most 10 MB.
        if picture.address.utf8.count > 8_000_000 {
            picture = try PlanPicture(of: request, longestEdge: Self.longestEdge / 2)
        }
        return FitPlot.Plan(
            width: view.width, height: view.height, crop: request.crop, picture: picture.address,
            pictureSize: picture.extent, planFromStored: view.viewFromStored)
    }

    /// The longer edge of the plan's picture, in pixels: as sharp as a large screen.
    private static let longestEdge = 2000

    private func png(of svg: [UInt8], by renderer: CompanionProgram) throws -> [UInt8] {
        var file = DrawingFile(path, .svg)
        file.copy = try SVGContent.file([svg], in: ImageContent.temporaryDirectory)
        let source = try PageImage(Drawing(file, by: renderer), resolution: nil).source()
        let (width, height) = (source.info.width, source.info.height)
        return try PlanPicture.rgba(of: source).withUnsafeBufferPointer {
            try PNGImage.encode(rgba: $0, width: width, height: height)
        }
    }
}

/// A world file and the `.prj` with its reference system.
public struct WorldFilePair {
    /// The path of the world file.
    public let path: String
    /// A warning about its name, if builds from the image do not find the file by default, or use it for all
    /// pages.
    public let warning: String?
    private let worldFile: WorldFile
    private let wkt: String
    /// Whether the given path is that of the world file, and not of a folder.
    private let isTyped: Bool

    /// Describes the world file of an image that was placed by control points.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - path: the file, or a folder, in which the world file gets the name that belongs to the image.
    /// - Throws: a `Failure` of kind `usage` if there is no fit, if a world file cannot hold the fit, or if
    ///   the name is not that of a world file: it may be the name of the image or of the `.prj`.
    public init(_ image: PlacedImage, path: String) throws {
        let fit = try image.requiredFit()
        let names = WorldFile.candidates(nextTo: image.path)
        let folder = path.hasSuffix("/") ? path : path + "/"
        isTyped = !OutputFile.isDirectory(path)
        let path = !isTyped ? folder + names[0].fileName : path
        guard Self.isWorldFileName(path) else {
            throw Failure(
                .usage, "cannot write '\(path)': that is not the name of a world file",
                remedy: "name it '\(names[0].fileName)', which is found automatically")
        }
        guard case .affine(let transform) = image.placement.fileGeoreference.pixelToCRS else {
            throw Failure(
                .usage,
                "cannot write '\(path)': a world file cannot hold a \(fit.model.rawValue) fit",
                remedy: "fit with --transform affine, or build with the same options; or save the points as "
                    + "'\(QGISPoints.path(nextTo: image.path, page: image.request.pageNumber))', which "
                    + "is read without options")
        }
        let inputs = try BuildInputs([image.request], others: [], worldFiles: false).paths
        for file in [Self.projection(of: path), path] {
            guard let input = inputs.first(where: { OutputFile.areSame($0, file) }) else { continue }
            throw Failure(
                .usage, cannot: "write '\(file)'", "'\(input)' is an input",
                remedy: "choose another file with -o")
        }
        self.path = path
        let isFound = names.contains { OutputFile.areSame($0, path) || $0 == path }
        warning =
            isFound
            ? image.request.pageNumber == 1 ? nil : "'\(path)' applies to all pages of '\(image.path)'"
            : "'\(path)' is not found automatically for '\(image.path)': name it '\(names[0])', or build "
                + "with --world-file \(path)"
        worldFile = WorldFile(pixelToCRS: transform)
        wkt = try image.placement.fileGeoreference.crs.esriWKT()
    }

    private static func projection(of path: String) -> String {
        path.parentDirectory.path(of: path.fileStem + ".prj")
    }

    private static func isWorldFileName(_ path: String) -> Bool {
        guard let dot = path.lastIndex(of: ".") else { return false }
        let ending = path[dot...].lowercased()
        return ending == ".wld"
            || ending.count > 2 && ending.hasSuffix("w") && !ending.contains("/")
    }

    /// Writes both files, the `.prj` first: there is never a world file without it.
    public func write() throws {
        try OutputFile.write(
            (wkt + "\n").utf8, to: Self.projection(of: path), isTyped: false)
        try OutputFile.write(worldFile.text.utf8, to: path, isTyped: isTyped)
    }
}
