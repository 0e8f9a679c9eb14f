import Georeferencing
import Raster
import TestSupport
import Testing
import Tiling
@testable import Rendering

/// Positions that the grid interpolates, compared with the exact ones.
@Suite struct MappingGridTests {
    /// Images whose mapping is smooth, curved, cut by the antimeridian, or without an end at a pole.
    static let images: [(crs: String, west: Double, north: Double, pixel: Double, width: Int)] = [
        ("EPSG:25832", 690_000, 5_336_000, 0.05, 4000),
        ("EPSG:25832", 100_000, 7_900_000, 1500, 1200),
        ("EPSG:27700", 0, 1_200_000, 800, 1500),
        ("EPSG:3035", 2_700_000, 5_000_000, 4000, 900),
        ("EPSG:3995", -3_000_000, 3_000_000, 5000, 1200),
        ("EPSG:3031", -500_000, 900_000, 300, 1500),
        ("EPSG:32701", 100_000, 8_140_000, 200, 1000),
        ("EPSG:4267", 179.5, 52, 0.001, 1000),
        ("EPSG:4269", -180, 90, 0.18, 2000),
        ("EPSG:4087", -20_037_508.34, 10_018_754.17, 20_037.508, 2000),
    ]

    private static func plan(
        _ image: (crs: String, west: Double, north: Double, pixel: Double, width: Int)
    ) throws -> PyramidPlan {
        let height = image.width / 2
        let transform = AffineTransform(
            a: image.pixel, b: 0, c: image.west, d: 0, e: -image.pixel, f: image.north)
        let mapping = try ImageMapping(
            Georeference(crs: CRS(image.crs), pixelToCRS: .affine(transform)),
            width: image.width, height: height)
        let zoom = Int(mapping.nativeZoom(tileSize: 256).rounded())
        return try PyramidPlan(
            mapping, width: image.width, height: height, zooms: zoom...zoom, resampling: .cubic)
    }

    /// The cells of some rows of a window, spread over all of it.
    private static func cells(
        of grid: MappingGrid, _ window: PixelWindow, every step: Int
    ) -> [PixelWindow] {
        stride(from: window.rows.lowerBound, to: window.rows.upperBound, by: step * 64).flatMap {
            let rows = $0..<min($0 + 64, window.rows.upperBound)
            return grid.parts(of: PixelWindow(columns: window.columns, rows: rows))
        }
    }

    @Test("errors of positions are less than a 16th of a pixel", arguments: images.some(1))
    func exactness(
        image: (crs: String, west: Double, north: Double, pixel: Double, width: Int)
    ) throws {
        let plan = try Self.plan(image)
        let (matrix, window) = (plan.levels[0].matrix, plan.levels[0].window)
        let grid = plan.target.mappingGrid(ofLayer: 0)
        let info = plan.layers[0].info
        let inside = BoundingBox(
            minX: 0, minY: 0, maxX: Double(info.width), maxY: Double(info.height))
        var compared = 0
        for cell in Self.cells(of: grid, window, every: 7) {
            let positions = grid.positions(of: cell)
            var exact = cell.rows.flatMap { row in
                cell.columns.map { column in
                    matrix.mercator(ofPixel: Point(x: Double(column) + 0.5, y: Double(row) + 0.5))
                }
            }
            plan.layers[0].mapping.imagePoints(ofMercator: &exact)
            // Where the image's pixels are smaller than the result's, in the result's pixels.
            let scale = max(
                1, 2 * max(positions.jacobian.columnReach, positions.jacobian.rowReach))
            var worst = 0.0
            for (index, point) in exact.enumerated() where inside.contains(point) {
                var column = positions.columns[index] - point.x
                if let turn = plan.layers[0].mapping.columnsPerTurn {
                    column -= Double(turn) * (column / Double(turn)).rounded()
                }
                worst = max(worst, abs(column), abs(positions.rows[index] - point.y))
                compared += 1
            }
            // The Jacobian is rounded to a 32nd.
            #expect(worst < 1.04 * scale / 16, "cell \(cell)")
        }
        #expect(compared > 10_000)
    }

    @Test("positions depend only on their place, not on earlier requests")
    func order() throws {
        let plan = try Self.plan(Self.images[3])
        let (first, second) = (plan.target.mappingGrid(ofLayer: 0), plan.target.mappingGrid(ofLayer: 0))
        let cells = Self.cells(of: first, plan.levels[0].window, every: 11)
        let forwards = cells.map { Kept(first.positions(of: $0)) }
        let backwards = cells.reversed().map { Kept(second.positions(of: $0)) }
        for (one, other) in zip(forwards, backwards.reversed()) {
            #expect(one.jacobian == other.jacobian)
            #expect(one.columns.elementsEqual(other.columns, by: Self.isSame))
            #expect(one.rows.elementsEqual(other.rows, by: Self.isSame))
        }
    }

    /// Positions of a cell, which a grid writes over with those of the next one.
    private struct Kept {
        let columns: ArraySlice<Double>
        let rows: ArraySlice<Double>
        let jacobian: Jacobian

        init(_ positions: SourcePositions) {
            let count = positions.width * positions.height
            (columns, rows) = (positions.columns.prefix(count), positions.rows.prefix(count))
            jacobian = positions.jacobian
        }
    }

    private static func isSame(_ first: Double, _ second: Double) -> Bool {
        first == second || first.isNaN && second.isNaN
    }

    @Test("the rows of cells include everything that their kernels touch", arguments: images.some(1))
    func rows(
        image: (crs: String, west: Double, north: Double, pixel: Double, width: Int)
    ) throws {
        let plan = try Self.plan(image)
        let grid = plan.target.mappingGrid(ofLayer: 0)
        for cell in Self.cells(of: grid, plan.levels[0].window, every: 9) {
            let positions = grid.positions(of: cell)
            let reach = Double(Warper.reach(of: .cubic, at: positions.jacobian).rows)
            let touched = (0..<cell.width * cell.height).filter { index in
                let (column, row) = (positions.columns[index], positions.rows[index])
                return column > -reach && column < Double(plan.layers[0].info.width) + reach
                    && row > -reach && row < Double(plan.layers[0].info.height) + reach
            }
            guard let named = grid.sourceRows(of: cell) else {
                #expect(touched.isEmpty)
                continue
            }
            let all = Double(named.lowerBound) + reach...Double(named.upperBound) - reach
            #expect(touched.allSatisfy { all.contains(positions.rows[$0]) })
        }
    }

    @Test("Points without a source are nowhere, and nothing is interpolated between them")
    func nowhere() {
        let cell = PixelWindow(columns: 0..<64, rows: 0..<64)
        let known: [Point] = (0..<9).map { index -> Point in Point(x: Double(index % 3), y: Double(index / 3))
        }
        let nodes = GridNodes(cell: cell, points: known)
        #expect(nodes.interpolationError == 0)
        var partly = known
        partly[4] = Point(x: .nan, y: .nan)
        #expect(GridNodes(cell: cell, points: partly).interpolationError == .infinity)
        let none = GridNodes(cell: cell, points: known.map { _ in partly[4] })
        #expect(none.interpolationError == .infinity)
    }
}

extension BoundingBox {
    fileprivate func contains(_ point: Point) -> Bool {
        point.x > minX && point.x < maxX && point.y > minY && point.y < maxY
    }
}
