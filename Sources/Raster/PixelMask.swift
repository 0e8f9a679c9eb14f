package import Tiling

/// The pixels of a picture that have a property, such as those of ink: a byte for each pixel, 1 or 0.
package struct PixelMask: Sendable {
    /// Columns.
    package let width: Int
    /// Rows.
    package let height: Int
    /// A byte for each pixel, rows without gaps: 1 if it is in the mask, else 0.
    package private(set) var bits: [UInt8]

    /// Makes a mask.
    ///
    /// - Parameter bits: 1 or 0 for each pixel.
    package init(width: Int, height: Int, bits: [UInt8]) {
        precondition(bits.count == width * height, "a mask has a byte for each pixel")
        (self.width, self.height, self.bits) = (width, height, bits)
    }

    /// The pixels of ink: those that differ from the paper in a channel by more than a tolerance.
    ///
    /// - Parameter rgba: opaque pixels, rows without gaps.
    package init(
        inkOf rgba: [UInt8], width: Int, height: Int, paper: (UInt8, UInt8, UInt8), tolerance: Int
    ) {
        precondition(rgba.count == 4 * width * height, "a picture has its pixels")
        let paper = (Int(paper.0), Int(paper.1), Int(paper.2))
        self.init(
            width: width, height: height,
            bits: [UInt8](unsafeUninitializedCapacity: width * height) { bits, count in
                rgba.withUnsafeBufferPointer { rgba in
                    for place in 0..<width &* height {
                        let red = abs(Int(rgba[4 &* place]) &- paper.0)
                        let green = abs(Int(rgba[4 &* place &+ 1]) &- paper.1)
                        let blue = abs(Int(rgba[4 &* place &+ 2]) &- paper.2)
                        bits[place] = max(red, green, blue) > tolerance ? 1 : 0
                    }
                }
                count = width * height
            })
    }

    /// The number of pixels in the mask.
    package var count: Int { bits.reduce(0) { $0 &+ Int($1) } }

    /// The pixels that are not in the mask.
    package var inverse: PixelMask {
        PixelMask(width: width, height: height, bits: bits.map { 1 &- $0 })
    }

    /// The pixels that are in both masks.
    package func intersection(_ other: PixelMask) -> PixelMask { combined(other) { $0 & $1 } }

    /// The pixels that are in this mask, but not in the other one.
    package func subtracting(_ other: PixelMask) -> PixelMask { combined(other) { $0 & (1 &- $1) } }

    /// The number of pixels of a window that are in the mask.
    package func count(in window: PixelWindow) -> Int {
        bits.withUnsafeBufferPointer { bits in
            var sum = 0
            for row in window.rows {
                for column in window.columns { sum &+= Int(bits[row &* width &+ column]) }
            }
            return sum
        }
    }

    /// The pixels of a window as a mask.
    package func part(_ window: PixelWindow) -> PixelMask {
        var part: [UInt8] = []
        part.reserveCapacity(window.width * window.height)
        for row in window.rows {
            part += bits[row * width + window.columns.lowerBound..<row * width + window.columns.upperBound]
        }
        return PixelMask(width: window.width, height: window.height, bits: part)
    }

    /// The squares of `size` x `size` pixels that are completely in the mask: lines that are thinner vanish.
    package func opened(by size: Int) -> PixelMask {
        let eroded = swept(size, needed: size, reach: 0)
        return eroded.swept(size, needed: 1, reach: size - 1)
    }

    /// The pixels that are at most `reach` columns and rows away from the mask.
    package func dilated(by reach: Int) -> PixelMask { swept(2 * reach + 1, needed: 1, reach: reach) }

    /// For each pixel, whether at least `needed` of the `size` pixels from `reach` before it are in the mask,
    /// first along rows, then along columns.
    private func swept(_ size: Int, needed: Int, reach: Int) -> PixelMask {
        var result = [UInt8](repeating: 0, count: bits.count)
        var sums = [Int32](repeating: 0, count: width)
        let (width, height) = (width, height)
        bits.withUnsafeBufferPointer { bits in
            result.withUnsafeMutableBufferPointer { result in
                for row in 0..<height {
                    let start = row &* width
                    var sum = 0
                    for column in 0..<min(width, max(0, size &- 1 &- reach)) {
                        sum &+= Int(bits[start &+ column])
                    }
                    for column in 0..<width {
                        let entering = column &+ size &- 1 &- reach
                        if entering < width { sum &+= Int(bits[start &+ entering]) }
                        result[start &+ column] = sum >= needed ? 1 : 0
                        let leaving = column &- reach
                        if leaving >= 0 { sum &-= Int(bits[start &+ leaving]) }
                    }
                }
            }
        }
        let rows = result
        rows.withUnsafeBufferPointer { rows in
            result.withUnsafeMutableBufferPointer { result in
                sums.withUnsafeMutableBufferPointer { sums in
                    for row in 0..<min(height, max(0, size &- 1 &- reach)) {
                        for column in 0..<width { sums[column] &+= Int32(rows[row &* width &+ column]) }
                    }
                    for row in 0..<height {
                        let entering = row &+ size &- 1 &- reach
                        if entering < height {
                            for column in 0..<width {
                                sums[column] &+= Int32(rows[entering &* width &+ column])
                            }
                        }
                        for column in 0..<width {
                            result[row &* width &+ column] = sums[column] >= Int32(needed) ? 1 : 0
                        }
                        let leaving = row &- reach
                        if leaving >= 0 {
                            for column in 0..<width {
                                sums[column] &-= Int32(rows[leaving &* width &+ column])
                            }
                        }
                    }
                }
            }
        }
        return PixelMask(width: width, height: height, bits: result)
    }

    private func combined(_ other: PixelMask, _ combine: (UInt8, UInt8) -> UInt8) -> PixelMask {
        precondition(width == other.width && height == other.height, "masks are of the same picture")
        return PixelMask(width: width, height: height, bits: zip(bits, other.bits).map { combine($0, $1) })
    }
}
