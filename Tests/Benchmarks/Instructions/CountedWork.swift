/// A piece of work whose instructions are counted.
struct CountedWork {
    /// What its line of `instructions.json` is called.
    let name: String
    /// How often it is done while instructions are counted.
    let repetitions: Int
    let run: () throws -> Void

    /// Does the work once uncounted, so that whatever is prepared when it is first needed is there,
    /// then counted; prints its name after that.
    func count() throws {
        try run()
        try repeatCounted(self)
        print(name)
    }

    /// Apart from what is counted by name, where a loop would look up its own conformances.
    @inline(never)
    fileprivate func repeatOptimised() throws {
        for _ in 0..<repetitions { try run() }
    }
}

/// Does the work. Callgrind counts while this function is on the stack of the main thread, and knows it
/// by a name that neither mangling nor the optimiser changes.
@_silgen_name("tilewright_counted") @inline(never) @_optimize(none)
private func repeatCounted(_ work: CountedWork) throws { try work.repeatOptimised() }
