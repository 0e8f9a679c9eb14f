import Platform

/// How a renderer ended that should have gone on.
struct RendererEnd: Error {
    /// Why it ended.
    enum Cause: Equatable {
        /// It gave no answer in time.
        case late
        /// It used up its processor time.
        case used
        /// The task that waited for its answer was cancelled.
        case cancelled
        /// It said something that is not of the protocol.
        case strange
        /// Somebody else ended it: the user, or the system, which lacked memory.
        case killed
        /// It ended by a signal of its own.
        case crashed(Int32)
        /// It ended by itself.
        case left(Int32)
    }

    /// Why it ended.
    let cause: Cause
    private let seconds: Int

    init(cause: Cause, seconds: Int) { (self.cause, self.seconds) = (cause, seconds) }

    /// Reads what wait(2) says.
    init(status: Int32, seconds: Int) {
        let signal = status & 0x7F
        self.seconds = seconds
        switch signal {
        case 0: cause = .left(status >> 8 & 0xFF)
        case SIGXCPU: cause = .used
        case SIGKILL, SIGTERM, SIGINT, SIGHUP: cause = .killed
        default: cause = .crashed(signal)
        }
    }

    /// The error to report: a `Failure`, or a `CancellationError`.
    ///
    /// - Parameter attempt: what was tried, as `draw 'plan.pdf'`.
    func error(_ attempt: String) -> any Error {
        cause == .cancelled ? CancellationError() : failure(attempt)
    }

    private func failure(_ attempt: String) -> Failure {
        switch cause {
        case .late, .used:
            Failure(
                .badInput, cannot: attempt, "the renderer took more than \(seconds) s for one answer",
                remedy: "simplify the document, or raise TILEWRIGHT_RENDER_SECONDS in the environment")
        case .strange, .cancelled:
            Failure(
                .systemLimit, cannot: attempt,
                "'tilewright-render' does not speak the protocol of this program",
                remedy: "install both from the same release")
        case .killed:
            Failure(
                .systemLimit, cannot: attempt, "the renderer was killed",
                remedy: "run the same command again; if memory was short, with fewer --jobs")
        case .crashed(let signal):
            Failure(
                .badInput, cannot: attempt, "the renderer crashed on it (signal \(signal))",
                remedy: "the document is most likely damaged: print it to a new PDF")
        case .left(let status):
            Failure(
                .systemLimit, cannot: attempt, "the renderer ended with status \(status)",
                remedy: "run 'tilewright-render --version' to see whether it starts")
        }
    }
}
