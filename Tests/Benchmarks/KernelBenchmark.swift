import CKernels

/// A kernel, called with rows of a typical length.
struct KernelBenchmark: Sendable {
    let name: String
    /// Bytes that a call reads and writes, without weights and positions.
    let bytes: Int
    let run: @Sendable (cr_kernels) -> Void

    /// Pixels of a row. Several such rows fit in an L2 cache.
    private static let count = 2048

    /// Bytes of a row of deep pixels.
    private static let rowBytes = count * 8

    static let all: [KernelBenchmark] = {
        let buffers = Buffers(pixels: count)
        return unpacking(buffers) + resampling(buffers) + warping(buffers) + packing(buffers)
    }()

    private static func unpacking(_ buffers: Buffers) -> [KernelBenchmark] {
        [
            KernelBenchmark(name: "unpack_gray8", bytes: count + rowBytes) {
                $0.unpack_gray8(buffers.samples, buffers.result, count)
            },
            KernelBenchmark(name: "unpack_rgb8", bytes: 3 * count + rowBytes) {
                $0.unpack_rgb8(buffers.samples, buffers.result, count)
            },
            KernelBenchmark(name: "unpack_rgba8", bytes: 4 * count + rowBytes) {
                $0.unpack_rgba8(buffers.samples, buffers.result, count)
            },
            KernelBenchmark(name: "unpack_rgba8, opaque", bytes: 4 * count + rowBytes) {
                $0.unpack_rgba8(buffers.opaqueSamples, buffers.result, count)
            },
        ]
    }

    private static func resampling(_ buffers: Buffers) -> [KernelBenchmark] {
        [4, 8, 12].map { taps in
            KernelBenchmark(name: "resample_row, \(taps) taps", bytes: 2 * rowBytes) {
                $0.resample_row(
                    buffers.pixels, buffers.starts, buffers.weights, Int32(taps), buffers.result,
                    count)
            }
        }
            + [2, 4, 5, 8, 12].map { taps in
                KernelBenchmark(name: "combine_rows, \(taps) rows", bytes: (taps + 1) * rowBytes) {
                    $0.combine_rows(
                        buffers.rows, buffers.weights, Int32(taps), buffers.result, count)
                }
            } + halving(buffers)
    }

    private static func halving(_ buffers: Buffers) -> [KernelBenchmark] {
        [4, 8, 12].map { taps in
            KernelBenchmark(name: "halve_row, \(taps) taps", bytes: 3 * rowBytes) {
                $0.halve_row(buffers.pixels, buffers.weights, Int32(taps), buffers.result, count)
            }
        } + [
            KernelBenchmark(name: "halve_box", bytes: 5 * rowBytes) {
                $0.halve_box(
                    buffers.pixels, buffers.pixels + 8 * count, buffers.result, count)
            }
        ]
    }

    private static func warping(_ buffers: Buffers) -> [KernelBenchmark] {
        fixing(buffers)
            + [(4, 2), (4, 4), (8, 6), (8, 8)].map { columns, rows in
                KernelBenchmark(name: "warp_row, \(columns) x \(rows)", bytes: 2 * rowBytes) {
                    let across = cr_phases(weights: buffers.weights, taps: Int32(columns))
                    let down = cr_phases(weights: buffers.weights, taps: Int32(rows))
                    for first in stride(from: 0, to: count, by: Buffers.blockSize) {
                        $0.warp_row(
                            buffers.area, buffers.x + first, buffers.y + first, across, down,
                            buffers.result + 4 * first, Buffers.blockSize)
                    }
                }
            }
            + [(4, 3, 6), (8, 5, 5)].map { columns, rows, bits in
                KernelBenchmark(
                    name: "warp_row_footprint, \(columns) x \(rows)", bytes: 2 * rowBytes
                ) {
                    let footprint = cr_footprint(
                        weights: buffers.weights, phase_bits: Int32(bits), columns: Int32(columns),
                        rows: Int32(rows), left: -1, top: -1)
                    for first in stride(from: 0, to: count, by: Buffers.blockSize) {
                        $0.warp_row_footprint(
                            buffers.area, buffers.x + first, buffers.y + first, footprint,
                            buffers.result + 4 * first, Buffers.blockSize)
                    }
                }
            }
    }

    /// Positions in doubles are twice as long as those in 32 bits.
    private static func fixing(_ buffers: Buffers) -> [KernelBenchmark] {
        [
            KernelBenchmark(name: "interpolate_row", bytes: rowBytes) {
                $0.interpolate_row(0.5, 0.75, 0.5, buffers.interpolated, count)
            },
            KernelBenchmark(name: "fix_block", bytes: 3 * rowBytes) {
                var extent = cr_position_extent(min_x: .max, max_x: .min, min_y: .max, max_y: .min)
                let block = cr_position_block(
                    x: buffers.positions, y: buffers.positions, stride: Buffers.squareSize,
                    fixed_x: buffers.fixed, fixed_y: buffers.fixed + count, fixed_stride: Buffers.squareSize,
                    columns: Buffers.squareSize, rows: count / Buffers.squareSize)
                $0.fix_block(
                    block, cr_position_grid(origin: 0.5, steps: 256, unit: 1),
                    cr_position_limits(low_x: -2, high_x: 1e6, low_y: -2, high_y: 1e6), &extent)
            },
        ]
    }

    private static func packing(_ buffers: Buffers) -> [KernelBenchmark] {
        [("", \Buffers.pixels), (", opaque", \Buffers.opaque)].flatMap { suffix, pixels in
            let source = Buffers.Row(pixels: buffers[keyPath: pixels])
            return [
                KernelBenchmark(name: "pack_rgba8" + suffix, bytes: 4 * count + rowBytes) {
                    _ = $0.pack_rgba8(source.pixels, buffers.packed, count)
                },
                KernelBenchmark(name: "pack_rgba8_over" + suffix, bytes: 4 * count + rowBytes) {
                    _ = $0.pack_rgba8_over(source.pixels, buffers.samples, buffers.packed, count)
                },
            ]
        }
    }
}

/// The buffers that the kernels read and write. They are never freed.
private struct Buffers: @unchecked Sendable {
    // Unchecked, because benchmarks run one after the other.

    /// A row, for a closure to keep.
    struct Row: @unchecked Sendable {
        let pixels: UnsafeMutablePointer<Int16>
    }

    /// Pixels along the edge of a square whose positions are fixed together.
    static let squareSize = 32

    /// Pixels along the edge of a block that is warped.
    static let blockSize = 64

    /// Random bytes, and the same with an opaque alpha.
    let samples: UnsafeMutablePointer<UInt8>
    let opaqueSamples: UnsafeMutablePointer<UInt8>
    let packed: UnsafeMutablePointer<UInt8>
    /// Rows of twice the length, with any alpha.
    let pixels: UnsafeMutablePointer<Int16>
    /// A row without transparency.
    let opaque: UnsafeMutablePointer<Int16>
    let rows: UnsafeMutablePointer<UnsafePointer<Int16>?>
    let result: UnsafeMutablePointer<Int16>
    let starts: UnsafeMutablePointer<Int32>
    let interpolated: UnsafeMutablePointer<Double>
    /// Positions before and after conversion to fixed point.
    let positions: UnsafeMutablePointer<Double>
    let fixed: UnsafeMutablePointer<Int32>
    /// Positions in a block that is turned by 13 degrees and shrunk a little.
    let x: UnsafeMutablePointer<Int32>
    let y: UnsafeMutablePointer<Int32>
    /// Weights; only their number matters. The largest footprint table has 4096 phases of 12.
    let weights: UnsafeMutablePointer<Int16>

    /// The window that those positions need.
    var area: cr_window { cr_window(origin: pixels, pixels_per_row: 112) }

    init(pixels count: Int) {
        func make<Element>(
            _ count: Int, _ value: (Int) -> Element
        ) -> UnsafeMutablePointer<Element> {
            let pointer = UnsafeMutablePointer<Element>.allocate(capacity: count)
            for index in 0..<count { (pointer + index).initialize(to: value(index)) }
            return pointer
        }
        func sample(_ index: Int) -> Int16 { Int16(index &* 7919 % 16_320) }
        let width = 2 * count
        samples = make(4 * count) { UInt8(truncatingIfNeeded: $0 &* 77) }
        opaqueSamples = make(4 * count) { $0 % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: $0 &* 77) }
        packed = make(4 * count) { _ in 0 }
        let pixels = make(4 * width * 12) { $0 % 4 == 3 ? Int16($0 / 4 * 97 % 16_321) : sample($0) }
        self.pixels = pixels
        opaque = make(4 * count) { $0 % 4 == 3 ? 16_320 : sample($0) }
        rows = make(12) { UnsafePointer(pixels + 4 * width * $0) }
        result = make(4 * count) { _ in 0 }
        starts = make(count) { Int32($0) }
        interpolated = make(count) { _ in 0 }
        positions = make(count) { Double($0) * 1.17 }
        fixed = make(2 * count) { _ in 0 }
        func position(_ index: Int, _ x: Double, _ y: Double, from first: Double) -> Int32 {
            let (column, row) = (index % Self.blockSize, index / Self.blockSize)
            return Int32((first + Double(column) * x + Double(row) * y) * 256)
        }
        x = make(count) { position($0, 1.17, -0.27, from: 16) }
        y = make(count) { position($0, 0.27, 1.17, from: 8) }
        weights = make(64 * 64 * 12) { Int16($0 % 4 == 1 ? 8192 : 2730) }
    }
}
