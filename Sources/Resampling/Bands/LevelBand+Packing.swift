internal import CKernels
package import Raster

extension LevelBand {
    /// Rows that are fetched before they are packed: a tile's are short, and lie far apart.
    private static let rowsAhead = 4

    /// Packs pixels to RGBA of 8 bits: with straight alpha, or over an opaque colour, which makes them opaque.
    ///
    /// - Parameter result: has room for 4 bytes a pixel.
    package func pack(
        _ columns: Range<Int>, ofRow row: Int, over background: RGBColor?,
        into result: UnsafeMutableBufferPointer<UInt8>, with kernels: Kernels
    ) -> AlphaSeen {
        guard let planes else {
            cr_fetch(
                pixel(column: columns.lowerBound, row: row + Self.rowsAhead), columns.count * DeepPixel.bytes)
            let pixels = pixel(column: columns.lowerBound, row: row)
            return kernels.pack(pixels, over: background, into: result, count: columns.count)
        }
        let samples = plane(column: columns.lowerBound, row: row)
        kernels.table.pointee.pack_planes(samples, planes.channelStep, result.baseAddress, columns.count)
        return .opaque
    }
}
