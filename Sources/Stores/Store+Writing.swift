import Platform

// Objects of a bucket, for publishing.
extension Store {
    /// What a store says about an object to those who get it.
    package struct Headers: Hashable, Sendable {
        package var contentType: String
        package var cacheControl: String?

        package init(contentType: String, cacheControl: String? = nil) {
            (self.contentType, self.cacheControl) = (contentType, cacheControl)
        }

        var lines: [String] {
            get throws {
                let all = [("Content-Type", Optional(contentType)), ("Cache-Control", cacheControl)]
                return try all.compactMap { name, value in
                    guard let value else { return nil }
                    let isValid = !value.isEmpty && value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
                    if isValid { return "\(name): \(value)" }
                    throw Failure(.usage, "a value of \(name) is empty or has an invalid character")
                }
            }
        }
    }

    /// The largest object that S3 takes in one request, in bytes.
    private static var mostBytes: Int { 5 << 30 }

    /// The bytes of a small object; nil if it is missing.
    ///
    /// - Throws: as `open`; `.badInput` if it is larger than `most`.
    package func bytes(of address: StoreAddress, atMost most: Int) throws -> [UInt8]? {
        try check(address)
        return try attempt("read", address) {
            let sink = MemorySink(atMost: most)
            let reply = try get(address, headers: [], into: sink)
            switch reply.answer.status {
            case 200: return try sink.finished()
            case 404 where reply.element("Code") != "NoSuchBucket": return nil
            // Objects are read here only to publish others.
            default: throw try trouble(reply, of: address, isWriting: reply.answer.status == 404)
            }
        }
    }

    /// Writes an object.
    ///
    /// - Throws: `.outputRefused` if the store refuses it, `.inputOutput` if it fails, `.usage` for an address or a header
    ///   that is refused; `CancellationError`.
    package func put(_ bytes: [UInt8], at address: StoreAddress, _ headers: Headers) throws {
        try put(.bytes(bytes), at: address, headers)
    }

    /// Writes an object that is a file, which is read meanwhile.
    ///
    /// - Parameter size: the length of the file in bytes.
    /// - Throws: as for bytes; `.badInput` if the file becomes shorter.
    package func put(fileAt path: String, size: Int, at address: StoreAddress, _ headers: Headers) throws {
        if size > Self.mostBytes {
            throw Failure(
                .usage, cannot: "write \(address.quotedTitle)",
                "'\(path)' has \(size.byteText), more than the 5 GiB that a store takes in one request",
                remedy: "copy it with Amazon's tool: aws s3 cp")
        }
        let file: FileDescriptor
        do throws(SystemError) { file = try FileDescriptor(reading: path) } catch {
            throw InputFile.unreadable(path, error)
        }
        try file.withNumber { number in try put(.file(number, size: size), at: address, headers) }
    }

    private func put(_ body: Exchange.Body, at address: StoreAddress, _ headers: Headers) throws {
        try checkBucket(address)
        let lines = try headers.lines
        try attempt("write", address) {
            let reply = try request("PUT", address, headers: lines, body: body, into: NoSink())
            if !(200..<300).contains(reply.answer.status) {
                throw try trouble(reply, of: address, isWriting: true)
            }
        }
    }

    /// Removes an object; one that is missing is fine.
    ///
    /// - Throws: as `put`.
    package func remove(_ address: StoreAddress) throws {
        try checkBucket(address)
        try attempt("remove", address) {
            let reply = try request("DELETE", address, into: NoSink())
            switch reply.answer.status {
            case 200..<300: return
            case 404 where reply.element("Code") != "NoSuchBucket": return
            default: throw try trouble(reply, of: address, isWriting: true)
            }
        }
    }

    private func checkBucket(_ address: StoreAddress) throws {
        try check(address)
        if !address.isBucket {
            throw Failure(
                .usage, cannot: "write \(address.quotedTitle)", "only buckets can be written",
                remedy: "write s3://BUCKET/KEY")
        }
    }
}
