internal import CKernels

/// The weights of pixels along an axis, run after run: an array for each pixel would take longer than its weights.
struct WeightRuns {
    private let edges: ClosedRange<Double>
    /// The source pixels of each run, from the first to the last whose weight is not zero.
    private(set) var reads: [cr_span] = []
    /// Weights of the longest run, 1 at least.
    private(set) var longest = 1
    private var samples: [Int16] = []
    /// The weights of the run that is being added.
    private var weights: [Double] = []

    /// - Parameters:
    ///   - edges: what of a pixel lies beyond has no weight.
    ///   - count: pixels that will be added.
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

    /// Adds a pixel: the share of its footprint that each source pixel covers.
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

    /// Rounds the weights, and leaves out those at the ends that are zero.
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

    /// The weights of all runs, each filled up with zeros.
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
    /// The part of a pixel between the edges of an image; all of one that lies beyond them, which
    /// holds nothing anyway.
    func part(ofPixel index: Int) -> ClosedRange<Double> {
        let pixel = Double(index)...Double(index + 1)
        let part = pixel.clamped(to: self)
        return part.lowerBound < part.upperBound ? part : pixel
    }
}

extension ClosedRange<Double> {
    /// From end to end.
    var length: Double { upperBound - lowerBound }
}
