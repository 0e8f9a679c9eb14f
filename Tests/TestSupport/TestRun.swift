import Foundation

/// The options of this test run.
package enum TestRun {
    /// Whether long tests also run: `TILEWRIGHT_TESTS=all`, which `make test-all` sets.
    package static let isComplete = ProcessInfo.processInfo.environment["TILEWRIGHT_TESTS"] == "all"
}

extension Sequence {
    /// In a short run, `count` of the elements, evenly spread; in a complete run, all of them.
    package func some(_ count: Int) -> [Element] {
        let all = Array(self)
        if TestRun.isComplete || all.count <= count { return all }
        return (0..<count).map { all[$0 * all.count / count] }
    }
}
