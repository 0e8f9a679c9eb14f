import Platform
import Tilesets

/// The one line that a run ends with.
struct ClosingLine {
    /// The line.
    let text: String

    /// - Parameters:
    ///   - summaries: of all tilesets that the line is about.
    ///   - elapsed: nil for a part of a run.
    init(_ summaries: [TilesetSummary], empty: Int, elapsed: Duration? = nil) {
        func sum(_ count: (TilesetSummary) -> Int) -> Int { summaries.reduce(0) { $0 + count($1) } }
        let parts = [
            "\(sum(\.written).counted("tile")) written", "\(sum(\.unchanged)) unchanged",
            "\(sum(\.removed.count)) removed", "\(empty) skipped", sum(\.bytes).byteText,
            elapsed.map { "\($0.seconds.text(decimals: 1)) s" },
        ].compactMap(\.self)
        text = parts.joined(separator: ", ")
    }

    /// The warning before it if TileJSON has relative addresses (TileJSON 3.0.0, 3.2).
    static func relativeAddresses(remedy: String) -> String {
        "the addresses in TileJSON are relative, and its specification wants absolute ones: \(remedy)"
    }
}
