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
        zooms = tileset.zooms.map(Zoom.init)
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

extension TilesetReport.Zoom {
    fileprivate init(_ level: TilesetDescription.Zoom) {
        let limits = level.limits.map { limits in
            PlanReport.Limits(
                columns: [limits.columns.lowerBound, limits.columns.upperBound],
                rows: [limits.rows.lowerBound, limits.rows.upperBound])
        }
        self.init(zoom: level.zoom, limits: limits, tiles: level.tiles, bytes: level.bytes)
    }
}
