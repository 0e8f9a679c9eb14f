internal import Tilesets

extension CampusIndex {
    /// What a document of this program says of the buildings: the name of all of them, and the paths of their
    /// indexes from the document. Nil if it is not one of this version.
    package static func summary(of bytes: [UInt8]) -> (name: String, indexes: [String])? {
        guard let members = BuildingIndex.members(of: bytes), let name = members["name"]?.string,
            let entries = members["buildings"]?.list
        else { return nil }
        let paths = entries.compactMap { entry -> String? in
            guard case .object(let members) = entry else { return nil }
            return members["index"]?.string.map { TilesetMetadata.unescaped($0) }
        }
        return paths.count == entries.count ? (name, paths) : nil
    }
}
