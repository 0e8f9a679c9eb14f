package import Testing

// A test that cannot run on a machine is skipped with a reason, and counted: no test returns silently. The
// script .ci/run knows these reasons, and which of them are allowed on a machine.
extension Trait where Self == ConditionTrait {
    /// Runs a test only if these programs are installed.
    package static func needs(
        _ programs: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        let missing = programs.filter { Tool.path($0) == nil }
        return .enabled(
            if: missing.isEmpty, "not installed: \(missing.joined(separator: ", "))",
            sourceLocation: sourceLocation)
    }

    /// Runs a test only if a Python with these modules is installed.
    package static func needsPython(
        _ modules: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .enabled(
            if: Python.path(with: modules) != nil,
            "not installed: python3 with \(modules.joined(separator: ", "))",
            sourceLocation: sourceLocation)
    }

    /// Runs a test only if the real data are present, which are not in public clones.
    package static var needsSharedData: Self {
        .enabled(
            if: SharedData.isPresent, "no shared data: ../shared, next to the project's folder")
    }

    /// Runs a test only in a complete run, which includes long tests.
    package static var long: Self {
        .enabled(if: TestRun.isComplete, "long: make test-all runs it")
    }
}
