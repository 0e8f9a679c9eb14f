import CommandSupport
import TilewrightKit

/// Shows what a build tells: a bar or lines for its progress, and its warnings.
final class BuildReporter {
    private let style: ProgressStyle
    private let quiet: Bool
    private var progress: ProgressReporter?
    private var isMakingTiles = false

    init(_ options: ReportOptions) { (style, quiet) = (options.progress, options.quiet) }

    init(_ options: ProgressOptions) { (style, quiet) = (options.style, options.quiet) }

    /// Shows an event.
    func take(_ event: BuildEvent) {
        switch event {
        case .began(let phase, let tileCount):
            isMakingTiles = phase == .tiles
            progress = ProgressReporter(
                style: quiet ? .none : style, total: tileCount, phase: isMakingTiles ? .tiles : .colors)
        case .progressed(let tilesDone): progress?.report(tilesDone)
        // Tiles take their places, and an archive its name, when all are made.
        case .ended: isMakingTiles ? progress?.finish(before: "writing") : progress?.finish()
        case .warning(let line): if !quiet { Console.warn(line) }
        }
    }
}
