import CommandSupport
import Platform
import TilewrightKit

/// Shows that CAD drawings are read: how long a large one takes, and how far it is.
final class CADReporter: @unchecked Sendable {
    // Unchecked: one drawing is read at a time, but the compiler cannot see it.

    private let style: ProgressStyle
    private let quiet: Bool
    private var stage: CADStage?
    private var progress: ProgressReporter?

    /// Bytes of a drawing whose time is told beforehand: more than ten seconds.
    private static let large = 10_000_000

    private init(_ style: ProgressStyle, quiet: Bool) { (self.style, self.quiet) = (style, quiet) }

    /// Shows it from now on.
    ///
    /// - Parameter quiet: whether nothing is shown.
    static func begin(_ style: ProgressStyle = .auto, quiet: Bool = false) {
        let reporter = CADReporter(style, quiet: quiet)
        CADReading.observe { reporter.take($0) }
    }

    private func take(_ event: CADReading) {
        switch event {
        case .began(let path, let bytes, let seconds):
            (stage, progress) = (nil, nil)
            if !quiet, bytes > Self.large {
                Console.say("reading '\(path)' (\(bytes.byteText)) takes about \(Self.text(of: seconds))")
            }
        case .progressed(_, let stage, let share):
            if stage != self.stage {
                progress?.finish()
                self.stage = stage
                let phase: ProgressReporter.Phase = stage == .reading ? .readingCAD : .drawingCAD
                progress = ProgressReporter(style: style, total: 100, phase: phase)
            }
            progress?.report(Int(share * 100))
        case .ended:
            progress?.finish()
            progress = nil
        }
    }

    /// A time in words: in tens of seconds, or in minutes.
    private static func text(of seconds: Double) -> String {
        if seconds < 90 { return "\(Int((seconds / 10).rounded()) * 10) seconds" }
        return Int((seconds / 60).rounded()).counted("minute")
    }
}
