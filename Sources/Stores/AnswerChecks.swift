import Platform

/// The part of a file that an answer says it has: `bytes 0-99/1234` (RFC 9110, 14.4).
struct ContentRange: Equatable {
    /// Empty if the range that was asked for is not in the file.
    var range: Range<Int>
    var total: Int

    /// Nil if it is not valid, or the length of the file is unknown.
    init?(_ text: String) {
        let words = text.utf8.split(separator: 0x20, omittingEmptySubsequences: true).map(\.text)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let sides = words[1].utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(
            \.text)
        guard sides.count == 2, let total = Answer.count(sides[1]) else { return nil }
        self.total = total
        if sides[0] == "*" {
            range = 0..<0
            return
        }
        let ends = sides[0].utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map(
            \.text)
        guard ends.count == 2, let first = Answer.count(ends[0]), let last = Answer.count(ends[1]),
            first <= last, last < total
        else { return nil }
        range = first..<(last + 1)
    }
}

extension Answer {
    /// Checks that the body is the bytes of the file itself.
    func checkCoding() throws(Trouble) {
        if isDamaged { throw .lie("the answer is not valid HTTP") }
        let coding = try field("content-encoding")?.lowercased() ?? "identity"
        if coding != "identity", coding != "" {
            throw .refusal(
                "the server sends it with the encoding \(coding.excerpt(20)), which it was not asked for",
                remedy: "store it without Content-Encoding")
        }
        let transfer = try field("transfer-encoding")?.lowercased() ?? "chunked"
        if transfer != "chunked", transfer != "identity" {
            throw .lie("the server sends it with the unknown transfer encoding \(transfer.excerpt(20))")
        }
        if status == 206, hint("content-type")?.lowercased().hasPrefix("multipart/") ?? false {
            throw .lie("the server sends several ranges instead of one")
        }
    }

    /// The range that an answer 206 has.
    ///
    /// - Throws: a lie if it does not begin at the first byte that was asked for, or has more or fewer bytes than
    ///   the file allows, or the length of the body differs.
    func partial(of asked: Range<Int>) throws(Trouble) -> ContentRange {
        guard let text = try field("content-range") else {
            throw .lie("the server sends a range without saying which")
        }
        guard let sent = ContentRange(text), !sent.range.isEmpty else {
            throw .lie("the server sends the invalid range '\(text.excerpt(60))'")
        }
        guard sent.range == asked.lowerBound..<min(asked.upperBound, sent.total) else {
            throw .lie("the server sends the range '\(text.excerpt(60))' instead of the one it was asked for")
        }
        if let length = try length, length != sent.range.count {
            throw .lie("the server sends a range of \(sent.range.count) bytes with the length \(length)")
        }
        return sent
    }

    /// Checks that the answer may be about a version.
    func check(isOf version: StoredVersion, size: Int) throws(Trouble) {
        let own = try self.version(size: size)
        if !version.agrees(with: own, tagAsSent: try tag) { throw .changed }
    }
}
