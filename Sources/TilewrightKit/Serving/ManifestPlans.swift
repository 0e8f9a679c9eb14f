import Platform
import Synchronization

/// The plans of all floors of a manifest, which have zooms in common; made anew if a file changed that one of
/// them is made of.
final class ManifestPlans: Sendable {
    private struct Made {
        let watch: FileWatch
        let plans: [FloorPlan]
    }

    /// The manifest.
    let path: String

    /// What rendering may use of the machine, and the most tiles of a tileset.
    let resources: BuildResources
    private let made = Mutex<Made?>(nil)

    /// Names a manifest. Reads nothing yet.
    init(_ path: String, resources: BuildResources) { (self.path, self.resources) = (path, resources) }

    /// The plan of a floor, and all files that it depends on, as they were before.
    ///
    /// - Throws: a `Failure` if the manifest is faulty, or does not name the floor.
    func plan(of name: FloorName) throws -> (FloorPlan, FileWatch) {
        let made = try current()
        guard let floor = made.plans.first(where: { $0.name == name }) else {
            throw Failure(.missingInput, cannot: "serve the \(name)", "'\(path)' does not name it any more")
        }
        return (floor, made.watch)
    }

    private func current() throws -> Made {
        try made.withLock { made in
            if let made, made.watch.isCurrent { return made }
            let manifest = try Manifest(contentsOf: path)
            let floors = manifest.floors.map(\.request.build)
            let files = try floors.flatMap { build in
                try BuildInputs(build.images, others: build.lists + build.pyramid.files).paths
            }
            var seen: Set<String> = []
            let inputs = (manifest.buildings.flatMap(\.manifests) + [path] + files)
                .filter { seen.insert($0).inserted }
            // Another file may come to say where an image lies.
            let folders = Set(floors.flatMap(\.images).map(\.path.parentDirectory))
            let watch = FileWatch(inputs, folders: folders.sorted())
            let anew = Made(watch: watch, plans: try FloorPlans(manifest, resources: resources).all)
            made = anew
            return anew
        }
    }
}
