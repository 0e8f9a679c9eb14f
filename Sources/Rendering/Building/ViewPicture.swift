package import Raster
import Tiling

/// The finished pixels of a view: RGBA, 8 bits, straight alpha, rows without gaps. An extra byte per row
/// follows them, so that they can be encoded in place.
package final class ViewPicture: @unchecked Sendable {
    // Unchecked: workers write parts that do not overlap, and nothing is read before all are done.

    /// Columns.
    package let width: Int
    /// Rows.
    package let height: Int
    private let memory: MappedMemory

    /// Makes a fully transparent picture.
    ///
    /// - Throws: `Failure` if there is not enough memory.
    package init(width: Int, height: Int) throws {
        precondition(width > 0 && height > 0, "a view has pixels")
        (self.width, self.height) = (width, height)
        memory = try MappedMemory(width * height * 4 + height)
    }

    private var bytes: UnsafeMutableBufferPointer<UInt8> {
        UnsafeMutableBufferPointer(
            start: memory.start.assumingMemoryBound(to: UInt8.self), count: width * height * 4)
    }

    /// Calls `body` with all pixels.
    package func withRGBA<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        try withExtendedLifetime(self) { try body(UnsafeBufferPointer(bytes)) }
    }

    /// Calls `body` with all pixels and the bytes after them, which it may change: the picture cannot be used
    /// afterwards.
    package func consume<Result>(
        _ body: (UnsafeMutableBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        try withExtendedLifetime(self) {
            try body(UnsafeMutableBufferPointer(start: bytes.baseAddress, count: memory.length))
        }
    }

    /// The pixels as a target for packing bands, valid as long as the picture.
    var packed: PackedWindow {
        PackedWindow(PixelWindow(columns: 0..<width, rows: 0..<height), bytes: bytes)
    }

    private func pixels(column: Int, row: Int) -> UnsafeMutableBufferPointer<UInt8> {
        UnsafeMutableBufferPointer(rebasing: bytes[((row * width + column) * 4)...])
    }

    /// Fills the picture with a colour.
    package func fill(_ color: RGBColor) {
        withUnsafeBytes(of: (color.red, color.green, color.blue, UInt8.max)) { color in
            bytes.withMemoryRebound(to: UInt32.self) { pixels in
                pixels.update(repeating: color.loadUnaligned(as: UInt32.self))
            }
        }
    }

    /// Lays pixels over a part of a row. Pixels that are opaque, or have nothing below them, are copied.
    ///
    /// - Parameter pixels: RGBA, straight alpha.
    package func lay(_ pixels: UnsafeRawPointer, count: Int, column: Int, row: Int) {
        let above = pixels.assumingMemoryBound(to: UInt8.self)
        let below = self.pixels(column: column, row: row)
        for first in stride(from: 0, to: count * 4, by: 4) {
            let alpha = above[first + 3]
            if alpha == 0 { continue }
            if alpha == 255 || below[first + 3] == 0 {
                for sample in first..<first + 4 { below[sample] = above[sample] }
            } else {
                Self.blend(above + first, over: below, at: first)
            }
        }
    }

    /// Lays the picture over an opaque colour.
    package func lay(over background: RGBColor) {
        let color = [background.red, background.green, background.blue].map(Int.init)
        for first in stride(from: 0, to: bytes.count, by: 4) where bytes[first + 3] < 255 {
            let alpha = Int(bytes[first + 3])
            for sample in 0..<3 {
                let mixed = Int(bytes[first + sample]) * alpha + color[sample] * (255 - alpha)
                bytes[first + sample] = UInt8((mixed + 127) / 255)
            }
            bytes[first + 3] = 255
        }
    }

    /// Source over destination (Porter and Duff 1984), for straight alpha.
    private static func blend(
        _ above: UnsafePointer<UInt8>, over below: UnsafeMutableBufferPointer<UInt8>, at first: Int
    ) {
        let weight = Int(above[3]) * 255
        let rest = Int(below[first + 3]) * (255 - Int(above[3]))
        let alpha = weight + rest
        for sample in 0..<3 {
            let mixed = Int(above[sample]) * weight + Int(below[first + sample]) * rest
            below[first + sample] = UInt8((mixed + alpha / 2) / alpha)
        }
        below[first + 3] = UInt8((alpha + 127) / 255)
    }
}

/// Puts the pixels of a unit into a picture.
final class ViewOutput: UnitOutput, Sendable {
    private let picture: ViewPicture
    private let background: RGBColor?
    private let kernels: Kernels

    init(_ picture: ViewPicture, background: RGBColor?, kernels: Kernels) {
        (self.picture, self.background, self.kernels) = (picture, background, kernels)
    }

    func begin(_ columns: [Int], row: Int, of level: PyramidLevel) {}

    func add(_ part: PixelWindow, of band: LevelBand) {
        _ = picture.packed.pack(part, of: band, over: background, with: kernels)
    }

    func finish(with encoders: TileEncoders?) -> [UnitTile] { [] }
}
