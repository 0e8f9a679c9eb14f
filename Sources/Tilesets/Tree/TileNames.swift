import Platform
package import Tiling

/// The names of the tiles of one tileset: a template in which floor and extension are filled in, and the
/// scheme of the rows.
package struct TileNames: Hashable, Sendable {
    /// How `{y}` counts rows.
    package let scheme: TileScheme
    /// The floor, or nil if the building has only one tileset.
    package let floor: String?
    /// The template, in which only placeholders of the address are left.
    let template: TileTemplate

    /// Fills in a template.
    ///
    /// - Parameters:
    ///   - fileExtension: the value of `{ext}`, without a dot: `png`, `jpg`.
    ///   - floor: the value of `{floor}`; it is also in the names of the side files, whatever the template.
    /// - Throws: `.usage` if the floor is missing or cannot be part of a file name.
    package init(
        _ template: TileTemplate, fileExtension: String, floor: String?, scheme: TileScheme
    ) throws {
        if let floor { try Self.check(floor: floor) }
        let filled = try template.filled { placeholder in
            switch placeholder {
            case .fileExtension: return fileExtension
            case .floor:
                if let floor { return floor }
                throw TileTemplate.refusal(
                    template.text, "has a {floor}, but no floor is given", "add --floor NAME")
            default: return placeholder.text
            }
        }
        self.template = try TileTemplate(filled)
        self.floor = floor
        self.scheme = scheme
    }

    /// Fills in a template for tiles that are to be written.
    ///
    /// - Throws: `.usage`, as above, and if the template has the extension of another file type.
    package init(
        writing format: TileFormat, as template: String, floor: String?, scheme: TileScheme
    ) throws {
        let template = try TileTemplate(template)
        try template.checkDollars()
        try template.checkEnding(of: format)
        try self.init(template, fileExtension: format.fileExtension, floor: floor, scheme: scheme)
    }

    /// Refuses names of floors that would need escapes, hide a file, leave the directory or be too long: 128
    /// bytes leave enough for the rest of a component, which has at most 255.
    package static func check(floor: String) throws {
        if !isFloor(floor) {
            throw Failure(
                .usage, "the floor '\(floor)' cannot be part of a file name",
                remedy: "use at most 128 bytes, no slash, brace or line end, and no '.' at the start")
        }
    }

    /// Whether a name is valid for a floor; see `check`.
    package static func isFloor(_ name: String) -> Bool {
        let isSafe = name.unicodeScalars.allSatisfy {
            !"/\\{}".unicodeScalars.contains($0) && !$0.properties.isControl
        }
        return isSafe && !name.isEmpty && name.utf8.first != UInt8(ascii: ".") && name.utf8.count <= 128
    }

    /// The path of a tile below the tileset, components joined by `/`.
    package func path(of tile: TileCoordinate) -> String {
        template.filled { placeholder in
            switch placeholder {
            case .zoom: String(tile.zoom)
            case .column: String(tile.column)
            case .row: String(tile.row(in: scheme))
            case .tmsRow: String(tile.row(in: .tms))
            // The quadkey: the initialiser has filled in all other placeholders.
            default: tile.quadkey
            }
        }
    }

    /// The template for clients, with only `{z}`, `{x}`, `{y}` (or `{quadkey}`). A `{-y}` becomes `{y}`,
    /// since TileJSON does not have `{-y}`; `clientScheme` is then `tms`.
    package var clientTemplate: String {
        template.filled { ($0 == .tmsRow ? .row : $0).text }
    }

    /// How the rows of `clientTemplate` are counted.
    package var clientScheme: TileScheme { template.contains(.tmsRow) ? .tms : scheme }
}

extension TileNames {
    /// The tile at a path, the inverse of `path(of:)`; nil for other paths.
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
        // A number in another form, such as 07 for 7, is another file.
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
        return TileCoordinate(zoom: zoom, column: column, row: row, in: clientScheme)
    }
}

extension [String] {
    /// The floors in some of these names of entries; nil for a name without a floor.
    ///
    /// - Parameter name: the name of an entry for a floor.
    func floors(_ name: (String?) -> String) -> [String?] {
        // No floor has a slash in its name.
        let around = name("/").pathComponents(omittingEmpty: false)
        return compactMap { entry in
            if entry == name(nil) { return .some(nil) }
            guard entry.hasPrefix(around[0]), entry.hasSuffix(around[1]) else { return nil }
            let floor = String(entry.dropFirst(around[0].count).dropLast(around[1].count))
            return TileNames.isFloor(floor) ? floor : nil
        }
    }
}

extension TileCoordinate {
    /// Parses a quadkey; nil if it is longer than that of zoom 30.
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
