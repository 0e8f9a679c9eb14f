import Platform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The number of a part, as it is given or as a job array says it.
struct ArrayIndex {
    /// The number, from 0.
    let value: Int

    /// Variables of job arrays, and the number with which each begins.
    private static let variables = [
        ("TILEWRIGHT_SHARD", 0), ("SLURM_ARRAY_TASK_ID", 0), ("JOB_COMPLETION_INDEX", 0),
        ("AWS_BATCH_JOB_ARRAY_INDEX", 0), ("PBS_ARRAY_INDEX", 0), ("SGE_TASK_ID", 1),
    ]

    /// The names of the variables.
    static var names: [String] { variables.map(\.0) }

    /// Reads a number, or `auto`.
    ///
    /// - Throws: `.usage`.
    init(
        parsing text: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Failure) {
        guard text == "auto" else {
            value = try Self.number(text, "'\(text)'")
            return
        }
        let found = Self.variables.lazy.compactMap { name, first in
            environment[name].map { (name: name, text: $0, first: first) }
            // Grid Engine says 'undefined' outside of arrays.
        }.first { !$0.text.isEmpty && $0.text != "undefined" }
        guard let found else {
            throw Failure(
                .usage, "'auto' needs one of \(Self.names.joined(separator: ", ")), and none is set",
                remedy: "give the number of the shard")
        }
        let quoted = "\(found.name)='\(found.text)'"
        value = try Self.number(found.text, quoted, first: found.first) - found.first
    }

    private static func number(_ text: String, _ quoted: String, first: Int = 0) throws(Failure) -> Int {
        guard let number = Int(text), number >= first else {
            throw Failure(
                .usage, "\(quoted) is not the number of a shard, which is \(first), \(first + 1) or more")
        }
        return number
    }
}
