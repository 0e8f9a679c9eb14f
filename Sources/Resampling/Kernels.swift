package import CRaster

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The C core's kernels for one instruction set; every set gives the same bytes.
package struct Kernels: @unchecked Sendable {
    // Unchecked, because the pointer leads to a constant table of functions without state.

    /// The table.
    package let table: UnsafePointer<cr_kernels>

    /// The fastest kernels of this machine. The variable `TILEWRIGHT_SIMD=portable` in the
    /// environment takes the portable ones, to compare or to rule them out as a cause.
    package static let best: Kernels = {
        if let wish = getenv("TILEWRIGHT_SIMD"), String(cString: wish) == "portable",
            let portable = Kernels(level: CR_LEVEL_PORTABLE)
        {
            return portable
        }
        return Kernels(table: cr_kernels_best())
    }()

    /// The kernels of a level, or nil where this machine cannot run them.
    package init?(level: cr_level) {
        guard let table = cr_kernels_at(level) else { return nil }
        self.table = table
    }

    private init(table: UnsafePointer<cr_kernels>) {
        self.table = table
    }
}
