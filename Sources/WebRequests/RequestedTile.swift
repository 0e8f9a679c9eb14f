package import Tiling

/// The tile that the last names of a path ask for: `NAME/{z}/{x}/{y}.{ext}`.
package struct RequestedTile: Hashable, Sendable {
    /// The names before the numbers, with slashes between them.
    package let name: String
    /// The address; it is in the world.
    package let coordinate: TileCoordinate
    /// What follows the row's dot.
    package let fileExtension: String

    /// Reads the names of a path.
    ///
    /// - Returns: nil if they are no tile's: numbers are decimal digits without signs or leading zeros, the
    ///   zoom is at most 30, and column and row lie in the world.
    package init?(_ path: RequestPath) {
        let segments = path.segments
        guard segments.count >= 4 else { return nil }
        let file = segments[segments.count - 1].utf8
        guard let dot = file.firstIndex(of: UInt8(ascii: ".")),
            let zoom = Self.number(segments[segments.count - 3].utf8), zoom <= 30,
            let column = Self.number(segments[segments.count - 2].utf8), column < 1 << zoom,
            let row = Self.number(file[..<dot]), row < 1 << zoom
        else { return nil }
        name = segments.count == 4 ? segments[0] : segments.dropLast(3).joined(separator: "/")
        coordinate = TileCoordinate(zoom: zoom, column: column, row: row)
        fileExtension = String(decoding: file[file.index(after: dot)...], as: UTF8.self)
    }

    /// As many digits as 2^30 has.
    private static let mostDigits = 10

    private static func number(_ digits: some BidirectionalCollection<UInt8>) -> Int? {
        guard 1...mostDigits ~= digits.count, digits.count == 1 || digits.first != UInt8(ascii: "0")
        else { return nil }
        var number = 0
        for digit in digits {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }
}
