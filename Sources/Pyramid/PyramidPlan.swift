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
        let cellSize = Self.cellSize(of: mapping, pixels: sourceWidth * sourceHeight)
        let extra = Self.extraZooms(mapping, cellSize: cellSize, options: options)
        levels = try Self.levels(
            outline: mapping.outline, finest: options.zooms.upperBound + extra, options: options)
    }

    /// How many tiles the footprint touches, over all zooms: at most this many are written.
    ///
    /// An estimate where a zoom has very many; see `PyramidLevel.tileCount`.
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
    private static func extraZooms(
        _ mapping: ImageMapping, cellSize: Double, options: PyramidOptions
    ) -> Int {
        if case .separable = mapping.shape { return 0 }
        if options.resampling.copiesPixels { return 0 }
        var matrix = TileMatrix(zoom: options.zooms.upperBound, tileSize: options.tileSize)
        var extra = 0
        while matrix.cellSize >= 2 * cellSize, matrix.zoom < 30 {
            matrix.zoom += 1
            extra += 1
        }
        return extra
    }

    /// The edge of the image's pixels in Mercator metres: at its centre, unless most are more than
    /// twice as large. Under a strong perspective those at the centre are tiny, and a level as fine
    /// as they are would have many more pixels than the image.
    private static func cellSize(of mapping: ImageMapping, pixels: Int) -> Double {
        max(mapping.mercatorCellSize, (mapping.outline.area / Double(pixels)).squareRoot() / 2)
    }

    private static func levels(
        outline: [Point], finest: Int, options: PyramidOptions
    ) throws -> [PyramidLevel] {
        var matrix = TileMatrix(zoom: finest, tileSize: options.tileSize)
        var footprint = try Self.footprint(outline, in: matrix)
        var window = try finestWindow(of: footprint, matrix: matrix)
        var levels: [PyramidLevel] = []
        while matrix.zoom >= options.zooms.lowerBound {
            levels.append(
                PyramidLevel(
                    matrix: matrix, window: window, coverage: CellCoverage(footprint),
                    isWritten: matrix.zoom <= options.zooms.upperBound))
            matrix.zoom -= 1
            footprint = footprint.halved
            window = PixelWindow(
                columns: oneTurn(halved(window.columns), of: matrix), rows: halved(window.rows))
        }
        return levels
    }

    private static func footprint(_ outline: [Point], in matrix: TileMatrix) throws -> Footprint {
        let points = outline.map(matrix.pixel(ofMercator:))
        guard !points.isEmpty, points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
            throw Failure(.badInput, "cannot place the image: it lies nowhere on the map")
        }
        return Footprint(outline: points)
    }

    /// The pixels that the footprint touches; at most one turn around the world.
    private static func finestWindow(
        of footprint: Footprint, matrix: TileMatrix
    ) throws -> PixelWindow {
        func pixels(_ extent: ClosedRange<Double>) -> Range<Int> {
            CellCoverage.touched(extent, tolerance: CellCoverage.tolerance(of: extent))
        }
        let rows = pixels(footprint.rows).clamped(to: 0..<matrix.pixelsPerEdge)
        guard !rows.isEmpty else {
            throw Failure(
                .badInput,
                "cannot place the image: it lies beyond the map's edge at 85.05 degrees of latitude",
                remedy: "check the order of latitude and longitude")
        }
        return PixelWindow(columns: oneTurn(pixels(footprint.columns), of: matrix), rows: rows)
    }

    /// As many of the columns as the world has.
    private static func oneTurn(_ columns: Range<Int>, of matrix: TileMatrix) -> Range<Int> {
        let turn = columns.lowerBound + matrix.pixelsPerEdge
        return columns.lowerBound..<min(columns.upperBound, turn)
    }

    private static func halved(_ range: Range<Int>) -> Range<Int> {
        floorDivide(range.lowerBound, 2)..<floorDivide(range.upperBound + 1, 2)
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
