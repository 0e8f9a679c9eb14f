import Platform

/// A floor that is to be built, and its plan, or what is wrong with it.
public struct FloorPlan: Sendable {
    /// The floor's name.
    public let name: FloorName
    /// What was asked for.
    public let request: FloorRequest
    /// Zooms, tiles and memory, or what keeps the floor from being built.
    public let plan: Result<TilesetPlan, Failure>

    /// The plan.
    ///
    /// - Throws: what keeps the floor from being built; the message begins with its name.
    public func required() throws(Failure) -> TilesetPlan {
        switch plan {
        case .success(let plan): return plan
        case .failure(let failure): throw failure.of(name)
        }
    }
}

/// The plans of floors that a manifest asks for, without a build of them.
public struct FloorPlans: Sendable {
    /// The floors, as they stand in the manifest.
    public let all: [FloorPlan]
    /// What is not an error, and what the user should know: a line each.
    public let warnings: [String]

    /// Looks at the images of all floors, since they have zooms in common, and plans.
    ///
    /// - Parameters:
    ///   - floor: the floor to plan, as `Manifest.floor(_:)` takes it; nil for all.
    ///   - resources: what may be used of the machine.
    /// - Throws: a `Failure` that says what is wrong with the manifest, `.usage` if there is no such floor.
    ///   What is wrong with a floor is in its plan.
    public init(
        _ manifest: Manifest, floor: String? = nil, resources: BuildResources = BuildResources()
    ) throws {
        let chosen = try floor.map { try manifest.floor($0).name }
        var options = BuildingOptions()
        options.resources = resources
        options.only = chosen.map { [$0.choice] }
        let work = try BuildingWork(manifest, options: options)
        all = work.plans
        warnings = chosen == nil ? work.warnings : all.flatMap(\.warnings)
    }
}

extension [FloorPlan] {
    /// What keeps the first floor from being built that cannot be; nil if all can.
    public var failure: Failure? {
        lazy.compactMap { floor in
            if case .failure(let failure) = floor.plan { failure.of(floor.name) } else { nil }
        }.first
    }
}

extension FloorPlan {
    /// What the user should know of a floor that was chosen.
    fileprivate var warnings: [String] {
        guard case .success(let plan) = plan else { return [] }
        return (plan.images.flatMap(\.warnings) + plan.warnings).map(\.text)
    }
}

extension Failure {
    /// The same, told of a floor.
    package func of(_ floor: FloorName) -> Failure {
        Failure(kind, "\(floor): \(message)", remedy: remedy)
    }
}
