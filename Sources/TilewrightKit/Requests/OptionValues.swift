import Platform
package import Raster
public import Tiling

// The values of options as people write them.

extension BoundingBox {
    /// Reads `W,S,E,N`.
    package init(parsing text: String) throws {
        let numbers = try NumberList.parse(text, names: ["W", "S", "E", "N"])
        self.init(minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3])
    }
}

extension TileCoordinate {
    /// Reads `Z/X/Y`: the zoom, the column from the west, and the row.
    ///
    /// - Parameter scheme: how rows are counted.
    /// - Throws: a `Failure` of kind `usage` if the text is not an address, or there is no such tile in the
    ///   world.
    public init(parsing text: String, in scheme: TileScheme = .xyz) throws {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(part) : nil
        }
        guard parts.count == 3, numbers.count == 3 else {
            throw Failure(
                .usage, "'\(text)' is not the address of a tile",
                remedy: "end with zoom/column/row, such as 18/134768/90166")
        }
        let zooms = ZoomRange.possible
        guard zooms.contains(numbers[0]) else {
            throw Failure(
                .usage, "'\(text)': there is no zoom \(numbers[0])",
                remedy: "the zooms are \(zooms.lowerBound) to \(zooms.upperBound)")
        }
        let last = (1 << numbers[0]) - 1
        for (name, number) in [("column", numbers[1]), ("row", numbers[2])] where number > last {
            throw Failure(
                .usage, "'\(text)': there is no \(name) \(number) at zoom \(numbers[0])",
                remedy: "at this zoom, columns and rows are 0 to \(last)")
        }
        let address = TileCoordinate(zoom: numbers[0], column: numbers[1], row: numbers[2])
        self.init(zoom: address.zoom, column: address.column, row: address.row(in: scheme))
    }
}

extension PositionRequest.Source {
    /// Reads the `LON,LAT` of three or four corners, separated by spaces.
    package init(parsingCorners text: String) throws {
        self = .corners(
            try text.split(whereSeparator: \.isWhitespace).map {
                let numbers = try NumberList.parse(String($0), names: ["LON", "LAT"])
                return Point(x: numbers[0], y: numbers[1])
            })
    }
}

extension PixelWindow {
    /// Reads `COL,ROW,WIDTH,HEIGHT` in whole pixels.
    package init(parsingCrop text: String) throws {
        let names = ["COL", "ROW", "WIDTH", "HEIGHT"]
        let numbers = try NumberList.parse(text, names: names).map { Int(exactly: $0) ?? -1 }
        guard numbers[0] >= 0, numbers[1] >= 0, numbers[2] > 0, numbers[3] > 0,
            numbers.allSatisfy({ $0 < 1 << 31 })
        else {
            throw Failure(
                .usage, "the crop '\(text)' is not a window of whole pixels",
                remedy: "give COL,ROW,WIDTH,HEIGHT, such as 120,80,3000,2000")
        }
        self.init(
            columns: numbers[0]..<numbers[0] + numbers[2],
            rows: numbers[1]..<numbers[1] + numbers[3])
    }
}

extension ColorKey {
    /// Reads `R,G,B` or `R,G,B,TOLERANCE`, each 0 to 255.
    ///
    /// - Parameter name: the colour's name in the error.
    /// - Throws: `.usage` for any other text.
    package init(parsing text: String, as name: String) throws {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Int($0.trimmed) ?? -1 }
        guard 3...4 ~= parts.count, parts.allSatisfy({ 0...255 ~= $0 }) else {
            throw Failure(
                .usage, "the \(name) '\(text)' is not R,G,B or R,G,B,TOLERANCE",
                remedy: "white paper is 255,255,255, or 255,255,255,8 with scanner noise")
        }
        self.init(
            red: UInt8(parts[0]), green: UInt8(parts[1]), blue: UInt8(parts[2]),
            tolerance: parts.count == 4 ? parts[3] : 0)
    }
}

extension RGBColor {
    /// Reads `#rrggbb`, with or without the `#`.
    package init(parsing text: String) throws {
        let digits = text.hasPrefix("#") ? text.dropFirst() : Substring(text)
        guard digits.count == 6, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16)
        else {
            throw Failure(
                .usage, "'\(text)' is not a colour", remedy: "give it as #rrggbb, such as '#ffffff'")
        }
        self.init(red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
    }
}

/// Numbers separated by commas, such as the coordinates in options.
enum NumberList {
    /// Reads one number for each name. The error shows the names.
    static func parse(_ text: String, names: [String]) throws(Failure) -> [Double] {
        try parse(text, counts: [names.count], form: names.joined(separator: ","))
    }

    /// Reads numbers, if their count is an allowed one.
    ///
    /// - Parameter form: the syntax, which the error shows.
    static func parse(_ text: String, counts: [Int], form: String) throws(Failure) -> [Double] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0.trimmed) }
        guard numbers.count == parts.count, numbers.allSatisfy(\.isFinite),
            counts.contains(numbers.count)
        else {
            let count = counts.map(String.init).listed("or")
            let isInMinutes = text.contains { "\u{B0}\u{BA}'\"\u{2032}\u{2033}NSEWnsew".contains($0) }
            throw Failure(
                .usage, "'\(text)' is not \(form)",
                remedy: isInMinutes && form.contains(",")
                    ? "write decimal degrees, negative in the west and the south: 8\u{B0} 32' 30\" E is 8.541667"
                    : count == "1"
                        ? "give a number, with a dot for decimals"
                        : "give \(count) numbers with commas between them and dots for decimals")
        }
        return numbers
    }
}

extension Substring {
    /// The text without spaces at its ends.
    package var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

/// A large count, as people write it: `4M`, `20G`, `100000`; units are powers of 1000.
package struct Count: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    package var value: Int

    /// Makes a count.
    package init(_ value: Int) { self.value = value }

    /// Reads a count; nil if the text is not a count.
    package init?(parsing text: String) {
        guard let value = Quantity.read(text, step: 1000) else { return nil }
        self.value = value
    }

    /// The count in the largest of M, G and T that divides it, else without a unit.
    package var description: String { Quantity.text(value, step: 1000, from: 2) }
}

/// A number of bytes, as people write it: `1G`, `256M`, `1.5GB`, `2 GiB`, `100000`; units are powers of 1024.
package struct ByteSize: Hashable, Sendable, CustomStringConvertible {
    /// The number.
    package var bytes: Int

    /// Makes a size.
    package init(_ bytes: Int) { self.bytes = bytes }

    /// Reads a size; nil if the text is not a size.
    package init?(parsing text: String) {
        let unit = ["iB", "ib", "B", "b"].first { text.hasSuffix($0) } ?? ""
        let number = text.dropLast(unit.count)
        // In "KiB", a unit precedes the "iB".
        guard unit.count < 2 || number.last?.isLetter == true else { return nil }
        let digits = String(number.filter { $0 != " " })
        guard let bytes = Quantity.read(digits, step: 1024) else { return nil }
        self.bytes = bytes
    }

    /// The size in the largest unit that it is a multiple of.
    package var description: String { Quantity.text(bytes, step: 1024, from: 1) }
}

/// Numbers with a unit letter after them.
private enum Quantity {
    /// The units, each `step` times the one before.
    private static let letters: [Character] = ["K", "M", "G", "T"]

    static func read(_ text: String, step: Int) -> Int? {
        var digits = Substring(text)
        var unit = 1.0
        if let last = digits.last, let power = letters.firstIndex(of: Character(last.uppercased())) {
            for _ in 0...power { unit *= Double(step) }
            digits.removeLast()
        }
        guard let number = Double(digits), number * unit >= 1, number * unit < 1e18 else { return nil }
        return Int(number * unit)
    }

    /// - Parameter first: the smallest unit that is used: 1 for `K`, 2 for `M`.
    static func text(_ value: Int, step: Int, from first: Int) -> String {
        var units = letters.indices.map { power in (0...power).reduce(1) { unit, _ in unit * step } }
        units.removeFirst(first - 1)
        guard let index = units.lastIndex(where: { value % $0 == 0 }), value > 0 else { return "\(value)" }
        return "\(value / units[index])\(letters[index + first - 1])"
    }
}
