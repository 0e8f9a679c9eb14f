import ArgumentParser
import CommandSupport
import Platform
import TilewrightKit

/// `tilewright shard`: makes a part of a job.
struct ShardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shard",
        abstract: "Makes a part of a job that 'split' planned, unless it is there.",
        discussion: """
            'auto' takes the number that a job array gives: the first of \(ArrayIndex.names.joined(separator: ", ")).
            """)

    @Argument(help: ArgumentHelp("The folder of the job.", valueName: "JOB"), completion: .directory)
    var job: String

    @Argument(help: ArgumentHelp("The part, from 0, or 'auto'.", valueName: "INDEX"))
    var index: String

    @Flag(help: "Count colours, for the palette that 'merge --survey' chooses, and make no tiles.")
    var survey = false

    @OptionGroup(title: "How to run") var machine: MachineOptions
    @OptionGroup var reports: ProgressOptions

    func run() async throws { try await SignalWatch.run { try await make() } }

    private func make() async throws {
        let index = try ArrayIndex(parsing: index).value
        let shard = try ShardBuild(job: job, index: index, survey: survey)
        let reporter = BuildReporter(reports)
        let clock = ContinuousClock()
        let start = clock.now
        let result = try await shard.run(resources: machine.request, report: reporter.take)
        if reports.quiet { return }
        switch result {
        case .present: Console.say("\(survey ? "survey" : "shard") \(index) is there already")
        case .made where survey: Console.say("survey \(index) is made")
        case .made(let tiles):
            let seconds = (clock.now - start).seconds.text(decimals: 1)
            Console.say("shard \(index): \(tiles.counted("tile")), \(seconds) s")
        }
    }
}
