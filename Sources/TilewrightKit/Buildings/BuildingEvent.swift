import Platform
import Publishing

/// A floor of one building, or of one of several.
public struct FloorName: Hashable, Sendable, CustomStringConvertible {
    /// The building's name; nil if there is only one.
    public let building: String?
    /// The floor's name.
    public let floor: String

    /// As errors name it: `floor '1'`, or `floor '1' of 'Tower'`.
    public var description: String { "floor '\(floor)'" + (building.map { " of '\($0)'" } ?? "") }
}

/// What the build of a building tells while it runs.
public enum BuildingEvent: Sendable {
    /// What the build of a floor tells; floors are built side by side.
    case floor(FloorName, BuildEvent)
    /// A floor is done.
    case built(FloorName, BuildSummary)
    /// A floor could not be built, and is as it was.
    case failed(FloorName, Failure)
    /// A floor that nobody asks for any more was removed.
    case removed(FloorName)
}

/// Takes the events of a building's build, one at a time, on whatever task has news.
public typealias BuildingEventHandler = @Sendable (BuildingEvent) -> Void

/// What the build of a building has done.
public struct BuildingSummary: Sendable {
    /// What became of a floor.
    public struct Floor: Sendable {
        /// The floor's name.
        public let name: FloorName
        /// What was done, or why it was not.
        public let outcome: Result<BuildSummary, Failure>
    }

    /// What became of a floor that nobody asked for any more.
    public struct Removal: Sendable {
        /// The floor's name.
        public let name: FloorName
        /// Why it is still there; nil if it is gone.
        public let failure: Failure?
    }

    /// The folder of the building.
    public let folder: String
    /// The floors that were to be built, as they were asked for.
    public let floors: [Floor]
    /// The floors that nobody asked for any more.
    public let removals: [Removal]
    /// Whether `building.json` is new or changed.
    public let indexChanged: Bool
    /// What `building.json` says.
    let index: BuildingIndex

    /// What kept the first floor that failed from being built or removed; nil if all is as it was asked for.
    public var failure: Failure? {
        floors.lazy.compactMap { floor in
            if case .failure(let failure) = floor.outcome { failure } else { nil }
        }.first ?? removals.lazy.compactMap(\.failure).first
    }
}
