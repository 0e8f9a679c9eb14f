/// Makes one colour transparent.
package struct NodataConversion: PixelConversion {
    /// RGBA; other pixels keep their colour.
    package let output = PixelFormat.rgba8

    private let input: PixelFormat
    private let color: ColorKey

    /// Makes a conversion of pixels of a format.
    package init(_ color: ColorKey, from input: PixelFormat) {
        self.color = color
        self.input = input
    }

    package func convert(
        _ pixels: UnsafeRawPointer, count: Int, into result: UnsafeMutableRawPointer
    ) {
        let size = input.bytesPerPixel
        for index in 0..<count { convert(pixels + index * size, into: result + index * 4) }
    }

    private func convert(_ pixel: UnsafeRawPointer, into result: UnsafeMutableRawPointer) {
        var isNodata = true
        for channel in 0..<3 {
            let value = pixel.load(fromByteOffset: input == .gray8 ? 0 : channel, as: UInt8.self)
            result.storeBytes(of: value, toByteOffset: channel, as: UInt8.self)
            let difference = abs(Int(value) - Int(color.channels[channel]))
            isNodata = isNodata && difference <= color.tolerance
        }
        let alpha = input == .rgba8 ? pixel.load(fromByteOffset: 3, as: UInt8.self) : 255
        result.storeBytes(of: isNodata ? 0 : alpha, toByteOffset: 3, as: UInt8.self)
    }
}

extension ConvertedSource {
    /// Makes a source of another source with one of its colours made transparent.
    package convenience init(_ base: any RasterSource, nodata color: ColorKey) {
        var info = base.info
        info.pixelFormat = .rgba8
        // Once pixels are averaged, the colour can no longer be recognised.
        info.reductions = []
        self.init(
            base, by: NodataConversion(color, from: base.info.pixelFormat), info: info)
    }
}
