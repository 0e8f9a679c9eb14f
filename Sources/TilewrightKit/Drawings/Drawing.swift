package import Platform
package import RenderProtocol

/// A page of a document, drawn by renderers, each in its own process. Safe to share.
///
/// Renderers start when they are needed: one to open the page, and one more for each task that draws at the
/// same time, if memory suffices. They end with this object, or if too many are idle. A renderer whose task
/// is cancelled ends at once.
package final class Drawing: Sendable {
    /// The page of the document.
    package let file: DrawingFile
    /// The page as a renderer describes it.
    package let page: PageDescription
    /// The libraries that decide the pixels, with their versions.
    package let libraries: String

    private let renderers: PageRenderers

    /// The name of the renderer's executable.
    package static let companion = "tilewright-render"

    /// Opens a page.
    ///
    /// Takes a few hundredths of a second, and the time to read the document.
    ///
    /// - Parameter program: the renderer; nil if it is not installed.
    /// - Throws: a `Failure` that names the document: `missingInput` if it cannot be opened, or if the
    ///   renderer is not installed, `badInput` if it is damaged or encrypted, takes more memory than is
    ///   allowed, or has no such page or layer; `CancellationError` if the task was cancelled.
    package init(
        _ file: DrawingFile, by program: CompanionProgram? = CompanionProgram(named: companion),
        limits: RendererLimits = RendererLimits()
    ) throws {
        guard let program else { throw Self.missing(for: file.path, file.type == .pdf ? "a PDF" : "an SVG") }
        let renderers = PageRenderers(file, by: program, limits: limits)
        let first = try renderers.open()
        guard first.page.width > 0, first.page.height > 0 else {
            throw Failure(.badInput, cannot: "read \(file.title)", "it has no area")
        }
        (self.file, self.renderers) = (file, renderers)
        page = first.page
        libraries = first.process.greeting.libraries
        renderers.put(first.process)
    }

    /// The failure if the renderer is not installed.
    ///
    /// - Parameter type: the document's type, with its article.
    static func missing(for path: String, _ type: String) -> Failure {
        Failure(
            .missingInput, cannot: "read '\(path)'",
            "'\(companion)', which draws \(type), is neither next to this program nor in PATH",
            remedy: "'make companions' builds it; put it next to 'tilewright'")
    }

    /// Draws a window.
    ///
    /// - Returns: the pixels, as many as the window has.
    /// - Throws: a `Failure` that names the page; `CancellationError` if the task was cancelled.
    package func draw(_ request: DrawRequest) throws -> PagePixels {
        try renderers.draw(request, of: page)
    }
}

/// A page of a document, with the options that open it.
package struct DrawingFile: Sendable {
    /// The document.
    package var path: String
    /// Its type.
    package var type: OpenRequest.DocumentType
    /// The page, counted from 1.
    package var page: Int
    /// The layers that are shown, by name; nil for those that the document shows.
    package var layers: [String]?
    /// The password of an encrypted document.
    package var password: String?
    /// Whether the description of the page lists all pages of the document.
    package var listsPages = false
    /// A copy that renderers read instead of the document: with the pictures that it links to, or the page of a
    /// CAD drawing.
    package var copy: ReadableScratchFile?

    /// Names a page.
    package init(_ path: String, _ type: OpenRequest.DocumentType, page: Int = 1) {
        (self.path, self.type, self.page) = (path, type, page)
    }

    /// The way out for an encrypted document whose password is missing or wrong.
    fileprivate static let passwordRemedy = "write its password into a file, and add --password-file FILE"

    /// Its name in messages: `'plan.pdf'`, `page 2 of 'plan.pdf'`.
    var title: String { page == 1 ? "'\(path)'" : "page \(page) of '\(path)'" }

    /// The failure for an error of the renderer.
    func failure(_ failure: RendererFailure, to verb: String) -> Failure {
        let remedy: String? =
            switch failure.cause {
            case .damaged:
                type == .svg
                    ? "save it again with the program that drew it"
                    : copy == nil ? "print it to a new PDF, or repair it with qpdf" : "please report it"
            case .encrypted: Self.passwordRemedy
            case .noPage, .noLayer: nil
            case .memory: "raise --memory, half of which is for renderers, or simplify the document"
            case .request: "please report it"
            }
        // Messages of libraries may have several lines.
        let reason = failure.reason.split(whereSeparator: \.isNewline).joined(separator: " ")
        return Failure(
            failure.cause == .request ? .systemLimit : .badInput, cannot: "\(verb) \(title)", reason,
            remedy: remedy)
    }
}

/// The resources of a renderer: a document of a few bytes can ask for any amount.
package struct RendererLimits: Sendable {
    /// Bytes of memory for all renderers of this process together. An A0 sheet with photographs takes 400 MB.
    package var memory = 512 << 20

    /// Bytes of memory for renderers and pixels together.
    package var total = 1 << 30

    /// The number of renderers that work at a time. Each begins with an equal share of the memory.
    package var jobs = 1

    /// The smallest share. A renderer takes 16 MB to start and to draw a window, and 50 MB for a plan of 12
    /// 000 x 8 700 pixels with the windows that it keeps. A smaller share would only be doubled several
    /// times.
    static let leastMemory = 64 << 20

    /// Seconds of CPU time for an answer. The heaviest maps take one second for a window.
    package var seconds: Int

    /// A renderer counts as hung after this many times `seconds` of wall time, since others may use the same
    /// processors.
    package var patience = 4

    /// The limits, with 120 `seconds`, or those of `TILEWRIGHT_RENDER_SECONDS` in the environment.
    package init() {
        let wanted = getenv("TILEWRIGHT_RENDER_SECONDS").flatMap { Int(String(cString: $0)) }
        seconds = wanted.map { min(max($0, 1), 86_400) } ?? 120
    }

    /// Bytes that a renderer begins with.
    var share: Int { max(Self.leastMemory, memory / jobs) }

    /// The maximum number of bytes that a renderer gets.
    var most: Int { max(Self.leastMemory, memory) }

    /// Seconds of wall time after which an answer times out.
    var wait: Int { patience * seconds }
}

extension Failure {
    /// Whether a document is encrypted, and its password is missing or wrong.
    package var asksForPassword: Bool { kind == .badInput && remedy == DrawingFile.passwordRemedy }
}
