import Platform
import Testing
import Tiling

@testable import Georeferencing

/// What a fit cannot be made of, and the arithmetic below that says so.
@Suite struct FitRefusalTests {
    private func points(_ rows: [[Double]], disabled: Int = 0) -> [ControlPoint] {
        rows.enumerated().map { index, row in
            ControlPoint(
                pixel: Point(x: row[0], y: row[1]), lonLat: Point(x: row[2], y: row[3]),
                name: "point \(index + 1)", isEnabled: index >= disabled)
        }
    }

    /// The reason why points are refused.
    private func reason(_ points: [ControlPoint], _ model: TransformModel) -> String? {
        let failure = #expect(throws: Failure.self) {
            try ControlPointFit(points, model: model, width: 100, height: 100)
        }
        #expect(failure?.kind == .badInput)
        return failure?.message
    }

    @Test("Disabled points are counted if too few are left")
    func disabled() {
        let rows = [[0.0, 0, 8, 47], [90, 0, 8.1, 47], [90, 90, 8.1, 46.9], [0, 90, 8, 46.9]]
        #expect(
            reason(points(rows, disabled: 2), .affine)
                == "the affine fit needs 3 control points, but there are 2 (2 are switched off)")
    }

    @Test("Points a quarter of the Earth from each other do not make an image")
    func farApart() {
        let rows = [[0.0, 0, 0, 0], [90, 0, 178, 0]]
        #expect(
            reason(points(rows), .similarity)
                == "the given points are too far apart to make one image")
    }

    @Test("No projective transform turns a square into a bow tie, and a line determines no affine one")
    func impossible() {
        let square = [(0.0, 0.0), (1, 0), (1, 1), (0, 1)].map { Point(x: $0.0, y: $0.1) }
        let tie = [(0, 0), (2, 1), (1.5, 0), (0, 1.2)].map { Point(x: $0.0, y: $0.1) }
        let failure = #expect(throws: Failure.self) { try ProjectiveTransform(from: square, to: tie) }
        #expect(failure?.message.contains("no projective transform fits the points") == true)
        let line = (0..<4).map { Point(x: Double($0), y: 2 * Double($0)) }
        let second = #expect(throws: Failure.self) { try AffineTransform(fitting: line, to: square) }
        #expect(second?.message == "the control points lie on one line")
    }

    @Test(
        "A point without which the others lie on a line has no leave-one-out fit",
        arguments: [TransformModel.affine, .tps])
    func spared(model: TransformModel) throws {
        let rows = [[0.0, 0, 8, 47], [50, 50, 8.05, 46.95], [100, 100, 8.1, 46.9], [100, 0, 8.1, 47]]
        let fit = try ControlPointFit(points(rows), model: model, width: 100, height: 100)
        #expect(fit.residuals.map { $0.leftOut == nil } == [false, false, false, true])
    }

    @Test("A singular system has no solution")
    func singular() {
        func solution(_ rows: [[Double]]) -> [Double]? {
            var system = LeastSquares(equations: 3, unknowns: 2, sides: 2)
            for (index, row) in rows.enumerated() { system.set(index, row) }
            return system.solve(tolerance: 1e-9)
        }
        #expect(solution([[0, 0, 1, 1], [0, 0, 2, 2], [0, 0, 3, 3]]) == nil)
        #expect(solution([[1, 2, 1, 1], [2, 4, 2, 2], [3, 6, 3, 3]]) == nil)
        // x = 1, y = 2 meets all three; of the second sides, x = 5, y = -1 does.
        let found = solution([[1, 0, 1, 5], [0, 1, 2, -1], [1, 1, 3, 4]])
        #expect(found.map { zip($0, [1, 2, 5, -1]).allSatisfy { abs($0 - $1) < 1e-12 } } == true)
        var system = LinearSystem(count: 2)
        system.matrix = [1, 2, 2, 4]
        #expect(system.solve([1, 1], width: 1) == nil)
        system.matrix = [0, 2, 4, 0]
        #expect(system.solve([2, 4], width: 1) == [1, 1])
    }

    @Test("A miss that cannot be measured is infinite")
    func infinite() {
        let miss = Residual.Miss(pixelOffset: .nowhere, groundOffset: .nowhere)
        #expect(miss.pixels == .infinity && miss.metres == .infinity)
        let known = Residual.Miss(pixelOffset: Point(x: 3, y: 4), groundOffset: Point(x: 0, y: -2))
        #expect(known.pixels == 5 && known.metres == 2)
    }

    @Test("A polynomial of points that mirror the image is mirrored, and differs")
    func mirrored() throws {
        let rows = (0..<9).map { index -> [Double] in
            let (x, y) = (Double(index % 3) * 45, Double(index / 3) * 45)
            return [x, y, 8 + x * 1e-5 + x * x * 1e-9, 47 - y * 1e-5]
        }
        let turned = rows.map { [$0[0], $0[1], $0[2], 94 - $0[3]] }
        let (fit, other) = try (
            ControlPointFit(points(rows), model: .polynomial2, width: 100, height: 100),
            ControlPointFit(points(turned), model: .polynomial2, width: 100, height: 100)
        )
        #expect(!fit.isMirrored && other.isMirrored)
        #expect(fit.georeference.identity != other.georeference.identity)
    }
}
