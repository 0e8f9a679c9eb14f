import CRaster
import Resampling
import Testing
import TestSupport

@Suite struct KernelVariantTests {
    /// The levels beyond the portable one that this machine can run.
    static let variants = [CR_LEVEL_AVX2].compactMap { cr_kernels_at($0)?.pointee }

    @Test(
        "every level gives the portable level's bytes, and touches nothing beyond its buffers",
        .enabled(if: !variants.isEmpty), arguments: KernelCall.makers.indices)
    func agreement(kernel: Int) throws {
        let portable = try #require(cr_kernels_at(CR_LEVEL_PORTABLE)?.pointee)
        let (name, make) = KernelCall.makers[kernel]
        var random = SplitMix(seed: 1)
        for trial in 0..<150 {
            let call = try make(&random)
            let expected = try call.run(portable)
            for variant in Self.variants {
                #expect(try call.run(variant) == expected, "\(name), trial \(trial)")
            }
        }
    }

    @Test("the best level is one of those that this machine runs")
    func best() throws {
        let best = try #require(cr_kernels_best()).pointee.level
        #expect(([CR_LEVEL_PORTABLE] + Self.variants.map(\.level)).contains(best))
    }
}
