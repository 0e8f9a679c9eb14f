internal import CKernels

/// The fractions of a pixel to which source positions are fixed, and the point from which they count.
///
/// Fixing a position before it chooses pixels or weights keeps the last bits of a coordinate
/// transform, which differ between machines, out of the result.
struct PositionGrid {
    /// The grid as the core takes it. A step is moved up to where the core expects whole pixels.
    let core: cr_position_grid
    private let bitsPerPixel: Int32

    init(method: ResamplingMethod, jacobian: Jacobian) {
        switch method {
        case .nearest, .mode:
            // Whole pixels: half a pixel off, rounding is rounding down.
            core = cr_position_grid(origin: 0.5, steps: 1, unit: 1)
            bitsPerPixel = 0
        case .area:
            let phaseBits = FootprintTable.phaseBits(of: jacobian)
            core = cr_position_grid(
                origin: 0, steps: Double(1 << phaseBits),
                unit: 1 << (CR_POSITION_BITS - Int32(phaseBits)))
            bitsPerPixel = CR_POSITION_BITS
        case .bilinear, .cubic, .lanczos:
            core = cr_position_grid(origin: 0.5, steps: Double(1 << CR_POSITION_BITS), unit: 1)
            bitsPerPixel = CR_POSITION_BITS
        }
    }

    /// The whole pixel of a fixed position.
    func whole(_ fixed: Int32) -> Int { Int(fixed >> bitsPerPixel) }
}
