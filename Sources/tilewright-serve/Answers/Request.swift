import NIOHTTP1

/// A request, as it came.
struct Request: Sendable {
    /// The line and the fields.
    let head: HTTPRequestHead
    /// What came with it.
    var body: [UInt8] = []

    /// The only value of a field; nil if there is none, or several.
    func field(_ name: String) -> Substring? {
        var values = head.headers[canonicalForm: name].makeIterator()
        guard let first = values.next(), values.next() == nil else { return nil }
        return first
    }
}
