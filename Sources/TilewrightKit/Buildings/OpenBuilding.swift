import Platform
import Publishing
import Tilesets

/// A building whose index is locked.
struct OpenBuilding {
    /// The floors, ready to be built.
    let build: BuildingBuild
    private let index: IndexFile
    /// The index as it is when the run begins.
    private let earlier: BuildingIndex?
    /// The archives of the floors, as they are when the run begins.
    private let archives: [FileStamp?]
    /// By floor, the hash of all tiles in the folder when the run begins, if changes are listed.
    private let digests: [String: String]
    /// The list of the run's changes.
    private let changes: BuildingChanges
    /// The place of the first floor in the list.
    private let start: Int
    /// The prefix of the building's relative addresses in the list; nil for none.
    private let folder: String?

    /// Locks the index of a building, and reads it.
    init(
        _ build: BuildingBuild, tellingTo changes: BuildingChanges, from start: Int, below folder: String?
    ) throws {
        let request = build.request
        (self.changes, self.start, self.folder) = (changes, start, folder)
        index = try IndexFile(
            request.indexPath, force: build.options.force, isOurs: BuildingIndex.isOurs)
        self.build = build
        archives = build.floors.map { FileStamp($0.request.build.output.path) }
        digests = changes.isWanted ? Self.digests(of: build) : [:]
        // Comparing the bytes avoids reading the same index again, which takes a while if there are many
        // floors.
        let isKnown = index.earlier != nil && index.earlier == build.found?.bytes
        do throws(Failure) {
            earlier = try isKnown ? build.found?.index : Self.earlier(index, of: build)
            try checkReplaces()
        } catch {
            index.discard()
            throw error
        }
    }

    /// Reads the index, which need not be valid if `--force` replaces it.
    private static func earlier(_ index: IndexFile, of build: BuildingBuild) throws(Failure) -> BuildingIndex?
    {
        guard let bytes = index.earlier else { return nil }
        do { return try BuildingIndex(parsing: bytes, path: build.request.indexPath) } catch {
            if build.options.force { return nil }
            throw error
        }
    }

    /// Leaves the index as it was, unless the building was finished.
    func discard() { index.discard() }

    /// The floors, each of which reports what it is about to publish.
    var floors: [FloorBuild] {
        guard changes.isWanted else { return build.floors }
        return build.floors.enumerated().map { place, floor in
            var floor = floor
            let (request, name) = (floor.request, floor.name.floor)
            let earlier = EarlierFloor(
                entry: earlier?.floors.first { $0.floor == name }, digest: digests[name],
                isArchiveThere: archives[place] != nil)
            floor.announce = { [changes, start, folder] news in
                try changes.take(news, of: request, at: start + place, earlier: earlier, below: folder)
            }
            return floor
        }
    }

    private static func digests(of build: BuildingBuild) -> [String: String] {
        build.floors.reduce(into: [:]) { digests, floor in
            let output = floor.request.build.output
            if output.container.isArchive { return }
            let tileset = try? StoredTileset(
                checking: output.path, floor: floor.name.floor, maxTiles: build.options.resources.maxTiles)
            digests[floor.name.floor] = tileset?.metadata.contents?.digest
        }
    }

    /// Removes what the building no longer has, and writes the index.
    ///
    /// - Parameter outcomes: the results of the floors to build.
    func finish(
        _ outcomes: [Result<BuildSummary, Failure>], report: BuildingEventHandler
    ) throws -> BuildingSummary {
        try listArchives()
        // A floor that failed may be the replacement for one that is gone, which then stays.
        let isWhole = outcomes.allSatisfy { $0.failure == nil }
        let removals = isWhole ? try removeFloors(report) : []
        let gone = Set(removals.filter { $0.failure == nil }.map(\.name.floor))
        let kept = strays.filter { !gone.contains($0.floor) }
        let news = news(outcomes, kept: kept)
        let url = build.request.floors.lazy.compactMap(\.build.output.url).first
        let changed = try changes.replace(
            index, with: news.bytes, isEmpty: news.floors.isEmpty, named: BuildingIndex.fileName,
            below: url ?? folder, fsync: build.options.fsync)
        return BuildingSummary(
            folder: build.request.folder,
            floors: zip(build.floors, outcomes).map { .init(name: $0.name, outcome: $1) },
            removals: removals, indexChanged: changed, index: news)
    }

    /// Lists archives that changed in any way, labels included.
    private func listArchives() throws {
        for (place, floor) in build.floors.enumerated() {
            let output = floor.request.build.output
            guard output.container.isArchive, FileStamp(output.path) != archives[place] else { continue }
            try changes.takeArchive(
                of: floor.request, at: start + place, isNew: archives[place] == nil,
                below: output.url ?? folder)
        }
    }

    /// The index: floors that were built as they are now, others as they were.
    ///
    /// - Parameter kept: floors that the request no longer has, but that still exist.
    private func news(
        _ outcomes: [Result<BuildSummary, Failure>], kept: [BuildingIndex.Floor]
    ) -> BuildingIndex {
        let request = build.request
        var entries = Dictionary(
            (earlier?.floors ?? []).map { ($0.floor, $0) }, uniquingKeysWith: { first, _ in first })
        for (floor, outcome) in zip(build.floors, outcomes) {
            guard case .success(let summary) = outcome else { continue }
            entries[floor.name.floor] = floor.request.entry(summary.metadata)
        }
        return BuildingIndex(
            name: request.effectiveName, manifest: request.manifests.first?.fileName,
            floors: request.floors.compactMap { entries[$0.floor] } + kept)
    }
}

extension FloorRequest {
    /// The floor's entry in the index.
    fileprivate func entry(_ metadata: TilesetMetadata) -> BuildingIndex.Floor? {
        let output = build.output
        return BuildingIndex.Floor(
            metadata, archive: output.container.isArchive ? ContainedPath(output.path.fileName) : nil,
            label: effectiveLabel, shortName: effectiveShortName, ordinal: ordinal, isDefault: isDefault)
    }
}

/// Floors of the last index that the request no longer has, and archives that floors no longer use.
extension OpenBuilding {
    /// Refuses to replace another building, whose index and floors would be lost. A manifest that was only
    /// renamed still has the building's name, and all floors in the same places.
    ///
    /// - Throws: `.outputRefused`.
    private func checkReplaces() throws(Failure) {
        let request = build.request
        guard let earlier, !build.options.force, let manifest = earlier.manifest,
            let own = request.manifests.first?.fileName, manifest != own
        else { return }
        let difference: String
        if let stray = strays.first {
            difference = "would remove floor '\(stray.floor)'"
        } else if let moved = movedArchives.first {
            difference = "would move floor '\(moved.floor)' to another file"
        } else if earlier.name != request.effectiveName {
            difference = "would rename it from '\(earlier.name)' to '\(request.effectiveName)'"
        } else {
            return
        }
        throw Failure(
            .outputRefused,
            "the building in '\(request.folder)' was built from '\(manifest)': '\(own)' \(difference)",
            remedy: "give the building another output, or add --force to replace the existing one")
    }

    /// Removes these floors and archives, but none if only some floors are built.
    private func removeFloors(_ report: BuildingEventHandler) throws -> [BuildingSummary.Removal] {
        if build.options.only != nil { return [] }
        return try (strays + movedArchives).map { floor in
            let name = FloorName(building: build.name, floor: floor.floor)
            do {
                try remove(floor)
                report(.removed(name))
                return .init(name: name, failure: nil)
            } catch let failure as Failure {
                report(.failed(name, failure))
                return .init(name: name, failure: failure)
            }
        }
    }

    /// The floors that the request no longer has.
    private var strays: [BuildingIndex.Floor] {
        let names = Set(build.request.floors.map(\.floor))
        return (earlier?.floors ?? []).filter { !names.contains($0.floor) }
    }

    /// The floors whose archive has another name now.
    private var movedArchives: [BuildingIndex.Floor] {
        (earlier?.floors ?? []).filter { floor in
            guard let name = floor.archive,
                let request = build.request.floors.first(where: { $0.floor == floor.floor })
            else { return false }
            return request.build.output.path.fileName != name.text
        }
    }

    private func remove(_ floor: BuildingIndex.Floor) throws {
        let request = build.request
        var removal: TilesetRemoval
        if let archive = floor.archive {
            let path = request.folder.path(of: archive)
            // Another floor may use the file now.
            if request.floors.contains(where: { OutputFile.areSame($0.build.output.path, path) }) { return }
            removal = try TilesetRemoval(path)
        } else {
            removal = try TilesetRemoval(request.folder, .floor(floor.floor))
        }
        removal.leavesIndex = true
        removal.maxTiles = build.options.resources.maxTiles
        do {
            try changes.run(removal, ofArchive: floor.archive)
        } catch let failure as Failure where failure.kind == .missingInput {
            // Another run removed the floor, or the last run did and was killed afterwards.
        }
    }
}
