package import Georeferencing
import Platform
package import Raster
import Tiling

/// The pyramid to build of an image.
package struct PyramidOptions: Sendable {
    /// The zooms to write.
    package var zooms: ClosedRange<Int>
    /// Pixels along a tile's edge: 256 or 512.
    package var tileSize: Int
    /// The kernel at the maximum zoom.
    package var resampling: ResamplingMethod
    /// The kernel for the zooms below it.
    package var overviewResampling: ResamplingMethod
    /// Whether fully transparent tiles are written, too.
    package var writesEmptyTiles: Bool
    /// The colour behind the image, or nil for transparency.
    package var background: RGBColor?
    /// The polygons outside of which nothing is visible; nil for all visible.
    package var cutline: Cutline?

    /// Makes options.
    package init(
        zooms: ClosedRange<Int>, tileSize: Int, resampling: ResamplingMethod,
        overviewResampling: ResamplingMethod, writesEmptyTiles: Bool = false,
        background: RGBColor? = nil
    ) {
        self.zooms = zooms
        self.tileSize = tileSize
        self.resampling = resampling
        self.overviewResampling = overviewResampling
        self.writesEmptyTiles = writesEmptyTiles
        self.background = background
    }
}

/// Everything that is decided before the first pixel is read: the zooms, the tiles and their order, and the
/// memory needed.
package struct PyramidPlan: Sendable {
    /// The images, each over the ones before it.
    package internal(set) var layers: [ImageLayer]
    /// What to build.
    package internal(set) var options: PyramidOptions
    /// The zooms, finest first; zooms that are rendered but not written come before the maximum zoom.
    package internal(set) var levels: [PyramidLevel]
    /// Whether only a part of the pyramid is built, see `confined(to:)`. Only the parts of images that it
    /// needs are read.
    package internal(set) var isConfined = false
    /// Whether it is the plan of a view, which has no tiles; see `init(viewOf:on:size:options:)`.
    package internal(set) var isView = false
    /// Whether there are several images, even if only some of them are layers here.
    let isMosaic: Bool

    /// Plans a pyramid.
    ///
    /// - Throws: `Failure` if no part of the images is in the Web Mercator world.
    package init(layers: [ImageLayer], options: PyramidOptions) throws {
        precondition(!layers.isEmpty, "a pyramid is made of an image")
        let finest = Self.finestZoom(of: layers, options: options)
        let matrix = TileMatrix(zoom: finest, tileSize: options.tileSize)
        let together = layers.broughtTogether()
        let footprints = try together.map { try Self.footprint($0.mapping.outline, in: matrix) }
        let whole = WholePyramid(
            finest: finest, window: try Self.finestWindow(of: footprints, matrix: matrix),
            isMosaic: layers.count > 1)
        try self.init(together: together, of: whole, options: options)
    }

    /// Plans a pyramid of layers that were brought together.
    init(together layers: [ImageLayer], of whole: WholePyramid, options: PyramidOptions) throws {
        self.options = options
        let matrix = TileMatrix(zoom: whole.finest, tileSize: options.tileSize)
        self.layers = layers.map { layer in layer.limited { $0.map(matrix.pixel(ofMercator:)) } }
        levels = try Self.levels(
            outlines: layers.map(\.mapping.outline), of: whole, options: options)
        isMosaic = whole.isMosaic
    }

    /// The plan of a view, which reads only the visible parts of its images.
    init(viewOf layers: [ImageLayer], levels: [PyramidLevel], options: PyramidOptions) {
        (self.layers, self.options, self.levels) = (layers, options, levels)
        isMosaic = layers.count > 1
        (isConfined, isView) = (true, true)
    }

    /// The number of tiles to write that the footprints touch, over all zooms: at most this many are written.
    ///
    /// An estimate if a zoom has very many tiles; see `PyramidLevel.tileCount`.
    package var tileCount: Int { levels.reduce(0) { $0 + $1.tileCount } }

    /// The kernel that makes a level from the next finer one.
    func reducing(toLevel index: Int) -> ResamplingMethod {
        let isBelowMaximum = levels[index].matrix.zoom < options.zooms.upperBound
        return isBelowMaximum ? options.overviewResampling : options.resampling
    }

    /// The zoom that images are rendered at: the maximum, or one beyond it that is not written.
    package static func finestZoom(of layers: [ImageLayer], options: PyramidOptions) -> Int {
        options.zooms.upperBound + layers.map { extraZooms($0, options: options) }.reduce(0, max)
    }

    /// Zooms beyond the maximum that are rendered to be halved, but not written.
    ///
    /// Under a general mapping, a kernel's cost grows with the square of its scale. So if the maximum zoom is
    /// coarser than the image by a factor of 2 or more, the image is rendered near its own scale, and the
    /// exact halvings of the overviews do the rest. The separable shape does not need such zooms: along rows
    /// and columns, a wide kernel costs no more than the pixels that it reads.
    private static func extraZooms(_ layer: ImageLayer, options: PyramidOptions) -> Int {
        if case .separable = layer.mapping.shape { return 0 }
        if options.resampling.copiesPixels { return 0 }
        let cellSize = cellSize(
            of: layer.mapping, pixels: layer.info.width * layer.info.height)
        var matrix = TileMatrix(zoom: options.zooms.upperBound, tileSize: options.tileSize)
        var extra = 0
        while matrix.cellSize >= 2 * cellSize, matrix.zoom < 30 {
            matrix.zoom += 1
            extra += 1
        }
        return extra
    }

    /// The edge of the image's pixels in Mercator metres: at its centre, unless most pixels are more than
    /// twice as large. Under a strong perspective the pixels at the centre are tiny, and a level as fine as
    /// they are would have many more pixels than the image.
    private static func cellSize(of mapping: ImageMapping, pixels: Int) -> Double {
        max(mapping.mercatorCellSize, (mapping.outline.area / Double(pixels)).squareRoot() / 2)
    }

    private static func levels(
        outlines: [[Point]], of whole: WholePyramid, options: PyramidOptions
    ) throws -> [PyramidLevel] {
        var matrix = TileMatrix(zoom: whole.finest, tileSize: options.tileSize)
        var footprints = try outlines.map { try footprint($0, in: matrix) }
        var window = whole.window
        let mask = options.cutline.flatMap { Self.mask($0, within: &window, matrix: matrix) }
        if options.cutline != nil, mask == nil {
            throw Failure(
                .badInput, "no polygon of --cutline touches the image",
                remedy:
                    "check the order of its coordinates, longitude before latitude, and the image's position"
            )
        }
        var levels: [PyramidLevel] = []
        while matrix.zoom >= options.zooms.lowerBound {
            levels.append(
                PyramidLevel(
                    matrix: matrix, window: window, coverages: footprints.map { CellCoverage($0) },
                    cut: mask.map { LevelCut(mask: $0, scale: 1 << (whole.finest - matrix.zoom)) },
                    isWritten: matrix.zoom <= options.zooms.upperBound))
            matrix.zoom -= 1
            footprints = footprints.map(\.halved)
            window = PixelWindow(
                columns: oneTurn(window.columns.halved, of: matrix), rows: window.rows.halved)
        }
        return levels
    }

    /// The polygons over the pixels of a level, whose window they confine; nil if they leave no pixels.
    static func mask(
        _ cutline: Cutline, within window: inout PixelWindow, matrix: TileMatrix
    ) -> CutMask? {
        let rings = cutline.rings(seenIn: matrix.grid.box(of: window), cellSize: matrix.cellSize)
        let mask = CutMask(polygons: rings.map { $0.map { $0.map(matrix.pixel(ofMercator:)) } })
        window = mask.map { $0.window.intersection(window) } ?? PixelWindow(columns: 0..<0, rows: 0..<0)
        return window.isEmpty ? nil : mask
    }

    static func footprint(_ outline: [Point], in matrix: TileMatrix) throws -> Footprint {
        let points = outline.map(matrix.pixel(ofMercator:))
        guard !points.isEmpty, points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
            throw Failure(.badInput, "cannot place the image: it is nowhere on the map")
        }
        return Footprint(outline: points)
    }

    /// The pixels that the footprints touch and those between them, for at most one turn around the world.
    static func finestWindow(
        of footprints: [Footprint], matrix: TileMatrix
    ) throws -> PixelWindow {
        func pixels(_ extents: [ClosedRange<Double>]) -> Range<Int> {
            let touched = extents.map {
                CellCoverage.touched($0, tolerance: CellCoverage.tolerance(of: $0))
            }
            return touched.dropFirst().reduce(touched[0]) { $0.hull(with: $1) }
        }
        let rows = pixels(footprints.map(\.rows)).clamped(to: 0..<matrix.pixelsPerEdge)
        guard !rows.isEmpty else {
            throw Failure(
                .badInput,
                "cannot place the image: it is beyond the map's edge at 85.05 degrees of latitude",
                remedy: "check the order of latitude and longitude")
        }
        let columns = oneTurn(pixels(footprints.map(\.columns)), of: matrix)
        return PixelWindow(columns: columns, rows: rows)
    }

    /// The columns, cut to one turn around the world.
    private static func oneTurn(_ columns: Range<Int>, of matrix: TileMatrix) -> Range<Int> {
        let turn = columns.lowerBound + matrix.pixelsPerEdge
        return columns.lowerBound..<min(columns.upperBound, turn)
    }

    /// The plan of one of the zooms alone: the same tiles and footprints, from images that are made for this
    /// zoom, without zooms halved from it.
    ///
    /// - Parameter layers: the images in the order of the plan's layers.
    /// - Returns: nil if a cutline leaves nothing of this zoom.
    package func alone(zoom: Int, of layers: [ImageLayer]) throws -> PyramidPlan? {
        guard let found = levels.first(where: { $0.zoom == zoom && $0.isWritten }) else { return nil }
        var level = found
        if let cutline = options.cutline {
            var window = level.window
            guard let mask = Self.mask(cutline, within: &window, matrix: level.matrix) else { return nil }
            level.cut = LevelCut(mask: mask, scale: 1)
        }
        let limited = layers.map { $0.limited { $0.map(level.matrix.pixel(ofMercator:)) } }
        var plan = self
        (plan.layers, plan.levels, plan.options.zooms) = (limited, [level], zoom...zoom)
        plan.isConfined = false
        return plan
    }
}

extension PixelGrid {
    /// The box around an upright window, in Mercator metres.
    fileprivate func box(of window: PixelWindow) -> BoundingBox {
        let corners = window.corners.map(mercator(ofPixel:))
        return BoundingBox(around: corners).unwrapped("a window has corners")
    }
}

extension [Point] {
    /// The area inside a ring without a repeated end (the shoelace formula).
    fileprivate var area: Double {
        guard var previous = last else { return 0 }
        var twice = 0.0
        for point in self {
            twice += (previous.x - point.x) * (previous.y + point.y)
            previous = point
        }
        return abs(twice) / 2
    }
}
