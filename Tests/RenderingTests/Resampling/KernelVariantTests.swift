import CKernels
import Rendering
import Testing
import TestSupport

@Suite struct KernelVariantTests {
    /// The levels beyond the portable one that this machine can run.
    static let variants = Kernels.all.filter { $0.name != "portable" }

    private static let hasVariants: ConditionTrait = .enabled(
        if: !variants.isEmpty, "this machine runs only the portable kernels")

    @Test(
        "every level gives the portable level's bytes, and touches nothing beyond its buffers",
        hasVariants, arguments: KernelCall.makers.indices.some(1))
    func agreement(kernel: Int) throws {
        let portable = try #require(cr_kernels_at(CR_LEVEL_PORTABLE)?.pointee)
        let (name, make) = KernelCall.makers[kernel]
        var random = SplitMix(seed: 1)
        for trial in 0..<200 {
            let call = try make(&random)
            let expected = try call.run(portable)
            for variant in Self.variants {
                #expect(
                    try call.run(variant.table.pointee) == expected,
                    "\(variant.name), \(name), trial \(trial)")
            }
        }
    }

    /// Opaque and about it; about what rounds to 0; one in between and the greatest.
    static let alphas: [Int16] = [16_320, 16_319, 16_321, 31, 32, 1, 0, -1, 8_000, .max]

    @Test(
        "every level packs every colour under opaque, faint and overshooting alphas alike",
        hasVariants,
        arguments: alphas.some(4))
    func packing(alpha: Int16) throws {
        let portable = try #require(cr_kernels_at(CR_LEVEL_PORTABLE)?.pointee)
        let pixels: [Int16] = (Int16.min ... .max).flatMap { [$0, $0, $0, alpha] }
        let count = pixels.count / 4
        let background: [UInt8] = [0, 101, 255]
        func pack(_ kernels: cr_kernels) -> [UInt8] {
            var (straight, over) = (
                [UInt8](repeating: 0, count: 4 * count), [UInt8](repeating: 0, count: 4 * count)
            )
            let seen = kernels.pack_rgba8(pixels, &straight, count)
            let seenOver = kernels.pack_rgba8_over(pixels, background, &over, count)
            return straight + over + [seen, seenOver].flatMap { [$0.alpha_and, $0.alpha_or] }
        }
        let expected = pack(portable)
        for variant in Self.variants {
            let isSame = pack(variant.table.pointee) == expected
            #expect(isSame, "\(variant.name)")
        }
    }

    @Test(
        "every level unpacks every colour with every alpha alike", hasVariants)
    func unpacking() throws {
        let portable = try #require(cr_kernels_at(CR_LEVEL_PORTABLE)?.pointee)
        let all: [UInt8] = Array(0...255)
        let pixels: [UInt8] = all.flatMap { alpha in all.flatMap { [$0, 255 - $0, 7, alpha] } }
        func unpack(_ kernels: cr_kernels) -> [Int16] {
            var result = [Int16](repeating: 0, count: pixels.count)
            kernels.unpack_rgba8(pixels, &result, pixels.count / 4)
            return result
        }
        let expected = unpack(portable)
        for variant in Self.variants {
            let isSame = unpack(variant.table.pointee) == expected
            #expect(isSame, "\(variant.name)")
        }
    }

    @Test("the best level is the last that this machine runs, and all names differ")
    func best() throws {
        let best = try #require(cr_kernels_best()).pointee.level
        #expect(best == Kernels.all.last?.table.pointee.level)
        #expect(Kernels.all.first?.name == "portable")
        #expect(Set(Kernels.all.map(\.name)).count == Kernels.all.count)
    }
}
