internal import CKernels

/// Weights as the C core takes them: fixed point with 14 fractional bits.
package enum FixedWeights {
    /// The fixed-point form of 1.
    package static let one = Int(CR_WEIGHT_ONE)

    /// Counts of horizontal taps are multiples of this.
    package static let tapMultiple = Int(CR_TAP_MULTIPLE)

    /// A count of taps rounded up to what the core takes.
    package static func paddedTaps(_ count: Int) -> Int {
        (count + tapMultiple - 1) / tapMultiple * tapMultiple
    }

    /// Rounds weights so that the rounded ones add up to the rounded sum: each is the difference of
    /// two rounded running sums. A row of weights that sums to 1 then keeps flat areas exactly.
    package static func rounded(_ weights: [Double]) -> [Int16] {
        var result: [Int16] = []
        result.reserveCapacity(weights.count)
        round(weights) { result.append($0) }
        return result
    }

    /// Calls with each of the weights, rounded as `rounded` does.
    static func round(_ weights: [Double], _ body: (Int16) -> Void) {
        var sum = 0.0
        var previous = 0
        for weight in weights {
            sum += weight
            let next = Int((sum * Double(one)).rounded())
            body(Int16(clamping: next - previous))
            previous = next
        }
    }
}
