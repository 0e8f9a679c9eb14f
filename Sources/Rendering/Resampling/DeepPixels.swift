package import CKernels
package import Raster

/// Pixels between reading and encoding: four `Int16`, premultiplied, with 6 fractional bits; see
/// `CKernels.h`.
package typealias DeepPixels = UnsafeMutablePointer<Int16>

/// Constants of deep pixels, as the C core defines them.
package enum DeepPixel {
    /// Values per pixel: red, green, blue, alpha.
    package static let channels = 4
    /// Bytes per pixel.
    package static let bytes = 8
}

/// One deep pixel, as a value.
package struct DeepColor: Equatable, Sendable, BitwiseCopyable {
    private let channels: SIMD4<Int16>

    /// Full transparency.
    package static let transparent = DeepColor(channels: SIMD4())

    private init(channels: SIMD4<Int16>) { self.channels = channels }

    /// Unpacks a pixel of a source.
    init(unpacking pixel: UnsafeRawPointer, as format: PixelFormat, with kernels: Kernels) {
        var channels = SIMD4<Int16>()
        withUnsafeMutableBytes(of: &channels) {
            guard let result = $0.assumingMemoryBound(to: Int16.self).baseAddress else { return }
            kernels.unpack(pixel, as: format, into: result, count: 1)
        }
        self.channels = channels
    }

    /// Calls `body` with the pixel.
    func withPixel<Result>(_ body: (DeepPixels) -> Result) -> Result {
        var channels = channels
        return withUnsafeMutableBytes(of: &channels) {
            // Four values have an address.
            body($0.assumingMemoryBound(to: Int16.self).baseAddress.unsafelyUnwrapped)
        }
    }

    /// Writes it to a run of pixels.
    func fill(_ result: DeepPixels, count: Int) {
        withUnsafeBytes(of: channels) {
            cr_fill($0.assumingMemoryBound(to: Int16.self).baseAddress, result, count)
        }
    }

    /// The bytes of a packed pixel in the order of memory.
    func packed(over background: RGBColor?, with kernels: Kernels) -> UInt32 {
        var pixel: UInt32 = 0
        _ = withUnsafeMutableBytes(of: &pixel) { bytes in
            withPixel { color in
                let result = cr_packed_window(
                    first: bytes.assumingMemoryBound(to: UInt8.self).baseAddress, stride: 4, columns: 1,
                    rows: 1)
                let row = cr_row_ring(first: color, stride: DeepPixel.bytes, capacity: 1)
                return kernels.pack(row, from: 0, over: background, into: result)
            }
        }
        return pixel
    }
}

/// What the alphas of some packed pixels have in common.
package struct AlphaSeen {
    private var all: UInt8 = 255
    private var any: UInt8 = 0

    /// Starts without pixels.
    package init() {}

    fileprivate init(_ seen: cr_alpha_seen) {
        (all, any) = (seen.alpha_and, seen.alpha_or)
    }

    /// Whether every pixel was opaque.
    package var isOpaque: Bool { all == 255 }

    /// Whether any pixel was not fully transparent.
    package var hasPixels: Bool { any != 0 }

    /// Adds the alphas of further pixels.
    package mutating func add(_ other: AlphaSeen) {
        all &= other.all
        any |= other.any
    }
}

/// The C core's kernels for one instruction set; every set gives the same bytes.
package struct Kernels: @unchecked Sendable {
    // Unchecked, because the pointer refers to a constant table of functions without state.

    /// The table.
    package let table: UnsafePointer<cr_kernels>

    /// The fastest kernels on this machine.
    package static let best = Kernels(table: cr_kernels_best())

    /// All kernels that this machine can run, the slowest first.
    package static let all = (0..<UInt32(CR_LEVEL_COUNT)).compactMap {
        Kernels(level: cr_level(rawValue: $0))
    }

    /// The name of the instruction set, in lower case: `portable`, `avx2` and so on.
    package var name: String { String(cString: table.pointee.name) }

    /// The kernels of a level; nil if this machine cannot run them.
    package init?(level: cr_level) {
        guard let table = cr_kernels_at(level) else { return nil }
        self.table = table
    }

    private init(table: UnsafePointer<cr_kernels>) {
        self.table = table
    }

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

    /// Deep pixels to RGBA of 8 bits: with straight alpha, or over an opaque colour, which makes them opaque.
    func pack(
        _ pixels: cr_row_ring, from row: Int32, over background: RGBColor?, into result: cr_packed_window
    ) -> AlphaSeen {
        guard let background else { return AlphaSeen(cr_pack_window(table, pixels, row, result, nil)) }
        let color = [background.red, background.green, background.blue]
        return AlphaSeen(cr_pack_window(table, pixels, row, result, color))
    }
}

/// Memory that grows as needed and is reused: fresh memory costs more than most work in it.
struct Scratch<Element: BitwiseCopyable>: ~Copyable {
    private var buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: 0)

    deinit { buffer.deallocate() }

    /// The current size in bytes.
    var bytes: Int { buffer.count * MemoryLayout<Element>.stride }

    /// A buffer for some elements, valid until the next call; their values are undefined.
    mutating func room(_ count: Int) -> UnsafeMutablePointer<Element> {
        let needed = max(count, 1)
        if buffer.count < needed {
            // Twice as much as before, so that new memory is rarely touched.
            let capacity = max(needed, 2 * buffer.count)
            buffer.deallocate()
            buffer = .allocate(capacity: capacity)
        }
        // A buffer of at least one element has an address.
        return buffer.baseAddress.unsafelyUnwrapped
    }
}

extension Scratch<Int16> {
    /// A buffer for some deep pixels, valid until the next call; their values are undefined.
    mutating func pixels(_ count: Int) -> DeepPixels { room(count * DeepPixel.channels) }
}
