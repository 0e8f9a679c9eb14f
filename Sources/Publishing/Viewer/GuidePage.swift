import CPublishing

/// A step of the guide from plans to a map that can be shared.
package enum GuideStep: String, CaseIterable, Sendable {
    /// Pages of documents and images become floors.
    case pages
    /// Floors are placed on the map.
    case place
    /// The tiles are made.
    case build
    /// The tiles are looked at.
    case look
    /// The tiles become one file for others.
    case share
}

/// The header of a page of the guide: the building's name and the steps.
package struct GuideHeading: Hashable, Sendable {
    /// The step that the page is for.
    let step: GuideStep
    /// The building's name; not escaped.
    let title: String
    private let open: Set<GuideStep>

    /// Describes a header.
    ///
    /// - Parameters:
    ///   - title: the building's name, or the name of its manifest or folder.
    ///   - open: the steps that the user can go to.
    package init(step: GuideStep, title: String, open: Set<GuideStep>) {
        (self.step, self.title, self.open) = (step, title, open)
    }

    /// Lines of HTML for the beginning of a body.
    var body: [String] { SourceTemplate(guide_header_html).lines(["TITLE": [Page.escaped(title)]]) }

    /// The data for the guide's script.
    var data: [String] {
        let steps = GuideStep.allCases.filter(open.contains).map { JSONValue.string($0.rawValue) }
        return Page.data(
            "guide-data", JSONValue.members(["step": .string(step.rawValue), "open": .array(steps)]))
    }
}

/// The pages of the guide that are its own: those in which floors are chosen, tiles are made, and a file for
/// others is written. The other steps are the page of `place` and the viewer, with the same header.
package enum GuidePage {
    /// A page in UTF-8. It loads nothing but what its server has.
    ///
    /// - Parameters:
    ///   - heading: its step must be `pages`, `build` or `share`.
    ///   - state: the state of the building, as JSON.
    package static func html(_ heading: GuideHeading, state: String) -> [UInt8] {
        let (body, script) = parts(of: heading.step)
        return Page.html(
            .guide, heading: Page.escaped(heading.title), words: ["page"], body: body.text.lines,
            data: ["<script type=\"application/json\" id=\"data\">", Page.inert(state), "</script>"],
            script: script, policy: policy, guide: heading)
    }

    private static func parts(of step: GuideStep) -> (body: EmbeddedFile, script: EmbeddedFile) {
        switch step {
        case .pages: (guide_pages_html, guide_pages_js)
        case .build: (guide_build_html, guide_build_js)
        case .share: (guide_share_html, guide_share_js)
        case .place, .look: preconditionFailure("the step '\(step)' has a page of another kind")
        }
    }

    private static let policy =
        "default-src 'none'; img-src 'self' data:; connect-src 'self'; script-src 'unsafe-inline'; "
        + "style-src 'unsafe-inline'; form-action 'self'"
}

extension String {
    /// The lines of a file's text.
    fileprivate var lines: [String] {
        split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}
