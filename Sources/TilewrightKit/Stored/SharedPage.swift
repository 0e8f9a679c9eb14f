import Platform
import Publishing
import Tilesets
import Tiling

/// The contents of a page that holds its tiles, for people without a server or a network.
public struct SharedPageRequest: Hashable, Sendable {
    /// Folders of tiles, archives, or manifests that were built.
    public var inputs: [String]
    /// The only floor of each building or folder; nil for all.
    public var floor: String?
    /// The zooms of the tiles; an open end is that of each tileset.
    public var zooms = ZoomRange()
    /// The map under everything, which is the only thing that the page loads.
    public var background = PlacingRequest.Background.none
    /// The maximum size of the page in bytes.
    public var maxBytes = SharedPageRequest.standardMaxBytes
    /// A folder with `leaflet.js` and `leaflet.css`; nil for those of the system.
    public var assets: String?
    /// The maximum number of tiles that each tileset may have.
    public var maxTiles = BuildResources.standardMaxTiles

    /// Most mail servers accept attachments of this size.
    public static let standardMaxBytes = 25 << 20
    /// Browsers open no larger pages on all machines.
    public static let largestMaxBytes = 256 << 20

    /// Asks for a page.
    public init(_ inputs: [String]) { self.inputs = inputs }

    /// Refuses what cannot be made.
    ///
    /// - Throws: `.usage`.
    func check() throws {
        try zooms.check()
        if maxBytes > Self.largestMaxBytes {
            throw Failure(
                .usage, "--max-bytes \(ByteSize(maxBytes)) is more than \(ByteSize(Self.largestMaxBytes))",
                remedy:
                    "browsers do not open such pages; serve the tiles, or share a part with --zoom or --floor"
            )
        }
        guard case .tiles(let address) = background else { return }
        let isOnWeb = ["http://", "https://"].contains(where: address.lowercased().hasPrefix)
        guard isOnWeb, ["{z}", "{x}", "{y}"].allSatisfy(address.contains) else {
            throw Failure(
                .usage, "--basemap '\(address)' is not the address of a map's tiles",
                remedy: "write an address on the web with {z}, {x} and {y}, or 'openstreetmap'")
        }
    }
}

/// A page that holds the tiles that it shows, and the map library: one file that works without a server and
/// without a network.
///
/// The same request gives the same bytes, as long as tiles and map library are the same.
public struct SharedPage: Sendable {
    /// The page, in UTF-8.
    public let bytes: [UInt8]
    /// Warnings for the user, a line each.
    public let warnings: [String]

    /// Reads the tiles, which takes memory for the maximum size, and twice the size of the page.
    ///
    /// Call it from a task that may wait.
    ///
    /// - Throws: a `Failure` if a tileset cannot be read or shown: `usage` if the page would be too large;
    ///   `missingInput` if a floor or the map library is missing. `CancellationError` if the task was
    ///   cancelled.
    public init(_ request: SharedPageRequest) throws {
        switch try Self.fitting(request) {
        case .success(let page): self = page
        case .failure(let size): throw size.failure
        }
    }

    private init(bytes: [UInt8], warnings: [String]) { (self.bytes, self.warnings) = (bytes, warnings) }

    /// A page that would be too large.
    package struct Excess: Error {
        /// Why, with all ways out.
        package let failure: Failure
        /// The zooms that would fit, as an option takes them; nil if none would.
        package let zooms: String?
        /// The size of a page with these zooms.
        package let bytes: Int?
    }

    /// The page, or the zooms that would fit.
    ///
    /// - Throws: a `Failure` if a tileset cannot be read or shown, as above.
    package static func fitting(_ request: SharedPageRequest) throws -> Result<SharedPage, Excess> {
        try request.check()
        let library = try MapLibrary.toEmbed(assets: request.assets)
        let draft = try SharedPageDraft(request, library: library)
        return draft.bytes().map { SharedPage(bytes: $0, warnings: draft.warnings) }
    }

    /// Refuses a name that is not that of an HTML file.
    ///
    /// - Throws: a `Failure` (`usage`).
    public static func check(_ path: String) throws { _ = try PageFile.checked(path) }

    /// Writes the page, whole or not at all.
    ///
    /// - Parameters:
    ///   - path: an HTML file.
    ///   - force: overwrite a page of another kind, or one that tilewright did not make.
    /// - Throws: a `Failure`: `usage` if it is not an HTML file, `outputRefused` if there is such a page, or
    ///   none can be made; `inputOutput` if writing fails.
    public func write(to path: String, force: Bool = false) throws {
        try PageFile.write(bytes, as: .shared, to: PageFile.checked(path), isTyped: true, force: force)
    }
}

/// The tiles and floors of a page, before it is known which zooms fit.
private struct SharedPageDraft {
    private(set) var warnings: [String]

    private let request: SharedPageRequest
    private let library: MapLibrary
    private let title: String?
    private let buildings: [ViewerPage.Building]
    private var tiles: SharedTiles
    /// What was found in each tileset.
    private var found: [Found] = []

    private struct Found {
        var limits: [TileRange] = []
        /// The number of tiles of each zoom.
        var counts: [Int: Int] = [:]
    }

    init(_ request: SharedPageRequest, library: MapLibrary) throws {
        (self.request, self.library) = (request, library)
        guard let first = request.inputs.first else {
            throw Failure(.usage, "there is no tileset to share", remedy: "name at least one")
        }
        var tilesets: [StoredTileset] = []
        var contents = PageContents { path, floor in
            let tileset = try StoredTileset(path, floor: floor, maxTiles: request.maxTiles)
            var metadata = tileset.metadata
            // The reader of the page need not know where it was.
            if metadata.name == path { metadata.name = path.fileStem }
            tilesets.append(tileset)
            return ViewerPage.Tileset(metadata, inside: tilesets.count - 1)
        }
        for path in request.inputs {
            try contents.add(path, Manifest.isManifest(path) ? try Manifest(contentsOf: path) : nil)
        }
        (title, warnings) = (contents.title, contents.warnings)
        buildings = try Self.chosen(contents.buildings, request.floor)
        tiles = SharedTiles(limit: request.maxBytes)
        let shown = Set(buildings.flatMap(\.floors).compactMap(\.number))
        for (number, tileset) in tilesets.enumerated() {
            found.append(
                shown.contains(number) ? try Self.read(tileset, number, request, into: &tiles) : Found())
        }
        guard !tiles.zooms.isEmpty else {
            let part = request.zooms == ZoomRange() ? "" : " at these zooms"
            throw Failure(.badInput, cannot: "share '\(first)'", "it has no tiles\(part)")
        }
        for floor in buildings.flatMap(\.floors) where floor.number.map({ found[$0].limits.isEmpty }) ?? true
        {
            warnings.append("'\(floor.label)' is not in the page: it has no tiles at these zooms")
        }
    }

    private static func chosen(
        _ buildings: [ViewerPage.Building], _ floor: String?
    ) throws -> [ViewerPage.Building] {
        guard let floor else { return buildings }
        let chosen = buildings.map { building in
            ViewerPage.Building(building.name, floors: building.floors.filter { $0.metadata.floor == floor })
        }
        guard chosen.contains(where: { !$0.floors.isEmpty }) else {
            let names = buildings.flatMap(\.floors).compactMap(\.metadata.floor).uniqued
            throw Failure(
                .missingInput, "there is no floor '\(floor)'",
                remedy: names.isEmpty
                    ? "leave --floor out" : "choose one of \(names.map { "'\($0)'" }.listed("and"))")
        }
        return chosen
    }

    private static func read(
        _ tileset: StoredTileset, _ number: Int, _ request: SharedPageRequest, into tiles: inout SharedTiles
    ) throws -> Found {
        let part: any TileCollection = TilesetPart(of: tileset, zooms: request.zooms) ?? tileset.reader
        var zooms = TilesByZoom()
        var found = Found()
        var count = 0
        try part.forEachTile { tile in
            try Task.checkCancellation()
            guard let type = TileFormat(signatureOf: tile.bytes) else {
                let place = part.place(of: tile.coordinate)
                throw Failure(
                    .badInput, cannot: "share '\(tileset.path)'", "\(place) is not a PNG, JPEG or WebP",
                    remedy: "'tilewright verify' reports what is wrong")
            }
            count += 1
            try tileset.budget.check(count, of: tileset.path)
            zooms.count(tile.coordinate)
            found.counts[tile.coordinate.zoom, default: 0] += 1
            tiles.add(tile, type, of: number)
        }
        found.limits = zooms.limits
        return found
    }

    /// The page, if it is not too large.
    func bytes() -> Result<[UInt8], SharedPage.Excess> {
        if tiles.areAllKept {
            let page = page(upTo: tiles.zooms.count)
            if page.count <= request.maxBytes { return .success(page) }
        }
        return .failure(tooLarge)
    }

    /// The page with some of the lowest zooms, whose tiles must have been kept.
    private func page(upTo count: Int) -> [UInt8] {
        let (head, foot) = frame(upTo: count)
        return head + tiles.zooms.prefix(count).flatMap { tiles.elements(zoom: $0) } + foot
    }

    /// All of the page but the tiles.
    private func frame(upTo count: Int) -> (head: [UInt8], foot: [UInt8]) {
        let zooms = Set(tiles.zooms.prefix(count))
        let shown = buildings.map { building in
            ViewerPage.Building(building.name, floors: building.floors.compactMap { part(of: $0, at: zooms) })
        }
        return ViewerPage.shared(
            shown, title: title, library: library, basemap: request.background.address)
            ?? (head: [], foot: [])
    }

    /// A tileset at some zooms; nil if it has no tiles there.
    private func part(of floor: ViewerPage.Tileset, at zooms: Set<Int>) -> ViewerPage.Tileset? {
        guard let number = floor.number else { return nil }
        var floor = floor
        floor.metadata.limits = found[number].limits.filter { zooms.contains($0.zoom) }
        let count = zooms.reduce(0) { $0 + (found[number].counts[$1] ?? 0) }
        floor.metadata.contents = TilesetContents(tileCount: count, digest: "")
        floor.metadata.fitBounds()
        return floor.isEmpty ? nil : floor
    }

    /// The error of a page that is too large, with the zooms that fit.
    private var tooLarge: SharedPage.Excess {
        let zooms = tiles.zooms
        func size(_ count: Int) -> Int {
            let (head, foot) = frame(upTo: count)
            return zooms.prefix(count).reduce(head.count + foot.count) { $0 + tiles.size(zoom: $1) }
        }
        let most = zooms.indices.last { size($0 + 1) <= request.maxBytes }
        let whole = size(zooms.count), needed = "--max-bytes \((whole + (1 << 20) - 1) >> 20)M"
        let others = whole <= SharedPageRequest.largestMaxBytes ? [needed] : []
        let fitting = most.map { last in
            (range: last == 0 ? "\(zooms[0])" : "\(zooms[0])-\(zooms[last])", bytes: size(last + 1))
        }
        let floors = buildings.flatMap(\.floors).count > 1 ? ["one floor with --floor"] : []
        let ways =
            fitting.map { ["--zoom \($0.range) (\(Self.text($0.bytes)))"] + others } ?? others + floors
        let failure = Failure(
            .usage,
            "the page would take \(Self.text(whole)), more than --max-bytes \(ByteSize(request.maxBytes))",
            remedy: ways.isEmpty ? "no zoom of it fits into a page" : "write \(ways.listed("or"))")
        return SharedPage.Excess(failure: failure, zooms: fitting?.range, bytes: fitting?.bytes)
    }

    /// A size in units that `--max-bytes` takes, rounded up.
    private static func text(_ bytes: Int) -> String {
        bytes < 1 << 20
            ? "\((bytes + 1023) >> 10)K"
            : "\(((Double(bytes) / 104857.6).rounded(.up) / 10).text(decimals: 1))M"
    }
}
