import Foundation

/// What this run of the tests is asked to do.
package enum TestRun {
    /// Whether long tests run too: `TILEWRIGHT_TESTS=all`, which `make test-all` sets.
    package static let isComplete = ProcessInfo.processInfo.environment["TILEWRIGHT_TESTS"] == "all"
}
