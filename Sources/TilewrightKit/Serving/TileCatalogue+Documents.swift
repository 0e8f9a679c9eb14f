import Platform
package import Publishing
import Tilesets
import Tiling

extension TileCatalogue {
    /// The index of a building or a campus: `building.json`, `NAME/building.json`, `campus.json`.
    ///
    /// - Parameter path: the path below the server's address.
    /// - Returns: nil if there is no such index.
    public func index(at path: String) async -> [UInt8]? {
        await refresh()
        if let group = groups.first(where: { $0.indexPath == path }) {
            return index(of: group, await contents(of: group.tilesets))?.bytes
        }
        guard let campus = campuses.first(where: { $0.path == path }) else { return nil }
        let contents = await contents(of: campus.groups.flatMap(\.tilesets))
        let folder = path.dropLast(CampusIndex.fileName.count)
        let buildings = campus.groups.compactMap { group -> (index: BuildingIndex, path: String)? in
            guard let index = index(of: group, contents), let path = group.indexPath else { return nil }
            return (index, String(path.dropFirst(folder.count)))
        }
        return CampusIndex(name: campus.name, buildings: buildings).bytes
    }

    /// Whether there is an index at a path, as `index(at:)` takes it.
    public func hasIndex(at path: String) -> Bool {
        groups.contains { $0.indexPath == path } || campuses.contains { $0.path == path }
    }

    /// The floors of a building that can be read.
    private func index(of group: ServedGroup, _ contents: [String: ServedContent]) -> BuildingIndex? {
        guard let name = group.building else { return nil }
        let floors = group.tilesets.compactMap { tileset in
            contents[tileset.name].flatMap { floor(tileset, $0) }
        }
        return BuildingIndex(name: name, manifest: nil, floors: floors)
    }

    private func floor(_ tileset: ServedTileset, _ content: ServedContent) -> BuildingIndex.Floor? {
        guard let floor = tileset.floor else { return nil }
        var metadata = content.metadata
        metadata.floor = floor.floor
        metadata.template = "\(floor.floor)/\(metadata.template)"
        metadata.contents = metadata.contents ?? TilesetContents(tileCount: 0, digest: "")
        let archive = content.archive.flatMap { _ in ContainedPath("\(floor.floor).pmtiles") }
        var entry = BuildingIndex.Floor(
            metadata, archive: archive, label: floor.label, shortName: floor.shortName,
            ordinal: floor.ordinal, isDefault: floor.isDefault)
        if archive == nil { entry?.tileJSON = "\(floor.floor).json" }
        return entry
    }

    /// The viewer page of all tilesets, in UTF-8.
    ///
    /// - Parameters:
    ///   - guide: the guide whose step the page is; nil for a page of its own, with addresses.
    ///   - basemap: the map under all, as `ViewerPage` takes it.
    package func page(
        library: MapLibrary, guide: GuideHeading? = nil, basemap: String? = nil
    ) async -> [UInt8] {
        await refresh()
        let groups = groups
        let contents = await contents(of: groups.flatMap(\.tilesets))
        let buildings = groups.filter { $0.building != nil }.compactMap { group in
            building(group.building, group.tilesets, contents, folder: group.prefix)
        }
        let loose = groups.filter { $0.building == nil }.flatMap(\.tilesets)
        let all = buildings + [building(nil, loose, contents)].compactMap(\.self)
        let links = guide == nil ? links(groups, contents) : []
        return ViewerPage.html(
            all, title: title(groups), library: library, links: links, guide: guide, basemap: basemap)
            ?? PageLink.page(links)
    }

    /// Addresses for clients, and pages of plans.
    private func links(_ groups: [ServedGroup], _ contents: [String: ServedContent]) -> [PageLink] {
        let indexes = campuses.map(\.path) + groups.compactMap(\.indexPath)
        let tilesets = groups.flatMap(\.tilesets).flatMap { tileset -> [String] in
            guard let content = contents[tileset.name] else { return [] }
            let endings = ["json"] + (content.archive == nil ? [] : ["pmtiles"])
            return endings.map { "\(tileset.name).\($0)" }
        }
        return placing.map { PageLink(laying: $0.title, path: $0.pagePath) }
            + (indexes + tilesets).map { PageLink(path: $0) }
    }

    private func title(_ groups: [ServedGroup]) -> String? {
        let names = campuses.map(\.name)
        let titles = (names.isEmpty ? groups.compactMap(\.building) : names).uniqued
        return titles.isEmpty ? nil : titles.joined(separator: ", ")
    }

    private func building(
        _ name: String?, _ tilesets: [ServedTileset], _ contents: [String: ServedContent],
        folder: String = ""
    ) -> ViewerPage.Building? {
        let shown = tilesets.compactMap { tileset in contents[tileset.name].map { page(tileset, $0) } }
            .filter { !$0.isEmpty }
        if shown.isEmpty { return nil }
        var building = ViewerPage.Building(name, floors: shown)
        building.folder = folder.split(separator: "/").joined(separator: "/")
        return building
    }

    private func page(_ tileset: ServedTileset, _ content: ServedContent) -> ViewerPage.Tileset {
        var metadata = content.metadata
        // It is known only after rendering which tiles are transparent.
        if case .rendered = content.tiles { metadata.contents = nil }
        let path = tileset.name.split(separator: "/").map(String.init)
        var shown = ViewerPage.Tileset(metadata, path: path, isArchive: false)
        if let label = tileset.label { (shown.label, shown.shortName) = (label, label) }
        return tileset.floor.map(shown.named) ?? shown
    }
}
