package import Testing

// A test that cannot run here is skipped with a reason, and counted: none returns in silence. The
// file .ci/run knows these reasons, and says which of them a machine may have.
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

    /// Runs a test only if there is a Python that has these modules.
    package static func needsPython(
        _ modules: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .enabled(
            if: Python.path(with: modules) != nil,
            "not installed: python3 with \(modules.joined(separator: ", "))",
            sourceLocation: sourceLocation)
    }

    /// Runs a test only if the real data are there that no public clone has.
    package static var needsSharedData: Self {
        .enabled(
            if: SharedData.isPresent, "no shared data: ../shared, next to the project's folder")
    }

    /// Runs a test only if all are asked for, long ones too.
    package static var long: Self {
        .enabled(if: TestRun.isComplete, "long: make test-all runs it")
    }
}
