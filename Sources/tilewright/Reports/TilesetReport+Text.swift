import Platform

extension TilesetReport {
    /// The report in lines for people.
    var lines: [String] {
        headLines + placeLines + originLines + [""] + table + ["", sumLine]
            + repeatedLines + missingLines
    }

    /// What the tiles are, in a few words.
    var kindText: String { formats.map(Self.name).listed("and") }

    private static func name(of format: String) -> String {
        switch format {
        case "webp": "WebP"
        case "mvt": "vector tiles"
        case "unknown": "no known type"
        default: format.uppercased()
        }
    }

    private var headLines: [String] {
        let kinds = ["directory": "a folder", "mbtiles": "MBTiles", "pmtiles": "PMTiles"]
        let title = [label, ordinal.map { "ordinal \($0)" }, `default` == true ? "shown first" : nil]
            .compactMap(\.self).joined(separator: ", ")
        return [
            "tileset    \(path): \(kinds[container] ?? container)",
            floor.map { "floor      \($0)\(title.isEmpty ? "" : ": \(title)")" },
            name.map { "name       \($0)" },
            description.map { "shows      \($0)" },
            attribution.map { "credit     \($0)" },
            "tiles      \(tileText)", layerText.map { "layers     \($0)" },
        ].compactMap(\.self)
    }

    private var tileText: String {
        [
            kindText, compression.map { $0 == "unknown" ? "compressed" : "compressed with \($0)" },
            tileSize.map { "\($0) px" }, template.map { "\(baseURL ?? "")\($0)" },
        ].compactMap(\.self).joined(separator: ", ")
    }

    private var layerText: String? {
        vectorLayers.map { $0.joined(separator: ", ") }
    }

    private var placeLines: [String] {
        let rows: String
        if schemeAssumed {
            rows = "taken to count from the north (xyz): nothing here says it"
        } else {
            rows =
                scheme == "xyz"
                ? "count from the north (xyz)" : "count from the south (tms); in the table from the north"
        }
        var lines = [
            "rows       \(rows)",
            "bounds     \(Self.text(bounds))" + (boundsStated ? "" : ", of the tiles at zoom \(maxzoom)"),
        ]
        let mirrored = [bounds[0], -bounds[3], bounds[2], -bounds[1]].map { $0 == 0 ? 0 : $0 }
        if schemeAssumed, !boundsStated, Self.text(mirrored) != Self.text(bounds) {
            lines.append("           if they count from the south (tms): \(Self.text(mirrored))")
        }
        return lines
    }

    private static func text(_ box: [Double]) -> String {
        box.map { $0.text(decimals: 6) }.joined(separator: ", ")
    }

    private var originLines: [String] {
        let sources = images.map { ", of \($0.map { "'\($0)'" }.listed("and"))" } ?? ""
        let options = generatorOptions.map { ["           \($0)"] } ?? []
        let changed = changed.map { $0.replacing("T", with: " ").replacing("Z", with: " UTC") }
        let program = generator ?? "a program that does not name itself"
        return ["made by    \(program)\(sources)"] + options
            + (made.map { ["made       \($0)"] } ?? [])
            + (changed.map { ["changed    \($0)"] } ?? [])
    }

    private var table: [String] {
        TextTable.lines([["zoom", "columns", "rows", "tiles", "bytes"]] + zooms.map(\.cells), left: [])
            .map { "  \($0)" }
    }

    private var sumLine: String {
        let mean = tiles > 0 ? ", \((bytes / tiles).byteText) a tile" : ""
        return "in all     \(tiles.counted("tile")), \(bytes.byteText)\(mean)"
    }

    private var repeatedLines: [String] {
        if duplicates.tiles == 0 { return ["repeated   no tile holds what another holds"] }
        let saved = duplicates.bytes.byteText
        return [
            "repeated   \(duplicates.tiles.counted("tile")) hold\(duplicates.tiles == 1 ? "s" : "") what another "
                + "holds too; \(duplicates.contents) different in all",
            duplicates.storedOnce
                ? "           each is stored once, which saves \(saved)"
                : "           each stored once, as in PMTiles, would save \(saved)",
        ]
    }

    private var missingLines: [String] {
        missing == 0
            ? []
            : [
                "missing    \(missing.counted("tile")) more, or of another length: 'tilewright verify' lists them"
            ]
    }
}

extension TilesetReport.Zoom {
    /// The zoom's row of the table; rows count from the north.
    fileprivate var cells: [String] {
        let columns = limits.map { "\($0.columns[0])-\($0.columns[1])" }.joined(separator: ", ")
        let rows = limits.prefix(1).map { "\($0.rows[0])-\($0.rows[1])" }.joined()
        return ["\(zoom)", columns, rows, "\(tiles)", bytes.byteText]
    }
}
