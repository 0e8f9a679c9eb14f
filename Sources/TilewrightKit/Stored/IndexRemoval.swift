import Platform
import Publishing
import Tilesets

/// The index of a building of which a tileset is removed by hand: apps are told that the floor is gone.
struct IndexRemoval {
    private let file: IndexFile
    private let rest: BuildingIndex

    /// Locks the index beside tilesets.
    ///
    /// - Parameters:
    ///   - folder: the folder of the index.
    ///   - isRemoved: whether a floor goes.
    /// - Returns: nil if there is no index of ours, or it names none of the floors.
    /// - Throws: `.busy` if a build of the building runs.
    init?(in folder: String, removing isRemoved: (BuildingIndex.Floor) -> Bool) throws {
        let path = folder.path(of: BuildingIndex.fileName)
        guard let index = try BuildingIndex(in: folder), index.floors.contains(where: isRemoved)
        else { return nil }
        file = try IndexFile(path, force: false, isOurs: BuildingIndex.isOurs)
        rest = BuildingIndex(
            name: index.name, manifest: index.manifest, floors: index.floors.filter { !isRemoved($0) })
    }

    /// Writes the index without the floors, or removes one that would name none; the last call.
    ///
    /// - Returns: whether it was removed.
    func run() throws -> Bool {
        if rest.floors.isEmpty {
            try file.remove()
            return true
        }
        _ = try file.finish(rest.bytes, isEmpty: false, fsync: false)
        return false
    }
}
