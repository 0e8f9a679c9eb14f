internal import Tilesets
internal import Tiling

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension BuildingIndex {
    /// Reads a document that this program wrote; nil if it is not one of this version.
    package init?(parsing bytes: [UInt8]) {
        guard let members = Self.members(of: bytes), let name = members["name"]?.string,
            let entries = members["floors"]?.list
        else { return nil }
        let floors = entries.compactMap(Floor.init)
        guard floors.count == entries.count else { return nil }
        self.init(name: name, manifest: members["manifest"]?.string, floors: floors)
    }

    /// The members of an index that this program wrote, of a building or of a campus; nil if it is not one of
    /// this version.
    static func members(of bytes: [UInt8]) -> [String: ParsedJSON]? {
        guard let members = membersOfOurs(bytes), members["version"]?.integer == version else { return nil }
        return members
    }

    private static func membersOfOurs(_ bytes: [UInt8]) -> [String: ParsedJSON]? {
        guard let json = try? JSONDecoder().decode(ParsedJSON.self, from: Data(bytes)),
            case .object(let members) = json,
            members["generator"]?.string == TilesetMetadata.generator
        else { return nil }
        return members
    }

    /// Whether bytes are an index of this program, of whatever version.
    package static func isOurs(_ bytes: [UInt8]) -> Bool {
        // As it is written; the rest need not be read.
        let end = #""generator": "\#(TilesetMetadata.generator)""# + "\n}\n"
        if bytes.suffix(end.utf8.count).elementsEqual(end.utf8) { return true }
        return membersOfOurs(bytes) != nil
    }
}

extension BuildingIndex.Floor {
    fileprivate init?(_ entry: ParsedJSON) {
        guard case .object(let members) = entry, let place = Place(members),
            let floor = members["floor"]?.string, let label = members["label"]?.string,
            let shortName = members["shortName"]?.string, let ordinal = members["ordinal"]?.integer,
            let edges = members["bounds"]?.list?.compactMap(\.number), edges.count == 4,
            let lowest = members["minzoom"]?.integer, let highest = members["maxzoom"]?.integer,
            lowest <= highest, let limits = members["limits"]?.list?.compactMap(Self.limits),
            let tileSize = members["tileSize"]?.integer, let format = members["format"]?.string,
            let tileCount = members["tileCount"]?.integer, let digest = members["digest"]?.string
        else { return nil }
        self.init(
            floor: floor, label: label, shortName: shortName, ordinal: ordinal,
            isDefault: members["default"] == .bool(true), place: place,
            bounds: BoundingBox(minX: edges[0], minY: edges[1], maxX: edges[2], maxY: edges[3]),
            zooms: lowest...highest, limits: limits, tileSize: tileSize,
            scheme: members["scheme"]?.string ?? TileScheme.xyz.rawValue, format: format,
            attribution: members["attribution"]?.string ?? "", tileCount: tileCount, digest: digest)
    }

    private static func limits(_ entry: ParsedJSON) -> TileMatrixLimits? {
        guard let numbers = entry.list?.compactMap(\.integer), numbers.count == 5, 0...30 ~= numbers[0],
            0 <= numbers[1], numbers[1] <= numbers[3], 0 <= numbers[2], numbers[2] <= numbers[4],
            max(numbers[3], numbers[4]) < 1 << numbers[0]
        else { return nil }
        return TileMatrixLimits(
            zoom: numbers[0], columns: numbers[1]...numbers[3], rows: numbers[2]...numbers[4])
    }
}

extension BuildingIndex.Floor.Place {
    fileprivate init?(_ members: [String: ParsedJSON]) {
        if let archive = members["archive"]?.string {
            self = .archive(TilesetMetadata.unescaped(archive))
        } else if let tileJSON = members["tilejson"]?.string, let tiles = members["tiles"]?.string {
            self = .folder(tileJSON: TilesetMetadata.unescaped(tileJSON), tiles: tiles)
        } else {
            return nil
        }
    }
}
