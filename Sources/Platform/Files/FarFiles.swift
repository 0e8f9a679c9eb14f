import Synchronization

/// A file on another machine. A local copy has its size, and holds the parts that were fetched.
///
/// Any number of threads may use it.
package protocol FarFile: AnyObject, Sendable {
    /// The path of the copy. What is not fetched yet reads as zeros.
    var copy: String { get }
    /// Bytes.
    var size: Int { get }
    /// What tells this state of the file from any other; nil if only its content does.
    var version: String? { get }

    /// Fetches what is missing of some ranges of bytes, and returns when the copy has it all. Bytes beyond
    /// the file's end are left out.
    ///
    /// - Parameter piece: bytes: of a piece in which something is missing, all is fetched.
    /// - Throws: `.badInput` if the file has changed since it was opened; `.inputOutput`, `.missingInput`.
    func fetch(_ ranges: [Range<Int>], inPiecesOf piece: Int) throws(Failure)

    /// Fetches ranges in the background, in this order: they are needed soon.
    func expect(_ ranges: [Range<Int>])
}

extension FarFile {
    /// Fetches what is missing of some ranges of bytes, and no more.
    package func fetch(_ ranges: [Range<Int>]) throws(Failure) { try fetch(ranges, inPiecesOf: 1) }
}

/// The files whose paths are addresses, such as `s3://plans/ground.tif`.
///
/// All that reads an input by its path (`FileDescriptor`, `FileStatus`, `InputFile`) looks here first, so
/// that the readers of images and of the files next to them know nothing of other machines.
package enum FarFiles {
    /// Opens the file at an address; nil if there is none.
    ///
    /// - Parameter isOptional: whether it is only looked for, so that one that may not be read is like none.
    package typealias Opener = @Sendable (_ address: String, _ isOptional: Bool) throws -> (any FarFile)?

    private struct State {
        var opener: Opener?
        /// Files that were looked for; nil for those that do not exist.
        var found: [String: Result<(any FarFile)?, Failure>] = [:]
    }

    private static let state = Mutex(State())

    /// Sets who opens addresses. Until then, they are the names of files that do not exist.
    package static func use(_ opener: @escaping Opener) { state.withLock { $0.opener = opener } }

    /// The largest file that is fetched as a whole: images that are larger have more pixels than are read.
    package static let largestWhole = 1 << 36

    /// Whether a path is an address that can be read. Case does not matter (RFC 3986, 3.1).
    package static func isAddress(_ path: String) -> Bool {
        ["https://", "s3://", "http://"].contains { prefix in
            path.utf8.count > prefix.utf8.count
                && zip(path.utf8, prefix.utf8).allSatisfy { $0 | ($0 < 0x41 ? 0 : 0x20) == $1 }
        }
    }

    /// The file at an address; nil for any other path, and for an address that was not looked for, which is
    /// that of a file that does not exist: files that options name are on this machine.
    ///
    /// - Throws: a `SystemError` with its cause: `ENOENT` if there is no such file.
    package static func open(_ path: String) throws(SystemError) -> (any FarFile)? {
        guard isAddress(path), let result = state.withLock({ $0.found[path] }) else { return nil }
        do { if let file = try result.get() { return file } } catch {
            throw SystemError(code: EIO, cause: error)
        }
        throw SystemError(
            code: ENOENT, cause: Failure(.missingInput, cannot: "read '\(path)'", "there is no such file"))
    }

    /// The path to open in place of an address: that of the copy, which then has all. Any other path is
    /// returned as it is.
    package static func localPath(of path: String) throws(Failure) -> String {
        let file: (any FarFile)?
        do throws(SystemError) { file = try open(path) } catch { throw InputFile.unreadable(path, error) }
        guard let file else { return path }
        if file.size > largestWhole {
            throw Failure(.badInput, cannot: "read '\(path)'", "it has \(file.size.byteText)")
        }
        try file.fetch([0..<file.size])
        return file.copy
    }

    /// What tells the state of the file at an address from any other; nil if only its content does, and for any
    /// other path.
    package static func version(of path: String) throws(Failure) -> String? {
        do throws(SystemError) { return try open(path)?.version } catch {
            throw InputFile.unreadable(path, error)
        }
    }

    private static func find(
        _ path: String, isOptional: Bool, _ opener: Opener
    ) -> Result<(any FarFile)?, Failure> {
        if let known = state.withLock({ $0.found[path] }) { return known }
        let result = Result { try opener(path, isOptional) }.mapError { error in
            error as? Failure ?? Failure(.inputOutput, cannot: "read '\(path)'", "\(error)")
        }
        return state.withLock { state in
            let known = state.found[path] ?? result
            state.found[path] = known
            return known
        }
    }

    /// Looks for several files at a time; `open` then makes no request. Until a file was looked for,
    /// `FileStatus` and `InputFile.exists` say that it does not exist.
    ///
    /// - Parameters:
    ///   - paths: images, which must exist.
    ///   - others: files that need not exist, such as those next to an image.
    package static func look(for paths: [String], and others: [String]) {
        let (opener, unknown) = state.withLock { state in
            let all = paths.map { ($0, false) } + others.map { ($0, true) }
            return (state.opener, all.filter { isAddress($0.0) && state.found[$0.0] == nil })
        }
        guard let opener, !unknown.isEmpty else { return }
        // After a failure, or if the task was cancelled, some may not have been looked for.
        try? Workers.run(unknown.count, threads: mostThreads) {
            let (path, isOptional) = unknown[$0]
            let result = find(path, isOptional: isOptional, opener)
            // One failure is enough: each file of a server that is down takes all repeats.
            if !isOptional { _ = try result.get() }
        }
    }

    /// Files that are looked for at a time. There are a dozen next to an image.
    private static let mostThreads = 16

    /// Whether there is a file at an address, as far as is known; nil for any other path.
    static func known(_ path: String) -> Result<(any FarFile)?, Failure>? {
        isAddress(path) ? state.withLock { $0.found[path] ?? .success(nil) } : nil
    }

    /// The path of the copy of a file that was opened before.
    static func knownCopy(of path: String) -> String? { (try? known(path)?.get())??.copy }
}

extension Result where Success == (any FarFile)?, Failure == Platform.Failure {
    /// Whether there is a file. One that could not be asked for counts, and fails when it is read.
    var exists: Bool {
        switch self {
        case .success(let file): file != nil
        case .failure: true
        }
    }
}
