package import Platform
import Tilesets
package import Tiling

/// `campus.json`: the buildings of a campus, each with its own index. Version 1, as `BuildingIndex`.
package struct CampusIndex: Hashable, Sendable {
    /// The document's name.
    package static let fileName = IndexFile.campusName

    /// The data about a building that a client needs to offer it.
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
            guard let bounds = index.floors.map(\.bounds).whole else { return nil }
            self.bounds = bounds
            (name, self.path, floors) = (index.name, path, index.floors.map(\.floor))
        }

        fileprivate var value: JSONValue {
            JSONValue.record([
                "name": .string(name), "index": .string(TilesetMetadata.escaped(path)),
                "bounds": bounds.indexValue, "floors": .array(floors.map(JSONValue.string)),
            ])
        }
    }

    /// A name for people.
    package var name: String
    /// The buildings in the order of the request.
    package var buildings: [Building]

    /// Makes an index.
    package init(name: String, buildings: [Building]) {
        (self.name, self.buildings) = (name, buildings)
    }

    /// The document.
    package var bytes: [UInt8] {
        let head = JSONValue.members([
            "version": .integer(BuildingIndex.version), "name": .string(name),
        ])
        let tail = JSONValue.members([
            "buildings": .array(buildings.map(\.value)), "generator": .string(TilesetMetadata.generator),
        ])
        return JSONValue.file(head + buildings.map(\.bounds).indexMembers + tail)
    }
}

extension CampusIndex {
    /// Reads the document of a folder: the name of the campus, and the paths of the buildings' indexes. Nil
    /// if there is none that this program wrote in this version.
    ///
    /// - Throws: a `Failure` if it cannot be read, or names files outside the folder.
    package static func summary(in folder: String) throws -> (name: String, indexes: [ContainedPath])? {
        let path = folder.path(of: fileName)
        return try IndexFile.read(path).flatMap { try summary(of: $0, path: path) }
    }

    /// Reads a document likewise.
    ///
    /// - Parameter path: the document's name for messages.
    package static func summary(
        of bytes: [UInt8], path: String
    ) throws(Failure) -> (name: String, indexes: [ContainedPath])? {
        guard let members = BuildingIndex.members(of: bytes), let name = members["name"]?.string,
            let entries = members["buildings"]?.list
        else { return nil }
        var indexes: [ContainedPath] = []
        for entry in entries {
            guard case .object(let members) = entry, let index = members["index"]?.string else { return nil }
            indexes.append(try ContainedPath(TilesetMetadata.unescaped(index), readFrom: path))
        }
        try BuildingIndex.checkAreDifferent(indexes.map(\.text), in: path)
        return (name, indexes)
    }
}

extension [BoundingBox] {
    /// The box around boxes in degrees, whose east is beyond 180 across the antimeridian; nil without boxes.
    var whole: BoundingBox? { dropFirst().reduce(first) { $0?.union($1) } }

    /// The bounds of a building or a campus, and the camera that shows all of it; empty without boxes.
    var indexMembers: [JSONValue.Member] {
        guard let whole else { return [] }
        return [.init("bounds", whole.indexValue), .init("camera", whole.indexCamera)]
    }
}

extension BoundingBox {
    /// West, south, east, north.
    var indexValue: JSONValue {
        let edges = [
            PublishedDegrees(roundingDown: minX), PublishedDegrees(roundingDown: minY),
            PublishedDegrees(roundingUp: maxX), PublishedDegrees(roundingUp: maxY),
        ]
        return .array(edges.map(JSONValue.degrees))
    }

    /// The camera that shows all of it on a phone held upright, from straight above.
    fileprivate var indexCamera: JSONValue {
        let camera = CameraView.overview(of: self).camera
        let target = [camera.target.x, camera.target.y].map {
            JSONValue.degrees(PublishedDegrees(roundingDown: $0))
        }
        return .object([.init("target", .array(target)), .init("zoom", .number(camera.zoom))])
    }
}
