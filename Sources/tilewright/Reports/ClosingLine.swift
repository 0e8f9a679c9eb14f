import Diagnostics
import Tilesets

/// The one line that a run ends with.
struct ClosingLine {
    /// The line.
    let text: String

    init(_ summary: TilesetSummary, empty: Int, elapsed: Duration) {
        let parts = [
            "\(summary.written.counted("tile")) written", "\(summary.unchanged) unchanged",
            "\(summary.removed.count) removed", "\(empty) skipped", summary.bytes.byteText,
            "\(elapsed.seconds.text(decimals: 1)) s",
        ]
        text = parts.joined(separator: ", ")
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
