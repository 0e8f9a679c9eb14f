import Platform
import Tilesets
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The members of a tileset's statement, by the names that all documents share.
///
/// A member of the wrong type counts as missing, so that tilesets of other programs can be read;
/// `StatementCheck` reports it.
struct StatementMembers {
    /// All members as they were read.
    let members: [String: ParsedJSON]

    /// Reads the statement of a container.
    ///
    /// - Throws: `.badInput` if it is not a JSON object.
    init(_ statement: TilesetStatement, path: String) throws {
        switch statement {
        case .tileJSON(let bytes):
            members = try Self.parse(bytes, "the TileJSON of '\(path)'")
        case .metadataJSON(let bytes):
            members = try Self.parse(bytes, "the metadata.json of '\(path)'")
        case .rows(let rows):
            // The last of two rows with one name counts.
            let pairs = rows.map { ($0.name, ParsedJSON.string($0.value)) }
            members = Dictionary(pairs) { _, last in last }
        case .pmtiles(let json, _, _):
            members = try Self.parse(json, "the metadata of '\(path)'")
        }
    }

    private static func parse(_ json: [UInt8], _ document: String) throws -> [String: ParsedJSON] {
        guard ReadingBudget.isShort(json) else {
            throw Failure(.badInput, "cannot read \(document): it has too many values")
        }
        if let value = try? JSONDecoder().decode(ParsedJSON.self, from: Data(json)),
            case .object(let members) = value
        {
            return members
        }
        throw Failure(.badInput, "cannot read \(document): it is damaged, or not a JSON object")
    }

    /// The tileset's name.
    var name: String? { members["name"]?.string }
    /// What the tileset shows.
    var description: String? { members["description"]?.string }
    /// Whom to credit.
    var attribution: String? { members["attribution"]?.string }
    /// `xyz` or `tms`, if it is valid.
    var scheme: String? { members["scheme"]?.string }
    /// The tiles' file type.
    var format: String? { members["format"]?.string }
    /// The floor that the tileset shows.
    var floor: String? { members["floor"]?.string }
    /// The digest of all tiles.
    var digest: String? { members["digest"]?.string }
    /// The program that made the tileset.
    var generator: String? { members["generator"]?.string }
    /// Pixels along a tile's edge.
    var tileSize: Int? {
        members["tileSize"]?.integer.flatMap { TilesetMetadata.possibleTileSizes ~= $0 ? $0 : nil }
    }
    /// The number of tiles.
    var tileCount: Int? { members["tileCount"]?.integer }
    /// The lowest zoom.
    var minzoom: Int? { members["minzoom"]?.integer }
    /// The highest zoom.
    var maxzoom: Int? { members["maxzoom"]?.integer }
    /// The addresses of the tiles.
    var tiles: [String]? { members["tiles"]?.list?.compactMap(\.string) }
    /// The media types of the tiles, if they share an extension.
    var mediaTypes: [String]? { members["mediaTypes"]?.list?.compactMap(\.string) }
    /// West, south, east, north, in degrees.
    var bounds: [Double]? { numbers("bounds", count: 4) }
    /// Longitude, latitude, zoom.
    var center: [Double]? { numbers("center", count: 3) }

    private func numbers(_ name: String, count: Int) -> [Double]? {
        let numbers = members[name]?.list?.compactMap(\.number)
        return numbers?.count == count ? numbers : nil
    }

    /// The tiles that exist; nil if that is not said, or cannot be read, or are more rectangles than two for each zoom:
    /// tiles are looked up in all of them.
    var limits: [TileRange]? {
        guard let entries = members["tileMatrixSetLimits"]?.list, entries.count <= 2 * 31 else { return nil }
        let limits = entries.compactMap(Self.limits)
        return limits.count == entries.count ? limits : nil
    }

    private static func limits(_ entry: ParsedJSON) -> TileRange? {
        guard case .object(let members) = entry,
            let zoom = members["tileMatrix"]?.integer, 0...30 ~= zoom,
            let firstColumn = members["minTileCol"]?.integer, firstColumn >= 0,
            let lastColumn = members["maxTileCol"]?.integer, firstColumn <= lastColumn,
            let firstRow = members["minTileRow"]?.integer, firstRow >= 0,
            let lastRow = members["maxTileRow"]?.integer, firstRow <= lastRow,
            max(lastColumn, lastRow) < 1 << zoom
        else { return nil }
        return TileRange(
            zoom: zoom, columns: firstColumn...lastColumn, rows: firstRow...lastRow)
    }
}

extension TilesetMetadata {
    /// The sizes that tiles can have, in pixels along an edge: all that can be decoded, but for those so small that
    /// a view would be made of more tiles than it has pixels.
    package static let possibleTileSizes = 16...4096
}
