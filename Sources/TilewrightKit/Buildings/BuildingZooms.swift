import Platform
import Publishing
import Tiling

/// The zooms of the floors of a building: one range for all of them that do not ask for their own, so that
/// nothing changes its sharpness when floors are switched.
struct BuildingZooms {
    /// What each floor is to ask for.
    let requests: [ZoomRange]
    /// Floors that differ from the others.
    let warnings: [String]

    /// Finds the zooms. What a range leaves open follows from all floors that ask for it: the highest zoom from
    /// the finest of them, the lowest from the largest. A floor whose images cannot be looked at counts as the
    /// last run built it, so that the others do not change because of it.
    init(_ floors: [PlacedFloor], earlier: BuildingIndex?) {
        let asked = floors.map(\.request.build.pyramid)
        let alike = Dictionary(grouping: floors.indices) { asked[$0].zoom }
        var requests = asked.map(\.zoom)
        for (zoom, indices) in alike where zoom.minimum == nil || zoom.maximum == nil {
            let ranges = indices.compactMap { Self.zooms(of: floors[$0], earlier: earlier) }
            guard let lowest = ranges.map(\.lowerBound).min(), let highest = ranges.map(\.upperBound).max()
            else { continue }
            for index in indices { requests[index] = ZoomRange(lowest...highest) }
        }
        self.requests = requests
        warnings = Self.warnings(floors.map(\.request), requests)
    }

    private static func zooms(of floor: PlacedFloor, earlier: BuildingIndex?) -> ClosedRange<Int>? {
        let pyramid = floor.request.build.pyramid
        if case .success(let images) = floor.images, let zooms = try? pyramid.zooms(of: images.all) {
            return zooms
        }
        return earlier?.floors.first { $0.floor == floor.request.floor }?.zooms
    }

    private static func warnings(_ floors: [FloorRequest], _ zooms: [ZoomRange]) -> [String] {
        func differing<Value: Hashable>(_ values: [Value]) -> (index: Int, usual: Value)? {
            let counts = Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
            // The first of those that most floors have.
            guard counts.count > 1, let most = counts.values.max(),
                let usual = values.first(where: { counts[$0] == most }),
                let index = values.firstIndex(where: { $0 != usual })
            else { return nil }
            return (index, usual)
        }
        var warnings: [String] = []
        if let (index, usual) = differing(zooms) {
            warnings.append(
                "floor '\(floors[index].floor)' has the zooms \(zooms[index].text), and others have "
                    + "\(usual.text): sharpness changes when floors are switched")
        }
        if let (index, usual) = differing(floors.map(\.build.pyramid.tileSize)) {
            let own = floors[index].build.pyramid.tileSize
            warnings.append(
                "floor '\(floors[index].floor)' has tiles of \(own.rawValue) pixels, and others of "
                    + "\(usual.rawValue): many clients take one size for all floors")
        }
        return warnings
    }
}

extension ZoomRange {
    /// The range as it is written.
    fileprivate var text: String {
        let ends = [minimum, maximum].map { $0.map(String.init) ?? "" }
        return ends[0] == ends[1] ? ends[0] : ends.joined(separator: "-")
    }
}
