package import Tiling

extension TileNames {
    /// The tile that has a path, the inverse of `path(of:)`; nil for other paths.
    package func coordinate(ofPath path: String) -> TileCoordinate? {
        var rest = Substring(path).utf8
        var quadkey: TileCoordinate?
        var numbers: [TileTemplate.Placeholder: Int] = [:]
        for part in template.parts {
            switch part {
            case .literal(let text):
                guard rest.starts(with: text.utf8) else { return nil }
                rest = rest.dropFirst(text.utf8.count)
            case .placeholder(.quadkey):
                quadkey = TileCoordinate(quadkey: Self.takeDigits(&rest, upTo: "3"))
            case .placeholder(let placeholder):
                numbers[placeholder] = Int(Self.takeDigits(&rest, upTo: "9"))
            }
        }
        // What is written in another way, as 07 for 7, is another file.
        guard let tile = quadkey ?? coordinate(numbers), self.path(of: tile) == path else {
            return nil
        }
        return tile
    }

    private static func takeDigits(
        _ rest: inout Substring.UTF8View, upTo last: Unicode.Scalar
    ) -> Substring {
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: last) ~= $0 }
        rest = rest.dropFirst(digits.count)
        return Substring(digits)
    }

    private func coordinate(_ numbers: [TileTemplate.Placeholder: Int]) -> TileCoordinate? {
        guard let zoom = numbers[.zoom], let column = numbers[.column],
            let row = numbers[.row] ?? numbers[.tmsRow], zoom <= 30, column < 1 << zoom,
            row < 1 << zoom
        else { return nil }
        let tile = TileCoordinate(zoom: zoom, column: column, row: row)
        return TileCoordinate(zoom: zoom, column: column, row: tile.row(in: clientScheme))
    }
}

extension TileCoordinate {
    /// Reads a key in Bing Maps' form; nil if it is longer than the finest zoom's.
    fileprivate init?(quadkey: Substring) {
        let digits = quadkey.utf8
        guard digits.count <= 30 else { return nil }
        self.init(zoom: digits.count, column: 0, row: 0)
        for digit in digits {
            let quadrant = Int(digit - UInt8(ascii: "0"))
            column = column << 1 | quadrant & 1
            row = row << 1 | quadrant >> 1
        }
    }
}
