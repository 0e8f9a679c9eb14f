import Platform
import Raster
import Synchronization

/// A page of a CAD drawing, as a user asks for it.
struct CADRequest: Hashable, Sendable {
    /// The drawing: DXF or DWG.
    var path: String
    /// Whether it is DWG, which is converted first.
    var isDWG = false
    /// The layout; nil for the model space.
    var layout: String?
    /// The layers that are shown; nil for those that plot.
    var layers: [String]?
    /// The denominator of the page's scale; nil for the usual one.
    var scale: Double?
    /// Metres in a unit of the drawing, if what it says is wrong; else nil.
    var unit: Double?
    /// Whether the page is for a dark background: what is white on CAD's black screen stays white.
    var isOnDark = false
}

/// The resources of the process that draws a page of a CAD drawing.
struct CADLimits: Hashable, Sendable {
    /// Bytes of memory.
    var memory: Int
    /// Seconds of CPU time that any drawing may take.
    var seconds: Int
    /// A process counts as hung after this many times its seconds of wall time.
    var patience: Int

    /// Further seconds for each megabyte of DXF. A slow core reads and draws one in 1.5 seconds; a drawing may
    /// take several times as long if it has many texts and hatches.
    private static let secondsPerMegabyte = 10
    /// What is told beforehand.
    private static let usualSecondsPerMegabyte = 1.5

    /// Takes the memory of all renderers and pixels together: the page is drawn before any of them.
    init(_ limits: RendererLimits) {
        (memory, seconds, patience) = (limits.total, limits.seconds, limits.patience)
    }

    /// Seconds of CPU time for a drawing of so many bytes.
    func seconds(forBytes bytes: Int) -> Int { seconds + Self.secondsPerMegabyte * (bytes / 1_000_000) }

    /// The time that a drawing of so many bytes is likely to take.
    static func estimate(bytes: Int) -> Double { usualSecondsPerMegabyte * Double(bytes) / 1e6 }
}

/// A page of a CAD drawing, drawn by `tilewright-cad` as a PDF of one page. From there on, it is a page of a
/// document as any other. Safe to share.
final class CADDrawing: Sendable {
    /// The request.
    let request: CADRequest
    /// The page as `tilewright-cad` describes it.
    let page: CADPage
    /// The PDF. It exists as long as this object.
    let pdf: ReadableScratchFile
    /// The libraries that decide the page, with their versions.
    let libraries: String
    /// The other files that were read, as they were.
    private let stamps: [FileStamp?]

    /// The name of the program that draws CAD.
    static let companion = "tilewright-cad"
    /// The largest difference, in points, of the page and its description: 0.02 mm on the ground at 1:100 are
    /// 0.0006 points; PDF writers round to a hundredth.
    private static let rounding = 0.01

    /// Draws a page. A drawing of 100 MB takes minutes.
    ///
    /// - Parameters:
    ///   - scratch: the folder of the PDF.
    ///   - program: nil if it is not installed.
    /// - Throws: a `Failure` that names the drawing; `CancellationError`.
    init(
        _ request: CADRequest, limits: CADLimits, scratch: String,
        by program: CompanionProgram? = CompanionProgram(named: companion)
    ) throws {
        guard let program else { throw Self.missing(request) }
        let stamp = FileStamp(request.path)
        let process = CADProcess(program, request: request, limits: limits)
        libraries = try CADProcess.libraries(of: program, for: request.path)
        let pdf = try trying("make a scratch file in '\(scratch)'", ReadableScratchFile(in: scratch))
        let page = try CADFile(request, limits: limits, scratch: scratch).read { file, bytes in
            let end = CADReading.begin(request.path, bytes: bytes)
            defer { end() }
            return try process.run(file, bytes: bytes, page: pdf.file, scratch: scratch)
        }
        guard FileStamp(request.path) == stamp else { throw InputFile.changed("read '\(request.path)'") }
        (self.request, self.page, self.pdf) = (request, page, pdf)
        stamps = page.files.map { FileStamp($0) }
    }

    /// The first other file that it was made of and that has changed since.
    var changedFile: String? { zip(page.files, stamps).first { FileStamp($0) != $1 }?.0 }

    /// Whether a page has the size that its description states.
    func describes(width: Double, height: Double) -> Bool {
        abs(page.width - width) <= Self.rounding && abs(page.height - height) <= Self.rounding
    }

    private static func missing(_ request: CADRequest) -> Failure {
        Failure(
            .missingInput, cannot: "read '\(request.path)'",
            "'\(companion)', which draws a \(request.isDWG ? "DWG" : "DXF"), is neither next to this program nor "
                + "in PATH",
            remedy:
                "'make companions' builds it, put it next to 'tilewright'; or plot the drawing to a PDF, and "
                + "build that")
    }
}

/// The drawings of this process: one run draws a page once, however often it is opened.
final class CADDrawings: Sendable {
    /// The drawings of this process.
    static let shared = CADDrawings()

    /// Drawings that are kept after their last use: commands open a page again and again.
    fileprivate static let kept = 4
    /// Microseconds between two looks whether another task has finished.
    private static let pause: UInt32 = 5000

    fileprivate struct Key: Hashable {
        var request: CADRequest
        var stamp: FileStamp?
    }

    fileprivate struct Entry {
        var key: Key
        weak var drawing: CADDrawing?
    }

    fileprivate struct State {
        var entries: [Entry] = []
        /// The last one is the last that was used.
        var kept: [CADDrawing] = []
        var isDrawing = false
    }

    private let state = Mutex(State())

    /// Returns a page that is drawn already, or draws it. One page is drawn at a time, since it may take all
    /// memory.
    ///
    /// - Throws: as `CADDrawing`.
    func drawing(_ request: CADRequest, limits: CADLimits, scratch: String) throws -> CADDrawing {
        let key = Key(request: request, stamp: FileStamp(request.path))
        while true {
            try Task.checkCancellation()
            let (found, isMine) = state.withLock { state -> (CADDrawing?, Bool) in
                if let found = state.find(key) { return (found, false) }
                defer { state.isDrawing = true }
                return (nil, !state.isDrawing)
            }
            if let found { return found }
            if isMine { break }
            usleep(Self.pause)
        }
        defer { state.withLock { $0.isDrawing = false } }
        let drawing = try CADDrawing(request, limits: limits, scratch: scratch)
        state.withLock { $0.put(drawing, key) }
        return drawing
    }
}

extension CADDrawings.State {
    /// The page, if it is drawn and nothing that it was made of has changed.
    fileprivate mutating func find(_ key: CADDrawings.Key) -> CADDrawing? {
        entries.removeAll { $0.drawing.map { $0.changedFile != nil } ?? true }
        guard let drawing = entries.first(where: { $0.key == key })?.drawing else { return nil }
        keep(drawing)
        return drawing
    }

    fileprivate mutating func put(_ drawing: CADDrawing, _ key: CADDrawings.Key) {
        entries.append(CADDrawings.Entry(key: key, drawing: drawing))
        keep(drawing)
    }

    private mutating func keep(_ drawing: CADDrawing) {
        kept.removeAll { $0 === drawing }
        // A file with a name would stay when this process ends.
        if drawing.pdf.hasName { return }
        kept.append(drawing)
        if kept.count > CADDrawings.kept { kept.removeFirst() }
    }
}
