import CommandSupport
import TilewrightKit

/// Shows what a build tells: a bar or lines for its progress, and its warnings.
final class BuildReporter {
    private let options: ReportOptions
    private var progress: ProgressReporter?

    init(_ options: ReportOptions) { self.options = options }

    /// Shows an event.
    func take(_ event: BuildEvent) {
        switch event {
        case .began(let phase, let tileCount):
            progress = ProgressReporter(
                style: options.quiet ? .none : options.progress, total: tileCount,
                phase: phase == .colors ? "colours" : nil)
        case .progressed(let tilesDone): progress?.report(tilesDone)
        case .ended: progress?.finish()
        case .warning(let line): if !options.quiet { Console.warn(line) }
        }
    }
}
