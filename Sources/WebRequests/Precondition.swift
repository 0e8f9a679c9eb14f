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
