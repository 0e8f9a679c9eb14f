import Platform

/// The build of what a manifest asks for: a building, or a campus.
public enum BuildingWork: Sendable {
    /// One building.
    case building(BuildingBuild)
    /// Several.
    case campus(CampusBuild)

    /// Prepares the build.
    ///
    /// - Throws: a `Failure` that says what is wrong with the request.
    public init(_ manifest: Manifest, options: BuildingOptions = BuildingOptions()) throws {
        self =
            switch manifest {
            case .building(let request): .building(try BuildingBuild(request, options: options))
            case .campus(let request): .campus(try CampusBuild(request, options: options))
            }
    }

    /// What is not an error, and what the user should know: a line each.
    public var warnings: [String] {
        switch self {
        case .building(let build): build.warnings
        case .campus(let build): build.warnings
        }
    }

    /// The plans of the floors that are to be built, or what is wrong with them.
    public var plans: [FloorPlan] {
        switch self {
        case .building(let build): build.plans
        case .campus(let build): build.plans
        }
    }

    /// The number of tiles that the floors have at most.
    public var tileCount: Int {
        plans.reduce(0) { $0 + ((try? $1.plan.get())?.tileCount ?? 0) }
    }

    /// Builds all floors; see `BuildingBuild.run`.
    ///
    /// - Returns: what became of each building.
    public func run(report: @escaping BuildingEventHandler = { _ in }) async throws -> [BuildingSummary] {
        switch self {
        case .building(let build): [try await build.run(report: report)]
        case .campus(let build): try await build.run(report: report).buildings
        }
    }
}

extension BuildingBuild {
    /// The plans of the floors that are to be built, or what is wrong with them.
    public var plans: [FloorPlan] {
        floors.map { FloorPlan(name: $0.name, request: $0.request, plan: $0.build.map(\.plan)) }
    }
}

extension CampusBuild {
    /// The plans of the floors that are to be built, or what is wrong with them.
    public var plans: [FloorPlan] { buildings.flatMap(\.plans) }
}
