/// What tells one state of something from another: a strong entity tag of RFC 9110, section 8.8.3.
package struct EntityTag: Hashable, Sendable {
    /// With its quotes, as it stands in `ETag`.
    package let text: String

    /// Makes a tag of letters and digits.
    package init(_ opaque: String) { text = "\"\(opaque)\"" }

    /// Whether `If-None-Match` names the tag; a weak one of the same letters counts, as the RFC says.
    package func isNamed(in field: some StringProtocol) -> Bool {
        Self.tags(field).contains { tag in
            tag == "*" || tag == text || tag.hasPrefix("W/") && tag.dropFirst(2) == text
        }
    }

    /// Whether `If-Match` names the tag; a weak one does not.
    package func isMatched(by field: some StringProtocol) -> Bool {
        Self.tags(field).contains { $0 == "*" || $0 == text }
    }

    /// Whether `If-Range` names the tag: a date, or a weak tag, does not.
    package func isRange(_ field: some StringProtocol) -> Bool { Substring(field).trimmingBlanks == text }

    private static func tags(_ field: some StringProtocol) -> [Substring] {
        field.split(separator: ",").map { Substring($0).trimmingBlanks }
    }
}

extension Substring {
    /// Without blanks and tabs at its ends.
    fileprivate var trimmingBlanks: Substring {
        var rest = self
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return rest
    }
}

/// What a request makes its answer depend on: `If-Match` first, then `If-None-Match` (RFC 9110, section 13.2.2).
///
/// `If-Unmodified-Since` and `If-Modified-Since` are ignored, as the RFC says of things that have no time of their own:
/// answers have an entity tag and no `Last-Modified`.
package enum Precondition: Hashable, Sendable {
    /// The answer is as if there were no condition.
    case met
    /// The client wants another state than there is: status 412.
    case failed
    /// The client has this state already: status 304.
    case notModified

    /// Reads the fields of a request to read something.
    ///
    /// - Parameters:
    ///   - ifMatch: the values of all fields of the name.
    ///   - tag: the state of what is asked for; nil if there is nothing that has one.
    package init(ifMatch: [String], ifNoneMatch: [String], tag: EntityTag?) {
        let matches = ifMatch.isEmpty || ifMatch.contains { tag?.isMatched(by: $0) ?? false }
        let isKnown = ifNoneMatch.contains { tag?.isNamed(in: $0) ?? false }
        self = !matches ? .failed : isKnown ? .notModified : .met
    }
}
