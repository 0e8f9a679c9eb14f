import Platform
import Publishing
import Tilesets

/// The index of a building, compared with its manifest and its tilesets.
struct IndexCheck {
    private let building: BuildingRequest
    private let built: [BuiltFloor]
    private let index: BuildingIndex?
    /// Whether a file is there, whatever it is.
    private let isThere: Bool
    /// Why it is not even read: it names what is not in its folder.
    private let refusal: String?

    /// Reads the index.
    ///
    /// - Parameter built: the floors with tilesets.
    /// - Throws: a `Failure` if it is there and cannot be read.
    init(_ building: BuildingRequest, _ built: [BuiltFloor]) throws {
        (self.building, self.built) = (building, built)
        let bytes = try IndexFile.read(building.indexPath)
        isThere = bytes != nil
        do throws(Failure) {
            index = try bytes.flatMap { bytes throws(Failure) in
                try BuildingIndex(parsing: bytes, path: building.indexPath)
            }
            refusal = nil
        } catch { (index, refusal) = (nil, error.message) }
    }

    /// What the index does not say as it is.
    var faults: [TilesetFault] {
        if built.isEmpty { return [] }
        guard let index else {
            return [
                fault(
                    refusal
                        ?? (isThere
                            ? "is damaged, or somebody else's: build with --force"
                            : "is missing: run the build again"))
            ]
        }
        let entries = Dictionary(index.floors.map { ($0.floor, $0) }, uniquingKeysWith: { first, _ in first })
        let names = Set(building.floors.map(\.floor))
        let strays = index.floors.filter { !names.contains($0.floor) }.map {
            fault("names a floor '\($0.floor)', which the manifest does not name")
        }
        return strays
            + built.compactMap { floor in
                guard let entry = entries[floor.floor.name.floor] else {
                    return fault("does not name \(floor.floor.name): run the build again")
                }
                return entry.describes(floor)
                    ? nil
                    : fault("what it says of \(floor.floor.name) is not what is there: run the build again")
            }
    }

    private func fault(_ problem: String) -> TilesetFault { TilesetFault(building.indexPath, problem) }
}

extension BuildingIndex.Floor {
    /// Whether a floor is what clients are told of it. Bounds may be rounded once more.
    fileprivate func describes(_ built: BuiltFloor) -> Bool {
        let (request, metadata) = (built.floor.request, built.metadata)
        return label == request.effectiveLabel && shortName == request.effectiveShortName
            && ordinal == request.ordinal && zooms == built.zooms && tileSize == metadata.tileSize
            && limits == metadata.limits && digest == metadata.contents?.digest
            && tileCount == metadata.contents?.tileCount
    }
}

extension CampusRequest {
    /// What is wrong with the index of the buildings.
    func indexFaults() throws -> [TilesetFault] {
        let expected = index(
            of: try buildings.map { try BuildingIndex(in: $0.folder) })
        let bytes = try IndexFile.read(indexPath)
        if expected.buildings.isEmpty || bytes == expected.bytes { return [] }
        return [
            TilesetFault(indexPath, "is missing, or not what the buildings say: run the build again")
        ]
    }
}
