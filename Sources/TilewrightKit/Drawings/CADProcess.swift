import Platform
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `tilewright-cad` at work on one page: a process without rights, which writes a PDF into a file that it gets.
struct CADProcess {
    private let request: CADRequest
    private let limits: CADLimits
    private let program: CompanionProgram

    /// The version of the protocol.
    private static let version = 1
    /// The file numbers of the drawing and the page in the process.
    private static let (drawing, page): (Int32, Int32) = (3, 4)

    /// Starts nothing yet.
    init(_ program: CompanionProgram, request: CADRequest, limits: CADLimits) {
        (self.program, self.request, self.limits) = (program, request, limits)
    }

    /// Draws the page.
    ///
    /// - Parameters:
    ///   - file: the drawing as DXF.
    ///   - bytes: its size.
    ///   - page: an empty file for the PDF.
    ///   - scratch: the folder for the request.
    /// - Returns: the description of the page.
    /// - Throws: a `Failure` that names the drawing; `CancellationError`.
    func run(
        _ file: borrowing FileDescriptor, bytes: Int, page: borrowing FileDescriptor, scratch: String
    ) throws -> CADPage {
        let seconds = limits.seconds(forBytes: bytes)
        let process = LineProcess(program: program, seconds: seconds, wait: limits.patience * seconds)
        var answer: Result<CADPage, CADFailure>?
        do {
            let words = try FileDescriptor(scratchFileIn: scratch)
            try words.write(requestText(seconds: seconds))
            try words.withNumber { words in
                _ = lseek(words, 0, SEEK_SET)
                try file.withNumber { file in
                    try page.withNumber { page in
                        try process.run(files: [0: words, Self.drawing: file, Self.page: page]) {
                            try take($0, &answer)
                        }
                    }
                }
            }
            guard let answer else { throw ProcessEnd(cause: .strange, seconds: seconds) }
            return try answer.get()
        } catch let failure as CADFailure {
            throw self.failure(failure)
        } catch let end as ProcessEnd {
            throw error(end)
        } catch let error as SystemError {
            throw Failure(.systemLimit, cannot: "start '\(program.path)'", error.text)
        }
    }

    /// Takes a line: nothing may follow the page or a failure.
    private func take(_ line: [UInt8], _ answer: inout Result<CADPage, CADFailure>?) throws {
        let words = answer == nil ? CADAnswer(line) : nil
        switch words {
        case .progress(let stage, let share): CADReading.report(request.path, stage, share)
        case .page(let page): answer = .success(page)
        case .failure(let failure): answer = .failure(failure)
        case nil: throw ProcessEnd(cause: .strange, seconds: 0)
        }
    }

    /// The libraries that decide a page, with their versions: `ezdxf 1.4.5, fontTools 4.68.0`.
    ///
    /// - Parameter path: the drawing, for messages.
    /// - Throws: a `Failure` if the program is not that of this release, or does not run.
    static func libraries(of program: CompanionProgram, for path: String) throws -> String {
        if let known = known.withLock({ $0[program.path] }) { return known }
        let process = LineProcess(program: program, arguments: ["--version"], seconds: 60, wait: 60)
        var text = ""
        do {
            try process.run { text += String(decoding: $0.prefix(1 << 10), as: UTF8.self) }
        } catch let end as ProcessEnd where end.cause == .cancelled {
            throw CancellationError()
        } catch {
            throw Failure(
                .systemLimit, cannot: "read '\(path)'", "'\(program.path)' does not run",
                remedy: "check whether 'tilewright-cad --version' runs; 'make companions' builds it")
        }
        let parts = text.split(separator: ", ").map(String.init)
        guard parts.count > 2, parts[0] == CADDrawing.companion, parts[1] == "protocol \(version)" else {
            throw otherVersion(path)
        }
        let libraries = parts[2...].joined(separator: ", ")
        known.withLock { $0[program.path] = libraries }
        return libraries
    }

    /// The libraries of programs that were asked.
    private static let known = Mutex<[String: String]>([:])

    private static func otherVersion(_ path: String) -> Failure {
        Failure(
            .systemLimit, cannot: "read '\(path)'", "'tilewright-cad' uses another version of the protocol",
            remedy: "install both from the same release")
    }
}

// The request

extension CADProcess {
    /// The request as it is sent.
    private struct Words: Encodable {
        var version = CADProcess.version
        var path: String
        var folder: String?
        var layout: String?
        var layers: [String]?
        var scale: Double?
        var unit: Double?
        var isOnDark: Bool
        var memory: Int
        var seconds: Int

        private enum CodingKeys: String, CodingKey {
            case version, path, folder, layout, layers, scale, unit, isOnDark = "is_on_dark", memory, seconds
        }

        /// Members without a value are null.
        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: CodingKeys.self)
            try object.encode(version, forKey: .version)
            try object.encode(path, forKey: .path)
            try object.encode(folder, forKey: .folder)
            try object.encode(layout, forKey: .layout)
            try object.encode(layers, forKey: .layers)
            try object.encode(scale, forKey: .scale)
            try object.encode(unit, forKey: .unit)
            try object.encode(isOnDark, forKey: .isOnDark)
            try object.encode(memory, forKey: .memory)
            try object.encode(seconds, forKey: .seconds)
        }
    }

    private func requestText(seconds: Int) throws -> [UInt8] {
        let words = Words(
            path: request.path, folder: folder, layout: request.layout, layers: request.layers,
            scale: request.scale, unit: request.unit, isOnDark: request.isOnDark, memory: limits.memory,
            seconds: seconds)
        return Array(try JSONEncoder().encode(words))
    }

    /// The folder in which the drawing's other files are; nil if it is on another machine.
    private var folder: String? {
        if FarFiles.isAddress(request.path) { return nil }
        guard let path = realpath(request.path.parentDirectory, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }
}

// The ends

extension CADProcess {
    private var attempt: String { "read '\(request.path)'" }

    private static let moreTime =
        "raise TILEWRIGHT_RENDER_SECONDS in the environment, or choose fewer --layers"
    private static let moreMemory = "raise --memory, or choose fewer --layers"

    /// The failure for an error that the program reports.
    private func failure(_ failure: CADFailure) -> Failure {
        let remedy: String? =
            switch failure.cause {
            case .damaged: "run AUDIT in CAD, and save it again; or plot it to a PDF, and build that"
            case .noLayout, .noLayer: nil
            case .memory: Self.moreMemory
            case .time: Self.moreTime
            case .request: "please report it"
            case .system: "check whether 'tilewright-cad --check' succeeds"
            }
        let kind: Failure.Kind =
            switch failure.cause {
            case .request, .system: .systemLimit
            case .damaged, .noLayout, .noLayer, .memory, .time: .badInput
            }
        return Failure(kind, cannot: attempt, failure.reason.excerpt(1000), remedy: remedy)
    }

    /// The error for an end without an answer: a `Failure`, or a `CancellationError`.
    private func error(_ end: ProcessEnd) -> any Error {
        let program = "'\(CADDrawing.companion)'"
        return switch end.cause {
        case .cancelled: CancellationError()
        case .late, .used:
            Failure(
                .badInput, cannot: attempt, "\(program) timed out (limit: \(end.seconds) s)",
                remedy: Self.moreTime)
        case .strange: Self.otherVersion(request.path)
        case .killed:
            Failure(
                .systemLimit, cannot: attempt, "\(program) was killed",
                remedy: "run the same command again, with less --memory if memory was short")
        case .crashed(let signal):
            Failure(
                .badInput, cannot: attempt, "\(program) crashed on it (signal \(signal))",
                remedy: "the drawing is most likely damaged: run AUDIT in CAD, and save it again")
        case .left(let status):
            Failure(
                .systemLimit, cannot: attempt, "\(program) ended with status \(status)",
                remedy: "check whether 'tilewright-cad --version' runs")
        }
    }
}
