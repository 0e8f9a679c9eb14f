import Platform
import Publishing

/// What becomes of floors that the last index names.
extension OpenBuilding {
    /// Refuses to take the place of another building, whose index and floors would be lost. A manifest that only
    /// has another name now still has the building's name, and names all floors where they are.
    ///
    /// - Throws: `.outputRefused`.
    func checkReplaces() throws(Failure) {
        let request = build.request
        guard let earlier, !build.options.force, let manifest = earlier.manifest,
            let own = request.manifests.first?.fileName, manifest != own
        else { return }
        let difference: String
        if let stray = strays.first {
            difference = "has no floor '\(stray.floor)'"
        } else if let moved = movedArchives.first {
            difference = "makes another file of floor '\(moved.floor)'"
        } else if earlier.name != request.effectiveName {
            difference = "calls the building '\(request.effectiveName)', not '\(earlier.name)'"
        } else {
            return
        }
        throw Failure(
            .outputRefused,
            "'\(request.folder)' was made from '\(manifest)', and '\(own)' \(difference)",
            remedy: "give the building another output, or --force to take the place of the other one")
    }

    /// Removes the floors that the last index names and nobody asks for any more; none if only some are built.
    func removeFloors(
        tellingTo changes: BuildingChanges, report: BuildingEventHandler
    ) throws -> [BuildingSummary.Removal] {
        if build.options.only != nil { return [] }
        return try (strays + movedArchives).map { floor in
            let name = FloorName(building: build.name, floor: floor.floor)
            do {
                try remove(floor, tellingTo: changes)
                report(.removed(name))
                return .init(name: name, failure: nil)
            } catch let failure as Failure {
                report(.failed(name, failure))
                return .init(name: name, failure: failure)
            }
        }
    }

    /// The floors that the last index names and nobody asks for any more.
    var strays: [BuildingIndex.Floor] {
        let names = Set(build.request.floors.map(\.floor))
        return (earlier?.floors ?? []).filter { !names.contains($0.floor) }
    }

    /// The floors in archives that have another file now.
    private var movedArchives: [BuildingIndex.Floor] {
        let outputs = Dictionary(
            build.request.floors.map { ($0.floor, $0.build.output) }, uniquingKeysWith: { first, _ in first })
        return (earlier?.floors ?? []).filter { floor in
            guard case .archive(let name) = floor.place, let output = outputs[floor.floor] else {
                return false
            }
            return output.path.fileName != name.text
        }
    }

    private func remove(_ floor: BuildingIndex.Floor, tellingTo changes: BuildingChanges) throws {
        let request = build.request
        var removal: TilesetRemoval
        switch floor.place {
        case .folder: removal = try TilesetRemoval(request.folder, .floor(floor.floor))
        case .archive(let name):
            let path = request.folder.path(of: name)
            // Another floor may have taken its file over.
            if request.floors.contains(where: { OutputFile.areSame($0.build.output.path, path) }) { return }
            removal = try TilesetRemoval(path)
        }
        removal.leavesIndex = true
        removal.maxTiles = build.options.resources.maxTiles
        do {
            try removal.run { summary in
                var summary = summary
                if case .archive(let name) = floor.place { summary = .init(documents: [name.text]) }
                try changes.take(summary)
            }
        } catch let failure as Failure where failure.kind == .missingInput {
            // Somebody was faster, or the last run was killed after it.
        }
    }
}
