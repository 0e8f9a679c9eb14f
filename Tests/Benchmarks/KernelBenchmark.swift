import CRaster

/// A kernel, called on rows of a usual length.
struct KernelBenchmark: Sendable {
    let name: String
    /// Bytes read and written by a call; weights and positions do not count.
    let bytes: Int
    let run: @Sendable (cr_kernels) -> Void

    /// Pixels of a row: eight tiles side by side, which a level-2 cache holds several times.
    fileprivate static let count = 2048

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
        ]
    }

    private static func resampling(_ buffers: Buffers) -> [KernelBenchmark] {
        [4, 8, 12].map { taps in
            KernelBenchmark(name: "resample_row, \(taps) taps", bytes: 2 * rowBytes) {
                $0.resample_row(
                    buffers.window, buffers.starts, buffers.weights, taps, Int32(taps),
                    buffers.result, count)
            }
        }
            + [2, 6, 12].map { taps in
                KernelBenchmark(name: "combine_rows, \(taps) rows", bytes: (taps + 1) * rowBytes) {
                    $0.combine_rows(
                        buffers.rows, buffers.weights, Int32(taps), buffers.result, count)
                }
            }
    }

    private static func warping(_ buffers: Buffers) -> [KernelBenchmark] {
        [4, 8].map { taps in
            KernelBenchmark(name: "warp_row, \(taps) x \(taps) taps", bytes: 2 * rowBytes) {
                let phases = cr_phases(weights: buffers.weights, taps: Int32(taps))
                $0.warp_row(
                    buffers.area, buffers.x, buffers.y, phases, phases, buffers.result, count)
            }
        } + [
            KernelBenchmark(name: "warp_row_footprint, 4 x 3", bytes: 2 * rowBytes) {
                let footprint = cr_footprint(
                    weights: buffers.weights, phase_bits: 5, columns: 4, rows: 3, left: -1, top: -1)
                $0.warp_row_footprint(
                    buffers.area, buffers.x, buffers.y, footprint, buffers.result, count)
            }
        ]
    }

    private static func packing(_ buffers: Buffers) -> [KernelBenchmark] {
        [
            KernelBenchmark(name: "pack_rgba8", bytes: 4 * count + rowBytes) {
                _ = $0.pack_rgba8(buffers.window, buffers.packed, count)
            },
            KernelBenchmark(name: "pack_rgba8_over", bytes: 4 * count + rowBytes) {
                _ = $0.pack_rgba8_over(buffers.window, buffers.samples, buffers.packed, count)
            },
        ]
    }
}

/// What the kernels read and write; lives as long as the program.
private struct Buffers: @unchecked Sendable {
    // Unchecked, because benchmarks run one after the other.

    let samples: UnsafeMutablePointer<UInt8>
    let packed: UnsafeMutablePointer<UInt8>
    /// Rows of twice the length, with some alpha.
    let window: UnsafeMutablePointer<Int16>
    let rows: UnsafeMutablePointer<UnsafePointer<Int16>?>
    let result: UnsafeMutablePointer<Int16>
    let starts: UnsafeMutablePointer<Int32>
    /// Positions along a line that falls by 1 in 256.
    let x: UnsafeMutablePointer<Int32>
    let y: UnsafeMutablePointer<Int32>
    /// Of any shape; only their number matters.
    let weights: UnsafeMutablePointer<Int16>

    /// The window as the warping kernels take it.
    var area: cr_window {
        cr_window(origin: window, pixels_per_row: 2 * KernelBenchmark.count)
    }

    init(pixels count: Int) {
        func make<Element>(
            _ count: Int, _ value: (Int) -> Element
        ) -> UnsafeMutablePointer<Element> {
            let pointer = UnsafeMutablePointer<Element>.allocate(capacity: count)
            for index in 0..<count { (pointer + index).initialize(to: value(index)) }
            return pointer
        }
        let width = 2 * count
        samples = make(4 * count) { UInt8(truncatingIfNeeded: $0 &* 77) }
        packed = make(4 * count) { _ in 0 }
        let window = make(4 * width * 24) { Int16($0 % 4 == 3 ? 16_320 : $0 &* 7919 % 16_320) }
        self.window = window
        rows = make(12) { UnsafePointer(window + 4 * width * $0) }
        result = make(4 * count) { _ in 0 }
        starts = make(count) { Int32($0) }
        x = make(count) { Int32(($0 + 8) * 256 + $0 % 256) }
        y = make(count) { Int32(8 * 256 + $0) }
        weights = make(32 * count) { Int16($0 % 4 == 1 ? 8192 : 2730) }
    }
}
