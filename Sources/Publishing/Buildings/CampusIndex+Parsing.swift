package import Platform
internal import Tilesets

extension CampusIndex {
    /// What the document of a folder says of the buildings: the name of all of them, and the paths of their indexes.
    /// Nil if there is none that this program wrote in this version.
    ///
    /// - Throws: a `Failure` if it cannot be read, or names what is not below the folder.
    package static func summary(in folder: String) throws -> (name: String, indexes: [ContainedPath])? {
        let path = folder.path(of: fileName)
        return try IndexFile.read(path).flatMap { try summary(of: $0, path: path) }
    }

    /// The same of the bytes of a document.
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
