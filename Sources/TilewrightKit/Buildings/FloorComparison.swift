import Platform
import Tilesets
import Tiling

/// The floors of a building, compared with each other: what is right with each alone can be wrong together.
struct FloorComparison {
    private let floors: [BuiltFloor]

    init(_ floors: [BuiltFloor]) { self.floors = floors }

    /// What floors should have in common and have not.
    var faults: [TilesetFault] { ordinals + zooms + tileSizes + distances }

    /// Clients sort floors by their ordinals.
    private var ordinals: [TilesetFault] {
        floors.enumerated().compactMap { index, floor in
            let ordinal = floor.floor.request.ordinal
            guard let other = floors[..<index].first(where: { $0.floor.request.ordinal == ordinal }) else {
                return nil
            }
            return floor.fault("has the ordinal \(ordinal), as \(other.floor.name) has")
        }
    }

    /// Floors that ask for the same range have the same zooms, unless one was built by another manifest or at
    /// another time.
    private var zooms: [TilesetFault] {
        floors.enumerated().compactMap { index, floor in
            let asked = floor.floor.request.build.pyramid.zoom
            guard let own = floor.zooms,
                let other = floors[..<index].first(where: {
                    $0.floor.request.build.pyramid.zoom == asked && $0.zooms != nil && $0.zooms != own
                }), let others = other.zooms
            else { return nil }
            return floor.fault(
                "has the zooms \(own.lowerBound)-\(own.upperBound), and \(other.floor.name) has "
                    + "\(others.lowerBound)-\(others.upperBound): build all floors again")
        }
    }

    private var tileSizes: [TilesetFault] {
        floors.compactMap { floor in
            let asked = floor.floor.request.build.pyramid.tileSize.rawValue
            guard floor.metadata.tileSize != asked else { return nil }
            return floor.fault(
                "has tiles of \(floor.metadata.tileSize) pixels, and the manifest says \(asked): "
                    + "build it again")
        }
    }

    /// Floors lie over each other, or side by side. A floor whose box, with as much again on each side, meets
    /// none of the others is where nobody looks for it.
    private var distances: [TilesetFault] {
        guard floors.count > 1 else { return [] }
        let boxes = floors.map(\.metadata.bounds)
        let far = floors.indices.filter { index in
            boxes.indices.allSatisfy { $0 == index || boxes[index].grown.gap(to: boxes[$0]) > 0 }
        }
        // Of two floors that are far from each other, nobody knows which is wrong.
        return (far.count == floors.count ? far.dropFirst() : far[...]).map { index in
            let metres =
                boxes.indices.filter { $0 != index }.map { boxes[index].gap(to: boxes[$0]) }.min() ?? 0
            return floors[index].fault(
                "lies \(Self.text(metres)) from the other floors: see that its position is right")
        }
    }

    private static func text(_ metres: Double) -> String {
        metres < 1000 ? "\(Int(metres)) m" : "\((metres / 1000).text(decimals: 1)) km"
    }
}

extension BuiltFloor {
    /// Something that is wrong with the floor.
    func fault(_ problem: String) -> TilesetFault { TilesetFault("\(floor.name)", problem) }
}

extension BoundingBox {
    /// The box with its own width and height on each side.
    fileprivate var grown: BoundingBox {
        BoundingBox(minX: minX - width, minY: minY - height, maxX: maxX + width, maxY: maxY + height)
    }

    /// The distance in metres between two boxes in degrees, the shorter way around the Earth; 0 if they meet.
    ///
    /// Near enough to say how far something is off: a degree is as long as on a sphere.
    fileprivate func gap(to other: BoundingBox) -> Double {
        let turns = ((center.x - other.center.x) / 360).rounded() * 360
        let across = max(other.minX + turns - maxX, minX - other.maxX - turns, 0)
        let up = max(other.minY - maxY, minY - other.maxY, 0)
        let degree = WebMercator.radius * .pi / 180
        let parallel = degree * cos((center.y + other.center.y) / 2 * .pi / 180)
        return ((across * parallel) * (across * parallel) + (up * degree) * (up * degree)).squareRoot()
    }
}
