import Platform
import Tiling

extension TreeReader {
    /// Of a tree with our list of files, files are looked up and not read: the list knows their hashes. Of
    /// others each tile is read once.
    package func survey() throws -> TilesetSurvey {
        var survey = TilesetSurvey(storesOnce: false)
        if let manifest {
            for section in manifest.sections { try count(section, in: &survey) }
            return survey
        }
        try forEachTile { tile in
            survey.note(front: Array(tile.bytes.prefix(16)))
            survey.count(tile.coordinate, size: tile.bytes.count, content: ContentHash(of: tile.bytes))
        }
        return survey
    }

    private func count(_ section: TilesetManifest.Section, in survey: inout TilesetSurvey) throws {
        var directories = TileDirectories(root: root)
        for record in section.records.sorted {
            let (parent, name) = TileDirectories.split(section.names.path(of: record.coordinate))
            let status = try Failure.ofInput { try directories.open(parent)?.status(of: name) }
            guard status?.kind == .file, status?.size == record.size else {
                survey.missing += 1
                continue
            }
            survey.count(record.coordinate, size: record.size, content: record.hash)
        }
    }

    /// When the newest of the files that describe the tileset changed, in seconds since 1970; nil if there
    /// are none.
    package var changed: Int? {
        let names =
            ["tilejson", "metadata"].map { TreeDocuments.name($0, floor: floor) }
            + ["tilemapresource.xml", TilesetLock.manifestPath(floor: floor)]
        return names.compactMap { FileStamp(root.path(of: $0))?.modifiedSeconds }.max()
    }

    /// Whether something says how rows are counted: our list of files, a TileJSON, or another document.
    ///
    /// - Parameter stated: whether the document that says most has a word of it.
    package func knowsScheme(stated: Bool) -> Bool {
        if manifest != nil || stated { return true }
        if case .tileJSON = statement() { return true }
        return false
    }

    /// The description that gdal2tiles puts beside tiles whose rows count from the south; nil if there is none.
    package func tileMapResource() throws -> [UInt8]? {
        try Failure.ofInput { try root.readFile("tilemapresource.xml", most: TreeDocuments.largest) }
    }
}
