import Platform
import TilewrightKit
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The description of a finished tileset, for programs.
struct TilesetReport: Encodable {
    /// Tiles with duplicates.
    struct Duplicates: Encodable {
        /// The number of tiles whose content is also that of another tile.
        var tiles: Int
        /// The number of different contents of all tiles.
        var contents: Int
        /// The bytes that are saved if each content is stored once.
        var bytes: Int
        /// Whether each content is stored once.
        var storedOnce: Bool
    }

    var path: String
    /// `directory`, `mbtiles` or `pmtiles`.
    var container: String
    var floor: String?
    /// The floor's label in the building's index.
    var label: String?
    var ordinal: Int?
    var `default`: Bool?
    var name: String?
    var description: String?
    var attribution: String?
    /// The tiles' file types: `png`, `jpeg`, `webp`, `avif`, `gif`, `mvt`, `unknown`.
    var formats: [String]
    /// The compression in addition to the file type, such as `gzip`.
    var compression: String?
    /// Pixels along a tile's edge.
    var tileSize: Int?
    var vectorLayers: [String]?
    /// The template of tile names in a folder.
    var template: String?
    var baseURL: String?
    /// `xyz` or `tms`.
    var scheme: String
    /// Whether `scheme` is only assumed.
    var schemeAssumed: Bool
    var minzoom: Int
    var maxzoom: Int
    /// The zooms, lowest first; the bytes are those that clients get.
    var zooms: [PlanReport.Zoom]
    /// West, south, east, north in degrees.
    var bounds: [Double]
    /// Whether the bounds are those in the tileset's metadata; otherwise those of the finest tiles.
    var boundsStated: Bool
    var tiles: Int
    var bytes: Int
    var duplicates: Duplicates
    /// The number of tiles in the folder's list that are missing or have the wrong length.
    var missing: Int
    var generator: String?
    var generatorOptions: String?
    var images: [String]?
    var job: String?
    /// The time of the build, as the tileset says it.
    var made: String?
    /// When its file or its documents changed: `2026-11-23T17:05:11Z`.
    var changed: String?
    /// Warnings; each kind has a name.
    var warnings: [Warning]?

    init(_ tileset: TilesetDescription, indexed: TilesetInventory.Floor?) {
        let copies = tileset.duplicates
        (path, container, floor) = (tileset.path, "\(tileset.container)", tileset.floor)
        (label, ordinal, `default`) = (indexed?.label, indexed?.ordinal, indexed?.isDefault)
        (name, description) = (tileset.name, tileset.description)
        attribution = tileset.attribution
        formats = tileset.kinds.map(\.rawValue)
        compression = tileset.compression
        tileSize = tileset.tileSize
        vectorLayers = tileset.vectorLayers.isEmpty ? nil : tileset.vectorLayers
        (template, baseURL) = (tileset.template, tileset.baseURL)
        (scheme, schemeAssumed) = (tileset.scheme.rawValue, tileset.isSchemeAssumed)
        zooms = tileset.zooms.map {
            PlanReport.Zoom(
                zoom: $0.zoom, limits: $0.limits.map(PlanReport.Limits.init), tiles: $0.tiles, bytes: $0.bytes
            )
        }
        minzoom = zooms.map(\.zoom).reduce(30, min)
        maxzoom = zooms.map(\.zoom).reduce(0, max)
        (bounds, boundsStated) = (tileset.bounds.edges, tileset.areBoundsStated)
        (tiles, bytes, missing) = (tileset.tileCount, tileset.bytes, tileset.missingTiles)
        duplicates = Duplicates(
            tiles: copies.tiles, contents: copies.contents, bytes: tileset.bytes - copies.contentBytes,
            storedOnce: copies.isStoredOnce)
        (generator, generatorOptions) = (tileset.generator, tileset.generatorOptions)
        images = tileset.images.isEmpty ? nil : tileset.images
        (job, made) = (tileset.job, tileset.made)
        changed = tileset.changed.map { Date(timeIntervalSince1970: Double($0)).formatted(.iso8601) }
        warnings = tileset.warnings.isEmpty ? nil : tileset.warnings
    }
}

extension TilesetReport {
    /// The report in lines for people.
    var lines: [String] {
        headLines + placeLines + originLines + [""] + table + ["", sumLine]
            + repeatedLines + missingLines
    }

    /// The tiles' file types in words.
    var kindText: String { formats.map(Self.name).listed("and") }

    private static func name(of format: String) -> String {
        switch format {
        case "webp": "WebP"
        case "mvt": "vector tiles"
        case "unknown": "unknown type"
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
            "tiles      \(tileText)", vectorLayers.map { "layers     \($0.joined(separator: ", "))" },
        ].compactMap(\.self)
    }

    private var tileText: String {
        [
            kindText, compression.map { $0 == "unknown" ? "compressed" : "compressed with \($0)" },
            tileSize.map { "\($0) px" }, template.map { "\(baseURL ?? "")\($0)" },
        ].compactMap(\.self).joined(separator: ", ")
    }

    private var placeLines: [String] {
        let rows: String
        if schemeAssumed {
            rows = "assumed to count from the north (xyz); the tileset does not say"
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
        let sources = images.map { ", from \($0.map { "'\($0)'" }.listed("and"))" } ?? ""
        let options = generatorOptions.map { ["           \($0)"] } ?? []
        let changed = changed.map { $0.replacing("T", with: " ").replacing("Z", with: " UTC") }
        let program = generator ?? "an unknown program"
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
        if duplicates.tiles == 0 { return ["repeated   no tile has a duplicate"] }
        let saved = duplicates.bytes.byteText
        return [
            "repeated   \(duplicates.tiles.counted("tile")) have duplicates; "
                + "\(duplicates.contents) different contents in all",
            duplicates.storedOnce
                ? "           each content is stored once, which saves \(saved)"
                : "           storing each content once, as in PMTiles, would save \(saved)",
        ]
    }

    private var missingLines: [String] {
        missing == 0
            ? [] : ["missing    \(missing.counted("tile")) (or of the wrong length); see 'tilewright verify'"]
    }
}
