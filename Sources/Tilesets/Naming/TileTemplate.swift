import Platform

/// How the tiles of a tree are named: a relative path with placeholders.
///
/// `{z}` zoom, `{x}` column, `{y}` row as the scheme counts it, `{-y}` row from the south under
/// every scheme (as OpenLayers, Leaflet and QGIS read it), `{quadkey}` Bing Maps' key, `{ext}` the
/// extension, `{floor}` the floor's name. A template that exists gives each tile a name of its own
/// inside the tileset.
package struct TileTemplate: Hashable, Sendable {
    /// What stands between braces.
    enum Placeholder: String, CaseIterable {
        case zoom = "z"
        case column = "x"
        case row = "y"
        case tmsRow = "-y"
        case fileExtension = "ext"
        case floor
        case quadkey

        /// As it is written in a template.
        var text: String { "{\(rawValue)}" }
    }

    /// A piece of a template.
    enum Part: Hashable {
        case literal(String)
        case placeholder(Placeholder)
    }

    /// `{z}/{x}/{y}.{ext}`, as most clients expect it.
    package static let standard = "{z}/{x}/{y}.{ext}"

    /// The template as it was given.
    package let text: String
    /// Its pieces in order.
    let parts: [Part]

    /// Parses a template.
    ///
    /// - Throws: `.usage` if two tiles could get one name, or a tile a name outside the tileset
    ///   or one that is needed for something else.
    package init(_ text: String) throws {
        self.text = text
        parts = try Self.parse(text)
        try checkPath()
        try checkUniqueness()
        try checkSeparators()
    }

    private static func parse(_ text: String) throws -> [Part] {
        var parts: [Part] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            let literal = rest.prefix { $0 != "{" && $0 != "}" }
            if !literal.isEmpty { parts.append(.literal(String(literal))) }
            rest = rest.dropFirst(literal.count)
            guard let brace = rest.popFirst() else { break }
            let name = rest.prefix { $0 != "{" && $0 != "}" }
            rest = rest.dropFirst(name.count)
            guard brace == "{", rest.popFirst() == "}" else {
                throw refusal(text, "has a brace without its partner")
            }
            guard let placeholder = Placeholder(rawValue: String(name)) else {
                throw unknown(String(name), in: text)
            }
            parts.append(.placeholder(placeholder))
        }
        return parts
    }

    private static func unknown(_ name: String, in text: String) -> Failure {
        let known = Placeholder.allCases
        let words = known.map(\.rawValue)
        // Any letter is near to any other.
        let meant =
            name.count < 2 ? words.first { $0 == name.lowercased() } : NearestWord.of(name, among: words)
        let near = meant.map { "write {\($0)}; " } ?? ""
        let list = known.map(\.text).joined(separator: " ")
        return refusal(text, "has the unknown placeholder '{\(name)}'", "\(near)known are \(list)")
    }

    /// Whether a placeholder occurs.
    func contains(_ placeholder: Placeholder) -> Bool {
        parts.contains(.placeholder(placeholder))
    }

    /// The failure of a template that cannot be used.
    static func refusal(_ text: String, _ why: String, _ remedy: String? = nil) -> Failure {
        Failure(
            .usage, "the template '\(text)' \(why)",
            remedy: remedy ?? "a template looks like '\(standard)'")
    }
}
