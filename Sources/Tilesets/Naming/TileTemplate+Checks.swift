import Platform
import Tiling

extension TileTemplate {
    /// The components of the path, as they are where a quadkey is shortest: empty, at zoom 0.
    ///
    /// Divided by bytes, as the system does: a combining accent does not make another of a '/'.
    private var components: [String] {
        let path = parts.map { part in
            switch part {
            case .literal(let text): text
            case .placeholder(.quadkey): ""
            case .placeholder(let placeholder): placeholder.text
            }
        }.joined()
        return path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
    }

    /// Bytes: PATH_MAX of macOS, a quarter of Linux's.
    private static let longest = 1024

    /// Refuses names that are not a path below the tileset, or one that the tileset itself needs.
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
            throw Self.refusal(text, "begins with a name that the tileset needs for itself")
        }
    }

    /// Refuses names that end like those of another type of image than the tiles': web servers tell the type
    /// by that, and apps do.
    ///
    /// - Parameter format: the tiles'; those of `.auto` may end as they like.
    func checkEnding(of format: TileFormat) throws {
        guard format != .auto, case .literal(let last)? = parts.last else { return }
        let ending = last.ending.lowercased()
        let types: [TileFormat] = [.png, .jpeg, .webp]
        guard let other = types.first(where: { $0.endings.contains(ending) }), other != format else { return }
        throw Self.refusal(
            text, "ends with .\(ending), and the tiles are \(format.rawValue.uppercased())",
            "end it with .{ext}, or ask for --format \(other.rawValue)")
    }

    /// Refuses `${z}`, as other languages write it: the `$` would stand in the names of files. Tilesets that have it are
    /// read.
    func checkDollars() throws {
        for (part, next) in zip(parts, parts.dropFirst()) {
            guard case .literal(let literal) = part, case .placeholder(let placeholder) = next,
                literal.last == "$"
            else { continue }
            throw Self.refusal(
                text, "has a '$' before \(placeholder.text), which would stand in the names of files",
                "write \(placeholder.text) alone")
        }
    }

    /// Whether a name at the top of the tileset, in lower case, is its state's or a side file's.
    static func isReserved(_ name: String) -> Bool {
        let starts = ["index.html", "doc."] + IndexFile.names
        return name == TilesetLock.markName || starts.contains(where: name.hasPrefix)
            || SideFile.isName(name)
    }

    /// Refuses templates that leave out a part of the address.
    func checkUniqueness() throws {
        if contains(.row), contains(.tmsRow) {
            throw Self.refusal(text, "has both {y} and {-y}", "one of them says which row it is")
        }
        // A quadkey's length is the zoom, so it is a whole address.
        if contains(.quadkey) { return }
        let hasRow = contains(.row) || contains(.tmsRow)
        let missing = [.zoom, .column].first { !contains($0) } ?? (hasRow ? nil : .row)
        if let missing {
            throw Self.refusal(
                text, "has no \(missing.text): tiles would share a name",
                "it needs {z}, {x} and {y} (or {-y}), or {quadkey}")
        }
    }

    /// Refuses `{x}{y}` and `{x}1{y}`: the tiles 1, 11 and 11, 1 would share a name. Only a
    /// character that is not a digit tells where a number ends.
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

extension Unicode.Scalar.Properties {
    /// Whether it is a control character, NUL and line feed among them.
    var isControl: Bool { generalCategory == .control }
}

extension String {
    /// What stands behind the last dot; empty if there is none.
    fileprivate var ending: String {
        guard let dot = utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return String(self[utf8.index(after: dot)...])
    }
}

extension TileFormat {
    /// How names of such files end.
    fileprivate var endings: [String] {
        switch self {
        case .png: ["png"]
        case .jpeg: ["jpg", "jpeg"]
        case .webp: ["webp"]
        case .auto: []
        }
    }
}
