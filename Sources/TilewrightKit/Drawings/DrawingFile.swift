package import Platform
package import RenderProtocol

/// Which page of which document is meant, and what opens it.
package struct DrawingFile: Sendable {
    /// The document.
    package var path: String
    /// Its type.
    package var type: OpenRequest.DocumentType
    /// The page, counted from 1.
    package var page: Int
    /// The layers that are shown, by name; nil for those that the document shows.
    package var layers: [String]?
    /// What opens the document if it is encrypted.
    package var password: String?
    /// What renderers read in the place of the document: with what it links to in it.
    package var copy: ReadableScratchFile?

    /// Names a page.
    package init(_ path: String, _ type: OpenRequest.DocumentType, page: Int = 1) {
        (self.path, self.type, self.page) = (path, type, page)
    }

    /// What messages call it: `'plan.pdf'`, `page 2 of 'plan.pdf'`.
    var title: String { page == 1 ? "'\(path)'" : "page \(page) of '\(path)'" }

    /// The failure for a reason of the renderer.
    func failure(_ failure: RendererFailure, to verb: String) -> Failure {
        let remedy: String? =
            switch failure.cause {
            case .damaged:
                type == .pdf
                    ? "print it to a new PDF, or repair it with qpdf"
                    : "save it anew with the program that drew it"
            case .encrypted: "put its password into a file, and add --password-file FILE"
            case .noPage, .noLayer: nil
            case .memory: "raise --memory, of which renderers get half, or simplify the document"
            case .request: "this is a fault of the program: please report it"
            }
        let kind: Failure.Kind =
            switch failure.cause {
            case .damaged, .encrypted, .noPage, .noLayer, .memory: .badInput
            case .request: .systemLimit
            }
        // Words of libraries may end in a line of their own.
        let reason = failure.reason.split(whereSeparator: \.isNewline).joined(separator: " ")
        return Failure(kind, cannot: "\(verb) \(title)", reason, remedy: remedy)
    }
}
