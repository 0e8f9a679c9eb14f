import Platform

/// The first bytes of a file, and its version.
final class HeadSink: BodySink {
    private(set) var bytes: [UInt8] = []
    private(set) var version: StoredVersion?
    private(set) var supportsRanges = false
    private let count: Int
    /// The number of bytes of this answer that are kept.
    private var expected: Int?
    private var length: Int?

    /// - Parameter count: the number of bytes.
    init(_ count: Int) { self.count = count }

    func begin(_ answer: Answer) throws {
        bytes = []
        try answer.checkCoding()
        switch answer.status {
        case 206:
            let sent = try answer.partial(of: 0..<count)
            version = try answer.version(size: sent.total)
            (supportsRanges, expected, length) = (true, sent.range.count, sent.range.count)
        case 200:
            length = try answer.length
            version = try answer.version(size: length ?? -1)
            (supportsRanges, expected) = (false, length.map { min($0, count) })
        default: throw Trouble.lie("the server answers \(answer.status)")
        }
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        if supportsRanges, let expected, bytes.count > expected - self.bytes.count {
            throw Trouble.lie("the server sends more bytes than the range has")
        }
        self.bytes += bytes.prefix(count - self.bytes.count)
        // A connection whose answer is complete can be used again.
        return self.bytes.count < count || self.bytes.count == length
    }

    /// Called after the exchange.
    func finished() throws -> Store.Opened {
        guard var version else { throw Trouble.lie("the answer is not valid HTTP") }
        if let expected, bytes.count != expected { throw Trouble.lie("the answer ended early") }
        if version.size < 0, bytes.count < count { version.size = bytes.count }
        return Store.Opened(version: version, head: bytes, supportsRanges: supportsRanges)
    }
}

/// A range of a file, which may come in several answers.
final class RangeSink: BodySink {
    /// The number of bytes that have come.
    private(set) var filled = 0
    private let buffer: UnsafeMutableRawBufferPointer
    private let range: Range<Int>
    private let version: StoredVersion

    init(_ buffer: UnsafeMutableRawBufferPointer, range: Range<Int>, version: StoredVersion) {
        (self.buffer, self.range, self.version) = (buffer, range, version)
    }

    /// The bytes that are missing.
    var rest: Range<Int> { range.lowerBound + filled..<range.upperBound }

    func begin(_ answer: Answer) throws {
        try answer.checkCoding()
        if answer.status == 200 {
            try answer.check(isOf: version, size: try answer.length ?? -1)
            throw Trouble.lie("the server sends all of it instead of a range")
        }
        guard answer.status == 206 else { throw Trouble.lie("the server answers \(answer.status)") }
        if let text = try answer.field("content-range"), let sent = ContentRange(text),
            version.size >= 0, sent.total != version.size
        {
            throw Trouble.changed
        }
        let sent = try answer.partial(of: rest)
        if sent.range != rest { throw Trouble.lie("the server sends a shorter range") }
        try answer.check(isOf: version, size: sent.total)
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        guard bytes.count <= buffer.count - filled else {
            // Nothing of such an answer is kept.
            filled = 0
            throw Trouble.lie("the server sends more bytes than the range has")
        }
        UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(from: bytes)
        filled += bytes.count
        return true
    }
}

/// A whole file, which may come in several answers.
final class FileSink: BodySink {
    /// The version of the bytes that have come.
    private(set) var version: StoredVersion?
    private(set) var written = 0
    private(set) var canContinue = false
    private let most: Int
    private let write: (UnsafeRawBufferPointer, _ offset: Int) throws -> Void

    init(atMost most: Int, write: @escaping (UnsafeRawBufferPointer, _ offset: Int) throws -> Void) {
        (self.most, self.write) = (most, write)
    }

    /// The lines that ask for what is missing.
    var headers: [String] {
        guard let version, canContinue, written > 0 else { return [] }
        return ["Range: bytes=\(written)-"] + version.rangeCondition
    }

    /// The next answer must have the whole file.
    func startAgain() { (version, written, canContinue) = (nil, 0, false) }

    func begin(_ answer: Answer) throws {
        try answer.checkCoding()
        switch answer.status {
        case 200:
            startAgain()
            let length = try answer.length
            if let length, length > most { throw tooLarge(length) }
            let version = try answer.version(size: length ?? -1)
            (self.version, canContinue) = (version, version.isKnown && answer.hint("accept-ranges") != "none")
        case 206:
            guard let version, canContinue, written < version.size else {
                throw Trouble.lie("the server sends a range that it was not asked for")
            }
            let sent = try answer.partial(of: written..<version.size)
            guard sent.total == version.size else { throw Trouble.changed }
            try answer.check(isOf: version, size: sent.total)
        default: throw Trouble.lie("the server answers \(answer.status)")
        }
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        let limit = version.flatMap { $0.size >= 0 ? $0.size : nil }
        if let limit, bytes.count > limit - written {
            throw Trouble.lie("the server sends more bytes than it said")
        }
        if bytes.count > most - written { throw tooLarge(nil) }
        try write(bytes, written)
        written += bytes.count
        return true
    }

    /// Called after the exchange.
    func finished() throws -> StoredVersion {
        guard var version else { throw Trouble.lie("the answer is not valid HTTP") }
        if version.size < 0 { version.size = written }
        if written != version.size { throw Trouble.lie("the answer ended early") }
        return version
    }

    private func tooLarge(_ length: Int?) -> Trouble {
        let size = length.map { "it has \($0.byteText)" } ?? "it is larger"
        return .refusal("\(size), and at most \(most.byteText) are allowed")
    }
}

/// An answer that is kept in memory.
final class MemorySink: BodySink {
    private(set) var bytes: [UInt8] = []
    private var expected: Int?
    private let most: Int

    init(atMost most: Int) { self.most = most }

    func begin(_ answer: Answer) throws {
        bytes = []
        try answer.checkCoding()
        expected = answer.status == 204 ? 0 : try answer.length
        if let expected, expected > most { throw tooLarge }
    }

    func take(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        if bytes.count > most - self.bytes.count { throw tooLarge }
        self.bytes += bytes
        return true
    }

    /// Called after the exchange.
    func finished() throws -> [UInt8] {
        if let expected, bytes.count != expected { throw Trouble.lie("the answer ended early") }
        return bytes
    }

    private var tooLarge: Trouble {
        .refusal("it has more than \(most.byteText), more than a file of its kind needs")
    }
}

/// The body of an answer to a change, which says nothing.
final class NoSink: BodySink {
    private var count = 0

    func begin(_ answer: Answer) throws {}

    func take(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
        count += bytes.count
        return count < 1 << 18
    }
}
