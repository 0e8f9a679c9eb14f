internal import Tilesets

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension CampusIndex {
    /// What a document of this program says of the buildings: the name of all of them, and the paths of their
    /// indexes from the document. Nil if it is not one of this version.
    package static func summary(of bytes: [UInt8]) -> (name: String, indexes: [String])? {
        guard let json = try? JSONDecoder().decode(ParsedJSON.self, from: Data(bytes)),
            case .object(let members) = json,
            members["generator"]?.string == TilesetMetadata.generator,
            members["version"]?.integer == BuildingIndex.version, let name = members["name"]?.string,
            let entries = members["buildings"]?.list
        else { return nil }
        let paths = entries.compactMap { entry -> String? in
            guard case .object(let members) = entry else { return nil }
            return members["index"]?.string.map { TilesetMetadata.unescaped($0) }
        }
        return paths.count == entries.count ? (name, paths) : nil
    }
}
