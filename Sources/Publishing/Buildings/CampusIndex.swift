internal import Tilesets
package import Tiling

/// `campus.json`: the buildings of a campus, each with an index of its own. Version 1, as `BuildingIndex`.
package struct CampusIndex: Hashable, Sendable {
    /// The document's name.
    package static let fileName = IndexFile.campusName

    /// A building, as far as a client needs to know it to choose one.
    package struct Building: Hashable, Sendable {
        /// A name for people.
        package var name: String
        /// The path of its index from this document.
        package var path: String
        /// Degrees; the east is beyond 180 across the antimeridian.
        package var bounds: BoundingBox
        /// The names of its floors, from the lowest.
        package var floors: [String]

        /// Describes a building; nil if it has no floor.
        package init?(_ index: BuildingIndex, path: String) {
            guard let bounds = IndexExtent(index.floors.map(\.bounds)).box else { return nil }
            self.bounds = bounds
            (name, self.path, floors) = (index.name, path, index.floors.map(\.floor))
        }

        fileprivate var value: JSONValue {
            .object([
                .init("name", .string(name)), .init("index", .string(TilesetMetadata.escaped(path))),
                .init("bounds", IndexExtent.value(bounds)),
                .init("floors", .array(floors.map(JSONValue.string))),
            ])
        }
    }

    /// A name for people.
    package var name: String
    /// The buildings, as they were asked for.
    package var buildings: [Building]

    /// Makes an index.
    package init(name: String, buildings: [Building]) {
        (self.name, self.buildings) = (name, buildings)
    }

    /// The document.
    package var bytes: [UInt8] {
        let head: [JSONValue.Member] = [
            .init("version", .integer(BuildingIndex.version)), .init("name", .string(name)),
        ]
        return JSONValue.file(
            head + IndexExtent(buildings.map(\.bounds)).members + [
                .init("buildings", .array(buildings.map(\.value))),
                .init("generator", .string(TilesetMetadata.generator)),
            ])
    }
}
