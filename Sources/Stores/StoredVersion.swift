/// What tells one state of a stored file from another (RFC 9110, 8.8).
package struct StoredVersion: Hashable, Sendable {
    /// The length in bytes; -1 if the server does not say it.
    package var size: Int
    /// A strong entity tag, as the server sent it, in quotes.
    package var entityTag: String?
    /// The date of the last change, as the server sent it.
    package var lastModified: String?

    /// Describes a version.
    package init(size: Int, entityTag: String? = nil, lastModified: String? = nil) {
        (self.size, self.entityTag, self.lastModified) = (size, entityTag, lastModified)
    }

    /// Whether a change can be noticed: such a file can be read by ranges.
    package var isKnown: Bool { size >= 0 && (entityTag != nil || lastModified != nil) }

    /// The version on one line, for fingerprints: the size, and the tag or date.
    package var text: String { "\(size) \(entityTag ?? lastModified ?? "unknown")" }

    /// The lines of a request that is answered only if the file still is of this version.
    var conditions: [String] {
        if let entityTag { return ["If-Match: \(entityTag)"] }
        return lastModified.map { ["If-Unmodified-Since: \($0)"] } ?? []
    }

    /// The line of a request for a range that gets all of the file if it is of another version (RFC 9110, 13.1.5).
    var rangeCondition: [String] { (entityTag ?? lastModified).map { ["If-Range: \($0)"] } ?? [] }

    /// Whether an answer may be about this version. An answer without tag and date says nothing against it.
    func agrees(with other: StoredVersion, tagAsSent: String?) -> Bool {
        if size >= 0, other.size >= 0, size != other.size { return false }
        if let entityTag, let tagAsSent {
            // Proxies that compress make a tag weak.
            return tagAsSent == entityTag || tagAsSent == "W/" + entityTag
        }
        if let lastModified, let date = other.lastModified { return date == lastModified }
        return true
    }
}
