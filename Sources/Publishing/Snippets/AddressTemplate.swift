import Tiling

/// The address of a tile in pieces, as code makes it.
struct AddressTemplate: Hashable, Sendable {
    /// A piece.
    enum Part: Hashable, Sendable {
        case literal(String)
        case zoom, column, row, quadkey
    }

    /// The pieces in order.
    let parts: [Part]
    /// Whether rows, if there are any, are counted from the south; quadkeys never are.
    let countsFromSouth: Bool

    /// Divides an address with `{z}`, `{x}`, `{y}`, `{-y}`, `{quadkey}`; other braces are text.
    init(_ address: String, scheme: TileScheme) {
        let names: [(String, Part)] = [
            ("{z}", .zoom), ("{x}", .column), ("{y}", .row), ("{-y}", .row),
            ("{quadkey}", .quadkey),
        ]
        var parts: [Part] = []
        var literal = ""
        var rest = address[...]
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

    /// Whether the address is made of a quadkey.
    var hasQuadkey: Bool { parts.contains(.quadkey) }

    /// The address as clients take it that have a setting for rows from the south.
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
