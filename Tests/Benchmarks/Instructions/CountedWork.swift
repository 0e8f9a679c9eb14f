/// A piece of work whose instructions are counted.
struct CountedWork {
    /// Its name in `instructions.json`.
    let name: String
    /// The number of repetitions while instructions are counted.
    let repetitions: Int
    let run: () throws -> Void

    /// Does the work once without counting, so that lazy preparation is finished. Then does it with counting,
    /// and prints its name.
    func count() throws {
        try run()
        try repeatCounted(self)
        print(name)
    }

    /// Separate from the counted function, in which the loop would look up its own conformances.
    @inline(never)
    fileprivate func repeatOptimised() throws {
        for _ in 0..<repetitions { try run() }
    }
}

/// Does the work. Callgrind counts while this function is on the main thread's stack. It finds the function
/// by its name, which neither mangling nor the optimiser changes.
@_silgen_name("tilewright_counted") @inline(never) @_optimize(none)
private func repeatCounted(_ work: CountedWork) throws { try work.repeatOptimised() }
