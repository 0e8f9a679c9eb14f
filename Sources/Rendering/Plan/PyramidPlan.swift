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
    /// The facts about the whole pyramid that plans of its parts need.
    package let whole: WholePyramid

    /// Plans a pyramid.
    ///
    /// - Parameters:
    ///   - layers: the images or, if only a part will be built, at least those that touch it, in the same order.
    ///   - whole: facts about the whole pyramid, so that a part is made with the same decisions; nil to find them.
    /// - Throws: `Failure` if no part of the images is in the Web Mercator world.
    package init(layers: [ImageLayer], options: PyramidOptions, of whole: WholePyramid? = nil) throws {
        let whole = try whole ?? WholePyramid(of: layers, options)
        let matrix = TileMatrix(zoom: whole.finest, tileSize: options.tileSize)
        let together = try layers.map { layer in
            let columns = try Self.footprint(layer.mapping.outline, in: matrix).columns
            let first = CellCoverage.touched(columns, tolerance: CellCoverage.tolerance(of: columns))
                .lowerBound
            // The window begins at the westernmost layer; see `broughtTogether`.
            return whole.isMosaic && first < whole.window.columns.lowerBound
                ? layer.movedEast(turns: 1) : layer
        }
        (self.whole, self.options) = (whole, options)
        self.layers = together.map { layer in layer.limited { $0.map(matrix.pixel(ofMercator:)) } }
        levels = try Self.levels(outlines: together.map(\.mapping.outline), of: whole, options: options)
    }

    /// The plan of a view, which reads only the visible parts of its images.
    init(viewOf layers: [ImageLayer], levels: [PyramidLevel], options: PyramidOptions) {
        (self.layers, self.options, self.levels) = (layers, options, levels)
        whole = WholePyramid(finest: 0, window: levels[0].window, isMosaic: layers.count > 1)
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

    /// Pixels of a level beyond its own that a row or column of the next one reads, on either side.
    func reach(ofLevel index: Int) -> Int {
        index + 1 < levels.count ? Reducer.reach(of: reducing(toLevel: index + 1)) : 0
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
        // Products of coordinates far from the origin would lose its last digits.
        let outline = mapping.outline.map { $0 - mapping.outline[0] }
        return max(mapping.mercatorCellSize, (outline.area / Double(pixels)).squareRoot() / 2)
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
            window = window.halved
            window.columns = oneTurn(window.columns, of: matrix)
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

/// The division of the finest level's work.
///
/// A unit of the finest level renders everything that the next level reads of it, and halves its pixels at
/// once, while they are in a cache. So the finest level, with three quarters of all pixels, takes no memory
/// beyond one unit for each job. Its neighbours render again the pixels that a kernel reaches beyond the unit,
/// which costs some percent.
extension PyramidPlan {
    /// The number of rows of a unit that are rendered, packed and halved at a time. They stay in the L2 cache: 4
    /// adjacent tiles take half a megabyte.
    static let rowsPerTurn = 64

    /// Pixels around a unit that are rendered with it, because the second level reads them.
    var halo: Int { reach(ofLevel: 0) }

    /// The maximum number of rows of a stage: a row of tiles and of cells, or a band of a view. If the image
    /// shrinks, it is a part of a row of tiles, so that a stage needs about the same number of its rows.
    var rowsPerStage: Int {
        isView ? Self.rowsPerBand : max(CellCoverage.cellSize, options.tileSize) / stagesPerTile
    }

    /// Stages per row of tiles: a power of two; at most 8, so that a stage stays worth its overhead.
    var stagesPerTile: Int {
        let finest = layers.map(\.mapping.mercatorCellSize).reduce(.infinity, min)
        let scale = levels[0].matrix.cellSize / finest
        var stages = 1
        while stages < 8, scale >= Double(2 * stages) { stages *= 2 }
        return stages
    }

    /// Adjacent tiles in a unit: at most 4, so that some of their pixels are still in the L2 cache when they
    /// are packed, and few enough that a row of tiles keeps every job busy.
    func tilesPerUnit(_ resources: PyramidResources) -> Int {
        if let tilesPerUnit = resources.tilesPerUnit { return tilesPerUnit }
        let size = options.tileSize
        let tilesAcross = levels[0].matrix.tiles(ofPixels: levels[0].part.hull.columns).count
        let longest = 4 * CellCoverage.cellSize / size
        return max(1, min(longest, tilesAcross / (3 * max(1, resources.jobs))))
    }

    /// Rows of a unit that are kept at a time: those of a turn, and those of earlier turns that the next row of
    /// the second level reads.
    var rowsOfUnit: Int { Self.rowsPerTurn + 2 * halo + 1 }

    /// Columns of the largest unit, with its halo.
    func columnsOfUnit(_ resources: PyramidResources) -> Int {
        tilesPerUnit(resources) * levels[0].tileSize + 2 * halo
    }
}

extension Range<Int> {
    /// The range, extended by `count` at both ends.
    func widened(by count: Int) -> Range<Int> { lowerBound - count..<upperBound + count }

    /// The range, extended to whole pairs of pixels.
    var paired: Range<Int> { 2 * halved.lowerBound..<2 * halved.upperBound }
}
