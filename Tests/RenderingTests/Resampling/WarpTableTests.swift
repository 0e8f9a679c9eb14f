import CKernels
import Testing
import Tiling
@testable import Rendering

/// The weights of warped pixels, for every phase.
@Suite struct WarpTableTests {
    @Test(
        "the weights of every phase add up to exactly 1",
        arguments: [ResamplingMethod.bilinear, .cubic, .lanczos], [1, 1.3, 2, 5.7])
    func phaseSums(method: ResamplingMethod, scale: Double) throws {
        let kernel = try #require(Kernel(method))
        for axis in [PhaseTable.Axis.across, .down] {
            let table = PhaseTable(kernel: kernel, scale: scale, axis: axis)
            #expect(table.taps % (axis == .across ? 4 : 2) == 0)
            for phase in 0..<256 {
                let run = table.weights[phase * table.taps..<(phase + 1) * table.taps]
                #expect(run.reduce(0) { $0 + Int($1) } == 16_384)
            }
        }
    }

    @Test("padding adds only weights of zero, as many before as after")
    func padding() throws {
        let kernel = try #require(Kernel(.lanczos))
        let across = PhaseTable(kernel: kernel, scale: 1, axis: .across)
        let down = PhaseTable(kernel: kernel, scale: 1, axis: .down)
        #expect((across.taps, down.taps) == (8, 6))
        for phase in 0..<256 {
            let run = Array(across.weights[8 * phase..<8 * phase + 8])
            #expect(run.first == 0 && run.last == 0)
            #expect(run[1..<7] == down.weights[6 * phase..<6 * phase + 6])
        }
    }

    @Test("phase 0 is the pixel itself, and opposite phases mirror each other")
    func phases() throws {
        let table = PhaseTable(kernel: try #require(Kernel(.cubic)), scale: 1, axis: .down)
        #expect(Array(table.weights[..<4]) == [0, 16_384, 0, 0])
        // Keys' polynomial at 0.5 and 1.5; exact in 14 bits.
        #expect(Array(table.weights[128 * 4..<129 * 4]) == [-1024, 9216, 9216, -1024])
        for phase in 1..<256 {
            for tap in 0..<4 {
                let mirrored = table.weights[(256 - phase) * 4 + 3 - tap]
                #expect(abs(Int(table.weights[phase * 4 + tap]) - Int(mirrored)) <= 1)
            }
        }
    }

    private static let lines = [
        Jacobian(columnPerX: 2, columnPerY: 2, rowPerX: 2, rowPerY: 2),
        Jacobian(columnPerX: 0, columnPerY: 0, rowPerX: 0, rowPerY: 0),
    ]

    /// Pixels of all proportions: upright, turned by 45 degrees and sheared; a line and a point.
    static let thinPixels =
        lines
        + [1.0, 0.02, 1e-4, 1e-9].flatMap { thickness in
            [
                Jacobian(columnPerX: 1, columnPerY: 0, rowPerX: 0, rowPerY: thickness),
                Jacobian(columnPerX: thickness, columnPerY: 0, rowPerX: 0, rowPerY: -1),
                Jacobian(
                    columnPerX: 0.7, columnPerY: -0.7, rowPerX: 0.7 * thickness,
                    rowPerY: 0.7 * thickness),
                Jacobian(columnPerX: 2, columnPerY: 2, rowPerX: 2, rowPerY: 2 + thickness),
            ]
        }

    @Test(
        "a pixel covers its whole area, however thin it is in the source", arguments: thinPixels)
    func footprintSums(jacobian: Jacobian) {
        FootprintTable(jacobian.rounded(bits: 5)).withFootprint { footprint in
            let size = Int(footprint.rows * footprint.columns)
            for phase in 0..<1 << (2 * Int(footprint.phase_bits)) {
                let sum = (0..<size).reduce(0) { $0 + Int(footprint.weights[phase * size + $1]) }
                #expect(sum == 16_384)
            }
        }
    }

    @Test("a square turned by 45 degrees covers triangles of its neighbours")
    func turnedSquare() {
        // The diamond |x| + |y| <= 1 around the centre, of area 2.
        let table = FootprintTable(
            Jacobian(columnPerX: 1, columnPerY: -1, rowPerX: 1, rowPerY: 1))
        // Around a corner of pixels, a triangle of 1/2 in each of the four.
        let corner = Self.shares(table, x: 0, y: 0)
        let quarters: [[Int]: Double] = [
            [-1, -1]: 0.25, [0, -1]: 0.25, [-1, 0]: 0.25, [0, 0]: 0.25,
        ]
        #expect(corner == quarters)
        // Around a pixel's centre, all of it and a triangle of 1/4 in each neighbour.
        let middle = Self.shares(table, x: 0.5, y: 0.5)
        let cross: [[Int]: Double] = [
            [0, 0]: 0.5, [0, -1]: 0.125, [-1, 0]: 0.125, [1, 0]: 0.125, [0, 1]: 0.125,
        ]
        #expect(middle == cross)
    }

    static let jacobians: [(Double, Double, Double, Double)] = [
        (1, 0, 0, 1), (0.3, 0, 0, 0.2), (0.97, -0.22, 0.22, 0.97), (0, 1.8, -1.8, 0),
        (1.7, 0.9, -0.4, 2.2), (3, 2.5, -1, 4), (-0.5, 0.1, 0.2, 0.6),
    ]

    @Test("coverage agrees with supersampling, and adds up to exactly 1", arguments: jacobians)
    func supersampling(a: Double, b: Double, c: Double, d: Double) {
        let jacobian = Jacobian(columnPerX: a, columnPerY: b, rowPerX: c, rowPerY: d)
        let table = FootprintTable(jacobian)
        for (x, y) in [(0.0, 0.0), (0.5, 0.25), (0.875, 0.625)] {
            let shares = Self.shares(table, x: x, y: y)
            #expect(shares.values.reduce(0, +) == 1)
            let samples = Self.samples(jacobian, x: x, y: y)
            for pixel in Set(shares.keys).union(samples.keys) {
                // 128 samples along an edge of the pixel: a line through them errs by 1/128 each.
                let difference = (shares[pixel] ?? 0) - (samples[pixel] ?? 0)
                #expect(abs(difference) < 0.02)
            }
        }
    }

    @Test("the shares of every phase add up to 1, and none is negative")
    func everyPhase() {
        let table = FootprintTable(
            Jacobian(columnPerX: 0.8, columnPerY: 0.3, rowPerX: -0.3, rowPerY: 0.8))
        table.withFootprint { footprint in
            let (phases, size) = (
                1 << (2 * footprint.phase_bits), footprint.rows * footprint.columns
            )
            for phase in 0..<phases {
                let run = UnsafeBufferPointer(
                    start: footprint.weights + phase * Int(size), count: Int(size))
                #expect(run.reduce(0) { $0 + Int($1) } == 16_384)
                #expect(run.allSatisfy { $0 >= 0 })
            }
        }
    }

    /// The weights that are not zero, by column and row relative to the whole position.
    private static func shares(_ table: FootprintTable, x: Double, y: Double) -> [[Int]: Double] {
        table.withFootprint { footprint in
            let phases = 1 << Int(footprint.phase_bits)
            let (columns, rows) = (Int(footprint.columns), Int(footprint.rows))
            let phase = Int(y * Double(phases)) * phases + Int(x * Double(phases))
            var shares: [[Int]: Double] = [:]
            for row in 0..<rows {
                for column in 0..<columns {
                    let weight = footprint.weights[(phase * rows + row) * columns + column]
                    if weight == 0 { continue }
                    shares[[column + Int(footprint.left), row + Int(footprint.top)]] =
                        Double(weight) / 16_384
                }
            }
            return shares
        }
    }

    /// The share of points of a pixel of the result that fall into each source pixel.
    private static func samples(_ j: Jacobian, x: Double, y: Double) -> [[Int]: Double] {
        var samples: [[Int]: Double] = [:]
        for v in 0..<128 {
            for u in 0..<128 {
                let (dx, dy) = ((Double(u) + 0.5) / 128 - 0.5, (Double(v) + 0.5) / 128 - 0.5)
                let column = (x + j.columnPerX * dx + j.columnPerY * dy).rounded(.down)
                let row = (y + j.rowPerX * dx + j.rowPerY * dy).rounded(.down)
                samples[[Int(column), Int(row)], default: 0] += 1.0 / 16_384
            }
        }
        return samples
    }

    @Test(
        "scanned weights are exact to some thousandths, and add up to exactly 1",
        arguments: [(1.1, 0.3, -0.3, 1.1), (2.5, 0, 0, 2.5), (1.6, 1.7, -1.7, 1.6), (3.2, 0.5, 1, 20)])
    func scanned(a: Double, b: Double, c: Double, d: Double) {
        let jacobian = Jacobian(columnPerX: a, columnPerY: b, rowPerX: c, rowPerY: d)
        FootprintTable(jacobian, .scanned).withFootprint { scanned in
            let phases = 1 << Int(scanned.phase_bits)
            let taps = Int(scanned.columns * scanned.rows)
            for y in 0..<phases {
                for x in 0..<phases {
                    let weights = (0..<taps).map { Int(scanned.weights[(y * phases + x) * taps + $0]) }
                    #expect(weights.reduce(0, +) == 16_384)
                    let center = Point(x: Double(x) / Double(phases), y: Double(y) / Double(phases))
                    let (left, top) = (Int(scanned.left), Int(scanned.top))
                    let exact = jacobian.corners(around: center).shares(
                        of: PixelWindow(
                            columns: left..<left + Int(scanned.columns), rows: top..<top + Int(scanned.rows)))
                    let worst = zip(weights, exact).map { abs(Double($0) / 16_384 - $1) }.max() ?? 1
                    // Of the whole footprint; a tap of a small one has a fifth of it.
                    #expect(worst < 0.006, "phase \(x), \(y)")
                }
            }
        }
    }
}
