package import CKernels

/// The C core's kernels for one instruction set; every set gives the same bytes.
package struct Kernels: @unchecked Sendable {
    // Unchecked, because the pointer leads to a constant table of functions without state.

    /// The table.
    package let table: UnsafePointer<cr_kernels>

    /// The fastest kernels of this machine.
    package static let best = Kernels(table: cr_kernels_best())

    /// All kernels that this machine can run, the slowest first.
    package static let all = (0..<UInt32(CR_LEVEL_COUNT)).compactMap {
        Kernels(level: cr_level(rawValue: $0))
    }

    /// The name of the instruction set, in lower case: `portable`, `avx2` and so on.
    package var name: String { String(cString: table.pointee.name) }

    /// The kernels of a level, or nil if this machine cannot run them.
    package init?(level: cr_level) {
        guard let table = cr_kernels_at(level) else { return nil }
        self.table = table
    }

    private init(table: UnsafePointer<cr_kernels>) {
        self.table = table
    }
}
