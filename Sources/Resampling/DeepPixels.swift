internal import CRaster
package import Raster

/// Pixels between reading and encoding: four `Int16`, premultiplied, with 6 fractional bits; see
/// `CRaster.h`.
package typealias DeepPixels = UnsafeMutablePointer<Int16>

/// What the C core fixes about deep pixels.
package enum DeepPixel {
    /// Values per pixel: red, green, blue, alpha.
    package static let channels = 4
    /// Bytes per pixel.
    package static let bytes = 8
}

extension Kernels {
    /// 8-bit pixels of a source to deep pixels.
    package func unpack(
        _ source: UnsafeRawPointer, as format: PixelFormat, into result: DeepPixels, count: Int
    ) {
        let samples = source.assumingMemoryBound(to: UInt8.self)
        switch format {
        case .gray8: table.pointee.unpack_gray8(samples, result, count)
        case .rgb8: table.pointee.unpack_rgb8(samples, result, count)
        case .rgba8: table.pointee.unpack_rgba8(samples, result, count)
        }
    }
}
