import Platform
import Tiling

/// The template for the names of a tree's tiles: a relative path with placeholders.
///
/// `{z}` is the zoom, `{x}` the column, `{y}` the row in the scheme, `{-y}` the row from the south in any
/// scheme (as in OpenLayers, Leaflet and QGIS), `{quadkey}` the key of Bing Maps, `{ext}` the extension,
/// `{floor}` the name of the floor. A valid template gives each tile a unique name inside the tileset.
package struct TileTemplate: Hashable, Sendable {
    /// A word between braces.
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
    /// - Throws: `.usage` if two tiles could get the same name, or a tile a name that is outside the tileset
    ///   or reserved.
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
                throw refusal(text, "has an unmatched brace")
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
        // Every single letter is near to every other, so a single letter is matched only by case.
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

    /// The text with values for the placeholders.
    func filled(_ value: (Placeholder) throws -> String) rethrows -> String {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .placeholder(let placeholder): text += try value(placeholder)
            }
        }
        return text
    }

    /// The failure for an invalid template.
    static func refusal(_ text: String, _ why: String, _ remedy: String? = nil) -> Failure {
        Failure(
            .usage, "the template '\(text)' \(why)",
            remedy: remedy ?? "a template looks like '\(standard)'")
    }
}

extension TileTemplate {
    /// The components of the path with the shortest quadkey, which is empty, at zoom 0.
    private var components: [String] {
        filled { $0 == .quadkey ? "" : $0.text }.pathComponents(omittingEmpty: false)
    }

    /// In bytes: PATH_MAX of macOS, a quarter of that of Linux.
    private static let longest = 1024

    /// Refuses templates that are not a path below the tileset, or that begin with a reserved name.
    func checkPath() throws {
        if text.isEmpty { throw Self.refusal(text, "is empty") }
        if text.utf8.count > Self.longest {
            throw Self.refusal(text.excerpt(40), "is longer than a path may be")
        }
        if text.unicodeScalars.contains(where: { $0 == "\\" || $0.properties.isControl }) {
            throw Self.refusal(text, "has a backslash or a control character in it")
        }
        if text.hasPrefix("/") {
            throw Self.refusal(text, "is absolute", "tiles stay inside OUTPUT: leave out the '/'")
        }
        for component in components where ["", ".", ".."].contains(component) {
            let why =
                text.contains(Placeholder.quadkey.text) && component != ".."
                ? "has a name that is '\(component)' at zoom 0, where the quadkey is empty"
                : "has the name '\(component)' in its path"
            throw Self.refusal(text, why)
        }
        if let first = components.first, Self.isReserved(first.lowercased()) {
            throw Self.refusal(text, "begins with a name that tilewright uses")
        }
    }

    /// Refuses names with the extension of another file type than that of the tiles: web servers and apps
    /// rely on the extension.
    ///
    /// - Parameter format: the tiles' format; with `.auto`, names may have any extension.
    func checkEnding(of format: TileFormat) throws {
        guard format != .auto, case .literal(let last)? = parts.last else { return }
        let ending = last.ending.lowercased()
        guard let other = TileFormat(rawValue: ending == "jpg" ? "jpeg" : ending),
            ![.auto, format].contains(other)
        else { return }
        throw Self.refusal(
            text, "ends with .\(ending), but the tiles are \(format.rawValue.uppercased())",
            "end it with .{ext}, or give --format \(other.rawValue)")
    }

    /// Refuses `${z}`, the syntax of other languages: the `$` would be part of the file names. Existing
    /// tilesets with such names can be read.
    func checkDollars() throws {
        for (part, next) in zip(parts, parts.dropFirst()) {
            guard case .literal(let literal) = part, case .placeholder(let placeholder) = next,
                literal.last == "$"
            else { continue }
            throw Self.refusal(
                text, "has a '$' before \(placeholder.text), which would be in the names of files",
                "write \(placeholder.text) alone")
        }
    }

    /// Whether a lower-case name at the top of the tileset is reserved for its state or side files.
    static func isReserved(_ name: String) -> Bool {
        let starts = ["index.html", "doc."] + IndexFile.names
        return name == TilesetFolder.markName || starts.contains(where: name.hasPrefix)
            || SideFile.isName(name)
    }

    /// Refuses templates that leave out a part of the address.
    func checkUniqueness() throws {
        if contains(.row), contains(.tmsRow) {
            throw Self.refusal(text, "has both {y} and {-y}", "give only one of them")
        }
        // The length of a quadkey is the zoom, so it is a complete address.
        if contains(.quadkey) { return }
        let hasRow = contains(.row) || contains(.tmsRow)
        let missing = [.zoom, .column].first { !contains($0) } ?? (hasRow ? nil : .row)
        if let missing {
            throw Self.refusal(
                text, "has no \(missing.text): tiles would share a name",
                "it needs {z}, {x} and {y} (or {-y}), or {quadkey}")
        }
    }

    /// Refuses `{x}{y}` and `{x}1{y}`: tiles (1, 11) and (11, 1) would have the same name. Numbers must be
    /// separated by a character that is not a digit.
    func checkSeparators() throws {
        var open: Placeholder?
        for part in parts {
            switch part {
            case .literal(let text):
                if !text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
                    open = nil
                }
            case .placeholder(.fileExtension):
                open = nil
            case .placeholder(let placeholder):
                if let open {
                    throw Self.refusal(
                        text, "does not separate \(open.text) from \(placeholder.text)",
                        "put a '/', '_' or '-' between them")
                }
                open = placeholder
            }
        }
    }
}

extension String {
    /// The text after the last dot; empty if there is none.
    fileprivate var ending: String {
        guard let dot = utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(self[utf8.index(after: dot)...])
    }
}
