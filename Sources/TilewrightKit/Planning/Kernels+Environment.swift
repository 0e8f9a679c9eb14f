import Platform
import Resampling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Kernels {
    /// The kernels that `TILEWRIGHT_SIMD` in the environment names, to compare them, or to rule the
    /// others out as a cause; the fastest if it is not set.
    ///
    /// - Throws: `Failure` if this machine has no kernels of that name.
    static func wanted() throws -> Kernels {
        guard let name = ProcessInfo.processInfo.environment["TILEWRIGHT_SIMD"], !name.isEmpty
        else { return .best }
        guard let kernels = all.first(where: { $0.name == name }) else {
            let names = all.map(\.name).joined(separator: ", ")
            throw Failure(
                .usage, "this machine has no kernels '\(name)' (TILEWRIGHT_SIMD)",
                remedy: "it has: \(names)")
        }
        return kernels
    }
}
