import Diagnostics
import Tilesets
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a statement of a tileset says, under the names that all documents share.
///
/// What has another type than expected counts as not said, so that a foreign tileset can be read;
/// `StatementCheck` finds it.
struct StatementMembers {
    /// All members as they were read.
    let members: [String: ParsedJSON]

    /// Reads the statement of a container.
    ///
    /// - Throws: `.badInput` where it is no object of JSON.
    init(_ statement: TilesetStatement, path: String) throws {
        switch statement {
        case .tileJSON(let bytes):
            members = try Self.parse(bytes, "the TileJSON of '\(path)'")
        case .metadataJSON(let bytes):
            members = try Self.parse(bytes, "the metadata.json of '\(path)'")
        case .rows(let rows):
            // Of two rows with one name the last counts.
            let pairs = rows.map { ($0.name, ParsedJSON.string($0.value)) }
            members = Dictionary(pairs) { _, last in last }
        case .pmtiles(let json, _, _):
            members = try Self.parse(json, "the metadata of '\(path)'")
        }
    }

    private static func parse(_ json: [UInt8], _ document: String) throws -> [String: ParsedJSON] {
        if let value = try? JSONDecoder().decode(ParsedJSON.self, from: Data(json)),
            case .object(let members) = value
        {
            return members
        }
        throw Failure(.badInput, "cannot read \(document): it is damaged, or no object of JSON")
    }

    var name: String? { members["name"]?.string }
    var description: String? { members["description"]?.string }
    var attribution: String? { members["attribution"]?.string }
    var scheme: String? { members["scheme"]?.string }
    var format: String? { members["format"]?.string }
    var floor: String? { members["floor"]?.string }
    var digest: String? { members["digest"]?.string }
    var generator: String? { members["generator"]?.string }
    var tileSize: Int? {
        members["tileSize"]?.integer.flatMap { TilesetMetadata.possibleTileSizes ~= $0 ? $0 : nil }
    }
    var tileCount: Int? { members["tileCount"]?.integer }
    var minzoom: Int? { members["minzoom"]?.integer }
    var maxzoom: Int? { members["maxzoom"]?.integer }
    var tiles: [String]? { members["tiles"]?.list?.compactMap(\.string) }
    var mediaTypes: [String]? { members["mediaTypes"]?.list?.compactMap(\.string) }
    /// West, south, east, north, in degrees.
    var bounds: [Double]? { numbers("bounds", count: 4) }
    /// Longitude, latitude, zoom.
    var center: [Double]? { numbers("center", count: 3) }

    private func numbers(_ name: String, count: Int) -> [Double]? {
        let numbers = members[name]?.list?.compactMap(\.number)
        return numbers?.count == count ? numbers : nil
    }

    /// The tiles that exist, or nil where that is not said, or makes no sense.
    var limits: [TileMatrixLimits]? {
        guard let entries = members["tileMatrixSetLimits"]?.list else { return nil }
        let limits = entries.compactMap(Self.limits)
        return limits.count == entries.count ? limits : nil
    }

    private static func limits(_ entry: ParsedJSON) -> TileMatrixLimits? {
        guard case .object(let members) = entry,
            let zoom = members["tileMatrix"]?.integer, 0...30 ~= zoom,
            let firstColumn = members["minTileCol"]?.integer, firstColumn >= 0,
            let lastColumn = members["maxTileCol"]?.integer, firstColumn <= lastColumn,
            let firstRow = members["minTileRow"]?.integer, firstRow >= 0,
            let lastRow = members["maxTileRow"]?.integer, firstRow <= lastRow,
            max(lastColumn, lastRow) < 1 << zoom
        else { return nil }
        return TileMatrixLimits(
            zoom: zoom, columns: firstColumn...lastColumn, rows: firstRow...lastRow)
    }
}

extension TilesetMetadata {
    /// Pixels along a tile's edge that make sense: all that can be decoded.
    static let possibleTileSizes = 1...4096
}
