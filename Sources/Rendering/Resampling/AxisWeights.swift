import CKernels
import Raster

/// The weights of a separable resampling along one axis: for each pixel of the result, a run of
/// source pixels and their weights.
///
/// A weight belongs to a place in the world, not in a block: it depends only on the absolute index of the
/// result's pixel. Everything beyond the source counts as transparent: it takes its share of the kernel and
/// adds nothing.
package struct AxisWeights: Sendable {
    /// The first source pixel of each result pixel; may be before the source's first pixel.
    package private(set) var starts: [Int32]
    /// `taps` weights for each result pixel; those beyond its kernel are zero.
    package private(set) var weights: [Int16]
    /// Weights per result pixel: a multiple of `FixedWeights.tapMultiple`.
    package let taps: Int
    /// The result pixels, by their absolute index.
    package let pixels: Range<Int>
    /// The source pixels that each result pixel reads.
    private let reads: [cr_span]
    /// For each result pixel, the number of pixels before it whose weights do not add up to 1, because an
    /// edge of the source cuts the pixels that they read.
    private let cutBefore: [Int32]

    /// Computes the weights of a run of pixels.
    ///
    /// - Parameters:
    ///   - pixels: absolute indices of the result's pixels.
    ///   - method: bilinear, cubic, lanczos or area; nearest and mode are not weights.
    ///   - edges: the source's edges, if they are not between pixels: of a pixel that an edge cuts, the part
    ///     inside counts.
    ///   - sourcePosition: converts a result coordinate to a source coordinate, in pixels from the source's
    ///     edge; whole numbers are pixel edges in both. It may be decreasing.
    package init(
        pixels: Range<Int>, method: ResamplingMethod,
        within edges: ClosedRange<Double> = -.infinity...(.infinity),
        sourcePosition: (Double) -> Double
    ) {
        precondition(!method.copiesPixels, "\(method) is not a weighted sum")
        let kernel = Kernel(method)
        var runs = WeightRuns(within: edges, count: pixels.count)
        func position(_ pixel: Double) -> Double { Self.limited(sourcePosition(pixel)) }
        var edge = position(Double(pixels.lowerBound))
        for pixel in pixels {
            let (center, next) = (position(Double(pixel) + 0.5), position(Double(pixel + 1)))
            let widest = center - Self.widestFootprint / 2...center + Self.widestFootprint / 2
            let footprint = (min(edge, next)...max(edge, next)).clamped(to: widest)
            if let kernel {
                runs.add(kernel, at: center, widenedBy: max(footprint.length, 1))
            } else {
                runs.add(averaging: footprint)
            }
            edge = next
        }
        self.init(pixels: pixels, runs: runs)
    }

    private init(pixels: Range<Int>, runs: WeightRuns) {
        self.pixels = pixels
        taps = FixedWeights.paddedTaps(runs.longest)
        starts = runs.reads.map(\.first)
        reads = runs.reads
        weights = runs.padded(to: taps)
        cutBefore = Self.cutBefore(weights, taps: taps)
    }

    private static func cutBefore(_ weights: [Int16], taps: Int) -> [Int32] {
        var counts: [Int32] = [0]
        counts.reserveCapacity(weights.count / taps + 1)
        var (count, sum): (Int32, Int) = (0, 0)
        for (index, weight) in weights.enumerated() {
            sum += Int(weight)
            guard index % taps == taps - 1 else { continue }
            if sum != FixedWeights.one { count += 1 }
            counts.append(count)
            sum = 0
        }
        return counts
    }

    /// Bytes of memory: for each result pixel its start, its taps, the range that it reads, and the number of
    /// cut pixels before it.
    var bytes: Int {
        starts.count * 4 + weights.count * 2 + reads.count * 8 + cutBefore.count * 4
    }

    /// Whether the weights of each pixel of a run add up to 1. Then a pixel that reads one colour gets that
    /// colour.
    func keepColors(_ run: Range<Int>) -> Bool {
        cutBefore[run.lowerBound - pixels.lowerBound] == cutBefore[run.upperBound - pixels.lowerBound]
    }

    /// The maximum number of source pixels that a pixel of the result covers. A pixel that covers more shows
    /// no detail of them. But an image can be squeezed into a billionth of a pixel, and then the weights of
    /// everything next to it would not fit into memory.
    private static let widestFootprint = Double(1 << 16)

    /// A position that an integer can hold. Beyond twice the longest edge, all positions are equally far off,
    /// and so is nan (`max` returns its first argument if the other one is nan).
    private static func limited(_ position: Double) -> Double {
        let farthest = Double(2 * RasterInfo.longestEdge)
        return min(max(-farthest, position), farthest)
    }

    /// The source pixels that a result pixel reads, without weights of zero at the ends.
    package func sourcePixels(of pixel: Int) -> Range<Int> {
        let reads = reads[pixel - pixels.lowerBound]
        return Int(reads.first)..<Int(reads.end)
    }

    /// All source pixels that a run of result pixels reads, including padding.
    package func sourceReach(of run: Range<Int>) -> Range<Int> {
        let indices = run.lowerBound - pixels.lowerBound..<run.upperBound - pixels.lowerBound
        let slice = starts[indices]
        let first = Int(slice.min() ?? 0)
        return first..<max(first, Int(slice.max() ?? 0) + taps)
    }

    /// Calls `body` with the starts and the weights of a run of result pixels.
    package func withRun<Result>(
        _ run: Range<Int>, _ body: (UnsafePointer<Int32>, UnsafePointer<Int16>) -> Result
    ) -> Result {
        precondition(
            !run.isEmpty && run.lowerBound >= pixels.lowerBound && run.upperBound <= pixels.upperBound)
        let first = run.lowerBound - pixels.lowerBound
        return starts.withUnsafeBufferPointer { starts in
            weights.withUnsafeBufferPointer { weights in
                // Neither is empty.
                let (starts, weights) = (
                    starts.baseAddress.unsafelyUnwrapped, weights.baseAddress.unsafelyUnwrapped
                )
                return body(starts + first, weights + first * taps)
            }
        }
    }

    /// Calls `body` with the source pixels that each pixel of a run reads, as in `sourcePixels(of:)`, and
    /// with the weights.
    func withReads<Result>(
        _ run: Range<Int>, _ body: (UnsafePointer<cr_span>, UnsafePointer<Int16>) -> Result
    ) -> Result {
        withRun(run) { _, weights in
            reads.withUnsafeBufferPointer { reads in
                // A run is not empty.
                body(reads.baseAddress.unsafelyUnwrapped + (run.lowerBound - pixels.lowerBound), weights)
            }
        }
    }

    /// Calls `body` with the weights of the pixels in `sourcePixels(of:)`.
    package func withWeights(of pixel: Int, _ body: (UnsafePointer<Int16>) -> Void) {
        let index = pixel - pixels.lowerBound
        weights.withUnsafeBufferPointer { weights in
            guard let weights = weights.baseAddress else { return }
            body(weights + index * taps)
        }
    }
}

/// The weights of pixels along an axis, one run after another: an array for each pixel would take more time
/// than its weights.
struct WeightRuns {
    private let edges: ClosedRange<Double>
    /// The source pixels of each run, from the first to the last whose weight is not zero.
    private(set) var reads: [cr_span] = []
    /// The number of weights of the longest run, at least 1.
    private(set) var longest = 1
    private var samples: [Int16] = []
    /// The weights of the run that is being added.
    private var weights: [Double] = []

    /// - Parameter edges: the part of a pixel beyond them has no weight.
    init(within edges: ClosedRange<Double>, count: Int) {
        self.edges = edges
        reads.reserveCapacity(count)
        samples.reserveCapacity(4 * count)
    }

    /// Adds a pixel: a kernel sampled at the centres of the source pixels within its support, normalised.
    mutating func add(_ kernel: Kernel, at center: Double, widenedBy scale: Double) {
        let reach = Double(kernel.support) * scale
        let first = Int((center - reach - 0.5).rounded(.up))
        let last = max(first, Int((center + reach - 0.5).rounded(.down)))
        weights.removeAll(keepingCapacity: true)
        for pixel in first...last {
            weights.append(kernel.weight(at: (Double(pixel) + 0.5 - center) / scale))
        }
        let sum = weights.reduce(0, +)
        for index in weights.indices {
            weights[index] = weights[index] / sum * edges.part(ofPixel: first + index).length
        }
        finish(first)
    }

    /// Adds a pixel: the shares of its footprint in each source pixel.
    mutating func add(averaging footprint: ClosedRange<Double>) {
        let width = footprint.length
        let first = Int(footprint.lowerBound.rounded(.down))
        let last = max(first, Int(footprint.upperBound.rounded(.up)) - 1)
        weights.removeAll(keepingCapacity: true)
        for pixel in first...last {
            let part = edges.part(ofPixel: pixel)
            let covered =
                min(part.upperBound, footprint.upperBound)
                - max(part.lowerBound, footprint.lowerBound)
            weights.append(width > 0 ? max(covered, 0) / width : 1)
        }
        finish(first)
    }

    /// Rounds the weights, and removes zeros at the ends.
    private mutating func finish(_ start: Int) {
        let before = samples.count
        var leading = 0
        FixedWeights.round(weights) { weight in
            if weight == 0, samples.count == before { leading += 1 } else { samples.append(weight) }
        }
        while samples.count > before, samples.last == 0 { samples.removeLast() }
        let count = samples.count - before
        longest = max(longest, count)
        let first = start + (count > 0 ? leading : 0)
        reads.append(cr_span(first: Int32(clamping: first), end: Int32(clamping: first + count)))
    }

    /// The weights of all runs, each padded with zeros.
    func padded(to taps: Int) -> [Int16] {
        var result = [Int16](repeating: 0, count: taps * reads.count)
        var next = 0
        for (index, span) in reads.enumerated() {
            for tap in 0..<Int(span.end - span.first) {
                result[index * taps + tap] = samples[next]
                next += 1
            }
        }
        return result
    }
}

extension ClosedRange<Double> {
    /// The part of a pixel between the edges of an image; the whole pixel if it is beyond them, which makes
    /// no difference.
    func part(ofPixel index: Int) -> ClosedRange<Double> {
        let pixel = Double(index)...Double(index + 1)
        let part = pixel.clamped(to: self)
        return part.lowerBound < part.upperBound ? part : pixel
    }

    /// The length of the range.
    var length: Double { upperBound - lowerBound }
}
