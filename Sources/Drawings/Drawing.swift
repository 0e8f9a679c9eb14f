import Diagnostics
package import Files
package import RenderProtocol
import Tiling

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A page of a document that is drawn by renderers, each of which is a process of its own. Safe to share.
///
/// Renderers start when they are needed: one to look at the page, one more for each task that draws at the same
/// time. They end with this object, or when others are at work and there are many.
package final class Drawing: Sendable {
    /// What is drawn.
    package let file: DrawingFile
    /// The page as a renderer describes it.
    package let page: PageDescription
    /// The libraries that decide the pixels, with their versions.
    package let libraries: String

    private let program: CompanionProgram
    private let limits: RendererLimits
    private let stamp: FileStamp?

    /// The name of the renderer's executable.
    package static let companion = "tilewright-render"

    /// Opens a page.
    ///
    /// Takes a few hundredths of a second, and what the document takes to be read.
    ///
    /// - Parameters:
    ///   - program: the renderer; nil if it is not installed.
    ///   - limits: what it may take.
    /// - Throws: a `Failure` that names the document: `missingInput` if it cannot be opened, or if the renderer is
    ///   not installed, `badInput` if it is damaged or encrypted, or if there is not such a page or layer.
    package init(
        _ file: DrawingFile, by program: CompanionProgram? = CompanionProgram(named: companion),
        limits: RendererLimits = RendererLimits()
    ) throws {
        guard let program else { throw Self.missing(file) }
        let stamp = FileStamp(file.path)
        let first = try Self.open(file, program, limits)
        guard first.page.width > 0, first.page.height > 0 else {
            throw Failure(.badInput, cannot: "read \(file.title)", "it has no area")
        }
        self.file = file
        self.program = program
        self.limits = limits
        self.stamp = stamp
        page = first.page
        libraries = first.process.greeting.libraries
        IdleRenderers.shared.put(first.process, of: self)
    }

    deinit { IdleRenderers.shared.end(of: ObjectIdentifier(self)) }

    /// Draws a window.
    ///
    /// - Returns: the pixels, as many as the window has.
    /// - Throws: a `Failure` that names the page.
    package func draw(_ request: DrawRequest) throws -> DrawnPixels {
        do { return try drawOnce(request) } catch let end as RendererEnd {
            guard end.isWorthAnotherTry else { throw end.failure(attempt) }
        }
        do { return try drawOnce(request) } catch let end as RendererEnd { throw end.failure(attempt) }
    }

    private var attempt: String { "draw \(file.title)" }

    /// - Throws: `RendererEnd` if the renderer ended, or else a `Failure`.
    private func drawOnce(_ request: DrawRequest) throws -> DrawnPixels {
        let process = try IdleRenderers.shared.take(of: self, with: request.recording) ?? another()
        process.recording = request.recording
        let count = request.window.width * request.window.height
        let answer = try process.ask(request.frame, for: .pixels) { DrawnPixels($0.payload, pixels: count) }
        IdleRenderers.shared.put(process, of: self)
        return try answer.mapError { file.failure($0, to: "draw") }.get()
    }

    /// One more renderer, of the same document.
    private func another() throws -> RendererProcess {
        if stamp != FileStamp(file.path) { throw InputFile.changed(attempt) }
        let (process, page) = try Self.open(file, program, limits)
        guard page == self.page else { throw InputFile.changed(attempt) }
        return process
    }

    private static func open(
        _ file: DrawingFile, _ program: CompanionProgram, _ limits: RendererLimits
    ) throws -> (process: RendererProcess, page: PageDescription) {
        let request = OpenRequest(
            file.type, page: file.page, layers: file.layers, password: file.password, memory: limits.memory,
            seconds: limits.seconds)
        let frame = try Frame(.open, describing: request)
        let document = try descriptor(of: file.path)
        do {
            let process = try RendererProcess(program, document: document, limits: limits)
            let answer = try process.ask(frame, for: .page) { PageDescription($0) }
            return (process, try answer.mapError { file.failure($0, to: "read") }.get())
        } catch let end as RendererEnd {
            throw end.failure("read \(file.title)")
        } catch let error as SystemError {
            throw Failure(.systemLimit, cannot: "start '\(program.path)'", error.text)
        }
    }

    private static func descriptor(of path: String) throws -> FileDescriptor {
        do throws(SystemError) { return try FileDescriptor(reading: path) } catch {
            throw InputFile.unreadable(path, error.code)
        }
    }

    private static func missing(_ file: DrawingFile) -> Failure {
        let kind = file.type == .pdf ? "a PDF" : "an SVG"
        return Failure(
            .missingInput, cannot: "read '\(file.path)'",
            "it is \(kind), which '\(companion)' draws, and that is neither beside this program nor in PATH",
            remedy: "'make companions' builds it; put it beside 'tilewright'")
    }
}

extension PageDescription {
    /// What the bytes of a frame say; nil if they do not describe a page.
    fileprivate init?(_ frame: Frame) {
        guard let page: PageDescription = try? frame.decoded(), page.isPlausible else { return nil }
        self = page
    }

    /// Whether the numbers are those of a page.
    fileprivate var isPlausible: Bool {
        let sizes = [width, height]
        return pageCount > 0 && sizes.allSatisfy(\.isFinite)
            && pointsFromUnits.count == 6 && pointsFromUnits.allSatisfy(\.isFinite)
    }
}
