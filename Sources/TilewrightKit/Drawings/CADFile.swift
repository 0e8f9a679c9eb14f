import Platform

/// The file of a drawing as DXF: its own, or what a converter makes of DWG.
struct CADFile {
    private let request: CADRequest
    private let limits: CADLimits
    private let scratch: String

    /// - Parameter scratch: the folder in which a folder for a conversion is made, and removed.
    init(_ request: CADRequest, limits: CADLimits, scratch: String) {
        (self.request, self.limits, self.scratch) = (request, limits, scratch)
    }

    /// Opens the file.
    ///
    /// - Parameter body: gets the file, and its size.
    /// - Throws: a `Failure` that names the drawing; `CancellationError`; what `body` throws.
    func read<Result>(
        _ body: (_ file: borrowing FileDescriptor, _ bytes: Int) throws -> Result
    ) throws -> Result {
        let path = try FarFiles.localPath(of: request.path)
        if request.isDWG {
            let dxf = try DWGConversion(request.path, limits: limits, scratch: scratch).converted(path)
            return try body(dxf, Self.size(dxf))
        }
        let file = try Self.open(path, named: request.path)
        return try body(file, Self.size(file))
    }

    /// Opens a file for reading.
    ///
    /// - Parameter name: its name in messages.
    fileprivate static func open(_ path: String, named name: String) throws(Failure) -> FileDescriptor {
        do throws(SystemError) { return try FileDescriptor(reading: path) } catch {
            throw InputFile.unreadable(name, error)
        }
    }

    private static func size(_ file: borrowing FileDescriptor) -> Int { (try? file.status().size) ?? 0 }
}

/// The conversion of a DWG drawing to DXF, by a program of others.
private struct DWGConversion {
    /// A program, and how it is called.
    private struct Converter: Sendable {
        /// The name of its file.
        var name: String
        /// Its arguments, for folders of the input and the output, where the files are `drawing.dwg` and
        /// `drawing.dxf`.
        var arguments: @Sendable (_ input: String, _ output: String) -> [String]
    }

    /// The first that is installed is used: LibreDWG, or the converter of the Open Design Alliance, which
    /// converts all of a folder.
    private static let converters = [
        Converter(name: "dwg2dxf") { input, output in
            ["-y", "-o", output.path(of: "drawing.dxf"), input.path(of: "drawing.dwg")]
        },
        Converter(name: "ODAFileConverter") { input, output in
            [input, output, "ACAD2018", "DXF", "0", "1", "drawing.dwg"]
        },
    ]

    /// A DXF has three to six times the bytes of its DWG.
    private static let growth = 5

    private let name: String
    private let limits: CADLimits
    private let scratch: String

    /// - Parameter name: the drawing, for messages.
    init(_ name: String, limits: CADLimits, scratch: String) {
        (self.name, self.limits, self.scratch) = (name, limits, scratch)
    }

    /// Converts a drawing, in a folder that is removed at once.
    ///
    /// - Returns: the open DXF, which has no name any more.
    func converted(_ path: String) throws -> FileDescriptor {
        let found = Self.converters.lazy.compactMap { converter in
            CompanionProgram(named: converter.name).map { (converter, $0) }
        }.first
        guard let (converter, program) = found else { throw missing }
        let folder = try makeFolder()
        defer { remove(folder) }
        let (input, output) = (folder.path(of: "in"), folder.path(of: "out"))
        for path in [input, output] {
            _ = try trying("make a scratch folder in '\(scratch)'", try systemCall { mkdir(path, 0o700) })
        }
        let bytes = try copy(path, to: input.path(of: "drawing.dwg"))
        let seconds = limits.seconds(forBytes: Self.growth * bytes)
        // Without a screen.
        let process = LineProcess(
            program: program, arguments: converter.arguments(input, output),
            environment: ["QT_QPA_PLATFORM=offscreen"], output: 2, seconds: seconds,
            wait: limits.patience * seconds)
        try run(process, converter.name)
        let dxf = output.path(of: "drawing.dxf")
        guard InputFile.isRegular(dxf), InputFile.size(of: dxf) > 0 else {
            throw failure(converter.name, "it wrote no DXF")
        }
        return try CADFile.open(dxf, named: name)
    }

    private func run(_ process: LineProcess, _ converter: String) throws {
        var last = ""
        do {
            try process.run {
                let text = String(decoding: $0.prefix(1 << 10), as: UTF8.self)
                if text.contains(where: { !$0.isWhitespace }) { last = text }
            }
        } catch let end as ProcessEnd {
            switch end.cause {
            case .cancelled: throw CancellationError()
            case .late, .used:
                throw Failure(
                    .badInput, cannot: "read '\(name)'", "'\(converter)' timed out (limit: \(end.seconds) s)",
                    remedy: "raise TILEWRIGHT_RENDER_SECONDS in the environment, or save the drawing as DXF")
            case .left, .crashed, .killed, .strange:
                throw failure(converter, last.isEmpty ? "it failed" : last.excerpt(200))
            }
        } catch let error as SystemError {
            throw Failure(.systemLimit, cannot: "start '\(process.program.path)'", error.text)
        }
    }

    private func failure(_ converter: String, _ reason: String) -> Failure {
        Failure(
            .badInput, cannot: "read '\(name)'", "'\(converter)' cannot convert it to DXF: \(reason)",
            remedy: "save it as DXF, or plot it to a PDF, and build that")
    }

    private var missing: Failure {
        Failure(
            .missingInput, cannot: "read '\(name)'",
            "a DWG is converted to DXF first, but neither 'dwg2dxf' nor 'ODAFileConverter' is in PATH",
            remedy:
                "install LibreDWG (gnu.org/software/libredwg) or the ODA File Converter (opendesign.com); or save "
                + "it as DXF, or plot it to a PDF, and build that")
    }

    private func makeFolder() throws(Failure) -> String {
        var name = Array("\(scratch)/.tilewright-dwg-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil, let path = realpath(name, nil) else {
            throw SystemError(code: errno).failure("make a scratch folder in '\(scratch)'")
        }
        defer { free(path) }
        return String(cString: path)
    }

    private func remove(_ folder: String) {
        let (parent, name) = (folder.parentDirectory, String(folder.splitAtLastSlash.1))
        try? Directory.open(parent)?.removeTree(name)
    }

    /// Copies the drawing: converters take names, and one takes folders.
    ///
    /// - Returns: its size.
    private func copy(_ path: String, to copy: String) throws -> Int {
        let file = try CADFile.open(path, named: name)
        do throws(SystemError) {
            let copy = try FileDescriptor(opening: copy, flags: O_WRONLY | O_CREAT | O_EXCL)
            var size = 0
            while true {
                let part = try file.readBytes(at: size, count: 1 << 20)
                if part.isEmpty { return size }
                try copy.write(part)
                size += part.count
            }
        } catch { throw error.failure("copy '\(name)' to '\(scratch)'") }
    }
}
