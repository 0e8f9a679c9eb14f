import Foundation
import TestSupport
import Testing
@testable import Tiling
@testable import Rendering

/// How much of each pixel lies within polygons.
struct CutMaskTests {
    /// A ring around a middle whose edges do not cross each other: a star.
    private static func star(
        _ random: inout SplitMix, around middle: Point, radii: ClosedRange<Double>
    ) -> [Point] {
        let corners = Int.random(in: 5...11, using: &random)
        return (0..<corners).map { corner in
            let angle = 2 * .pi * (Double(corner) + .random(in: 0...0.9, using: &random)) / Double(corners)
            let radius = Double.random(in: radii, using: &random)
            return Point(x: middle.x + radius * cos(angle), y: middle.y + radius * sin(angle))
        }
    }

    /// Up to three polygons, side by side over pixels around (0, 0), some with a hole.
    private static func polygons(seed: UInt64) -> [[[Point]]] {
        var random = SplitMix(seed: seed)
        return (0..<Int.random(in: 1...3, using: &random)).map { index in
            let middle = Point(x: Double(40 * index - 30), y: .random(in: -40...30, using: &random))
            let outer = star(&random, around: middle, radii: 9...18)
            let hole = star(&random, around: middle, radii: 0.5...2)
            return index % 2 == 0 ? [outer, hole] : [outer]
        }
    }

    /// Up to three polygons of up to three rings over each other, which cross others and themselves.
    private static func tangle(seed: UInt64) -> [[[Point]]] {
        var random = SplitMix(seed: seed)
        return (0..<Int.random(in: 1...3, using: &random)).map { _ in
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (0..<Int.random(in: 3...7, using: &random)).map { _ in
                    Point(x: .random(in: -50...60, using: &random), y: .random(in: -60...50, using: &random))
                }
            }
        }
    }

    /// Whether a place lies within a polygon: a ray to the west crosses its rings an odd number of times.
    private static func contains(_ polygon: [[Point]], _ place: Point) -> Bool {
        var crossings = 0
        for ring in polygon {
            for (index, end) in ring.enumerated() {
                let start = ring[(index + ring.count - 1) % ring.count]
                if (start.y <= place.y) == (end.y <= place.y) { continue }
                let share = (place.y - start.y) / (end.y - start.y)
                if start.x + share * (end.x - start.x) <= place.x { crossings += 1 }
            }
        }
        return crossings % 2 == 1
    }

    /// The alphas of a window of opaque pixels that was cut, 0 to 1.
    private static func cut(_ polygons: [[[Point]]], _ window: PixelWindow, isHard: Bool = false) throws
        -> [Double]
    {
        let band = try LevelBand(window: window, capacity: window.height)
        for row in window.rows {
            band.pixel(column: window.columns.lowerBound, row: row)
                .update(repeating: 255 << 6, count: window.width * DeepPixel.channels)
        }
        if let mask = CutMask(polygons: polygons) {
            Cutter(mask: mask, isHard: isHard).cut(window, of: band)
        } else {
            band.clear(window)
        }
        return window.rows.flatMap { row in
            window.columns.map { Double(band.pixel(column: $0, row: row)[3]) / Double(255 << 6) }
        }
    }

    private static let window = PixelWindow(columns: -50..<70, rows: -60..<45)

    /// How far alphas are from what a grid of 16 by 16 places in each pixel finds: of all pixels, and of
    /// those that are neither in nor out.
    private static func errors(of alphas: [Double], _ polygons: [[[Point]]]) -> (all: Double, edges: Double) {
        var (sum, edges) = (0.0, 0)
        for (index, alpha) in alphas.enumerated() {
            let column = window.columns.lowerBound + index % window.width
            let row = window.rows.lowerBound + index / window.width
            let inside = (0..<256).count { place in
                let (x, y) = (Double(place % 16) + 0.5, Double(place / 16) + 0.5)
                let point = Point(x: Double(column) + x / 16, y: Double(row) + y / 16)
                return polygons.contains { contains($0, point) }
            }
            let error = alpha - Double(inside) / 256
            sum += error * error
            if 0 < inside && inside < 256 { edges += 1 }
        }
        return ((sum / Double(alphas.count)).squareRoot(), (sum / Double(edges)).squareRoot())
    }

    @Test(
        "a pixel keeps the share that a grid of 16 by 16 places in it finds inside", .long, arguments: 0..<20)
    func coverage(seed: UInt64) throws {
        let polygons = Self.polygons(seed: seed)
        let errors = try Self.errors(of: Self.cut(polygons, Self.window), polygons)
        // 42 dB, of the pixels along edges alone: the grid itself errs by up to 1/32.
        #expect(errors.edges < 0.008, "\(seed): \(errors)")
    }

    @Test("a pixel in which edges cross each other has a small error", .long, arguments: 0..<10)
    func crossings(seed: UInt64) throws {
        let polygons = Self.tangle(seed: seed)
        let errors = try Self.errors(of: Self.cut(polygons, Self.window), polygons)
        #expect(errors.all < 0.03, "\(seed): \(errors)")
    }

    @Test("hard edges keep pixels whose centre is inside", arguments: (0..<20).some(7))
    func hardEdges(seed: UInt64) throws {
        let polygons = Self.tangle(seed: seed)
        let alphas = try Self.cut(polygons, Self.window, isHard: true)
        var wrong = 0
        for (index, alpha) in alphas.enumerated() {
            let column = Self.window.columns.lowerBound + index % Self.window.width
            let row = Self.window.rows.lowerBound + index / Self.window.width
            let centre = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
            #expect(alpha == 0 || alpha == 1)
            if (alpha == 1) != polygons.contains(where: { Self.contains($0, centre) }) { wrong += 1 }
        }
        // Edges are rounded to a 256th of a pixel.
        #expect(wrong <= 8, "\(seed)")
    }

    @Test("the mask is the same however the window is cut", arguments: 0..<10)
    func windows(seed: UInt64) throws {
        let polygons = Self.tangle(seed: seed)
        for isHard in [false, true] {
            let whole = try Self.cut(polygons, Self.window, isHard: isHard)
            for (columns, rows) in [
                (-50..<3, -60..<(-1)), (3..<4, -1..<0), (4..<70, 0..<45), (-9..<61, -7..<31),
            ] {
                let part = PixelWindow(columns: columns, rows: rows)
                let alphas = try Self.cut(polygons, part, isHard: isHard)
                let same = rows.flatMap { row in
                    columns.map { column in
                        whole[
                            (row - Self.window.rows.lowerBound) * Self.window.width + column
                                - Self.window.columns.lowerBound]
                    }
                }
                #expect(alphas == same, "\(seed) \(part)")
            }
        }
    }

    @Test("polygons that meet leave no seam, and overlapping polygons leave no hole")
    func meetingPolygons() throws {
        let (left, right) = (
            [Point(x: 1, y: 1), Point(x: 6.3, y: 1), Point(x: 4.1, y: 9), Point(x: 1, y: 9)],
            [Point(x: 6.3, y: 1), Point(x: 12, y: 1), Point(x: 12, y: 9), Point(x: 4.1, y: 9)]
        )
        let over = [Point(x: 3, y: 2), Point(x: 3, y: 7), Point(x: 8, y: 7), Point(x: 8, y: 2)]
        let inside = PixelWindow(columns: 1..<12, rows: 1..<9)
        for polygons in [[[left], [right]], [[left], [over], [right]], [[over, left], [right], [over]]] {
            let alphas = try Self.cut(polygons, inside)
            #expect(alphas.min() == 1, "\(alphas)")
        }
    }

    @Test("squares that polygons touch are found, and no others", arguments: 0..<20)
    func touchedSquares(seed: UInt64) throws {
        let polygons = Self.polygons(seed: seed)
        guard let mask = CutMask(polygons: polygons) else { return }
        let alphas = try Self.cut(polygons, Self.window)
        for size in [4, 7] {
            for row in -5..<5 {
                let touched = mask.columns(inRow: row, ofSquares: size)
                for column in -5..<5 {
                    var most = 0.0
                    for y in row * size..<(row + 1) * size {
                        for x in column * size..<(column + 1) * size {
                            let (fromLeft, fromTop) = (
                                x - Self.window.columns.lowerBound, y - Self.window.rows.lowerBound
                            )
                            most = max(most, alphas[fromTop * Self.window.width + fromLeft])
                        }
                    }
                    if most > 0 { #expect(touched.contains(column), "\(seed) \(size) \(column) \(row)") }
                }
            }
        }
    }

    @Test("a polygon that ends along a square's edge does not touch it, but a flat strip inside does")
    func edgesOfSquares() throws {
        let square = [Point(x: 8, y: 8), Point(x: 16, y: 8), Point(x: 16, y: 24), Point(x: 8, y: 24)]
        let mask = try #require(CutMask(polygons: [[square]]))
        #expect(mask.window == PixelWindow(columns: 8..<16, rows: 8..<24))
        let rows = (0..<4).map { Array(mask.columns(inRow: $0, ofSquares: 8).ranges) }
        #expect(rows == [[], [1..<2], [1..<2], []])
        let strip = [Point(x: -100, y: 3), Point(x: 100, y: 3), Point(x: 100, y: 4), Point(x: -100, y: 4)]
        let flat = try #require(CutMask(polygons: [[strip]]))
        #expect(Array(flat.columns(inRow: 0, ofSquares: 8).ranges) == [-13..<13])
        #expect(flat.columns(inRow: 1, ofSquares: 8).isEmpty)
    }

    @Test("squares that a hole fills are left out")
    func hole() throws {
        let outer = [Point(x: 0, y: 0), Point(x: 80, y: 0), Point(x: 80, y: 80), Point(x: 0, y: 80)]
        let hole = [Point(x: 20, y: 20), Point(x: 60, y: 20), Point(x: 60, y: 60), Point(x: 20, y: 60)]
        for rings in [[outer, hole], [outer, hole.reversed()]] {
            let mask = try #require(CutMask(polygons: [rings]))
            #expect(Array(mask.columns(inRow: 3, ofSquares: 10).ranges) == [0..<2, 6..<8])
        }
    }

    @Test("many edges, tall and short, are found in any rows")
    func edgeIndex() {
        var random = SplitMix(seed: 3)
        let ranges = (0..<3000).map { index in
            let first = Int.random(in: -20_000...20_000, using: &random)
            return
                first..<min(
                    20_001, first + Int.random(in: 1...(index % 10 == 0 ? 30_000 : 40), using: &random))
        }
        let index = CutEdgeIndex(ranges)
        for rows in [-20_000..<(-19_999), -30_000..<30_000, 17..<400, 20_000..<20_001, 25_000..<26_000] {
            let found = index.candidates(inRows: rows).filter { ranges[$0].overlaps(rows) }
            #expect(found == ranges.indices.filter { ranges[$0].overlaps(rows) })
        }
    }
}
