import Georeferencing
import Platform
import Publishing
import Tilesets

// The step in which the floors are placed on the map.

/// A floor's position, as the page sends it.
package struct PositionChange: Decodable, Sendable {
    let floor: String
    /// Whether the floor has its own position, and not that of all floors.
    let isOwn: Bool
    /// The file of control points; nil if the floor has no position.
    let text: String?
    /// The model that is fitted to the points. A rigid one and its scale are in the file of the points, too.
    let transform: TransformModel?
    /// Outlines that cut the floor, as GeoJSON; nil for none.
    let cutline: String?
    /// What the page needs to go on where it was: JSON, which only the page reads.
    let draft: String?
}

extension PlanProject {
    /// The file of the points that all floors share.
    var commonPoints: String { manifest.splitExtension.stem + ".points" }

    /// The building of the manifest, whose floors without a position share the points of a file, which need not
    /// exist yet; nil if there is no manifest yet.
    ///
    /// Only floors whose images have the size of the lowest one share them. If an image has its own position,
    /// floors share nothing: that would replace it.
    private func sharingBuilding() throws -> BuildingRequest? {
        guard var building = try building() else { return nil }
        let sizes = try sizes()
        let open = building.floors.indices.filter { index in
            let images = building.floors[index].build.images
            let source = images[0].position.source
            return images.count == 1 && (source == .files || source == .pointsFile(commonPoints))
        }.sorted { building.floors[$0].ordinal < building.floors[$1].ordinal }
        let images = open.map { building.floors[$0].build.images[0] }
        if images.contains(where: { $0.position.source == .files && heads.hasPosition($0) }) {
            return building
        }
        let size = images.first.flatMap { sizes[PageKey($0)] }
        for (index, image) in zip(open, images) where sizes[PageKey(image)] == size {
            building.floors[index].build.images[0].position.source = .pointsFile(commonPoints)
            building.floors[index].hasOwnPosition = false
        }
        return building
    }

    /// Width and height of all pages.
    private func sizes() throws -> [PageKey: [Int]] {
        let pages = try sheets().map { (PageKey($0.image), [$0.page.width, $0.page.height]) }
        return Dictionary(pages) { first, _ in first }
    }

    private var draftFile: String { folder.path(of: ".\(manifest.fileStem).open.json") }

    /// The largest draft in bytes: thousands of points.
    private static let largestDraft = 4 << 20

    /// The page of this step, in UTF-8.
    ///
    /// - Parameter request: the map and the layers of the page; its image is replaced.
    /// - Throws: a `Failure` if there is no floor yet, or none can be read.
    package func placingPage(_ request: PlacingRequest) async throws -> [UInt8] {
        var request = request
        request.image = manifest
        request.savingAddress = "position"
        let draft = try WholeFile.found(draftFile, atMost: Self.largestDraft)
        request.guide = PlacingGuide(
            heading: GuideHeading(step: .place, title: title, open: try openSteps()),
            draft: draft.map { String(decoding: $0, as: UTF8.self) })
        return try await PlacingPageFile(
            request, manifest: sharingBuilding().map { .building($0) }, heads: heads
        ).html
    }

    /// Writes a floor's points and outlines, and names them in the manifest.
    ///
    /// - Returns: warnings for the user, a line each.
    /// - Throws: a `Failure` if the points have no fit, or if something cannot be written. The manifest is then
    ///   as it was.
    package func save(_ change: PositionChange) throws -> [String] {
        try exclusively {
            if let draft = change.draft, draft.utf8.count <= Self.largestDraft {
                try OutputFile.write(draft.utf8, to: draftFile, isTyped: false)
            }
            let bytes = try manifestBytes()
            let floors = try sharingBuilding().map { FloorPoints.floors(of: .building($0)) } ?? []
            guard let floor = floors.first(where: { $0.floor.name.floor == change.floor }) else {
                throw Failure(
                    .usage, "there is no floor '\(change.floor.excerpt())' any more",
                    remedy: "reload the page")
            }
            var text = try manifestText(bytes)
            // The manifest stops naming a file before it is removed, also if the program is killed.
            var unused: [String] = []
            let home = change.isOwn ? floor.ownHome ?? floor.home : sharedHome(of: floor, among: floors)
            let names =
                change.isOwn ? [] : floors.filter { $0.home.path == home.path }.map(\.floor.name.floor)
            let saved = try change.text.map { try save($0, change, of: floor, to: home) }
            setPoints(saved?.keys ?? [:], at: home, of: names + [change.floor], in: &text)
            if saved == nil, mayWrite(home.path), SavedPoints.isOurs(home.path) { unused.append(home.path) }
            if let old = try cut(floor, change.cutline, in: &text) { unused.append(old) }
            if text.bytes != bytes { try write(text) }
            for path in unused { try remove(path) }
            return saved?.warnings ?? []
        }
    }

    /// The file of the points of floors that share them.
    private func sharedHome(of floor: FloorPoints, among floors: [FloorPoints]) -> PointsHome {
        // Without a key, its image has its own position, and floors share nothing.
        if floor.home.isAtTop || floor.image.position.source == .files { return floor.home }
        return floors.first { $0.home.isAtTop }?.home ?? PointsHome(path: commonPoints, isAtTop: true)
    }

    /// Writes the points.
    ///
    /// - Returns: warnings for the user, a line each, and the keys of the manifest.
    private func save(
        _ points: String, _ change: PositionChange, of floor: FloorPoints, to home: PointsHome
    ) throws -> (warnings: [String], keys: [String: String]) {
        try checkMayWrite(home.path, remedy: naming(floor.image.path))
        var image = floor.image
        image.position.source = .pointsFile(home.path)
        image.position.transform = change.transform == .rigid ? nil : change.transform
        var saved = try SavedPoints(points, named: home.path.fileName, for: image, to: home, of: [floor])
        try saved.write()
        let standard = TransformModel.standard(forPoints: saved.fit.residuals.count)
        let model = image.position.transform ?? standard
        let keys = ["gcps": written(home.path), "transform": model == standard ? nil : model.rawValue]
        return (saved.warnings, keys.compactMapValues(\.self))
    }

    /// Makes the manifest name points in place of another position; or none.
    ///
    /// Points that floors share are named at the top, unless a floor that does not share them has no position:
    /// it would inherit them.
    ///
    /// - Parameter values: the values of keys; other keys of a position are removed.
    private func setPoints(
        _ values: [String: String], at home: PointsHome, of names: [String], in text: inout ManifestText
    ) {
        let isOfAll = text.floors.allSatisfy { floor in
            names.contains(floor["floor"] ?? "") || floor.has(Self.whereKeys)
        }
        let isAtTop = home.isAtTop && isOfAll
        for key in Self.whereKeys + ["transform", "scale", "bearing", "crs"] {
            let value = values[key]
            if home.isAtTop { text[key] = isAtTop ? value : nil }
            for index in text.floors.indices where names.contains(text.floors[index]["floor"] ?? "") {
                text.floors[index][key] = isAtTop ? nil : value
            }
        }
    }

    /// Keys that say where an image is.
    static let whereKeys = ManifestKey.all.filter(\.saysWhere).map(\.name)

    /// Writes the outlines that cut a floor, and makes the manifest name them.
    ///
    /// - Returns: the file of the old outlines, if none of the guide's are named any more.
    private func cut(
        _ floor: FloorPoints, _ outlines: String?, in text: inout ManifestText
    ) throws -> String? {
        guard let index = text.floors.firstIndex(where: { $0["floor"] == floor.floor.name.floor }) else {
            return nil
        }
        let path = folder.path(of: "\(manifest.fileStem).\(floor.floor.name.floor).cut.geojson")
        guard let outlines else {
            guard text.floors[index]["cutline"] == written(path) else { return nil }
            text.floors[index]["cutline"] = nil
            return path
        }
        do {
            try replace(path, with: outlines) { _ = try Cutline(file: $0) }
        } catch {
            let reason = (error as? SystemError)?.text ?? "they are not polygons in GeoJSON"
            throw Failure(
                .badInput, cannot: "write the outlines of floor '\(floor.floor.name.floor)'", reason)
        }
        text.floors[index]["cutline"] = written(path)
        return nil
    }

    private func remove(_ path: String) throws {
        let (parent, name) = path.splitPath
        _ = try Directory.open(parent)?.removeFile(name)
    }
}
