import CKernels
import Raster
package import Tiling

/// The memory of a band, and the addresses of its pixels.
///
/// Pixels have four channels, or are in planes. A row with planes takes less memory: first the pixels to the
/// left of the planes, then the planes, then the pixels to the right. If some rows have planes, rows without
/// planes are stored elsewhere.
final class BandPixels: @unchecked Sendable {
    // Unchecked, because the callers that share a band decide which tasks read and write which rows.

    /// The existing pixels of the zoom; everything beyond is transparent.
    let window: PixelWindow
    /// Pixels along an edge of the world; nil for an endless plane.
    let worldEdge: Int?
    /// The pixels in planes; nil if there are none.
    let planes: OpaquePlanes?
    /// The rows; if some have planes, without the rows that have none.
    let band: RowBand
    private let frame: RowBand?
    /// From the first pixel of the window on.
    private let rows: cr_row_ring
    private let frameRows: cr_row_ring?

    /// - Parameter frame: all rows without planes, from the top; nil if rows with planes take as much memory.
    init(
        window: PixelWindow, worldEdge: Int?, planes: OpaquePlanes? = nil, band: RowBand,
        frame: RowBand? = nil
    ) {
        (self.window, self.worldEdge, self.planes) = (window, worldEdge, planes)
        (self.band, self.frame, rows, frameRows) = (band, frame, band.ring, frame?.ring)
    }

    /// The same memory with all pixels in planes.
    func filled(with planes: OpaquePlanes) -> BandPixels {
        BandPixels(window: window, worldEdge: worldEdge, planes: planes, band: band)
    }

    /// The address of a pixel of four channels in a row in memory; the column may be in the margin.
    func pixel(column: Int, row: Int) -> DeepPixels {
        if frameRows == nil {
            let pixel = column - window.columns.lowerBound
            return rows.row(row - window.rows.lowerBound) + pixel * DeepPixel.channels
        }
        let (rows, index) = place(ofRow: row)
        return rows.row(index) + offset(ofColumn: column, row: row)
    }

    /// The ring that holds a row, starting at a pixel of four channels, and the row's index in it.
    func ring(column: Int, row: Int) -> (rows: cr_row_ring, row: Int32) {
        ring(from: offset(ofColumn: column, row: row), row: row)
    }

    /// The ring for planes or, if `planes` is nil, for pixels of four channels. Any column will do for planes
    /// of a whole row; planes of blocks need the first column of a block.
    func ring(of planes: OpaquePlanes?, column: Int, row: Int) -> cr_plane_rows {
        let offset =
            planes.map { samples(before: $0) + $0.offset(ofColumn: column) }
            ?? offset(ofColumn: column, row: row)
        let ring = ring(from: offset, row: row)
        return cr_plane_rows(rows: ring.rows, row: ring.row, planes: planes?.core ?? cr_planes())
    }

    private func ring(from offset: Int, row: Int) -> (rows: cr_row_ring, row: Int32) {
        var (rows, index) = place(ofRow: row)
        rows.first = UnsafeMutableRawPointer(rows.row(0) + offset)
        return (rows, Int32(index))
    }

    /// The ring that holds a row, and the row's index in it.
    private func place(ofRow row: Int) -> (rows: cr_row_ring, index: Int) {
        let index = row - window.rows.lowerBound
        guard let frameRows, let planes, !planes.window.rows.contains(row) else { return (rows, index) }
        return (frameRows, row < planes.window.rows.lowerBound ? index : index - planes.window.height)
    }

    /// The number of samples of a row before a pixel of four channels.
    private func offset(ofColumn column: Int, row: Int) -> Int {
        let pixel = column - window.columns.lowerBound
        guard frameRows != nil, let planes, planes.window.rows.contains(row),
            column >= planes.window.columns.upperBound
        else { return pixel * DeepPixel.channels }
        return (pixel - planes.pixelsSaved) * DeepPixel.channels
    }

    /// The number of samples of a row before its planes: those of pixels to their left, up to a cache line.
    private func samples(before planes: OpaquePlanes) -> Int {
        let samples = (planes.window.columns.lowerBound - window.columns.lowerBound) * DeepPixel.channels
        return OpaquePlanes.blocks(samples) * OpaquePlanes.block
    }

    /// The row that replaces another one. Beyond the world's northern or southern edge, where tiles end but
    /// images may continue, it is the last row of the world. Nil if the row is transparent.
    func existing(row: Int) -> Int? {
        let nearest = worldEdge.map { min(max(row, 0), $0 - 1) } ?? row
        return window.rows.contains(nearest) ? nearest : nil
    }

    /// A window in parts: its pixels in planes, if any, and the others, each part in rows of one layout.
    func parts(of window: PixelWindow) -> (opaque: PixelWindow?, others: [PixelWindow]) {
        guard let planes else { return (nil, [window]) }
        let middle = PixelWindow(columns: window.columns, rows: window.rows.clamped(to: planes.window.rows))
        if middle.isEmpty { return (nil, [window]) }
        let opaque = window.intersection(planes.window)
        let others = window.parts(around: middle) + middle.parts(around: opaque)
        return (opaque.isEmpty ? nil : opaque, others)
    }

    /// Whether some pixels of a run are in planes.
    func hasPlanes(_ columns: Range<Int>, row: Int) -> Bool {
        guard let window = planes?.window else { return false }
        return window.rows.contains(row) && window.columns.overlaps(columns)
    }

    /// Copies a run of pixels, in four channels.
    func copyPixels(_ columns: Range<Int>, row: Int, into result: DeepPixels, with kernels: Kernels) {
        guard let planes, hasPlanes(columns, row: row) else { return copy(columns, row: row, into: result) }
        let opaque = columns.clamped(to: planes.window.columns)
        func place(_ column: Int) -> DeepPixels {
            result + (column - columns.lowerBound) * DeepPixel.channels
        }
        copy(columns.lowerBound..<opaque.lowerBound, row: row, into: result)
        kernels.table.pointee.join_planes(
            planesOfRow(row, planes), planes.core, opaque.lowerBound - planes.window.columns.lowerBound,
            place(opaque.lowerBound), opaque.count)
        copy(opaque.upperBound..<columns.upperBound, row: row, into: place(opaque.upperBound))
    }

    private func copy(_ columns: Range<Int>, row: Int, into result: DeepPixels) {
        result.update(
            from: pixel(column: columns.lowerBound, row: row), count: columns.count * DeepPixel.channels)
    }

    /// Splits a run of opaque pixels of four channels into planes.
    func split(
        _ pixels: DeepPixels, _ columns: Range<Int>, row: Int, into planes: OpaquePlanes,
        with kernels: Kernels
    ) {
        kernels.table.pointee.split_planes(
            pixels, planesOfRow(row, planes), planes.core,
            columns.lowerBound - planes.window.columns.lowerBound, columns.count)
    }

    private func planesOfRow(_ row: Int, _ planes: OpaquePlanes) -> DeepPixels {
        pixel(column: window.columns.lowerBound, row: row) + samples(before: planes)
    }
}

extension RowBand {
    fileprivate var ring: cr_row_ring {
        cr_row_ring(first: row(0), stride: stride, capacity: Int32(capacity))
    }
}

extension cr_row_ring {
    fileprivate func row(_ index: Int) -> DeepPixels {
        (first + index % Int(capacity) * stride).assumingMemoryBound(to: Int16.self)
    }
}

/// The layout of opaque pixels in the rows of a band, with each channel in its own plane. There is no alpha,
/// and halving and packing need few shuffles.
package struct OpaquePlanes: Sendable {
    /// The pixels that are in planes; all others of the band have four channels.
    package let window: PixelWindow
    /// The planes in the format of the core.
    let core: cr_planes

    /// The least number of adjacent pixels in planes.
    static let block = Int(CR_PLANE_BLOCK)

    /// The fewest pixels of a row for which planes pay off. Planes of fewer pixels, with their gaps, may need
    /// more memory than the row's pixels.
    static let fewestPixels = 128

    /// Planes of whole rows.
    ///
    /// - Parameters:
    ///   - count: the number of planes: 1 for gray, 3 for colours.
    ///   - window: the pixels, all of them opaque.
    init(count: Int, window: PixelWindow) {
        precondition(
            window.width >= Self.fewestPixels, "a row of planes is at least \(Self.fewestPixels) pixels wide")
        self.window = window
        let step = Self.blocks(window.width) * Self.block
        core = cr_planes(count: Int32(count), step: step, block: Self.block)
    }

    /// Planes of blocks, for the whole blocks of a window. If rows do not stay in a cache, data that are read
    /// together should be adjacent.
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

    /// The number of blocks for a number of pixels.
    static func blocks(_ pixels: Int) -> Int { (pixels + block - 1) / block }

    /// The number of planes: 1 for gray, 3 for colours.
    var count: Int { Int(core.count) }

    /// Whether pixels are in blocks.
    var areBlocks: Bool { core.step == Self.block }

    /// The number of samples of a row before those of a pixel in the first of its planes. Any pixel will do
    /// for planes of a whole row; otherwise it must be the first of a block.
    func offset(ofColumn column: Int) -> Int {
        let pixel = column - window.columns.lowerBound
        if !areBlocks { return pixel }
        precondition(pixel % Self.block == 0, "a block begins at each \(Self.block)th pixel")
        return pixel / Self.block * core.block
    }

    /// Whether a run of pixels consists of whole blocks.
    func areWholeBlocks(_ columns: Range<Int>) -> Bool {
        (columns.lowerBound - window.columns.lowerBound) % Self.block == 0 && columns.count % Self.block == 0
    }

    /// The least number of pixels of four channels by which a row gets shorter; planes begin up to a cache
    /// line late.
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
