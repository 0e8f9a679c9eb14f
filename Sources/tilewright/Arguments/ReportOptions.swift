import ArgumentParser

/// What is reported during a run.
struct ReportOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Progress on standard error.", valueName: "auto|bar|lines|json|none"))
    var progress: ProgressStyle = .auto

    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say more: the plan, and where the position comes from.")
    var verbose = false

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose contradict each other") }
    }
}

/// How progress is shown.
enum ProgressStyle: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// A bar on a terminal, or lines if it cannot draw one; nothing otherwise.
    case auto
    /// A bar in any case.
    case bar
    /// A plain line now and then, for screen readers and logs.
    case lines
    /// A line of JSON now and then.
    case json
    /// Nothing.
    case none
}
