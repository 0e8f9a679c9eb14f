import Diagnostics
import Files
import Publishing
import Tilesets

/// A building whose index is locked.
struct OpenBuilding {
    /// The floors, ready to be built.
    let build: BuildingBuild
    private let index: IndexFile
    private let earlier: BuildingIndex?

    /// Locks the index of a building, and reads it.
    init(_ build: BuildingBuild) throws {
        let request = build.request
        index = try IndexFile(
            request.indexPath, force: build.options.force, isOurs: BuildingIndex.isOurs)
        self.build = build
        earlier = index.earlier.flatMap(BuildingIndex.init(parsing:))
        do { try checkReplaces() } catch {
            discard()
            throw error
        }
    }

    /// Leaves the index as it was, unless the building was finished.
    func discard() { try? index.discard() }

    /// Refuses to take the place of another building.
    ///
    /// - Throws: `.outputRefused`.
    private func checkReplaces() throws(Failure) {
        let request = build.request
        guard let earlier, !build.options.force, let manifest = earlier.manifest,
            let own = request.manifests.first?.fileName, manifest != own,
            Set(earlier.floors.map(\.floor)).isDisjoint(with: request.floors.map(\.floor))
        else { return }
        throw Failure(
            .outputRefused, "'\(request.folder)' was made from '\(manifest)'",
            remedy: "give the building another output, or --force")
    }

    /// Removes floors that nobody asks for any more, and writes the index.
    ///
    /// - Parameter outcomes: what became of the floors that were to be built.
    func finish(
        _ outcomes: [Result<BuildSummary, Failure>], report: BuildingEventHandler
    ) throws -> BuildingSummary {
        let changed = try index.finish(news(outcomes).bytes, fsync: build.options.fsync)
        return BuildingSummary(
            folder: build.request.folder,
            floors: zip(build.floors, outcomes).map { .init(name: $0.name, outcome: $1) }, removed: [],
            indexChanged: changed)
    }

    /// The index: floors that were built as they are now, others as they were.
    private func news(_ outcomes: [Result<BuildSummary, Failure>]) -> BuildingIndex {
        let request = build.request
        var entries = Dictionary(
            (earlier?.floors ?? []).map { ($0.floor, $0) }, uniquingKeysWith: { first, _ in first })
        for (floor, outcome) in zip(build.floors, outcomes) {
            guard case .success(let summary) = outcome else { continue }
            entries[floor.name.floor] = floor.request.entry(summary.metadata)
        }
        return BuildingIndex(
            name: request.effectiveName, manifest: request.manifests.first?.fileName,
            floors: request.floors.compactMap { entries[$0.floor] })
    }
}

extension FloorRequest {
    /// What the index says of the floor.
    fileprivate func entry(_ metadata: TilesetMetadata) -> BuildingIndex.Floor? {
        let output = build.output
        return BuildingIndex.Floor(
            metadata, archive: output.container.isArchive ? output.path.fileName : nil, label: label,
            shortName: shortName, ordinal: ordinal, isDefault: isDefault)
    }
}
