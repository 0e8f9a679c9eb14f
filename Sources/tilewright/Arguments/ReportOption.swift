import ArgumentParser
import CommandSupport
import Platform

/// `--report`. A command takes part by calling `begin`, and `RunRecord.note` when a tileset is done; errors,
/// warnings and the status are noted where they are printed.
struct ReportOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file for a JSON report of the run, even if it fails; - for standard output.",
            valueName: "FILE|-"),
        completion: .file())
    var report: String?

    /// Begins the report.
    ///
    /// - Parameters:
    ///   - outputs: the tilesets that the run will make or check.
    ///   - lists: other files that the run writes.
    ///   - printsResult: the option that prints something else on standard output; nil for none.
    /// - Throws: `.usage` if the report cannot go there.
    func begin(_ outputs: [RunOutput], lists: [String?] = [], printsResult: String? = nil) throws {
        try RunRecord.begin(outputs, lists: lists)
        if let printsResult, RunRecord.takesStandardOutput {
            throw Failure(
                .usage, "\(printsResult) and the report cannot both go to standard output",
                remedy: "name a file for --report")
        }
    }
}
