import CommandSupport
import Platform
import TilewrightKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The finished tilesets of a path, for programs.
struct InventoryReport: Encodable {
    /// The contents of a building's index.
    struct Building: Encodable {
        var name: String
        /// The manifest from which it was built.
        var manifest: String?
        /// The names of its floors from the lowest.
        var floors: [String]
    }

    /// The contents of a campus's index.
    struct Campus: Encodable {
        var name: String
        /// The folders of its buildings.
        var folders: [String]
    }

    var path: String
    var building: Building?
    var campus: Campus?
    var tilesets: [TilesetReport]
    /// The sum over all tilesets.
    var tiles: Int
    var bytes: Int

    init(_ inventory: TilesetInventory) {
        path = inventory.path
        building = inventory.building.map {
            Building(name: $0.name, manifest: $0.manifest, floors: $0.floors.map(\.floor))
        }
        campus = inventory.campus.map { Campus(name: $0.name, folders: $0.folders) }
        tilesets = inventory.tilesets.map { TilesetReport($0, indexed: inventory.indexed($0.floor)) }
        (tiles, bytes) = (inventory.tileCount, inventory.bytes)
    }

    /// The report for people: a full description of a single tileset, or a line for each of several.
    var lines: [String] {
        let index = (building?.lines ?? []) + (campus?.lines ?? [])
        if tilesets.count == 1 { return index + tilesets[0].lines }
        return ["tileset    \(path): a folder"] + index + floorLines
    }

    private var floorLines: [String] {
        if tilesets.isEmpty { return [] }
        let head = ["floor", "label", "ordinal", "type", "zooms", "tiles", "bytes", "repeated"]
        let table = TextTable.lines([head] + tilesets.map(\.cells), left: [0, 1, 3])
        let copies = tilesets.reduce(0) { $0 + $1.duplicates.tiles }
        let floors = tilesets.count.counted("tileset")
        return [""] + table + [
            "", "in all     \(tiles.counted("tile")), \(bytes.byteText), of \(floors)",
            copies == 0
                ? "repeated   no tile has a duplicate in its tileset"
                : "repeated   \(copies.counted("tile")) have duplicates in their tileset",
        ]
    }
}

extension InventoryReport.Building {
    fileprivate var lines: [String] {
        let source = manifest.map { ", from '\($0)'" } ?? ""
        return ["building   \(name)\(source), \(floors.count.counted("floor"))"]
    }
}

extension InventoryReport.Campus {
    fileprivate var lines: [String] {
        ["campus     \(name), \(folders.count.counted("building")); run 'tilewright info' on each:"]
            + folders.map { "           \($0)" }
    }
}

extension TilesetReport {
    /// The tileset's row among others.
    fileprivate var cells: [String] {
        [
            floor ?? "-", label ?? "", ordinal.map(String.init) ?? "", kindText,
            minzoom == maxzoom ? "\(minzoom)" : "\(minzoom)-\(maxzoom)", "\(tiles)", bytes.byteText,
            "\(duplicates.tiles)",
        ]
    }
}

/// Rows of text in columns.
enum TextTable {
    /// Columns as wide as their text, two spaces apart, without spaces at the ends of lines.
    ///
    /// - Parameters:
    ///   - rows: at least one row; all rows have the same number of cells.
    ///   - left: the columns that are aligned at the left. Numbers are aligned at the right.
    static func lines(_ rows: [[String]], left: Set<Int>) -> [String] {
        // The console escapes control characters; here, too, so that the widths are right.
        let rows = rows.map { $0.map(\.printable) }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.reduce(0, max) }
        return rows.map { row in
            let cells = row.indices.map { column in
                left.contains(column)
                    ? row[column].aligned(left: widths[column])
                    : row[column].aligned(right: widths[column])
            }
            var line = Substring(cells.joined(separator: "  "))
            while line.last == " " { line.removeLast() }
            return String(line)
        }
    }
}

extension Console {
    /// Prints a report, for programs or for people.
    static func result(_ report: some Encodable, _ lines: [String], json: Bool) throws {
        if json { try result(json: report) } else { try result(lines: lines) }
    }

    /// Prints a report for programs on several lines, its members in the order of their names.
    static func result(json report: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try result(json: String(decoding: try encoder.encode(report), as: UTF8.self))
    }
}
