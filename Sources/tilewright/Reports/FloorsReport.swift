import Platform
import TilewrightKit

/// The floors of a manifest, as they would be built, for programs.
struct FloorsReport: Encodable {
    /// A floor.
    struct Floor: Encodable {
        /// The building's name, if there are several.
        var building: String?
        /// The floor's name.
        var floor: String
        /// What people read.
        var label: String
        /// The place among the floors: 0 for the ground floor.
        var ordinal: Int
        /// What would be built; missing if something is wrong with the floor.
        var plan: PlanReport?
        /// What keeps the floor from being built.
        var error: String?
    }

    /// The floors, as they stand in the manifest.
    var floors: [Floor]

    /// Tries tiles of each floor.
    init(_ plans: [FloorPlan]) async throws {
        floors = []
        for plan in plans { floors.append(try await Floor(plan)) }
    }
}

extension FloorsReport.Floor {
    fileprivate init(_ floor: FloorPlan) async throws {
        let request = floor.request
        self.init(
            building: floor.name.building, floor: floor.name.floor, label: request.effectiveLabel,
            ordinal: request.ordinal)
        switch floor.plan {
        case .success(let plan): self.plan = PlanReport(plan, try await plan.sampledEstimate())
        case .failure(let failure): error = failure.message
        }
    }
}
