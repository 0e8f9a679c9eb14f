import Testing

@testable import TilewrightKit

/// Samples by weight, tested on known sums.
struct WeightedSampleTests {
    @Test("If values are proportional to their weights, a few give the exact sum and spread")
    func exact() {
        let weights = (1...1000).map(Double.init)
        let sample = WeightedSample(weights: weights, count: 20, start: 0.3)
        #expect(sample.elements.count == 20)
        let (sum, variance) = sample.sum(sample.elements.map { 3 * weights[$0] }, unknown: 0)
        #expect(abs(sum - 3 * weights.reduce(0, +)) < 1e-6 * sum)
        #expect(variance < 1e-9 * sum * sum)
    }

    @Test("If there are few elements, all are taken, and the sum is exact")
    func all() {
        let sample = WeightedSample(weights: [5, 1, 1], count: 2, start: 0.5)
        #expect(sample.elements == [0, 1, 2])
        let (sum, variance) = sample.sum([7, 8, 9], unknown: 1)
        #expect(sum == 24)
        #expect(variance == 0)
    }

    @Test("An element that weighs more than a step counts once for each draw")
    func heavy() {
        let weights = [1.0, 97, 1, 1] + Array(repeating: 1.0, count: 30)
        let sample = WeightedSample(weights: weights, count: 4, start: 0.5)
        #expect(sample.elements.contains(1))
        let (sum, _) = sample.sum(sample.elements.map { weights[$0] }, unknown: 0)
        #expect(abs(sum - weights.reduce(0, +)) < 1e-9)
    }

    @Test("The mean over all starts is the sum, whatever the values are")
    func unbiased() {
        let weights = (0..<50).map { Double(1 + $0 * 7 % 5) }
        let values = (0..<50).map { Double($0 * $0 % 23) }
        let sums = (0..<1000).map { start in
            let sample = WeightedSample(weights: weights, count: 8, start: (Double(start) + 0.5) / 1000)
            return sample.sum(sample.elements.map { values[$0] }, unknown: 0).sum
        }
        let mean = sums.reduce(0, +) / 1000
        #expect(abs(mean / values.reduce(0, +) - 1) < 0.01)
    }
}
