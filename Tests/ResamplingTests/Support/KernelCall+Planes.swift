import CKernels
import TestSupport

/// Calls of kernels for planes. Levels without them take pixels.
extension KernelCall {
    static func halvePlanes(_ random: inout SplitMix, channels: Int) throws -> KernelCall {
        let count = Int.random(in: 16...200, using: &random)
        let taps = 4 * Int.random(in: 1...5, using: &random)
        let length = 2 * (count - 1) + taps
        let planes = try random.planes(channels: channels, width: length)
        let weights = try random.guarded(random.weightsOfOne(taps))
        let result = try random.room(count)
        return KernelCall { kernels in
            if let kernel = kernels.halve_planes {
                kernel(
                    planes.samples.first, planes.channelStep, weights.first, Int32(taps), result.first, count)
            } else {
                kernels.halve_row(planes.pixels(length), weights.first, Int32(taps), result.first, count)
            }
            return result.bytes
        }
    }

    static func combinePlanes(_ random: inout SplitMix, channels: Int) throws -> KernelCall {
        let blocks = Int.random(in: 1...5, using: &random)
        let count = blocks * Planes.block
        let rows = try (0..<Int.random(in: 1...Int(CR_MOST_COMBINED), using: &random)).map { _ in
            try random.planes(channels: channels, blocks: blocks)
        }
        let weights = try random.guarded(random.weightsOfOne(rows.count))
        let result = try random.planes(channels: channels, width: count)
        return KernelCall { kernels in
            if let kernel = kernels.combine_planes {
                let pointers = rows.map { UnsafePointer?(UnsafePointer($0.samples.first)) }
                kernel(
                    pointers, rows[0].core, weights.first, Int32(rows.count), result.samples.first,
                    result.core.step, blocks)
                return result.pixels(count).withUnsafeBytes(Array.init)
            }
            let pixels = rows.flatMap { $0.pixels(count) }
            return pixels.withUnsafeBufferPointer { pixels in
                let pointers = rows.indices.map { row in pixels.baseAddress.map { $0 + 4 * count * row } }
                var combined = [Int16](repeating: 0, count: 4 * count)
                kernels.combine_rows(pointers, weights.first, Int32(rows.count), &combined, count)
                return combined.withUnsafeBytes(Array.init)
            }
        }
    }

    static func halveToPlanes(_ random: inout SplitMix, channels: Int) throws -> KernelCall {
        let blocks = Int.random(in: 1...4, using: &random)
        let count = blocks * Planes.block
        let taps = 4 * Int.random(in: 1...5, using: &random)
        let length = 2 * (count - 1) + taps
        let planes = try random.planes(channels: channels, width: length)
        let weights = try random.guarded(random.weightsOfOne(taps))
        let result = try random.planes(channels: channels, blocks: blocks)
        return KernelCall { kernels in
            if let kernel = kernels.halve_to_planes {
                kernel(
                    planes.samples.first, planes.channelStep, weights.first, Int32(taps),
                    result.samples.first, result.core, blocks)
                return result.pixels(count).withUnsafeBytes(Array.init)
            }
            var halved = [Int16](repeating: 0, count: 4 * count)
            kernels.halve_row(planes.pixels(length), weights.first, Int32(taps), &halved, count)
            return halved.withUnsafeBytes(Array.init)
        }
    }

    static func packPlanes(_ random: inout SplitMix, channels: Int) throws -> KernelCall {
        let isWhole = Bool.random(using: &random)
        let count =
            isWhole ? Int.random(in: 0...100, using: &random) : 32 * Int.random(in: 1...4, using: &random)
        let planes =
            isWhole
            ? try random.planes(channels: channels, width: count)
            : try random.planes(channels: channels, blocks: count / Planes.block)
        let result = try random.guarded([UInt8](repeating: 0, count: 4 * count))
        return KernelCall { kernels in
            if let kernel = kernels.pack_planes {
                kernel(planes.samples.first, planes.core, result.first, count)
            } else {
                _ = kernels.pack_rgba8(planes.pixels(count), result.first, count)
            }
            return result.elements
        }
    }

    static func joinPlanes(_ random: inout SplitMix, channels: Int) throws -> KernelCall {
        let blocks = Int.random(in: 1...4, using: &random)
        let planes = try random.planes(channels: channels, blocks: blocks)
        let first = Int.random(in: 0..<blocks * Planes.block, using: &random)
        let count = Int.random(in: 0...blocks * Planes.block - first, using: &random)
        let result = try random.room(count)
        return KernelCall { kernels in
            guard let kernel = kernels.join_planes else {
                let pixels = planes.pixels(blocks * Planes.block)[4 * first..<4 * (first + count)]
                return pixels.withUnsafeBytes(Array.init)
            }
            kernel(planes.samples.first, planes.core, first, result.first, count)
            return result.bytes
        }
    }

    static func splitPlanes(_ random: inout SplitMix, channels: Int) throws -> KernelCall {
        let blocks = Int.random(in: 1...4, using: &random)
        let planes = try random.planes(channels: channels, blocks: blocks)
        let first = Int.random(in: 0..<blocks * Planes.block, using: &random)
        let count = Int.random(in: 0...blocks * Planes.block - first, using: &random)
        // As those of gray are, all colours are the same.
        let source = try random.guarded(
            (0..<count).flatMap { _ -> [Int16] in
                let color = random.samples(3)
                return channels == 1 ? [color[0], color[0], color[0], 0] : color + [0]
            })
        var expected = planes.pixels(blocks * Planes.block)
        for index in 0..<count {
            for channel in 0..<3 {
                expected[4 * (first + index) + channel] = source.first[4 * index + channel]
            }
        }
        return KernelCall { [expected] kernels in
            guard let kernel = kernels.split_planes else { return expected.withUnsafeBytes(Array.init) }
            kernel(source.first, planes.samples.first, planes.core, first, count)
            return planes.pixels(blocks * Planes.block).withUnsafeBytes(Array.init)
        }
    }
}

/// Random samples in planes, which end where the last one does.
struct Planes {
    static let block = Int(CR_PLANE_BLOCK)

    let samples: GuardedBuffer<Int16>
    let core: cr_planes

    /// As kernels take it that read planes of whole rows.
    var channelStep: Int { core.count == 1 ? 0 : core.step }

    /// The first of each plane, as opaque pixels.
    func pixels(_ count: Int) -> [Int16] {
        (0..<count).flatMap { index in
            let place = index / Self.block * core.block + index % Self.block
            return (0..<3).map { samples.first[$0 * channelStep + place] } + [Int16(CR_OPAQUE)]
        }
    }
}

extension SplitMix {
    /// Planes of whole rows, with gaps between them.
    mutating func planes(channels: Int, width: Int) throws -> Planes {
        let step = width + Int.random(in: 1...40, using: &self)
        let samples = try guarded(samples((channels - 1) * step + width))
        return Planes(
            samples: samples, core: cr_planes(count: Int32(channels), step: step, block: Planes.block))
    }

    /// Planes of blocks.
    mutating func planes(channels: Int, blocks: Int) throws -> Planes {
        Planes(
            samples: try guarded(samples(channels * blocks * Planes.block)),
            core: cr_planes(count: Int32(channels), step: Planes.block, block: channels * Planes.block))
    }
}
