import Platform

extension Manifest {
    /// A floor of one of the buildings.
    public struct Floor: Sendable {
        /// Its name, with the building's if there are several.
        public let name: FloorName
        /// What was asked for.
        public let request: FloorRequest
    }

    /// The buildings, as they stand.
    public var buildings: [BuildingRequest] {
        switch self {
        case .building(let request): [request]
        case .campus(let request): request.buildings
        }
    }

    /// The floors of all buildings, as they stand.
    public var floors: [Floor] { buildings.flatMap(floors) }

    /// The floors of one of the buildings, as they stand.
    func floors(of building: BuildingRequest) -> [Floor] {
        let name = if case .campus = self { building.effectiveName } else { String?.none }
        return building.floors.map { floor in
            Floor(name: FloorName(building: name, floor: floor.floor), request: floor)
        }
    }

    /// Chooses a floor.
    ///
    /// - Parameter name: the floor's, or `BUILDING/FLOOR` if several buildings have it; nil for the only floor.
    /// - Throws: `.usage` if there is no such floor, or several.
    public func floor(_ name: String?) throws(Failure) -> Floor {
        let floors = floors
        let fitting = name.map { name in floors.filter { $0.name.isMeant(by: name) } } ?? floors
        if fitting.count == 1 { return fitting[0] }
        let choices = (fitting.isEmpty ? floors : fitting).map { "'\($0.name.choice)'" }
        let problem =
            if let name {
                fitting.isEmpty ? "there is no floor '\(name)'" : "several buildings have a floor '\(name)'"
            } else {
                "there are several floors"
            }
        throw Failure(
            .usage, problem, remedy: "choose one with --floor: \(choices.joined(separator: ", "))")
    }
}

extension FloorName {
    /// What somebody types to choose it among all floors.
    public var choice: String { (building.map { "\($0)/" } ?? "") + floor }

    /// Whether somebody who typed a text means this floor.
    func isMeant(by text: String) -> Bool { text == floor || text == choice }
}
