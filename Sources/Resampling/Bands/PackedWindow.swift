internal import CKernels
package import Raster
package import Tiling

/// Pixels of a tile or of a picture while they are packed: RGBA of 8 bits, rows without gaps.
package struct PackedWindow {
    /// The pixels.
    package let window: PixelWindow
    /// Four bytes for each.
    package let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Describes room for pixels.
    package init(_ window: PixelWindow, bytes: UnsafeMutableBufferPointer<UInt8>) {
        precondition(
            bytes.count == window.width * window.height * 4, "there is room for each pixel, and no more")
        (self.window, self.bytes) = (window, bytes)
    }

    /// Gives a part one colour.
    ///
    /// - Parameter pixel: the bytes of a pixel in the order of memory.
    package func fill(_ part: PixelWindow, with pixel: UInt32) {
        if !part.isEmpty { cr_fill_packed(pixel, core(part)) }
    }

    /// Takes a part from a band: with straight alpha, or over an opaque colour, which makes it opaque.
    package func pack(
        _ part: PixelWindow, of band: LevelBand, over background: RGBColor?, with kernels: Kernels
    ) -> AlphaSeen {
        let (opaque, others) = band.pixels.parts(of: part)
        var seen = AlphaSeen()
        if let opaque {
            cr_pack_planes(
                kernels.table,
                band.pixels.ring(
                    of: band.pixels.planes, column: opaque.columns.lowerBound, row: opaque.rows.lowerBound),
                core(opaque))
            seen = .opaque
        }
        for part in others {
            seen.add(packPixels(part, of: band, over: background, with: kernels))
        }
        return seen
    }

    private func packPixels(
        _ part: PixelWindow, of band: LevelBand, over background: RGBColor?, with kernels: Kernels
    ) -> AlphaSeen {
        if part.isEmpty { return AlphaSeen() }
        let pixels = band.pixels.ring(column: part.columns.lowerBound, row: part.rows.lowerBound)
        return kernels.pack(pixels.rows, from: pixels.row, over: background, into: core(part))
    }

    private func core(_ part: PixelWindow) -> cr_packed_window {
        precondition(part.intersection(window) == part, "a part lies in its window")
        let place =
            (part.rows.lowerBound - window.rows.lowerBound) * window.width
            + part.columns.lowerBound - window.columns.lowerBound
        return cr_packed_window(
            // A window that is not empty has bytes.
            first: bytes.baseAddress.unsafelyUnwrapped + place * 4, stride: window.width * 4,
            columns: part.width, rows: part.height)
    }
}
