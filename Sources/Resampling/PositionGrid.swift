internal import CRaster

/// How fine source positions are told apart, and from where they count.
///
/// Fixing a position before it chooses pixels or weights keeps the last bits of a coordinate
/// transform, which differ between machines, out of the result.
struct PositionGrid {
    /// Steps per source pixel.
    private let steps: Double
    /// The position that becomes 0.
    private let origin: Double
    /// Bits by which a step is moved up, so that the core finds whole pixels where it expects them.
    private let shift: Int32
    private let bitsPerPixel: Int32

    init(method: ResamplingMethod, jacobian: Jacobian) {
        switch method {
        case .nearest, .mode:
            // Whole pixels: half a pixel off, rounding is rounding down.
            (steps, origin, shift, bitsPerPixel) = (1, 0.5, 0, 0)
        case .area:
            let phaseBits = FootprintTable.phaseBits(of: jacobian)
            steps = Double(1 << phaseBits)
            (origin, shift) = (0, CR_POSITION_BITS - Int32(phaseBits))
            bitsPerPixel = CR_POSITION_BITS
        case .bilinear, .cubic, .lanczos:
            steps = Double(1 << CR_POSITION_BITS)
            (origin, shift, bitsPerPixel) = (0.5, 0, CR_POSITION_BITS)
        }
    }

    /// A position as the core takes it.
    func fixed(_ position: Double) -> Int32 {
        // Halves round up, also below zero: then rounding has no preferred side anywhere.
        Int32(((position - origin) * steps + 0.5).rounded(.down)) << shift
    }

    /// The whole pixel of a fixed position.
    func whole(_ fixed: Int32) -> Int { Int(fixed >> bitsPerPixel) }
}
