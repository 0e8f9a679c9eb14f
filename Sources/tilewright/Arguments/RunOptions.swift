import ArgumentParser
import Raster

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How to run.
struct RunOptions: ParsableArguments {
    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp("Units of work at a time. (default: all cores)", valueName: "N"))
    var jobs: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Memory for pixels; what does not fit goes to a scratch file.", valueName: "SIZE"))
    var memory: ByteSize = .gibibyte

    @Option(
        help: ArgumentHelp("Where scratch files go. (default: beside OUTPUT)", valueName: "DIR"),
        completion: .directory)
    var tmpdir: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Refuse to make more tiles.", valueName: "N"))
    var maxTiles: Count = .millions(4)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Refuse to read or render more pixels.", valueName: "N"))
    var maxPixels: Count = Self.mostPixels

    /// Pixels that are read and rendered unless `--max-pixels` allows more.
    static let mostPixels = Count.gigas(20)

    func validate() throws {
        if let jobs, !(1...1024 ~= jobs) {
            throw ValidationError("--jobs \(jobs) is not between 1 and 1024")
        }
    }

    /// Bytes for pixels: those of `--memory`, or what a container or a service manager lets the
    /// program have, less what it needs itself and a quarter for pages of files that are on their
    /// way to the disk.
    var memoryBudget: Int {
        guard let bound = ControlGroup.own.memory else { return memory.bytes }
        return max(1, min(memory.bytes, bound / 4 * 3, bound - ProcessLimits.baseBytes))
    }

    /// Units of work at a time.
    var effectiveJobs: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }
}
