package import Platform
import Tilesets
import Tiling

/// `campus.json`: the buildings of a campus, each with its own index. Version 1, as `BuildingIndex`.
package struct CampusIndex: Sendable {
    /// The document's name.
    package static let fileName = IndexFile.campusName

    /// A name for people.
    let name: String
    /// The buildings that have floors, in the order of the request, and the paths of their indexes from this
    /// document.
    package let buildings: [(index: BuildingIndex, path: String)]

    /// Makes an index; leaves out buildings without floors.
    package init(name: String, buildings: [(index: BuildingIndex, path: String)]) {
        self.name = name
        self.buildings = buildings.filter { !$0.index.floors.isEmpty }
    }

    /// The document.
    package var bytes: [UInt8] {
        let entries = buildings.map { index, path in
            JSONValue.record([
                "name": .string(index.name), "index": .string(TilesetMetadata.escaped(path)),
                "bounds": index.bounds?.indexValue,
                "floors": .array(index.floors.map { .string($0.floor) }),
            ])
        }
        return JSONValue.index(name, bounds: buildings.compactMap(\.index.bounds).whole, "buildings", entries)
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
}

extension JSONValue {
    /// The index of a building or a campus.
    ///
    /// - Parameters:
    ///   - bounds: the box of all; nil if there are no entries.
    ///   - list: the name of the list of entries.
    static func index(
        _ name: String, manifest: String? = nil, bounds: BoundingBox?, _ list: String, _ entries: [JSONValue]
    ) -> [UInt8] {
        file(
            members([
                "version": .integer(BuildingIndex.version), "name": .string(name),
                "manifest": manifest.map(JSONValue.string), "bounds": bounds?.indexValue,
                "camera": bounds?.indexCamera, list: .array(entries),
                "generator": .string(TilesetMetadata.generator),
            ]))
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
        let target = [camera.target.x, camera.target.y].map(PublishedDegrees.init(roundingDown:))
        return .record(["target": .array(target.map(JSONValue.degrees)), "zoom": .number(camera.zoom)])
    }
}
