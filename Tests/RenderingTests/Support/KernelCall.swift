import CKernels
import Rendering
import TestSupport
import Testing

/// A call of one kernel on random data, all of it in guarded buffers, which any level can make.
struct KernelCall {
    /// Makes the call and gives what the kernel wrote, and returned, as bytes.
    let run: (cr_kernels) throws -> [UInt8]

    typealias Maker = @Sendable (inout SplitMix) throws -> KernelCall

    static let makers: [(name: String, make: Maker)] = [
        ("unpack_gray8", { try unpack(&$0, bytesPerPixel: 1, \.unpack_gray8) }),
        ("unpack_rgb8", { try unpack(&$0, bytesPerPixel: 3, \.unpack_rgb8) }),
        ("unpack_rgba8", { try unpack(&$0, bytesPerPixel: 4, \.unpack_rgba8) }),
        ("resample_row", { try resampleRow(&$0) }),
        ("resample_gray8", { try resampleOpaque(&$0, channels: 1) }),
        ("resample_rgb8", { try resampleOpaque(&$0, channels: 3) }),
        ("combine_rows", { try combineRows(&$0) }),
        ("halve_row", { try halveRow(&$0) }),
        ("halve_box", { try halveBox(&$0) }),
        ("interpolate_row", { try interpolateRow(&$0) }),
        ("fix_block", { try fixBlock(&$0) }),
        ("warp_row", { try warpRow(&$0) }),
        ("warp_row_footprint", { try warpRowFootprint(&$0) }),
        ("pack_rgba8", { try pack(&$0, over: nil) }),
        ("pack_rgba8_over", { try pack(&$0, over: [12, 200, 255]) }),
    ]

    private typealias Unpack = (UnsafePointer<UInt8>?, UnsafeMutablePointer<Int16>?, Int) -> Void

    private static func unpack(
        _ random: inout SplitMix, bytesPerPixel: Int,
        _ kernel: KeyPath<
            cr_kernels,
            (
                @convention(c) (
                    UnsafePointer<UInt8>?, UnsafeMutablePointer<Int16>?, Int
                ) -> Void
            )?
        >
    ) throws -> KernelCall {
        let count = Int.random(in: 0...100, using: &random)
        var bytes = (0..<count * bytesPerPixel).map { _ in UInt8.random(in: 0...255, using: &random)
        }
        if bytesPerPixel == 4 {
            for (pixel, alpha) in random.runs(of: [UInt8.min, .max], count: count) {
                bytes[4 * pixel + 3] = alpha
            }
        }
        let source = try random.guarded(bytes)
        let result = try random.room(count)
        return KernelCall { kernels in
            kernels[keyPath: kernel]?(source.first, result.first, count)
            return result.bytes
        }
    }

    private static func resampleRow(_ random: inout SplitMix) throws -> KernelCall {
        let count = Int.random(in: 0...40, using: &random)
        let taps = 4 * Int.random(in: 1...9, using: &random)
        let length = taps + Int.random(in: 0...50, using: &random)
        var starts = (0..<count).map { _ in
            Int32.random(in: 0...Int32(length - taps), using: &random)
        }
        if count > 0 { starts[count - 1] = Int32(length - taps) }
        let weights = (0..<count).flatMap { _ in random.weights(taps) }
        let source = try random.guarded(random.samples(4 * length))
        let (first, weight) = (try random.guarded(starts), try random.guarded(weights))
        let result = try random.room(count)
        return KernelCall { kernels in
            kernels.resample_row(
                source.first, first.first, weight.first, Int32(taps), result.first, count)
            return result.bytes
        }
    }

    /// Levels without such a kernel do in two steps what it does in one.
    private static func resampleOpaque(
        _ random: inout SplitMix, channels: Int
    ) throws -> KernelCall {
        let count = Int.random(in: Int(CR_TAP_GROUP)...1200, using: &random)
        let taps = 4 * Int.random(in: 1...4, using: &random)
        let step = Double.random(in: -2.5...2.5, using: &random)
        var starts = (0..<count).map { Int32(Double($0) * step) + Int32.random(in: 0...3, using: &random) }
        let first = starts.min() ?? 0
        starts = starts.map { $0 - first }
        let length = Int(starts.max() ?? 0) + taps
        let weights = (0..<count).flatMap { _ in random.weightsOfOne(taps) }
        let source = try random.guarded(
            (0..<channels * length).map { _ in UInt8.random(in: 0...255, using: &random) })
        let (start, weight) = (try random.guarded(starts), try random.guarded(weights))
        let groups = (count + Int(CR_TAP_GROUP) - 1) / Int(CR_TAP_GROUP)
        let spans = try random.guarded([cr_span](repeating: cr_span(), count: groups))
        let group = try random.guarded(
            [Int16](repeating: 0, count: (taps + 2) * groups * Int(CR_TAP_GROUP)))
        let pairs = cr_group_taps(start.first, weight.first, Int32(taps), spans.first, group.first, count)
        #expect(pairs > 0)
        let result = try random.room(count)
        return KernelCall { kernels in
            let grouped = cr_grouped_taps(spans: spans.first, groups: group.first, pairs: pairs)
            if let kernel = channels == 1 ? kernels.resample_gray8 : kernels.resample_rgb8 {
                kernel(source.first, grouped, result.first, count)
            } else {
                var deep = [Int16](repeating: 0, count: 4 * length)
                (channels == 1 ? kernels.unpack_gray8 : kernels.unpack_rgb8)(source.first, &deep, length)
                kernels.resample_row(deep, start.first, weight.first, Int32(taps), result.first, count)
            }
            return result.bytes
        }
    }

    private static func halveRow(_ random: inout SplitMix) throws -> KernelCall {
        let count = Int.random(in: 0...40, using: &random)
        let taps = 4 * Int.random(in: 1...5, using: &random)
        let length = count == 0 ? 0 : 2 * (count - 1) + taps
        let source = try random.guarded(random.samples(4 * length))
        let weights = try random.guarded(random.weights(taps))
        let result = try random.room(count)
        return KernelCall { kernels in
            kernels.halve_row(source.first, weights.first, Int32(taps), result.first, count)
            return result.bytes
        }
    }

    private static func halveBox(_ random: inout SplitMix) throws -> KernelCall {
        let count = Int.random(in: 0...40, using: &random)
        let upper = try random.guarded(random.samples(8 * count))
        let lower = try random.guarded(random.samples(8 * count))
        let result = try random.room(count)
        return KernelCall { kernels in
            kernels.halve_box(upper.first, lower.first, result.first, count)
            return result.bytes
        }
    }

    private static func combineRows(_ random: inout SplitMix) throws -> KernelCall {
        let count = Int.random(in: 0...40, using: &random)
        let taps = Int.random(in: 1...13, using: &random)
        let rows = try (0..<taps).map { _ in try random.guarded(random.samples(4 * count)) }
        let pointers: [UnsafePointer<Int16>?] = rows.map { UnsafePointer($0.first) }
        let weights = try random.guarded(random.weights(taps))
        let result = try random.room(count)
        return KernelCall { kernels in
            withExtendedLifetime(rows) {
                kernels.combine_rows(pointers, weights.first, Int32(taps), result.first, count)
            }
            return result.bytes
        }
    }

    private static func interpolateRow(_ random: inout SplitMix) throws -> KernelCall {
        let count = Int.random(in: 0...40, using: &random)
        let line = (0..<3).map { _ in Double.random(in: -4000...4000, using: &random) }
        let result = try random.guarded([Double](repeating: 5, count: count))
        return KernelCall { kernels in
            kernels.interpolate_row(line[0], line[1], line[2], result.first, count)
            return result.elements.flatMap { value in withUnsafeBytes(of: value, Array.init) }
        }
    }

    private static func fixBlock(_ random: inout SplitMix) throws -> KernelCall {
        let (columns, rows) = (Int.random(in: 0...40, using: &random), Int.random(in: 1...4, using: &random))
        let stride = columns + Int.random(in: 0...5, using: &random)
        let count = stride * (rows - 1) + columns
        let x = try random.guarded((0..<count).map { _ in random.position() })
        let y = try random.guarded((0..<count).map { _ in random.position() })
        let fixedX = try random.guarded([Int32](repeating: 5, count: columns * rows))
        let fixedY = try random.guarded([Int32](repeating: 5, count: columns * rows))
        return KernelCall { kernels in
            var extent = cr_position_extent(min_x: .max, max_x: .min, min_y: .max, max_y: .min)
            let block = cr_position_block(
                x: x.first, y: y.first, stride: stride, fixed_x: fixedX.first, fixed_y: fixedY.first,
                fixed_stride: columns, columns: columns, rows: rows)
            kernels.fix_block(
                block, cr_position_grid(origin: 0.5, steps: 64, unit: 4),
                cr_position_limits(low_x: -2, high_x: 30, low_y: -3, high_y: 20), &extent)
            let seen = [extent.min_x, extent.max_x, extent.min_y, extent.max_y]
            return (fixedX.elements + fixedY.elements + seen).flatMap { value in
                withUnsafeBytes(of: value, Array.init)
            }
        }
    }

    private static func warpRow(_ random: inout SplitMix) throws -> KernelCall {
        let (tapsX, tapsY) = (
            4 * Int.random(in: 1...3, using: &random), 2 * Int.random(in: 1...5, using: &random)
        )
        func phases(_ taps: Int) throws -> GuardedBuffer<Int16> {
            var weights: [Int16] = []
            for _ in 0..<1 << Int(CR_POSITION_BITS) { weights += random.weights(taps) }
            return try random.guarded(weights)
        }
        let (across, down) = (try phases(tapsX), try phases(tapsY))
        let window = try Window(&random, columns: tapsX, rows: tapsY)
        // Tap k of whole position i is pixel i - taps / 2 + 1 + k.
        let (x, y) = try window.positions(
            &random, firstColumn: tapsX / 2 - 1, firstRow: tapsY / 2 - 1)
        let result = try random.room(x.count)
        return KernelCall { kernels in
            kernels.warp_row(
                window.area, x.first, y.first,
                cr_phases(weights: across.first, taps: Int32(tapsX)),
                cr_phases(weights: down.first, taps: Int32(tapsY)), result.first, x.count)
            return result.bytes
        }
    }

    private static func warpRowFootprint(_ random: inout SplitMix) throws -> KernelCall {
        let bits = Int.random(in: 0...4, using: &random)
        let (columns, rows) = (
            4 * Int.random(in: 1...5, using: &random), Int.random(in: 1...8, using: &random)
        )
        let (left, top) = (
            Int.random(in: -9...0, using: &random), Int.random(in: -9...0, using: &random)
        )
        var weights: [Int16] = []
        for _ in 0..<1 << (2 * bits) { weights += random.weights(columns * rows) }
        let table = try random.guarded(weights)
        let window = try Window(&random, columns: columns, rows: rows)
        let (x, y) = try window.positions(&random, firstColumn: -left, firstRow: -top)
        let result = try random.room(x.count)
        return KernelCall { kernels in
            let footprint = cr_footprint(
                weights: table.first, phase_bits: Int32(bits), columns: Int32(columns),
                rows: Int32(rows), left: Int32(left), top: Int32(top))
            kernels.warp_row_footprint(
                window.area, x.first, y.first, footprint, result.first, x.count)
            return result.bytes
        }
    }

    private static func pack(_ random: inout SplitMix, over color: [UInt8]?) throws -> KernelCall {
        let count = Int.random(in: 0...100, using: &random)
        var samples = random.samples(4 * count)
        // Opaque and nearly so; the last alphas that round to 0, and the first that does not.
        let alphas: [Int16] = [16_320, 16_319, 16_321, 0, -1, 31, 32, .max]
        for (pixel, alpha) in random.runs(of: alphas, count: count) {
            samples[4 * pixel + 3] = alpha
        }
        let source = try random.guarded(samples)
        let result = try random.guarded([UInt8](repeating: 0, count: 4 * count))
        let background = try color.map { try random.guarded($0) }
        return KernelCall { kernels in
            let seen =
                if let background {
                    kernels.pack_rgba8_over(source.first, background.first, result.first, count)
                } else {
                    kernels.pack_rgba8(source.first, result.first, count)
                }
            return result.elements + [seen.alpha_and, seen.alpha_or]
        }
    }
}

/// Random pixels of just the size that the taps of the positions inside need.
private struct Window {
    let area: cr_window
    private let pixels: GuardedBuffer<Int16>
    /// Whole positions to choose from.
    private let (columns, rows): (Int, Int)

    init(_ random: inout SplitMix, columns tapsX: Int, rows tapsY: Int) throws {
        (columns, rows) = (
            Int.random(in: 1...20, using: &random), Int.random(in: 1...20, using: &random)
        )
        let (width, height) = (columns + tapsX - 1, rows + tapsY - 1)
        pixels = try random.guarded(random.samples(4 * width * height))
        area = cr_window(origin: pixels.first, pixels_per_row: width)
    }

    /// Positions whose taps lie inside, the outermost among them, and some without a source.
    func positions(
        _ random: inout SplitMix, firstColumn: Int, firstRow: Int
    ) throws -> (GuardedBuffer<Int32>, GuardedBuffer<Int32>) {
        func fixed(_ whole: Int) -> Int32 {
            Int32(whole << Int(CR_POSITION_BITS)) + .random(in: 0...255, using: &random)
        }
        var x: [Int32] = []
        var y: [Int32] = []
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            let isNowhere = Int.random(in: 0..<8, using: &random) == 0
            x.append(
                isNowhere
                    ? .min : fixed(firstColumn + Int.random(in: 0..<columns, using: &random)))
            y.append(fixed(firstRow + Int.random(in: 0..<rows, using: &random)))
        }
        x += [fixed(firstColumn), fixed(firstColumn + columns - 1)]
        y += [fixed(firstRow), fixed(firstRow + rows - 1)]
        return (try random.guarded(x), try random.guarded(y))
    }
}

extension SplitMix {
    /// A copy of elements against one of two guards.
    mutating func guarded<Element>(
        _ elements: [Element]
    ) throws -> GuardedBuffer<Element> {
        try GuardedBuffer(elements, Bool.random(using: &self) ? .afterGuard : .beforeGuard)
    }

    /// Runs of equal alphas, which kernels have short ways for, with gaps between them.
    fileprivate mutating func runs<Alpha>(of alphas: [Alpha], count: Int) -> [(Int, Alpha)] {
        var runs: [(Int, Alpha)] = []
        var pixel = 0
        while pixel < count {
            let end = min(count, pixel + Int.random(in: 1...40, using: &self))
            let choice = Int.random(in: 0...alphas.count, using: &self)
            if choice < alphas.count {
                runs += (pixel..<end).map { ($0, alphas[choice]) }
            }
            pixel = end
        }
        return runs
    }

    /// A position in quarters of a 64th, which is exact, and hits halves and limits; or none.
    fileprivate mutating func position() -> Double {
        if Int.random(in: 0..<9, using: &self) == 0 { return .nan }
        return Double(Int.random(in: -4 * 256...34 * 256, using: &self)) / 256
    }

    /// Room for deep pixels.
    mutating func room(_ pixels: Int) throws -> GuardedBuffer<Int16> {
        try guarded([Int16](repeating: 0x5555, count: 4 * pixels))
    }
}

extension GuardedBuffer<Int16> {
    var bytes: [UInt8] {
        Array(UnsafeRawBufferPointer(UnsafeBufferPointer(start: first, count: count)))
    }
}
