/// What a page of this program is for. Each kind is written over by its own command alone.
package enum PageKind: String, CaseIterable, Sendable {
    /// It shows tilesets.
    case viewer = "tilewright"
    /// A plan is laid on the map in it.
    case placing = "tilewright place"

    /// Recognises a page.
    ///
    /// - Returns: nil if this program did not write it.
    package init?(of page: String) {
        guard let kind = Self.allCases.first(where: { page.contains($0.mark) }) else { return nil }
        self = kind
    }

    /// The command that writes such pages.
    package var command: String {
        switch self {
        case .viewer: "tilewright viewer"
        case .placing: "tilewright place"
        }
    }

    /// What stands in the head of each.
    private var mark: String { "<meta name=\"generator\" content=\"\(rawValue)\">" }
}
