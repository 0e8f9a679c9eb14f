import Diagnostics

/// The zooms that the command line asks for; what it leaves open depends on the image.
struct ZoomRange: Hashable, Sendable {
    /// The lowest zoom, or nil for the overview.
    var minimum: Int?
    /// The highest zoom, or nil for the native one.
    var maximum: Int?

    /// The zooms that exist: 30 is where a tile is 4 cm wide.
    static let possible = 0...30

    /// A single zoom.
    init(zoom: Int) { (minimum, maximum) = (zoom, zoom) }

    /// Reads `16-22`, `18`, `16-` or `-20`.
    init(parsing text: String) throws {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }) else {
            throw Self.failure(text, "is no zoom range")
        }
        minimum = try Self.zoom(parts[0], of: text)
        maximum = try Self.zoom(parts[parts.count - 1], of: text)
        if let minimum, let maximum, minimum > maximum {
            throw Self.failure(text, "ends before it begins")
        }
    }

    /// The zooms to build for an image.
    ///
    /// - Parameters:
    ///   - native: the zoom whose cell size is nearest the image's.
    ///   - overview: the highest zoom at which the image's longer side is no longer than a tile.
    func zooms(native: Int, overview: Int) -> ClosedRange<Int> {
        let highest = maximum ?? max(native, minimum ?? native)
        return (minimum ?? min(overview, highest))...highest
    }

    private static func zoom(_ part: Substring, of text: String) throws -> Int? {
        if part.isEmpty { return nil }
        guard let zoom = Int(part) else { throw failure(text, "is no zoom range") }
        guard possible.contains(zoom) else { throw failure(text, "goes beyond 0-30") }
        return zoom
    }

    private static func failure(_ text: String, _ reason: String) -> Failure {
        Failure(
            .usage, "the zoom '\(text)' \(reason)",
            remedy: "give 16-22, 18, 16- (up to the native zoom) or -20 (from the overview)")
    }
}
