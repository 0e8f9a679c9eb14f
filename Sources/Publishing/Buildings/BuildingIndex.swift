internal import Tilesets
internal import Tiling

/// `building.json`: what an app needs to know of a building and of the tiles of its floors.
///
/// Version 1. All addresses are relative to the document, unless the address of the tiles is known. Further
/// members may come in the same version; a reader passes over those that it does not know.
package struct BuildingIndex: Hashable, Sendable {
    /// The document's name.
    package static let fileName = IndexFile.buildingName
    /// The version of its members.
    static let version = 1

    /// A name for people.
    package var name: String
    /// The name of the file that said what the building is; nil if a program did.
    package var manifest: String?
    /// The floors from the lowest.
    package var floors: [Floor]

    /// Makes an index; one of the floors is shown first: the first that says so, else that nearest to the
    /// ground, and above rather than below it.
    package init(name: String, manifest: String?, floors: [Floor]) {
        (self.name, self.manifest) = (name, manifest)
        self.floors = floors.sorted { ($0.ordinal, $0.floor) < ($1.ordinal, $1.floor) }
        let first =
            self.floors.firstIndex(where: \.isDefault)
            ?? self.floors.indices.min { Self.distance(self.floors[$0]) < Self.distance(self.floors[$1]) }
        for index in self.floors.indices { self.floors[index].isDefault = index == first }
    }

    /// How far a floor is from the ground, half a floor more below it.
    private static func distance(_ floor: Floor) -> Double {
        floor.ordinal < 0 ? 0.5 - Double(floor.ordinal) : Double(floor.ordinal)
    }

    /// The document.
    package var bytes: [UInt8] {
        var members: [JSONValue.Member] = [
            .init("version", .integer(Self.version)), .init("name", .string(name)),
        ]
        if let manifest { members.append(.init("manifest", .string(manifest))) }
        members += IndexExtent(floors.map(\.bounds)).members
        return JSONValue.file(
            members + [
                .init("floors", .array(floors.map(\.value))),
                .init("generator", .string(TilesetMetadata.generator)),
            ])
    }
}
