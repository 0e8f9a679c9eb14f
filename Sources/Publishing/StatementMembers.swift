import Diagnostics
import Tiling

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a statement of a tileset says, under the names that all documents share.
struct StatementMembers: Decodable {
    var name: String?
    var description: String?
    var attribution: String?
    var scheme: String?
    var tiles: [String]?
    var bounds: [Double]?
    var format: String?
    var tileSize: Int?
    var floor: String?
    var mediaTypes: [String]?
    var tileCount: Int?
    var digest: String?
    private var tileMatrixSetLimits: [Limits]?

    /// An entry of `tileMatrixSetLimits`.
    private struct Limits: Decodable {
        var tileMatrix: String
        var minTileRow: Int
        var maxTileRow: Int
        var minTileCol: Int
        var maxTileCol: Int
    }

    /// The tiles that exist, or nil where that is not said, or makes no sense.
    var limits: [TileMatrixLimits]? {
        guard let entries = tileMatrixSetLimits else { return nil }
        let limits = entries.compactMap { entry -> TileMatrixLimits? in
            guard let zoom = Int(entry.tileMatrix), 0...30 ~= zoom,
                0 <= entry.minTileCol, entry.minTileCol <= entry.maxTileCol,
                0 <= entry.minTileRow, entry.minTileRow <= entry.maxTileRow,
                max(entry.maxTileCol, entry.maxTileRow) < 1 << zoom
            else { return nil }
            return TileMatrixLimits(
                zoom: zoom, columns: entry.minTileCol...entry.maxTileCol,
                rows: entry.minTileRow...entry.maxTileRow)
        }
        return limits.count == entries.count ? limits : nil
    }

    /// Reads a JSON object.
    ///
    /// - Parameter document: what the bytes are, for the message.
    /// - Throws: `.badInput` where they are no such object.
    init(parsing json: [UInt8], document: String) throws {
        do {
            self = try JSONDecoder().decode(StatementMembers.self, from: Data(json))
        } catch {
            throw Failure(.badInput, "cannot read \(document): it is damaged, or no object of JSON")
        }
    }

    /// Takes rows of MBTiles; of two with one name the last counts.
    init(_ rows: [MetadataRow]) {
        let values = Dictionary(rows.map { ($0.name, $0.value) }) { _, last in last }
        name = values["name"]
        description = values["description"]
        attribution = values["attribution"]
        bounds = values["bounds"]?.split { $0 == "," || $0 == " " }.compactMap { Double($0) }
        format = values["format"]
        tileSize = values["tileSize"].flatMap { Int($0) }
        floor = values["floor"]
        mediaTypes = values["mediaTypes"]?.split(separator: ",").map(String.init)
        tileCount = values["tileCount"].flatMap { Int($0) }
        digest = values["digest"]
    }
}
