import Codecs
import Foundation
import Raster

/// An image in memory: RGBA of 8 bits with straight alpha.
struct Picture: Equatable {
    typealias Colour = (red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8)

    let width: Int
    let height: Int
    var rgba: [UInt8]

    /// A picture of one colour.
    init(width: Int, height: Int, colour: Colour = (0, 0, 0, 0)) {
        self.width = width
        self.height = height
        rgba = [UInt8](repeating: 0, count: width * height * 4)
        if colour != (0, 0, 0, 0) { fill(0..<width, 0..<height, colour) }
    }

    /// Reads a PNG or JPEG file.
    init(contentsOf path: String) throws {
        let source = try ImageFile.open(path: path)
        let samples = source.info.pixelFormat.bytesPerPixel
        let rowBytes = source.info.width * samples
        self.init(width: source.info.width, height: source.info.height)
        var bytes = [UInt8](repeating: 0, count: rowBytes * height)
        try bytes.withUnsafeMutableBytes {
            guard let address = $0.baseAddress else { preconditionFailure("'\(path)' has no pixels") }
            try source.readRows(height, into: address, stride: rowBytes)
        }
        if samples == 4 {
            rgba = bytes
            return
        }
        let (green, blue) = samples == 1 ? (0, 0) : (1, 2)
        rgba.withUnsafeMutableBufferPointer { rgba in
            bytes.withUnsafeBufferPointer { bytes in
                var (from, to) = (0, 0)
                while from < bytes.count {
                    rgba[to] = bytes[from]
                    rgba[to + 1] = bytes[from + green]
                    rgba[to + 2] = bytes[from + blue]
                    rgba[to + 3] = 255
                    (from, to) = (from + samples, to + 4)
                }
            }
        }
    }

    /// A pixel; transparent beyond the edges.
    subscript(column: Int, row: Int) -> Colour {
        get {
            guard 0..<width ~= column, 0..<height ~= row else { return (0, 0, 0, 0) }
            let index = (row * width + column) * 4
            return (rgba[index], rgba[index + 1], rgba[index + 2], rgba[index + 3])
        }
        set {
            guard 0..<width ~= column, 0..<height ~= row else { return }
            let index = (row * width + column) * 4
            rgba[index] = newValue.red
            rgba[index + 1] = newValue.green
            rgba[index + 2] = newValue.blue
            rgba[index + 3] = newValue.alpha
        }
    }

    /// Fills a rectangle.
    mutating func fill(_ columns: Range<Int>, _ rows: Range<Int>, _ colour: Colour) {
        let width = width
        let (columns, rows) = (columns.clamped(to: 0..<width), rows.clamped(to: 0..<height))
        let pixel = UInt32(
            littleEndian: UInt32(colour.red) | UInt32(colour.green) << 8 | UInt32(colour.blue) << 16
                | UInt32(colour.alpha) << 24)
        rgba.withUnsafeMutableBytes {
            let pixels = $0.bindMemory(to: UInt32.self)
            for row in rows {
                let start = row * width
                pixels[start + columns.lowerBound..<start + columns.upperBound]
                    .update(repeating: pixel)
            }
        }
    }

    /// Draws a line of a thickness in pixels, without smooth edges.
    mutating func line(
        from start: (Int, Int), to end: (Int, Int), thickness: Int = 2, _ colour: Colour
    ) {
        let steps = 2 * max(abs(end.0 - start.0), abs(end.1 - start.1), 1)
        for step in 0...steps {
            let column = start.0 + (end.0 - start.0) * step / steps
            let row = start.1 + (end.1 - start.1) * step / steps
            fill(column..<column + thickness, row..<row + thickness, colour)
        }
    }

    /// A part of the picture; transparent where it goes beyond.
    func part(_ columns: Range<Int>, _ rows: Range<Int>) -> Picture {
        var part = Picture(width: columns.count, height: rows.count)
        let inside = columns.clamped(to: 0..<width)
        for row in rows.clamped(to: 0..<height) where !inside.isEmpty {
            let target =
                ((row - rows.lowerBound) * part.width + inside.lowerBound - columns.lowerBound) * 4
            let source = (row * width + inside.lowerBound) * 4
            part.rgba.replaceSubrange(
                target..<target + inside.count * 4, with: rgba[source..<source + inside.count * 4])
        }
        return part
    }

    /// How dark a pixel is on white paper, 0 to 255.
    func darkness(_ column: Int, _ row: Int) -> Double {
        let pixel = self[column, row]
        let sum = Int(pixel.red) + Int(pixel.green) + Int(pixel.blue)
        return Double(765 - sum) / 765 * Double(pixel.alpha)
    }

    /// The peak signal-to-noise ratio of two pictures on white paper, in decibels.
    func psnr(against other: Picture) -> Double {
        precondition(width == other.width && height == other.height)
        var sum = 0.0
        rgba.withUnsafeBufferPointer { ours in
            other.rgba.withUnsafeBufferPointer { theirs in
                for pixel in stride(from: 0, to: ours.count, by: 4) {
                    let (a, b) = (Int(ours[pixel + 3]), Int(theirs[pixel + 3]))
                    if a == 0, b == 0 { continue }
                    for channel in 0..<3 {
                        let difference =
                            a * (Int(ours[pixel + channel]) - 255)
                            - b * (Int(theirs[pixel + channel]) - 255)
                        sum += Double(difference * difference)
                    }
                }
            }
        }
        let meanSquare = sum / Double(3 * width * height) / (255 * 255)
        return meanSquare == 0 ? .infinity : 10 * log10(255 * 255 / meanSquare)
    }

    /// By how many pixels another picture's content must be moved to become this one's: the least
    /// squares of the difference in darkness against the gradient.
    func displacement(from other: Picture) -> (x: Double, y: Double) {
        precondition(width == other.width && height == other.height)
        let (ours, theirs) = (darknesses, other.darknesses)
        var (xx, xy, yy, xd, yd) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for row in 1..<height - 1 {
            for index in row * width + 1..<(row + 1) * width - 1 {
                let difference = ours[index] - theirs[index]
                let x = (theirs[index + 1] - theirs[index - 1]) / 2
                let y = (theirs[index + width] - theirs[index - width]) / 2
                if x == 0, y == 0 { continue }
                (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y)
                (xd, yd) = (xd - x * difference, yd - y * difference)
            }
        }
        let determinant = xx * yy - xy * xy
        return ((yy * xd - xy * yd) / determinant, (xx * yd - xy * xd) / determinant)
    }

    private var darknesses: [Double] {
        (0..<height).flatMap { row in (0..<width).map { darkness($0, row) } }
    }

    /// The largest difference of two pictures' alpha.
    func alphaError(against other: Picture) -> Int {
        stride(from: 3, to: rgba.count, by: 4).reduce(0) {
            max($0, abs(Int(rgba[$1]) - Int(other.rgba[$1])))
        }
    }
}
