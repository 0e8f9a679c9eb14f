internal import CKernels
package import Tiling

/// How opaque pixels lie in the rows of a band, each channel in a plane of its own: they carry no alpha along, and halving
/// and packing them needs few shuffles.
package struct OpaquePlanes: Sendable {
    /// The pixels that lie in planes; all others of the band have four channels.
    package let window: PixelWindow
    /// As the core takes them.
    let core: cr_planes

    /// Pixels that lie in planes together, at least.
    static let block = Int(CR_PLANE_BLOCK)

    /// Pixels of a row that planes are worth their while for. Of fewer, planes and what lies between them may not fit
    /// in the place of the row's pixels.
    static let fewestPixels = 128

    /// Planes of whole rows.
    ///
    /// - Parameters:
    ///   - count: planes: 1 of gray, 3 of colours.
    ///   - window: pixels all of which are opaque.
    init(count: Int, window: PixelWindow) {
        precondition(
            window.width >= Self.fewestPixels, "a row of planes is at least \(Self.fewestPixels) pixels wide")
        self.window = window
        let step = Self.blocks(window.width) * Self.block
        core = cr_planes(count: Int32(count), step: step, block: Self.block)
    }

    /// Planes of blocks, as far as a window has whole ones: where rows do not stay in a cache, what is read together should
    /// lie together.
    ///
    /// - Parameters:
    ///   - count: as above.
    ///   - window: as above.
    /// - Returns: nil if there are not enough pixels.
    package init?(count: Int, blocksIn window: PixelWindow) {
        let first = floorDivide(window.columns.lowerBound + Self.block - 1, Self.block) * Self.block
        let end = floorDivide(window.columns.upperBound, Self.block) * Self.block
        guard end - first >= Self.fewestPixels, !window.rows.isEmpty else { return nil }
        self.window = PixelWindow(columns: first..<end, rows: window.rows)
        core = cr_planes(count: Int32(count), step: Self.block, block: count * Self.block)
    }

    /// Blocks that hold so many pixels.
    static func blocks(_ pixels: Int) -> Int { (pixels + block - 1) / block }

    /// Planes: 1 of gray, 3 of colours.
    var count: Int { Int(core.count) }

    /// Whether pixels lie in blocks.
    var areBlocks: Bool { core.step == Self.block }

    /// Samples of a row before a pixel's, in the first of its planes: any pixel of planes of a whole row, the first one of
    /// a block otherwise.
    func offset(ofColumn column: Int) -> Int {
        let pixel = column - window.columns.lowerBound
        if !areBlocks { return pixel }
        precondition(pixel % Self.block == 0, "a block begins at each \(Self.block)th pixel")
        return pixel / Self.block * core.block
    }

    /// Whether a run of pixels is one of whole blocks.
    func areWholeBlocks(_ columns: Range<Int>) -> Bool {
        (columns.lowerBound - window.columns.lowerBound) % Self.block == 0 && columns.count % Self.block == 0
    }

    /// Pixels of four channels that a row needs less room for, at least; planes begin up to a cache line late.
    var pixelsSaved: Int {
        window.width - (count * Self.blocks(window.width) + 1) * Self.block / DeepPixel.channels
    }
}

extension Kernels {
    /// Whether there are kernels for planes.
    package var takePlanes: Bool {
        let table = table.pointee
        return table.resample_planes != nil && table.halve_planes != nil && table.combine_planes != nil
            && table.halve_to_planes != nil && table.pack_planes != nil && table.join_planes != nil
            && table.split_planes != nil
    }
}
