import Tiling

/// The address of a tile in pieces, for code that puts them together.
struct AddressTemplate: Hashable, Sendable {
    /// A piece of an address.
    enum Part: Hashable, Sendable {
        /// Fixed text.
        case literal(String)
        /// A number of the tile, or its quadkey.
        case zoom, column, row, quadkey
    }

    /// The pieces in order.
    let parts: [Part]
    /// Whether the address has a row, counted from the south. Quadkeys always count from the north.
    let countsFromSouth: Bool

    /// Divides an address with `{z}`, `{x}`, `{y}`, `{-y}`, `{quadkey}`; other braces are text.
    init(_ address: String, scheme: TileScheme) {
        let names: [(String, Part)] = [
            ("{z}", .zoom), ("{x}", .column), ("{y}", .row), ("{-y}", .row),
            ("{quadkey}", .quadkey),
        ]
        var parts: [Part] = []
        var literal = ""
        var rest = Substring(address)
        while let character = rest.first {
            if let (name, part) = names.first(where: { rest.hasPrefix($0.0) }) {
                if !literal.isEmpty { parts.append(.literal(literal)) }
                parts.append(part)
                literal = ""
                rest = rest.dropFirst(name.count)
            } else {
                literal.append(character)
                rest = rest.dropFirst()
            }
        }
        self.parts = literal.isEmpty ? parts : parts + [.literal(literal)]
        countsFromSouth =
            parts.contains(.row) && (scheme == .tms || address.contains("{-y}"))
    }

    /// Whether the address has a quadkey.
    var hasQuadkey: Bool { parts.contains(.quadkey) }

    /// The address with placeholders, for clients that have a setting for rows from the south.
    ///
    /// - Parameter row: the placeholder of the row.
    func text(row: String = "{y}") -> String {
        parts.map { part in
            switch part {
            case .literal(let text): text
            case .zoom: "{z}"
            case .column: "{x}"
            case .row: row
            case .quadkey: "{quadkey}"
            }
        }.joined()
    }
}
