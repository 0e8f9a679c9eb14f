/// Pixels whose colours are not multiplied by alpha, made of those that are.
enum StraightPixels {
    /// 2^16 times 255 through each alpha, rounded up: a product with it, cut off, is the nearest level for every
    /// colour and alpha of 8 bits.
    private static let reciprocals: [UInt32] = (0...255).map { $0 == 0 ? 0 : ((255 << 16) + $0 - 1) / $0 }

    /// Converts pixels, blue first and multiplied by alpha, to red, green, blue and alpha.
    ///
    /// - Parameters:
    ///   - pixels: at least `count` of 4 bytes.
    ///   - result: room for as many.
    static func convert(_ pixels: UnsafeRawBufferPointer, count: Int, to result: UnsafeMutableRawPointer) {
        precondition(pixels.count >= count * 4)
        guard let source = pixels.baseAddress else { return }
        reciprocals.withUnsafeBufferPointer { reciprocals in
            // Most pixels are like the one before.
            var (last, straight): (UInt32, UInt32) = (0, 0)
            for offset in stride(from: 0, to: count * 4, by: 4) {
                let pixel = UInt32(
                    littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                if pixel != last { (last, straight) = (pixel, convert(pixel, reciprocals)) }
                result.storeBytes(of: straight.littleEndian, toByteOffset: offset, as: UInt32.self)
            }
        }
    }

    @inline(__always)
    private static func convert(_ pixel: UInt32, _ reciprocals: UnsafeBufferPointer<UInt32>) -> UInt32 {
        let alpha = pixel >> 24
        let swapped = pixel & 0xFF00_FF00 | pixel << 16 & 0xFF_0000 | pixel >> 16 & 0xFF
        if alpha == 255 { return swapped }
        let factor = reciprocals[Int(alpha)]
        // A damaged renderer might send colours beyond alpha.
        func level(_ shift: UInt32) -> UInt32 {
            min(255, ((swapped >> shift & 0xFF) * factor + 0x8000) >> 16) << shift
        }
        return level(0) | level(8) | level(16) | alpha << 24
    }

    /// Repeats the first pixel.
    static func repeatFirst(of result: UnsafeMutableRawPointer, count: Int) {
        let pixel = result.load(as: UInt32.self)
        result.initializeMemory(as: UInt32.self, repeating: pixel, count: count)
    }
}
