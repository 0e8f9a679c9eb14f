/// A sample in which the chance of an element is proportional to its weight, and what it says of all of them.
///
/// Elements are taken at even distances along the sum of the weights (systematic sampling), so that they are spread over
/// the whole; their values are weighed by what their weights stand for (Hansen and Hurwitz).
struct WeightedSample {
    /// The elements that were chosen, ascending.
    let elements: [Int]

    private let times: [Int]
    private let weights: [Double]
    private let total: Double
    /// How many elements each draw and the spread stand for; 0 if all were taken.
    private let draws: Int

    /// Chooses.
    ///
    /// - Parameters:
    ///   - weights: of all elements, above 0.
    ///   - count: how many are wanted; all are taken if there are hardly more.
    ///   - start: where the first distance begins, 0 to 1.
    init(weights: [Double], count: Int, start: Double) {
        total = weights.reduce(0, +)
        guard count * 3 < weights.count * 2, total > 0 else {
            elements = Array(weights.indices)
            (times, self.weights, draws) = (elements.map { _ in 1 }, weights, 0)
            return
        }
        draws = max(1, count)
        let step = total / Double(draws)
        var (chosen, often, kept): ([Int], [Int], [Double]) = ([], [], [])
        var (next, sum) = (start * step, 0.0)
        for (element, weight) in weights.enumerated() {
            sum += weight
            var hits = 0
            while next < sum, next < total {
                hits += 1
                next += step
            }
            if hits > 0 {
                chosen.append(element)
                often.append(hits)
                kept.append(weight)
            }
        }
        (elements, times, self.weights) = (chosen, often, kept)
    }

    /// The sum over all elements, and its variance.
    ///
    /// - Parameters:
    ///   - values: of the elements that were chosen.
    ///   - unknown: the share by which a value differs from what its weight says, if there are too few to tell.
    func sum(_ values: [Double], unknown: Double) -> (sum: Double, variance: Double) {
        guard draws > 0 else { return (values.reduce(0, +), 0) }
        let ratios = zip(values, weights).map { $0 / $1 }
        let count = Double(draws)
        let mean = zip(ratios, times).reduce(0) { $0 + $1.0 * Double($1.1) } / count
        let squares = zip(ratios, times).reduce(0) { sum, each in
            sum + Double(each.1) * (each.0 - mean) * (each.0 - mean)
        }
        // Two values that happen to agree say nothing: a few draws of an unknown spread are added.
        let prior = 4.0
        let variance = (squares + prior * unknown * unknown * mean * mean) / (count - 1 + prior)
        return (mean * total, total * total * variance / count)
    }
}
