package import Platform
internal import Tilesets
internal import Tiling

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension BuildingIndex {
    /// Reads the document of a folder; nil if there is none that this program wrote in this version.
    ///
    /// - Throws: a `Failure` if it cannot be read, or names what is not in the folder.
    package init?(in folder: String) throws {
        let path = folder.path(of: Self.fileName)
        guard let bytes = try IndexFile.read(path) else { return nil }
        try self.init(parsing: bytes, path: path)
    }

    /// Reads a document that this program wrote; nil if it is not one of this version.
    ///
    /// - Parameter path: the document's name for messages.
    /// - Throws: `.badInput` if it names what is not in its folder.
    package init?(parsing bytes: [UInt8], path: String) throws(Failure) {
        guard let members = Self.members(of: bytes), let name = members["name"]?.string,
            let entries = members["floors"]?.list
        else { return nil }
        var floors: [Floor] = []
        for entry in entries {
            guard let floor = try Floor(entry, in: path) else { return nil }
            floors.append(floor)
        }
        try Self.checkAreDifferent(floors.map(\.floor), in: path)
        try Self.checkAreDifferent(floors.compactMap(\.place.archive?.text), in: path)
        self.init(name: name, manifest: members["manifest"]?.string, floors: floors)
    }

    /// Refuses a floor, an archive or a building that an index names twice: some bytes would have a large tileset read
    /// again and again.
    ///
    /// - Throws: `.badInput`.
    static func checkAreDifferent(_ names: [String], in path: String) throws(Failure) {
        var known: Set<String> = []
        guard let name = names.first(where: { !known.insert($0).inserted }) else { return }
        throw Failure(
            .badInput, cannot: "use '\(path)'", "it names '\(name.excerpt(60))' twice",
            remedy: "it was not made so by this program: make it again, or remove it")
    }

    /// The members of an index that this program wrote, of a building or of a campus; nil if it is not one of
    /// this version.
    static func members(of bytes: [UInt8]) -> [String: ParsedJSON]? {
        guard let members = membersOfOurs(bytes), members["version"]?.integer == version else { return nil }
        return members
    }

    private static func membersOfOurs(_ bytes: [UInt8]) -> [String: ParsedJSON]? {
        guard case .object(let members)? = ParsedJSON(parsing: bytes),
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
    /// - Parameter document: the index.
    fileprivate init?(_ entry: ParsedJSON, in document: String) throws(Failure) {
        guard case .object(let members) = entry, let place = try Place(members, in: document),
            let floor = members["floor"]?.string, let label = members["label"]?.string,
            let shortName = members["shortName"]?.string, let ordinal = members["ordinal"]?.integer,
            let bounds = members["bounds"].flatMap(Self.bounds),
            let lowest = members["minzoom"]?.integer, let highest = members["maxzoom"]?.integer,
            0...30 ~= lowest, lowest...30 ~= highest,
            let limits = members["limits"]?.list?.compactMap(Self.limits),
            let tileSize = members["tileSize"]?.integer, let format = members["format"]?.string,
            let tileCount = members["tileCount"]?.integer, let digest = members["digest"]?.string
        else { return nil }
        guard TileNames.isFloor(floor) else {
            throw Failure(
                .badInput, cannot: "use '\(document)'",
                "it names a floor '\(floor.excerpt(60))', which no floor can be called")
        }
        self.init(
            floor: floor, label: label, shortName: shortName, ordinal: ordinal,
            isDefault: members["default"] == .bool(true), place: place,
            bounds: bounds,
            zooms: lowest...highest, limits: limits, tileSize: tileSize,
            scheme: members["scheme"]?.string ?? TileScheme.xyz.rawValue, format: format,
            attribution: members["attribution"]?.string ?? "", tileCount: tileCount, digest: digest)
    }

    /// West, south, east, north; across the antimeridian the east is beyond 180.
    private static func bounds(_ entry: ParsedJSON) -> BoundingBox? {
        guard let edges = entry.list?.compactMap(\.number), edges.count == 4, edges[0] <= edges[2],
            edges[1] <= edges[3], edges.allSatisfy((-540...540).contains)
        else { return nil }
        return BoundingBox(minX: edges[0], minY: edges[1], maxX: edges[2], maxY: edges[3])
    }

    private static func limits(_ entry: ParsedJSON) -> TileRange? {
        guard let numbers = entry.list?.compactMap(\.integer), numbers.count == 5, 0...30 ~= numbers[0],
            numbers[1] <= numbers[3], numbers[2] <= numbers[4],
            numbers.dropFirst().allSatisfy((0..<1 << numbers[0]).contains)
        else { return nil }
        return TileRange(
            zoom: numbers[0], columns: numbers[1]...numbers[3], rows: numbers[2]...numbers[4])
    }
}

extension BuildingIndex.Floor.Place {
    fileprivate init?(_ members: [String: ParsedJSON], in document: String) throws(Failure) {
        if let archive = members["archive"]?.string {
            let path = try ContainedPath(TilesetMetadata.unescaped(archive), readFrom: document)
            // Archives stand beside their index.
            guard path.isName else { return nil }
            self = .archive(path)
        } else if let tileJSON = members["tilejson"]?.string, let tiles = members["tiles"]?.string {
            self = .folder(
                tileJSON: try ContainedPath(TilesetMetadata.unescaped(tileJSON), readFrom: document).text,
                tiles: tiles)
        } else {
            return nil
        }
    }
}
