package import Platform
package import Tilesets
package import Tiling

/// `building.json`: the data about a building and its floors' tiles that an app needs.
///
/// Version 1. All addresses are relative to the document, unless the address of the tiles is known. The same
/// version may get further members; a reader ignores those that it does not know.
package struct BuildingIndex: Hashable, Sendable {
    /// The document's name.
    package static let fileName = IndexFile.buildingName
    /// The version of its members.
    static let version = 1

    /// A name for people.
    package var name: String
    /// The name of the manifest; nil if an app described the building.
    package var manifest: String?
    /// The floors from the lowest.
    package var floors: [Floor]

    /// Makes an index. The floor that is shown first is the first one marked as default, otherwise the one
    /// nearest to the ground, preferring floors above it.
    package init(name: String, manifest: String?, floors: [Floor]) {
        (self.name, self.manifest) = (name, manifest)
        self.floors = floors.sorted { ($0.ordinal, $0.floor) < ($1.ordinal, $1.floor) }
        let first =
            self.floors.firstIndex(where: \.isDefault)
            ?? self.floors.indices.min { Self.distance(self.floors[$0]) < Self.distance(self.floors[$1]) }
        for index in self.floors.indices { self.floors[index].isDefault = index == first }
    }

    /// The distance of a floor from the ground, half a floor more if it is below.
    private static func distance(_ floor: Floor) -> Double {
        floor.ordinal < 0 ? 0.5 - Double(floor.ordinal) : Double(floor.ordinal)
    }

    /// The box of all floors in degrees; nil if there are none.
    package var bounds: BoundingBox? { floors.map(\.bounds).whole }

    /// The document.
    package var bytes: [UInt8] {
        JSONValue.index(name, manifest: manifest, bounds: bounds, "floors", floors.map(\.value))
    }
}

extension BuildingIndex {
    /// A floor, and the data about its tiles that a client needs.
    package struct Floor: Hashable, Sendable {
        /// The floor's name, as in the addresses of its tiles.
        package var floor: String
        /// The name for people.
        package var label: String
        /// The text of its button in a floor switch.
        package var shortName: String
        /// Its position in the order of floors: 0 for the ground floor.
        package var ordinal: Int
        /// Whether it is shown first; true for one floor of a building.
        package var isDefault: Bool
        /// The archive of its tiles, next to the index; nil if they are in the folder itself.
        package var archive: ContainedPath?
        /// The name of its TileJSON; nil for an archive.
        package var tileJSON: String?
        /// The address of its tiles; nil for an archive.
        package var tiles: String?
        /// The bounds in degrees; the east is beyond 180 across the antimeridian.
        package var bounds: BoundingBox
        /// The lowest and the highest zoom with a tile.
        package var zooms: ClosedRange<Int>
        /// The tiles that exist, per zoom from the lowest; rows count from the north.
        package var limits: [TileRange]
        /// Pixels along a tile's edge.
        package var tileSize: Int
        /// How rows count in the addresses of tiles.
        package var scheme: String
        /// The file type of the tiles: the extension of their names.
        package var format: String
        /// The credit to show; may be empty.
        package var attribution: String
        /// The number of tiles.
        package var tileCount: Int
        /// A hash of all tiles: a client's cached tiles are valid as long as it is the same.
        package var digest: String
    }
}

extension BuildingIndex.Floor {
    /// The path of its archive; nil if its tiles are in the folder itself.
    ///
    /// - Parameter folder: that of the index.
    /// - Throws: `.missingInput` if the path is that of a link, or of anything else but a file.
    package func archive(in folder: String) throws -> String? {
        guard let archive else { return nil }
        let path = folder.path(of: archive)
        let found = try Failure.ofInput {
            try archive.components.last.flatMap {
                try Directory.open(folder)?.parent(of: archive)?.status(of: $0)
            }
        }
        if let found, found.kind != .file {
            throw Failure(.missingInput, cannot: "read '\(path)'", SystemError.notRegular.text)
        }
        return path
    }

    /// Describes a floor that was built; it has at least one tile.
    ///
    /// - Parameter archive: the archive's path from the index; nil for a folder.
    package init?(
        _ metadata: TilesetMetadata, archive: ContainedPath?, label: String, shortName: String, ordinal: Int,
        isDefault: Bool
    ) {
        guard let floor = metadata.floor, let contents = metadata.contents,
            let zooms = metadata.limits.zooms
        else { return nil }
        self.init(
            floor: floor, label: label, shortName: shortName, ordinal: ordinal, isDefault: isDefault,
            archive: archive, tileJSON: archive == nil ? SideFile.name("tilejson", floor: floor) : nil,
            tiles: archive == nil ? metadata.address : nil,
            bounds: metadata.bounds, zooms: zooms, limits: metadata.limits, tileSize: metadata.tileSize,
            scheme: metadata.scheme.rawValue, format: metadata.format.fileExtension,
            attribution: metadata.attribution, tileCount: contents.tileCount, digest: contents.digest)
    }

    /// The floor as a member of the document.
    var value: JSONValue {
        .record([
            "floor": .string(floor), "label": .string(label), "shortName": .string(shortName),
            "ordinal": .integer(ordinal), "default": isDefault ? .boolean(true) : nil,
            "tilejson": tileJSON.map { .string(TilesetMetadata.escaped($0)) },
            "tiles": tiles.map(JSONValue.string), "scheme": tiles.map { _ in .string(scheme) },
            "archive": archive.map { .string(TilesetMetadata.escaped($0.text)) },
            "bounds": bounds.indexValue, "minzoom": .integer(zooms.lowerBound),
            "maxzoom": .integer(zooms.upperBound),
            "limits": .array(limits.map { .array($0.numbers.map(JSONValue.integer)) }),
            "tileSize": .integer(tileSize), "format": .string(format),
            "attribution": attribution.isEmpty ? nil : .string(attribution),
            "tileCount": .integer(tileCount), "digest": .string(digest),
        ])
    }
}

extension BuildingIndex {
    /// Reads the document of a folder; nil if it does not exist, or was not written by this program in this
    /// version.
    ///
    /// - Throws: a `Failure` if it cannot be read, or names files outside the folder.
    package init?(in folder: String) throws {
        let path = folder.path(of: Self.fileName)
        guard let bytes = try IndexFile.read(path) else { return nil }
        try self.init(parsing: bytes, path: path)
    }

    /// Reads a document that this program wrote; nil if it is not one of this version.
    ///
    /// - Parameter path: the document's name for messages.
    /// - Throws: `.badInput` if it names files outside its folder.
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
        try Self.checkAreDifferent(floors.compactMap(\.archive?.text), in: path)
        self.init(name: name, manifest: members["manifest"]?.string, floors: floors)
    }

    /// Refuses a floor, an archive or a building that an index names twice. Otherwise a few bytes could cause
    /// a large tileset to be read again and again.
    ///
    /// - Throws: `.badInput`.
    static func checkAreDifferent(_ names: [String], in path: String) throws(Failure) {
        var known: Set<String> = []
        guard let name = names.first(where: { !known.insert($0).inserted }) else { return }
        throw Failure(
            .badInput, cannot: "use '\(path)'", "it names '\(name.excerpt(60))' twice",
            remedy: "tilewright did not write this: make the file again, or remove it")
    }

    /// The members of an index of this version, of a building or of a campus; nil for anything else.
    static func members(of bytes: [UInt8]) -> [String: ParsedJSON]? {
        membersOfOurs(bytes).flatMap { $0["version"]?.integer == version ? $0 : nil }
    }

    private static func membersOfOurs(_ bytes: [UInt8]) -> [String: ParsedJSON]? {
        guard case .object(let members)? = ParsedJSON(parsing: bytes),
            members["generator"]?.string == TilesetMetadata.generator
        else { return nil }
        return members
    }

    /// Whether bytes are an index of this program, of any version.
    package static func isOurs(_ bytes: [UInt8]) -> Bool {
        // Compares only the end as this program writes it.
        let end = #""generator": "\#(TilesetMetadata.generator)""# + "\n}\n"
        if bytes.suffix(end.utf8.count).elementsEqual(end.utf8) { return true }
        return membersOfOurs(bytes) != nil
    }
}

extension BuildingIndex.Floor {
    /// - Parameter document: the index.
    fileprivate init?(_ entry: ParsedJSON, in document: String) throws(Failure) {
        guard case .object(let members) = entry, let floor = members["floor"]?.string,
            let label = members["label"]?.string, let shortName = members["shortName"]?.string,
            let ordinal = members["ordinal"]?.integer, let bounds = members["bounds"].flatMap(Self.bounds),
            let lowest = members["minzoom"]?.integer, let highest = members["maxzoom"]?.integer,
            0...30 ~= lowest, lowest...30 ~= highest,
            let limits = members["limits"]?.list?.compactMap(TileRange.init),
            let tileSize = members["tileSize"]?.integer, let format = members["format"]?.string,
            let tileCount = members["tileCount"]?.integer, let digest = members["digest"]?.string
        else { return nil }
        let archive = try Self.path(members["archive"], in: document)
        let isArchive = archive != nil
        let tileJSON = try isArchive ? nil : Self.path(members["tilejson"], in: document)
        let tiles = isArchive ? nil : members["tiles"]?.string
        // Archives are next to their index.
        guard archive?.isName ?? (tileJSON != nil && tiles != nil) else { return nil }
        guard TileNames.isFloor(floor) else {
            throw Failure(
                .badInput, cannot: "use '\(document)'",
                "'\(floor.excerpt(60))' cannot be the name of a floor")
        }
        self.init(
            floor: floor, label: label, shortName: shortName, ordinal: ordinal,
            isDefault: members["default"] == .bool(true), archive: archive, tileJSON: tileJSON?.text,
            tiles: tiles, bounds: bounds, zooms: lowest...highest, limits: limits, tileSize: tileSize,
            scheme: members["scheme"]?.string ?? TileScheme.xyz.rawValue, format: format,
            attribution: members["attribution"]?.string ?? "", tileCount: tileCount, digest: digest)
    }

    private static func path(
        _ address: ParsedJSON?, in document: String
    ) throws(Failure) -> ContainedPath? {
        guard let address = address?.string else { return nil }
        return try ContainedPath(TilesetMetadata.unescaped(address), readFrom: document)
    }

    /// West, south, east, north; across the antimeridian the east is beyond 180.
    private static func bounds(_ entry: ParsedJSON) -> BoundingBox? {
        guard let edges = entry.list?.compactMap(\.number), edges.count == 4, edges[0] <= edges[2],
            edges[1] <= edges[3], edges.allSatisfy((-540...540).contains)
        else { return nil }
        return BoundingBox(minX: edges[0], minY: edges[1], maxX: edges[2], maxY: edges[3])
    }
}

extension TileRange {
    fileprivate init?(_ entry: ParsedJSON) {
        self.init(numbers: entry.list?.compactMap(\.integer) ?? [])
    }
}
