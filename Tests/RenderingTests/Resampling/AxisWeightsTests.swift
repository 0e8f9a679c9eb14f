import Rendering
import Testing
import TestSupport

@Suite struct AxisWeightsTests {
    static let weighted = ResamplingMethod.allCases.filter { !$0.copiesPixels }

    @Test("the weights of every pixel add up to exactly 1", arguments: weighted)
    func sums(method: ResamplingMethod) {
        var random = SplitMix(seed: 11)
        for _ in 0..<40 {
            let scale = Double.random(in: -6...6, using: &random)
            let bend = Double.random(in: 0...0.001, using: &random)
            let first = Int.random(in: -50...50, using: &random)
            let weights = AxisWeights(pixels: first..<first + 60, method: method) {
                $0 * scale + $0 * $0 * bend + 0.37
            }
            #expect(weights.taps % FixedWeights.tapMultiple == 0)
            for index in 0..<60 {
                let run = weights.weights[index * weights.taps..<(index + 1) * weights.taps]
                #expect(run.reduce(0) { $0 + Int($1) } == 16_384)
            }
        }
    }

    @Test(
        "kernels of an extremely squeezed image fit into memory",
        arguments: weighted, [1e7, 1e12, 1e300])
    func squeezed(method: ResamplingMethod, scale: Double) {
        let weights = AxisWeights(pixels: -1..<2, method: method) { $0 * scale }
        // Lanczos reaches three times the widest footprint, 2^16, to either side.
        #expect(weights.taps <= (6 << 16) + 8)
        #expect(weights.weights[..<weights.taps].reduce(0) { $0 + Int($1) } == 16_384)
    }

    @Test("area weights are the overlaps with the pixel's footprint")
    func areaByHand() {
        // A pixel of the result covers 2.5 of the source: two whole ones and a half.
        expect(
            .area, pixels: 0..<2, { $0 * 2.5 }, starts: [0, 2],
            weights: [[0.4, 0.4, 0.2], [0.2, 0.4, 0.4]])
        // A quarter before the image counts for nothing that is there.
        expect(
            .area, pixels: -1..<1, { $0 * 2 + 0.5 }, starts: [-2, 0],
            weights: [[0.25, 0.5, 0.25], [0.25, 0.5, 0.25]])
        // Finer than the source: the pixel beneath, or the two that meet within.
        expect(
            .area, pixels: 0..<4, { $0 * 0.75 }, starts: [0, 0, 1, 2],
            weights: [[1], [1.0 / 3, 2.0 / 3], [2.0 / 3, 1.0 / 3], [1]])
        // Running backwards.
        expect(
            .area, pixels: 0..<2, { 5 - $0 * 2.5 }, starts: [2, 0],
            weights: [[0.2, 0.4, 0.4], [0.4, 0.4, 0.2]])
    }

    @Test("kernels are sampled at the centres of source pixels, widened if they shrink")
    func kernels() {
        // numpy: w((i + 0.5 - centre) / scale), divided by their sum.
        expect(
            .cubic, pixels: 7..<8, { $0 - 0.25 }, starts: [5],
            weights: [[-0.023438, 0.226562, 0.867188, -0.070312]])
        expect(
            .cubic, pixels: 3..<4, { $0 * 2 }, starts: [3],
            weights: [
                [
                    -0.011719, -0.035156, 0.113281, 0.433594, 0.433594, 0.113281, -0.035156,
                    -0.011719,
                ]
            ])
        expect(
            .lanczos, pixels: 0..<1, { ($0 - 0.5) * 1.7 + 10.3 }, starts: [5],
            weights: [
                [
                    0.002176, 0.017359, -0.058476, -0.026311, 0.381479, 0.575187, 0.193497,
                    -0.083475, -0.016837, 0.015401,
                ]
            ])
        expect(
            .bilinear, pixels: 1..<2, { $0 * 3 }, starts: [2],
            weights: [[1.0 / 9, 2.0 / 9, 3.0 / 9, 2.0 / 9, 1.0 / 9]])
    }

    @Test("a pixel that the image's edge cuts has the weight of the part inside")
    func cutPixels() {
        // The image begins at 0.25 and ends at 4.5; a pixel of the result covers 1.5 of the source.
        let area = AxisWeights(pixels: 0..<3, method: .area, within: 0.25...4.5) { $0 * 1.5 + 0.25 }
        let shares = [[0.75, 0.75], [0.25, 1, 0.25], [0.75, 0.5]].map { $0.map { $0 / 1.5 } }
        for (pixel, exact) in shares.enumerated() {
            for (fixed, exact) in zip(Self.run(area, pixel), exact) {
                #expect(abs(Double(fixed) - exact * 16_384) <= 1.01)
            }
        }
        #expect(area.sourcePixels(of: 2) == 3..<5)
        // Halfway between two pixels a tent has half of each, of which the second is there to a
        // quarter.
        let tent = AxisWeights(pixels: 2..<3, method: .bilinear, within: 0...2.25) { $0 - 0.5 }
        #expect(Self.run(tent, 2) == [8192, 2048])
    }

    @Test("at the source's own scale every kernel is the identity", arguments: weighted)
    func identity(method: ResamplingMethod) {
        let weights = AxisWeights(pixels: 100..<104, method: method) { $0 - 90 }
        for pixel in 100..<104 {
            #expect(weights.sourcePixels(of: pixel) == pixel - 90..<pixel - 89)
            weights.withWeights(of: pixel) { #expect($0[0] == 16_384) }
        }
    }

    @Test("weights depend on the absolute pixel, not on where a run begins", arguments: weighted)
    func anchored(method: ResamplingMethod) {
        func position(_ x: Double) -> Double { x * 1.37 - 20 }
        let all = AxisWeights(pixels: 0..<64, method: method, sourcePosition: position)
        let part = AxisWeights(pixels: 17..<31, method: method, sourcePosition: position)
        for pixel in 17..<31 {
            #expect(all.sourcePixels(of: pixel) == part.sourcePixels(of: pixel))
            #expect(Self.run(all, pixel) == Self.run(part, pixel))
        }
    }

    @Test("the reach of a run holds every pixel that its weights read, padding included")
    func reach() {
        let weights = AxisWeights(pixels: 5..<50, method: .lanczos) { 300 - $0 * 2.3 }
        let reach = weights.sourceReach(of: 10..<20)
        for index in 5..<15 {
            let start = Int(weights.starts[index])
            #expect(start >= reach.lowerBound && start + weights.taps <= reach.upperBound)
        }
    }

    private static func run(_ weights: AxisWeights, _ pixel: Int) -> [Int16] {
        let count = weights.sourcePixels(of: pixel).count
        var run: [Int16] = []
        weights.withWeights(of: pixel) {
            run = Array(UnsafeBufferPointer(start: $0, count: count))
        }
        return run
    }

    /// Compares with exact weights; fixed ones are differences of rounded sums, so each is right to
    /// one unit.
    private func expect(
        _ method: ResamplingMethod, pixels: Range<Int>, _ position: (Double) -> Double,
        starts: [Int], weights expected: [[Double]],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let weights = AxisWeights(pixels: pixels, method: method, sourcePosition: position)
        for (index, pixel) in pixels.enumerated() {
            let run = Self.run(weights, pixel)
            let (first, exact) = (weights.sourcePixels(of: pixel).lowerBound, expected[index])
            #expect(first == starts[index], sourceLocation: sourceLocation)
            #expect(run.count == exact.count, sourceLocation: sourceLocation)
            for (fixed, exact) in zip(run, exact) {
                #expect(
                    abs(Double(fixed) - exact * 16_384) <= 1.01, sourceLocation: sourceLocation)
            }
        }
    }
}
