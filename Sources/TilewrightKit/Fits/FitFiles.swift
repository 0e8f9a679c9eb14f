import Codecs
import Georeferencing
import Platform
import Plotting
import Raster
import RenderProtocol
import Tiling

/// The picture of a fit: an SVG file, or a PNG file if `tilewright-render` is installed, which draws it.
public struct FitPlotFile {
    private let request: ImageRequest
    private let path: String
    /// The program that draws a PNG; nil for an SVG.
    private let renderer: CompanionProgram?

    /// Describes the picture of an image, its control points, and their residuals, enlarged.
    ///
    /// - Throws: a `Failure`: `usage` for a name that is not that of an SVG or PNG file, or that of a file
    ///   which is read; `missingInput` for a PNG without a renderer.
    public init(_ image: ImageRequest, path: String) throws {
        let isSVG = path.lowercased().hasSuffix(".svg")
        guard isSVG || path.lowercased().hasSuffix(".png") else {
            throw Failure(
                .usage, cannot: "write '\(path)'", "the picture of a fit is an SVG or a PNG file",
                remedy: "let its name end in .svg or .png")
        }
        guard !OutputFile.areSame(path, image.path) else {
            throw Failure(
                .usage, cannot: "write '\(path)'", "that is the image itself",
                remedy: "give the picture another name")
        }
        try OutputPicture.check(path, isNoneOf: [image], others: [])
        (request, self.path) = (image, path)
        renderer = isSVG ? nil : try Self.renderer(for: path)
    }

    private static func renderer(for path: String) throws -> CompanionProgram {
        if let program = CompanionProgram(named: Drawing.companion) { return program }
        throw Failure(
            .missingInput, cannot: "write '\(path)'",
            "'\(Drawing.companion)' draws a PNG, and it is neither next to this program nor in PATH",
            remedy: "'make companions' builds it; or name an .svg")
    }

    /// Reads the image once more, and writes the picture of its fit.
    ///
    /// - Throws: a `Failure` of kind `usage` if its position is not control points.
    public func write(_ image: PlacedImage) throws {
        let fit = try image.requiredFit()
        try write { FitPlot(fit, on: try plan(image.placement.view)) }
    }

    /// Writes the picture of points that have no fit: as well as they agree without those that are probably
    /// wrong, or by a transform with less freedom. Writes nothing if there are no points, or too few.
    public func writeNearestFit() throws {
        guard let info = try? request.fileInfo(),
            let position = try? Position(request.position, of: request, info: info)
        else { return }
        let view = ImageView(info, position: position, orient: request.position.orient)
        guard let points = try position.controlPoints(width: view.width, height: view.height),
            let nearest = NearestFit(
                points, model: request.position.transform, width: view.width, height: view.height,
                crop: request.crop)
        else { return }
        let count = points.filter(\.isEnabled).count
        let model = request.position.transform ?? .standard(forPoints: count)
        try write { FitPlot(nearest, missing: model, on: try plan(view)) }
    }

    private func write(_ plot: () throws -> FitPlot) throws {
        let svg = Array(try plot().svg.utf8)
        try OutputFile.write(renderer.map { try png(of: svg, by: $0) } ?? svg, to: path)
    }

    private func plan(_ view: ImageView) throws -> FitPlot.Plan {
        var picture = try PlanPicture(of: request, longestEdge: Self.longestEdge)
        // Many readers of SVG take an attribute of up to 10 MB.
        if picture.picture.byteCount > 8_000_000 {
            picture = try PlanPicture(of: request, longestEdge: Self.longestEdge / 2)
        }
        return FitPlot.Plan(
            width: view.width, height: view.height, crop: request.crop, picture: picture.picture.url,
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
    /// Where the world file goes.
    public let path: String
    /// What the user should know of its name, if the image does not find it by itself.
    public let warning: String?
    private let worldFile: WorldFile
    private let wkt: String
    /// Whether the path names the world file, and not a folder.
    private let isTyped: Bool

    /// Describes the world file of an image that was placed by control points.
    ///
    /// - Parameter path: the file; or a folder, in which it gets the name that belongs to the image.
    /// - Throws: a `Failure` of kind `usage` if there is no fit, for a fit that no world file can hold, and
    ///   for a name that no world file has: it may be the image's own, or that of the `.prj`.
    public init(_ image: PlacedImage, path: String) throws {
        let fit = try image.requiredFit()
        let names = WorldFile.candidates(beside: image.path)
        let folder = path.hasSuffix("/") ? path : path + "/"
        isTyped = !OutputFile.isDirectory(path)
        let path = !isTyped ? folder + names[0].fileName : path
        guard Self.isWorldFileName(path) else {
            throw Failure(
                .usage, "cannot write '\(path)': that is not the name of a world file",
                remedy: "name it '\(names[0].fileName)', which '\(image.path)' finds by itself")
        }
        guard case .affine(let transform) = image.placement.fileGeoreference.pixelToCRS else {
            throw Failure(
                .usage,
                "cannot write '\(path)': no world file can hold a \(fit.model.rawValue) fit",
                remedy: "fit an affine transform, --transform affine, or build with these options: "
                    + "points in '\(QGISPoints.path(beside: image.path, page: image.request.pageNumber))' "
                    + "are found without any")
        }
        let inputs = try BuildInputs([image.request], others: [], worldFiles: false).paths
        for file in [Self.projection(of: path), path] {
            guard let input = inputs.first(where: { OutputFile.areSame($0, file) }) else { continue }
            throw Failure(
                .usage, cannot: "write '\(file)'", "'\(input)' is an input",
                remedy: "give another name with -o")
        }
        self.path = path
        let isFound = names.contains { OutputFile.areSame($0, path) || $0 == path }
        warning =
            isFound
            ? image.request.pageNumber == 1 ? nil : "'\(path)' holds for all pages of '\(image.path)'"
            : "'\(image.path)' does not find '\(path)' by itself: name it '\(names[0])', or build with "
                + "--world-file \(path)"
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

    /// Writes both files, the `.prj` first: a world file is never without it.
    public func write() throws {
        try OutputFile.write(
            (wkt + "\n").utf8, to: Self.projection(of: path), isTyped: false)
        try OutputFile.write(worldFile.text.utf8, to: path, isTyped: isTyped)
    }
}
