import CStorage
import Platform
package import Tiling

// Checks an MBTiles file. Reads every page once or twice. The memory does not depend on the size.
extension MBTilesReader {
    /// The most problems reported: the default of `PRAGMA integrity_check`.
    private static let mostDamages = 100

    package func check(
        _ report: (TilesetFault) -> Void, tiles body: (EncodedTile) throws -> Void
    ) throws {
        var isSound = true
        let isReadable = try check { fault in
            isSound = false
            report(fault)
        }
        guard isReadable else { return }
        do {
            try forEachTile(ifSound: true, body)
        } catch let failure as Failure where failure.kind == .badInput {
            if isSound { report(TilesetFault("the database", failure.message)) }
        }
    }

    /// Checks the database, except the content of its tiles.
    ///
    /// - Returns: whether it could be read to its end.
    @discardableResult
    func check(_ report: (TilesetFault) -> Void) throws -> Bool {
        do {
            let rows = try rows()
            try reading { try check($0, rows, report) }
            return true
        } catch let failure as Failure where failure.kind == .badInput {
            report(TilesetFault("the database", failure.message))
            return false
        }
    }

    private func check(
        _ database: borrowing SQLiteDatabase, _ rows: [MetadataRow], _ report: (TilesetFault) -> Void
    ) throws {
        let integrity = try database.prepare("PRAGMA integrity_check(\(Self.mostDamages))")
        while try integrity.step() {
            // SQLite's text, always in English: `ok`, or one line for each problem, below a heading between
            // asterisks.
            let lines = integrity.printed(0).split(separator: "\n")
            for line in lines where line != "ok" && !line.hasPrefix("***") {
                report(TilesetFault("the database", "is damaged: \(line)"))
            }
        }
        let layout = try MBTilesLayout(of: database, scheme: scheme)
        let (count, zooms, areShort) = try checkTiles(layout, in: database, report)
        if areShort { try checkDuplicates(layout, in: database, report) }
        if let shared = layout.shared { try checkReferences(layout, shared, in: database, report) }
        MBTilesMetadataCheck(rows: rows).run(tileCount: count, zooms: zooms, report)
    }

    /// - Returns: the number of rows, the zooms of the valid tiles, and whether all addresses are short
    ///   enough to be sorted.
    private func checkTiles(
        _ layout: MBTilesLayout, in database: borrowing SQLiteDatabase,
        _ report: (TilesetFault) -> Void
    ) throws -> (count: Int, zooms: Set<Int>, areShort: Bool) {
        let query = try database.prepare(layout.lengthsQuery)
        var (count, cost, areShort) = (0, newCost, true)
        var zooms: Set<Int> = []
        while try query.step() {
            count += 1
            try cost.addRow(bytes: 0)
            areShort = areShort && query.hasShortAddress
            guard let tile = query.existingAddress(in: layout.scheme) else {
                report(TilesetFault("tile \(query.addressText(in: layout.scheme))", query.addressProblem))
                continue
            }
            zooms.insert(tile.zoom)
            if (query.integer(3) ?? 0) == 0 { report(TilesetFault("tile \(tile)", "has no data")) }
        }
        return (count, zooms, areShort)
    }

    private func checkDuplicates(
        _ layout: MBTilesLayout, in database: borrowing SQLiteDatabase,
        _ report: (TilesetFault) -> Void
    ) throws(SQLiteError) {
        let query = try database.prepare(
            """
            SELECT zoom_level, tile_column, tile_row, count(*) FROM \(layout.addresses)
            GROUP BY zoom_level, tile_column, tile_row HAVING count(*) > 1
            """)
        while try query.step() {
            let place = query.place(in: layout.scheme)
            report(TilesetFault(place, "exists \(query.printed(3)) times"))
        }
    }

    private func checkReferences(
        _ layout: MBTilesLayout, _ shared: MBTilesLayout.Shared, in database: borrowing SQLiteDatabase,
        _ report: (TilesetFault) -> Void
    ) throws(SQLiteError) {
        let (addresses, data, key) = (shared.addresses, shared.data, shared.key)
        let lost = try database.prepare(
            """
            SELECT zoom_level, tile_column, tile_row, \(key) FROM \(addresses)
            WHERE \(key) IS NULL
                OR \(key) NOT IN (SELECT \(key) FROM \(data) WHERE \(key) IS NOT NULL)
            """)
        while try lost.step() {
            let place = lost.place(in: layout.scheme)
            report(
                TilesetFault(place, "refers to \(lost.excerpt(3)), which is not in \(data)"))
        }
        let unused = try database.prepare(
            """
            SELECT \(key) FROM \(data) WHERE \(key) IS NULL
                OR \(key) NOT IN (SELECT \(key) FROM \(addresses) WHERE \(key) IS NOT NULL)
            """)
        while try unused.step() {
            report(TilesetFault("\(data) \(unused.excerpt(0))", "is not used by any tile"))
        }
    }
}

extension SQLiteStatement {
    /// The tile in the first three columns, even if its address is invalid.
    fileprivate func place(in scheme: TileScheme) -> String {
        "tile \(existingAddress(in: scheme).map(\.description) ?? addressText(in: scheme))"
    }
}

/// Compares the `metadata` table of an MBTiles file with the specification and with the tiles.
struct MBTilesMetadataCheck {
    private static let formats = TileFormat.allCases.map(\.fileExtension)

    /// The file's metadata.
    let rows: [MetadataRow]

    /// Runs all checks.
    ///
    /// - Parameters:
    ///   - tileCount: the number of tiles that are there.
    ///   - zooms: the zooms that have tiles.
    func run(tileCount: Int, zooms: Set<Int>, _ report: (TilesetFault) -> Void) {
        for name in ["name", "format"] where value(name) == nil {
            fault(name, "is missing", report)
        }
        if let format = value("format"), !Self.formats.contains(format) {
            fault("format", "is '\(format)', not png, jpg or webp", report)
        }
        compare("minzoom", with: zooms.min(), report)
        compare("maxzoom", with: zooms.max(), report)
        compare("tileCount", with: tileCount, report)
        if let bounds = value("bounds"), !Self.areBounds(bounds) {
            fault("bounds", "are '\(bounds)', not the west, south, east, north of an area", report)
        }
        if let center = value("center"), Self.numbers(center)?.count != 3 {
            fault("center", "is '\(center)', not longitude, latitude, zoom", report)
        }
    }

    private func value(_ name: String) -> String? { rows.last { $0.name == name }?.value }

    private func fault(_ name: String, _ problem: String, _ report: (TilesetFault) -> Void) {
        report(TilesetFault("metadata '\(name)'", problem))
    }

    private func compare(
        _ name: String, with actual: Int?, _ report: (TilesetFault) -> Void
    ) {
        guard let value = value(name), let actual, Int(value) != actual else { return }
        fault(name, "is '\(value)', but should be \(actual)", report)
    }

    private static func areBounds(_ text: String) -> Bool {
        guard let edges = numbers(text), edges.count == 4 else { return false }
        return edges[0] < edges[2] && edges[1] < edges[3]
    }

    /// Numbers separated by commas; nil if one of them is not a number.
    private static func numbers(_ list: String) -> [Double]? {
        let parts = list.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            Double(part.filter { $0 != " " }).flatMap { $0.isFinite ? $0 : nil }
        }
        return numbers.count == parts.count ? numbers : nil
    }
}
