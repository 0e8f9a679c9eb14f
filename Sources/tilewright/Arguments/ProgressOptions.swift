import ArgumentParser

/// What is reported during a run, by commands that have little to report.
struct ProgressOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Progress on standard error.", valueName: "auto|bar|lines|json|none"))
    var progress: ProgressStyle = .auto

    @Flag(name: .shortAndLong, help: "Say nothing but results and errors.")
    var quiet = false

    /// How progress is shown.
    var style: ProgressStyle { quiet ? .none : progress }
}
