internal import CKernels

/// The weights of a kernel along one axis for every phase of a position: 1/256 of a pixel each.
struct PhaseTable {
    /// `256 * taps` weights; see `cr_phases`.
    let weights: [Int16]
    /// Taps per phase; half of them lie at and before the position's whole pixel.
    let taps: Int

    /// Samples a kernel that is widened by a scale of at least 1.
    init(kernel: Kernel, scale: Double, axis: Axis) {
        let taps = Self.taps(of: kernel, scale: scale, axis: axis)
        let phases = 1 << CR_POSITION_BITS
        var weights: [Int16] = []
        weights.reserveCapacity(phases * taps)
        for phase in 0..<phases {
            let fraction = Double(phase) / Double(phases)
            let samples = (0..<taps).map { tap in
                kernel.weight(at: (Double(tap - taps / 2 + 1) - fraction) / scale)
            }
            let sum = samples.reduce(0, +)
            weights += FixedWeights.rounded(samples.map { $0 / sum })
        }
        self.weights = weights
        self.taps = taps
    }

    /// The ways that taps lie.
    enum Axis { case across, down }

    /// Taps of a kernel that is widened by a scale of at least 1.
    ///
    /// Half of them must stay left of the position, so both halves are padded alike; down columns
    /// nothing needs padding.
    static func taps(of kernel: Kernel, scale: Double, axis: Axis) -> Int {
        let taps = 2 * Int((Double(kernel.support) * scale).rounded(.up))
        return axis == .across ? FixedWeights.paddedTaps(taps) : taps
    }

    /// Calls with the table as the core takes it.
    func withPhases<Result>(_ body: (cr_phases) -> Result) -> Result {
        weights.withUnsafeBufferPointer {
            body(cr_phases(weights: $0.baseAddress, taps: Int32(taps)))
        }
    }
}
