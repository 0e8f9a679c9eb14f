import Foundation

/// What this run of the tests is asked to do.
package enum TestRun {
    /// Whether long tests run too: `TILEWRIGHT_TESTS=all`, which `make test-all` sets.
    package static let isComplete = ProcessInfo.processInfo.environment["TILEWRIGHT_TESTS"] == "all"
}

extension Sequence {
    /// So many of the cases, evenly spread, in a short run; all of them in a complete one.
    package func some(_ count: Int) -> [Element] {
        let all = Array(self)
        if TestRun.isComplete || all.count <= count { return all }
        return (0..<count).map { all[$0 * all.count / count] }
    }
}
