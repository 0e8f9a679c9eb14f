import NIOHTTP1

/// A request, as it came.
struct Request: Sendable {
    /// The line and the fields.
    let head: HTTPRequestHead
    /// What came with it.
    var body: [UInt8] = []

    /// What a field says that stands there once; nil if there is none, or several.
    func field(_ name: String) -> String? {
        let values = head.headers[name]
        return values.count == 1 ? values[0] : nil
    }
}
