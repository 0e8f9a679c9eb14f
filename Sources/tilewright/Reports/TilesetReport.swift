import Platform
import TilewrightKit
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a finished tileset is, for programs.
struct TilesetReport: Encodable {
    /// The tiles of a zoom.
    struct Zoom: Encodable {
        /// The zoom.
        var zoom: Int
        /// Rectangles of tiles; two across the antimeridian.
        var limits: [PlanReport.Limits]
        /// How many tiles there are.
        var tiles: Int
        /// Their bytes, as clients get them.
        var bytes: Int
    }

    /// Tiles that hold the same as others.
    struct Duplicates: Encodable {
        /// How many hold what another holds too.
        var tiles: Int
        /// How many different contents all tiles have.
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
    /// What the index of the building says of the floor.
    var label: String?
    var ordinal: Int?
    var `default`: Bool?
    var name: String?
    var description: String?
    var attribution: String?
    /// What the tiles are: `png`, `jpeg`, `webp`, `avif`, `gif`, `mvt`, `unknown`.
    var formats: [String]
    /// `gzip` and the like, on top of the file type.
    var compression: String?
    /// Pixels along a tile's edge.
    var tileSize: Int?
    var vectorLayers: [String]?
    /// How tiles of a folder are named.
    var template: String?
    var baseURL: String?
    /// `xyz` or `tms`.
    var scheme: String
    /// Whether nothing says it.
    var schemeAssumed: Bool
    var minzoom: Int
    var maxzoom: Int
    var zooms: [Zoom]
    /// West, south, east, north in degrees.
    var bounds: [Double]
    /// Whether the tileset says the bounds; else they are the finest tiles'.
    var boundsStated: Bool
    var tiles: Int
    var bytes: Int
    var duplicates: Duplicates
    /// Tiles that the folder's list names, and that are missing or of another length.
    var missing: Int
    var generator: String?
    var generatorOptions: String?
    var images: [String]?
    var job: String?
    /// In the tileset's own words.
    var made: String?
    /// When its file or its documents changed: `2026-11-23T17:05:11Z`.
    var changed: String?
    /// What is not an error, and what the user should know; each kind has a name.
    var warnings: [Warning]?

    init(_ tileset: TilesetDescription, indexed: TilesetInventory.Floor?) {
        let (box, copies) = (tileset.bounds, tileset.duplicates)
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
            Zoom(
                zoom: $0.zoom, limits: $0.limits.map(PlanReport.Limits.init), tiles: $0.tiles, bytes: $0.bytes
            )
        }
        minzoom = zooms.map(\.zoom).reduce(30, min)
        maxzoom = zooms.map(\.zoom).reduce(0, max)
        (bounds, boundsStated) = ([box.minX, box.minY, box.maxX, box.maxY], tileset.areBoundsStated)
        (tiles, bytes, missing) = (tileset.tileCount, tileset.bytes, tileset.missingTiles)
        duplicates = Duplicates(
            tiles: copies.tiles, contents: copies.contents, bytes: tileset.bytes - copies.contentBytes,
            storedOnce: copies.isStoredOnce)
        (generator, generatorOptions) = (tileset.generator, tileset.generatorOptions)
        images = tileset.images.isEmpty ? nil : tileset.images
        (job, made) = (tileset.job, tileset.made)
        changed = tileset.changed.map(Self.time)
        warnings = tileset.warnings.isEmpty ? nil : tileset.warnings
    }

    /// A time in the form of ISO 8601.
    private static func time(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}

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
