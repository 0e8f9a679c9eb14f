internal import CKernels

/// How rows of opaque pixels lie in a band, each channel in a plane of its own: they carry no alpha along, and halving
/// and packing them needs few shuffles.
package struct OpaquePlanes: Sendable {
    /// Planes: 1 of gray, 3 of colours.
    let count: Int
    /// Samples from the beginning of a plane to that of the next.
    let step: Int

    /// Pixels of a row that planes are worth their while for. Of fewer, planes and what lies between them may not fit
    /// in the place of the row's pixels.
    static let fewestPixels = 128

    /// The planes of a row of so many pixels.
    init(count: Int, width: Int) {
        precondition(
            width >= Self.fewestPixels, "a row of planes is at least \(Self.fewestPixels) pixels wide")
        self.count = count
        // Whole registers.
        step = (width + 31) / 32 * 32
    }

    /// What they take the place of, in pixels of four channels.
    var size: Int { count * step / DeepPixel.channels }

    /// The way from one channel to the next: none if there is but one plane.
    var channelStep: Int { count == 1 ? 0 : step }

    /// As the core takes them.
    var core: cr_planes { cr_planes(count: Int32(count), step: step) }
}

extension Kernels {
    /// Whether there are kernels for planes.
    package var takePlanes: Bool {
        let table = table.pointee
        return table.resample_planes != nil && table.halve_planes != nil && table.pack_planes != nil
    }
}
