internal import Diagnostics
package import Georeferencing
internal import Resampling
internal import Tiling

/// Everything that is decided before the first pixel is read: which zooms, which tiles, in which
/// order, and how much memory that takes.
package struct PyramidPlan: Sendable {
    /// Where the image lies.
    package let mapping: ImageMapping
    /// What to build.
    package let options: PyramidOptions
    /// Columns of the image.
    package let sourceWidth: Int
    /// Rows of the image.
    package let sourceHeight: Int
    /// The zooms, finest first; zooms that are rendered but not written stand before the maximum.
    package let levels: [PyramidLevel]

    /// Plans a pyramid.
    ///
    /// - Throws: `Failure` where nothing of the image lies in the Web Mercator world.
    package init(
        mapping: ImageMapping, sourceWidth: Int, sourceHeight: Int, options: PyramidOptions
    ) throws {
        self.mapping = mapping
        self.options = options
        self.sourceWidth = sourceWidth
        self.sourceHeight = sourceHeight
        let finest = options.zooms.upperBound + Self.extraZooms(mapping: mapping, options: options)
        levels = try Self.levels(
            outline: mapping.outline, finest: finest, options: options)
    }

    /// How many tiles the footprint touches, over all zooms: at most this many are written.
    package var tileCount: Int { levels.reduce(0) { $0 + $1.tileCount } }

    /// The kernel that makes a level from the next finer one.
    func reducing(toLevel index: Int) -> ResamplingMethod {
        let isBelowMaximum = levels[index].matrix.zoom < options.zooms.upperBound
        return isBelowMaximum ? options.overviewResampling : options.resampling
    }

    /// Whether rows and columns are resampled apart.
    var isSeparable: Bool {
        guard case .separable = mapping.shape else { return false }
        return !options.resampling.copiesPixels
    }

    /// Zooms beyond the maximum that are rendered all the same, to be halved.
    ///
    /// Under a general mapping a kernel's cost grows with the square of its scale. Where the
    /// maximum zoom is coarser than the image by a factor of 2 or more, the image is rendered near
    /// its own scale, and the exact halvings of the overviews do the rest. Along rows and columns a
    /// wide kernel costs no more than the pixels it reads, so the separable shape has no need.
    private static func extraZooms(mapping: ImageMapping, options: PyramidOptions) -> Int {
        if case .separable = mapping.shape { return 0 }
        if options.resampling.copiesPixels { return 0 }
        var matrix = TileMatrix(zoom: options.zooms.upperBound, tileSize: options.tileSize)
        var extra = 0
        while matrix.cellSize >= 2 * mapping.mercatorCellSize, matrix.zoom < 30 {
            matrix.zoom += 1
            extra += 1
        }
        return extra
    }

    private static func levels(
        outline: [Point], finest: Int, options: PyramidOptions
    ) throws -> [PyramidLevel] {
        var window = try finestWindow(
            outline: outline, matrix: TileMatrix(zoom: finest, tileSize: options.tileSize))
        var levels: [PyramidLevel] = []
        for zoom in stride(from: finest, through: options.zooms.lowerBound, by: -1) {
            let matrix = TileMatrix(zoom: zoom, tileSize: options.tileSize)
            levels.append(
                PyramidLevel(
                    matrix: matrix, window: window,
                    coverage: CellCoverage(outline: outline.map(matrix.pixel(ofMercator:))),
                    isWritten: zoom <= options.zooms.upperBound))
            window = PixelWindow(columns: halved(window.columns), rows: halved(window.rows))
        }
        return levels
    }

    /// The pixels that the outline touches; at most one turn around the world.
    private static func finestWindow(outline: [Point], matrix: TileMatrix) throws -> PixelWindow {
        guard let box = BoundingBox(around: outline.map(matrix.pixel(ofMercator:))),
            box.width.isFinite, box.height.isFinite
        else {
            throw Failure(.badInput, "cannot place the image: it lies nowhere on the map")
        }
        let world = matrix.pixelsPerEdge
        var columns = pixels(box.minX, box.maxX)
        let rows = pixels(box.minY, box.maxY).clamped(to: 0..<world)
        if columns.count > world {
            columns = columns.lowerBound..<columns.lowerBound + world
        }
        guard !rows.isEmpty else {
            throw Failure(
                .badInput,
                "cannot place the image: it lies beyond the map's edge at 85.05 degrees of latitude",
                remedy: "check the order of latitude and longitude")
        }
        return PixelWindow(columns: columns, rows: rows)
    }

    private static func pixels(_ low: Double, _ high: Double) -> Range<Int> {
        let first = Int((low + CellCoverage.tolerance).rounded(.down))
        return first..<max(first + 1, Int((high - CellCoverage.tolerance).rounded(.up)))
    }

    private static func halved(_ range: Range<Int>) -> Range<Int> {
        floorDivide(range.lowerBound, 2)..<floorDivide(range.upperBound + 1, 2)
    }
}
