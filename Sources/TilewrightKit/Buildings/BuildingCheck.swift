import Platform
import Publishing
import Tilesets
import Tiling

/// The finished tilesets of all floors that a manifest asks for, compared with what they claim, with the
/// index, and with each other.
public struct BuildingCheck: Sendable {
    /// A folder of tiles or an archive, or the reason why it cannot be checked.
    private struct Part: Sendable {
        let path: String
        let check: Result<TilesetCheck, Failure>

        /// Whether the tileset does not exist.
        var isMissing: Bool { check.failure?.kind == .missingInput }
    }

    private let manifest: Manifest
    /// The only floor that is checked; nil for all.
    private let floor: Manifest.Floor?
    private let parts: [Part]
    private let maxTiles: Int

    /// Opens the tilesets, damaged or not.
    ///
    /// - Parameters:
    ///   - manifest: the manifest that built them.
    ///   - name: the floor to check, as `Manifest.floor(_:)` takes it; nil for all of them.
    ///   - maxTiles: the maximum number of tiles that a tileset may have.
    /// - Throws: a `Failure`: `missingInput` if nothing is built, `usage` if there is no such floor or a
    ///   tileset has too many tiles, `busy` if another run writes one of them.
    public init(
        _ manifest: Manifest, floor name: String? = nil, maxTiles: Int = BuildResources.standardMaxTiles
    ) throws {
        (self.manifest, self.maxTiles) = (manifest, maxTiles)
        floor = try name.map { try manifest.floor($0) }
        let paths = (floor.map { [$0] } ?? manifest.floors).map(\.request.build.output.path)
        let stored = floor?.request.build.output.storedFloor
        parts = try paths.uniqued.map { path in
            Part(path: path, check: try Self.open(path, floor: stored, maxTiles))
        }
        if parts.allSatisfy(\.isMissing) {
            throw Failure(
                .missingInput, cannot: "check \(floor?.name.description ?? "'\(paths[0])'")",
                floor == nil ? "nothing is built there" : "it is not built",
                remedy: "run the build, then check it")
        }
    }

    private static func open(
        _ path: String, floor: String?, _ maxTiles: Int
    ) throws -> Result<TilesetCheck, Failure> {
        do {
            return .success(try TilesetCheck(path, floor: floor, maxTiles: maxTiles))
        } catch let failure as Failure {
            if [.busy, .usage].contains(failure.kind) { throw failure }
            return .failure(failure)
        }
    }

    /// Reports all that is wrong, as `TilesetCheck.run` does.
    public func run(
        report: @escaping (TilesetCheck.Event) -> Void = { _ in }
    ) throws -> TilesetCheck.Summary {
        var sum = TilesetCheck.Summary()
        func add(_ fault: TilesetFault) {
            sum.faults += 1
            report(.fault(fault))
        }
        for part in parts {
            switch part.check {
            case .success(let check):
                let summary = try check.run { event in
                    guard parts.count > 1, case .fault(var fault) = event else { return report(event) }
                    fault.place = "\(part.path): \(fault.place)"
                    report(.fault(fault))
                }
                sum.tiles += summary.tiles
                sum.bytes += summary.bytes
                sum.faults += summary.faults
            case .failure(let failure):
                // A floor that is not built is reported below, by its name.
                if !part.isMissing { add(TilesetFault(part.path, failure.message)) }
            }
        }
        if floor == nil { try faultsBetweenFloors().forEach(add) }
        return sum
    }

    /// The faults of the indexes, and the differences between a building's tilesets.
    private func faultsBetweenFloors() throws -> [TilesetFault] {
        var faults: [TilesetFault] = []
        for building in manifest.buildings {
            let own = manifest.floors(of: building)
            let built = own.compactMap { BuiltFloor($0, maxTiles: maxTiles) }
            let known = Set(built.map(\.floor.name))
            faults += own.filter { !known.contains($0.name) }.map {
                TilesetFault("\($0.name)", "is not built: run the build again")
            }
            faults += built.faults
            faults += try building.indexFaults(built)
        }
        if case .campus(let campus) = manifest { faults += try campus.indexFaults() }
        return faults
    }
}

/// A floor with the metadata of its finished tileset.
struct BuiltFloor {
    let floor: Manifest.Floor
    let metadata: TilesetMetadata

    /// Opens the tileset of a floor; nil if there is none that can be read.
    ///
    /// - Parameter maxTiles: the maximum number of tiles that it may have.
    init?(_ floor: Manifest.Floor, maxTiles: Int) {
        let output = floor.request.build.output
        let tileset = try? StoredTileset(
            checking: output.path, floor: output.storedFloor, maxTiles: maxTiles)
        guard let tileset else { return nil }
        (self.floor, metadata) = (floor, tileset.metadata)
    }

    /// The lowest and the highest zoom with a tile; nil if there are no tiles.
    var zooms: ClosedRange<Int>? { metadata.limits.zooms }
}

extension BuildingRequest {
    /// The faults of the index, compared with the manifest and the tilesets.
    ///
    /// - Parameter built: the floors with tilesets.
    /// - Throws: a `Failure` if the index exists but cannot be read.
    fileprivate func indexFaults(_ built: [BuiltFloor]) throws -> [TilesetFault] {
        func fault(_ problem: String) -> TilesetFault { TilesetFault(indexPath, problem) }
        let bytes = try IndexFile.read(indexPath)
        if built.isEmpty { return [] }
        guard let bytes else { return [fault("is missing: run the build again")] }
        let index: BuildingIndex?
        do throws(Failure) { index = try BuildingIndex(parsing: bytes, path: indexPath) } catch {
            // The index names a file outside its folder.
            return [fault(error.message)]
        }
        guard let index else { return [fault("is damaged, or not made by tilewright: build with --force")] }
        let names = Set(floors.map(\.floor))
        let strays = index.floors.filter { !names.contains($0.floor) }.map {
            fault("names a floor '\($0.floor)', which the manifest does not name")
        }
        return strays
            + built.compactMap { floor in
                let name = floor.floor.name
                guard let entry = index.floors.first(where: { $0.floor == name.floor }) else {
                    return fault("does not name \(name): run the build again")
                }
                return entry.describes(floor)
                    ? nil : fault("its entry for \(name) does not match the tileset: run the build again")
            }
    }
}

extension BuildingIndex.Floor {
    /// Whether this entry of the index matches a floor. Bounds do not count: an index may round them more.
    fileprivate func describes(_ built: BuiltFloor) -> Bool {
        let (request, metadata) = (built.floor.request, built.metadata)
        return label == request.effectiveLabel && shortName == request.effectiveShortName
            && ordinal == request.ordinal && zooms == built.zooms && tileSize == metadata.tileSize
            && limits == metadata.limits && digest == metadata.contents?.digest
            && tileCount == metadata.contents?.tileCount
    }
}

extension CampusRequest {
    /// The faults of the index of the buildings.
    fileprivate func indexFaults() throws -> [TilesetFault] {
        let expected = index(of: try buildings.map { try BuildingIndex(in: $0.folder) })
        let bytes = try IndexFile.read(indexPath)
        if expected.buildings.isEmpty || bytes == expected.bytes { return [] }
        return [TilesetFault(indexPath, "is missing, or does not match the buildings: run the build again")]
    }
}

/// The floors of a building, compared with each other: floors that are correct alone may not fit together.
extension [BuiltFloor] {
    /// Differences between floors that should agree.
    fileprivate var faults: [TilesetFault] { ordinals + zooms + tileSizes + distances }

    /// Clients sort floors by their ordinals.
    private var ordinals: [TilesetFault] {
        enumerated().compactMap { index, floor in
            let ordinal = floor.floor.request.ordinal
            guard let other = self[..<index].first(where: { $0.floor.request.ordinal == ordinal }) else {
                return nil
            }
            return floor.fault("has the ordinal \(ordinal), like \(other.floor.name)")
        }
    }

    /// Floors that ask for the same range have the same zooms, unless one was built by another manifest or at
    /// another time.
    private var zooms: [TilesetFault] {
        enumerated().compactMap { index, floor in
            let asked = floor.floor.request.build.pyramid.zoom
            guard let own = floor.zooms,
                let other = self[..<index].first(where: {
                    $0.floor.request.build.pyramid.zoom == asked && $0.zooms != nil && $0.zooms != own
                }), let others = other.zooms
            else { return nil }
            return floor.fault(
                "has the zooms \(own.lowerBound)-\(own.upperBound), but \(other.floor.name) has "
                    + "\(others.lowerBound)-\(others.upperBound): build all floors again")
        }
    }

    private var tileSizes: [TilesetFault] {
        compactMap { floor in
            let asked = floor.floor.request.build.pyramid.tileSize.rawValue
            guard floor.metadata.tileSize != asked else { return nil }
            return floor.fault(
                "has tiles of \(floor.metadata.tileSize) pixels, but the manifest says \(asked): "
                    + "build it again")
        }
    }

    /// Floors are above or next to each other. A floor is too far away if its box, with its own width and
    /// height added on each side, meets no other floor.
    private var distances: [TilesetFault] {
        guard count > 1 else { return [] }
        let boxes = map(\.metadata.bounds)
        let far = indices.filter { index in
            boxes.indices.allSatisfy { $0 == index || boxes[index].grown.gap(to: boxes[$0]) > 0 }
        }
        // If two floors are far from each other, it is not known which one is wrong.
        return (far.count == count ? far.dropFirst() : far[...]).map { index in
            let metres =
                boxes.indices.filter { $0 != index }.map { boxes[index].gap(to: boxes[$0]) }.min() ?? 0
            return self[index].fault(
                "is \(Self.text(metres)) away from the other floors: check its position")
        }
    }

    private static func text(_ metres: Double) -> String {
        metres < 1000 ? "\(Int(metres)) m" : "\((metres / 1000).text(decimals: 1)) km"
    }
}

extension BuiltFloor {
    /// A fault of the floor.
    fileprivate func fault(_ problem: String) -> TilesetFault { TilesetFault("\(floor.name)", problem) }
}

extension BoundingBox {
    /// The box with its own width and height on each side.
    fileprivate var grown: BoundingBox {
        BoundingBox(minX: minX - width, minY: minY - height, maxX: maxX + width, maxY: maxY + height)
    }

    /// The distance in metres between two boxes in degrees, the shorter way around the Earth; 0 if they meet.
    ///
    /// Approximate: a degree is as long as on a sphere.
    fileprivate func gap(to other: BoundingBox) -> Double {
        let turns = ((center.x - other.center.x) / 360).rounded() * 360
        let across = max(other.minX + turns - maxX, minX - other.maxX - turns, 0)
        let up = max(other.minY - maxY, minY - other.maxY, 0)
        let degree = WebMercator.radius * .pi / 180
        let parallel = degree * cos((center.y + other.center.y) / 2 * .pi / 180)
        return ((across * parallel) * (across * parallel) + (up * degree) * (up * degree)).squareRoot()
    }
}
