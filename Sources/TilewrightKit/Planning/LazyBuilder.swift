import Pyramid
import Synchronization

/// What renders a plan, prepared when it is first asked for: weights and stages take most of the time of
/// planning, and tiles that are there already need none.
final class LazyBuilder: Sendable {
    private let plan: TilesOnDemand
    private let builder = Mutex<TilesBuilder?>(nil)

    /// Takes a plan.
    init(_ plan: TilesOnDemand) { self.plan = plan }

    /// Prepares it, the first time.
    ///
    /// - Throws: `.usage` if the decoders need more memory than allowed.
    func get() throws -> TilesBuilder {
        try builder.withLock { known in
            if let known { return known }
            let builder = try TilesBuilder(plan, passes: plan.passes)
            known = builder
            return builder
        }
    }
}
