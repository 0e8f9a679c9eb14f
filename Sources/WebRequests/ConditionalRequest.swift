/// A strong entity tag (RFC 9110, section 8.8.3), which identifies a state.
package struct EntityTag: Hashable, Sendable {
    /// The tag in quotes, as in `ETag`.
    package let text: String

    /// Makes a tag of letters and digits.
    package init(_ opaque: String) { text = "\"\(opaque)\"" }

    /// Whether `If-None-Match` contains the tag; a weak tag with the same text counts, as the RFC requires.
    package func isNamed(in field: some StringProtocol) -> Bool {
        Self.tags(field).contains { tag in
            tag == "*" || tag == text || tag.hasPrefix("W/") && tag.dropFirst(2) == text
        }
    }

    /// Whether `If-Match` contains the tag; a weak tag does not count.
    package func isMatched(by field: some StringProtocol) -> Bool {
        Self.tags(field).contains { $0 == "*" || $0 == text }
    }

    /// Whether `If-Range` is the tag; a date or a weak tag does not count.
    package func isRange(_ field: some StringProtocol) -> Bool { Substring(field).trimmingBlanks == text }

    private static func tags(_ field: some StringProtocol) -> [Substring] {
        field.split(separator: ",").map { Substring($0).trimmingBlanks }
    }
}

extension Substring {
    /// The text without spaces and tabs at its ends.
    fileprivate var trimmingBlanks: Substring {
        var rest = drop { $0 == " " || $0 == "\t" }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return rest
    }
}

/// The condition of a request: `If-Match` first, then `If-None-Match` (RFC 9110, section 13.2.2).
///
/// `If-Unmodified-Since` and `If-Modified-Since` are ignored, since responses have no `Last-Modified`.
package enum Precondition: Hashable, Sendable {
    /// The condition is met, or there is none.
    case met
    /// The client requires another state: status 412.
    case failed
    /// The client already has this state: status 304.
    case notModified

    /// Reads the fields of a request.
    ///
    /// - Parameters:
    ///   - ifMatch: the values of all fields with this name.
    ///   - tag: the state of the resource; nil if it has none.
    package init(ifMatch: [String], ifNoneMatch: [String], tag: EntityTag?) {
        let matches = ifMatch.isEmpty || ifMatch.contains { tag?.isMatched(by: $0) ?? false }
        let isKnown = ifNoneMatch.contains { tag?.isNamed(in: $0) ?? false }
        self = !matches ? .failed : isKnown ? .notModified : .met
    }
}

/// The part of a file in a `Range` field (RFC 9110, section 14).
package enum ByteRange: Hashable, Sendable {
    /// The whole file: there is no range, or a range that may be ignored, such as a list of ranges.
    case whole
    /// Some bytes, at least one.
    case part(Range<Int>)
    /// The range is outside the file.
    case unsatisfiable

    /// Parses the field.
    ///
    /// - Parameter size: the size of the file in bytes.
    package init(_ field: some StringProtocol, size: Int) {
        self = .whole
        guard field.utf8.count <= 64, let equals = field.firstIndex(of: "="),
            field[..<equals].lowercased() == "bytes"
        else { return }
        let range = field[field.index(after: equals)...]
        guard let dash = range.firstIndex(of: "-") else { return }
        let (first, last) = (range[..<dash], range[range.index(after: dash)...])
        if first.isEmpty {
            guard let count = Self.number(last) else { return }
            self = count == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - count)..<size)
            return
        }
        guard let start = Self.number(first) else { return }
        if last.isEmpty {
            self = start < size ? .part(start..<size) : .unsatisfiable
            return
        }
        guard let end = Self.number(last), start <= end else { return }
        self = start < size ? .part(start..<min(size, end == .max ? size : end + 1)) : .unsatisfiable
    }

    /// Parses digits; a number that is too large becomes the largest integer, which is beyond every file.
    private static func number(_ digits: some StringProtocol) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(digits) ?? .max
    }
}
