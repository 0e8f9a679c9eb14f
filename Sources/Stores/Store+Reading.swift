package import Platform

extension Store {
    /// The beginning of a file.
    package struct Opened: Sendable {
        /// Its version; its size is -1 if only a download can tell it, which happens only without ranges.
        package var version: StoredVersion
        /// The first bytes, as many as were asked for or as there are.
        package var head: [UInt8]
        /// Whether the server sends ranges.
        package var supportsRanges: Bool
    }

    /// The first bytes of a file and its version, in one request. A server that ignores ranges is not read further.
    ///
    /// - Parameters:
    ///   - count: the number of bytes, at least 1.
    ///   - isOptional: whether a refusal (401, 403) counts as missing, too: S3 says so of missing keys to those who may
    ///     not list the bucket.
    /// - Returns: nil if it does not exist.
    /// - Throws: `.usage` for an address that is refused, `.missingInput` for a file that is, `.inputOutput` if the
    ///   server fails, `.badInput` if its answers make no sense; `CancellationError`.
    package func open(_ address: StoreAddress, first count: Int, isOptional: Bool = false) throws -> Opened? {
        try check(address)
        return try attempt("read", address) {
            let sink = HeadSink(count)
            let reply = try get(address, headers: ["Range: bytes=0-\(count - 1)"], into: sink)
            switch reply.answer.status {
            case 200..<300: return try sink.finished()
            case 404, 410:
                if reply.element("Code") == "NoSuchBucket", !isOptional {
                    throw try trouble(reply, of: address)
                }
                return nil
            case 401 where isOptional, 403 where isOptional: return nil
            case 416:
                // No range is in an empty file.
                guard let sent = try reply.answer.field("content-range").flatMap(ContentRange.init),
                    sent.total == 0
                else { throw Trouble.lie("the server refuses a range of the first bytes") }
                return Opened(version: try reply.answer.version(size: 0), head: [], supportsRanges: true)
            default: throw try trouble(reply, of: address)
            }
        }
    }

    /// Fills the buffer with a range of a file, in one request unless that has to be repeated: then, only the missing
    /// part is asked for.
    ///
    /// - Parameters:
    ///   - version: the version as `open` found it.
    ///   - buffer: as long as the range.
    /// - Throws: as `open`; `.badInput` if the file has changed.
    package func read(
        _ range: Range<Int>, of address: StoreAddress, version: StoredVersion,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws {
        precondition(range.count == buffer.count, "the buffer is as long as the range")
        try check(address)
        if range.isEmpty { return }
        let sink = RangeSink(buffer, range: range, version: version)
        try attempt("read", address, progress: { sink.filled }) {
            let rest = sink.rest
            if rest.isEmpty { return }
            let headers = ["Range: bytes=\(rest.lowerBound)-\(rest.upperBound - 1)"] + version.conditions
            let reply = try get(address, headers: headers, into: sink)
            switch reply.answer.status {
            case 200..<300: break
            case 404, 410, 416: throw Trouble.changed
            default: throw try trouble(reply, of: address)
            }
            if !sink.rest.isEmpty { throw Trouble.lie("the answer ended early") }
        }
    }

    /// Downloads a file. After a break, it goes on if the version is known and the server can; else it starts again.
    ///
    /// - Parameters:
    ///   - most: the largest size that is allowed, in bytes.
    ///   - file: a file that is open for writing; it is written from its first byte.
    /// - Returns: the version that was downloaded, with its size.
    /// - Throws: as `open`; `.badInput` if it is larger; the failure of a write.
    package func download(
        _ address: StoreAddress, atMost most: Int, to file: borrowing FileDescriptor
    ) throws -> StoredVersion {
        try check(address)
        let number = file.withNumber { $0 }
        let sink = FileSink(atMost: most) { bytes, offset in
            let copy = try trying(
                "write a copy of \(address.quotedTitle)", FileDescriptor(duplicating: number))
            try trying("write a copy of \(address.quotedTitle)", copy.write(bytes, at: offset))
        }
        return try attempt("read", address, progress: { sink.written }) {
            do {
                let reply = try get(address, headers: sink.headers, into: sink)
                switch reply.answer.status {
                case 200..<300:
                    let version = try sink.finished()
                    // An earlier attempt may have written more of a longer version.
                    try trying("write a copy of \(address.quotedTitle)", file.truncate(to: version.size))
                    return version
                case 412, 416:
                    sink.startAgain()
                    throw Trouble.lie("it changed while it was read")
                default: throw try trouble(reply, of: address)
                }
            } catch let trouble as Trouble {
                if !sink.canContinue { sink.startAgain() }
                throw trouble
            }
        }
    }
}
