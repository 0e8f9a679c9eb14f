import Platform
import Publishing
import Tilesets

/// A floor of a manifest: what was built of it if that is up to date, else rendered of its images.
struct FloorSource: TileSource {
    private let floor: FloorRequest
    private let name: FloorName
    private let plans: ManifestPlans
    private let queue: RenderQueue.Share

    /// Names a floor.
    init(_ floor: Manifest.Floor, plans: ManifestPlans, queue: RenderQueue.Share) {
        (self.floor, name) = (floor.request, floor.name)
        (self.plans, self.queue) = (plans, queue)
    }

    var title: String { "\(name) of '\(plans.path)'" }

    func open(after last: ServedContent?) throws -> ServedContent {
        let output = floor.build.output
        let mark = FileWatch([output.target])
        let (planned, inputs): (FloorPlan, FileWatch)
        do { (planned, inputs) = try plans.plan(of: name) } catch {
            // Somebody is writing the manifest: what it said before counts until it is right again.
            if let last { return last }
            throw error
        }
        let watch = inputs + mark
        let stored = try? StoredTileset(
            output.path, floor: output.storedFloor, maxTiles: plans.resources.maxTiles)
        let plan: TilesetPlan
        do { plan = try planned.required() } catch {
            // A floor that cannot be built keeps its last state.
            if let stored { return ServedContent(stored, watch: watch) }
            throw error
        }
        let job = try JobFingerprint(plan).hash
        if let stored, stored.reader.origin.job == job { return ServedContent(stored, watch: watch) }
        var metadata = TilesetMetadata(
            of: plan.onDemand, name: floor.effectiveLabel, labels: output.labels, floor: floor.floor)
        metadata.contents = TilesetContents(tileCount: plan.tileCount, digest: job.hex)
        return ServedContent(
            RenderedTiles(plan.onDemand, queue: queue), metadata: metadata, watch: watch)
    }
}
