import Tiling

/// The pixels of one tile, RGBA with straight alpha.
final class TileScratch {
    let pixels: UnsafeMutableRawPointer
    private let size: Int

    init(size: Int) {
        self.size = size
        pixels = .allocate(byteCount: size * size * 4, alignment: 16)
    }

    deinit { pixels.deallocate() }

    /// Averages squares of `2^halvings` pixels, each by its alpha; the result has rows without gaps.
    func halve(_ halvings: Int) {
        if halvings == 0 { return }
        let (side, edge) = (1 << halvings, size >> halvings)
        let samples = pixels.assumingMemoryBound(to: UInt8.self)
        for row in 0..<edge {
            for column in 0..<edge {
                // What is written lies before all that is still to be read.
                average(
                    samples + (row * side * size + column * side) * 4, side: side,
                    to: samples + (row * edge + column) * 4)
            }
        }
    }

    private func average(
        _ first: UnsafeMutablePointer<UInt8>, side: Int, to result: UnsafeMutablePointer<UInt8>
    ) {
        var (red, green, blue, alpha) = (0, 0, 0, 0)
        for row in 0..<side {
            for column in 0..<side {
                let pixel = first + (row * size + column) * 4
                let weight = Int(pixel[3])
                red += Int(pixel[0]) * weight
                green += Int(pixel[1]) * weight
                blue += Int(pixel[2]) * weight
                alpha += weight
            }
        }
        let weight = max(1, alpha)
        result[0] = UInt8((red + weight / 2) / weight)
        result[1] = UInt8((green + weight / 2) / weight)
        result[2] = UInt8((blue + weight / 2) / weight)
        result[3] = UInt8((alpha + side * side / 2) / (side * side))
    }

    /// Copies a part of the pixels, in rows of `edge`.
    func copy(_ part: PixelWindow, edge: Int, to result: UnsafeMutableRawPointer, stride: Int) {
        for row in part.rows {
            (result + (row - part.rows.lowerBound) * stride).copyMemory(
                from: pixels + (row * edge + part.columns.lowerBound) * 4, byteCount: part.width * 4)
        }
    }
}
