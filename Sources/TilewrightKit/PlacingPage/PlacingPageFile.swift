import Georeferencing
import Platform
import Publishing
public import Tiling

/// What a page shows in which an image, or the floors of a manifest, are laid on the map by hand.
public struct PlacingRequest: Hashable, Sendable {
    /// The map under everything.
    public enum Background: Hashable, Sendable {
        /// The one of OpenStreetMap.
        case openStreetMap
        /// An address of tiles with `{z}`, `{x}` and `{y}`.
        case tiles(String)
        /// None: the page asks nobody for anything.
        case none
    }

    /// The image, with or without a position, or a manifest.
    public var image: String
    /// The only floor of the manifest that is placed, as `Manifest.floor(_:)` takes it; nil for all.
    public var floor: String?
    /// The page of a TIFF, or the ground overlay of a KMZ, counted from 1; nil for the first one.
    public var page: Int?
    /// Where the page goes that is written; nil for `plan.html` beside `plan.png`.
    public var output: String?
    /// Where the map begins, longitude and latitude in degrees; nil for where the image lies, where its
    /// camera stood, or what lies under it.
    public var near: Point?
    /// What to align with, the later over the earlier: tilesets, GeoJSON files, and images with a position.
    public var layers: [String] = []
    /// The most tiles that one of these tilesets may have.
    public var maxTiles = BuildResources.standardMaxTiles
    /// The map under everything.
    public var background = Background.openStreetMap
    /// The longer edge of a picture in the page, at most, in pixels; nil for the standard edge, or less if
    /// the pictures of all floors make the page too large.
    public var longestEdge: Int?
    /// A folder with `leaflet.js` and `leaflet.css`, to put into the page; nil to load them from the web.
    public var assets: String?
    /// The address of a server that takes what is saved, relative to the page; nil if the browser saves it.
    package var savingAddress: String?

    /// As large as browsers draw quickly, also on phones.
    public static let standardEdge = 4096

    /// Asks for a page.
    ///
    /// - Parameter image: a file of an image, or a manifest.
    public init(_ image: String) { self.image = image }

    /// The image, if it is not a manifest.
    var imageRequest: ImageRequest {
        var request = ImageRequest(image)
        request.page = page
        return request
    }
}

/// A page in which an image, or the floors of a manifest, are laid on the map by hand: roughly first, then by
/// points.
///
/// It holds a reduced picture of each image and of what is to be aligned with, and works from the disk.
/// Memory: some ten bytes for each pixel of a picture; pictures of up to four floors are made at a time.
public struct PlacingPageFile: Sendable {
    /// Where the page goes.
    public let path: String
    private let isTyped: Bool
    /// Warnings for the user, a line each.
    public let warnings: [String]

    private let page: PlacingPage

    /// Reads the images and draws what lies under them.
    ///
    /// - Throws: a `Failure` if something cannot be read, or the page is asked for under a name that is none.
    public init(_ request: PlacingRequest) async throws {
        path = try Self.path(request)
        isTyped = request.output != nil
        try Self.check(request)
        let library = try request.assets.map(MapLibrary.init(directory:)) ?? .hosted
        var underlying: [UnderlyingLayer] = []
        let edge = request.longestEdge ?? PlacingRequest.standardEdge
        for thing in request.layers {
            underlying.append(try await UnderlyingLayer(thing, longestEdge: edge, maxTiles: request.maxTiles))
        }
        let subject = try await PlacingSubject(request)
        warnings = subject.warnings + underlying.flatMap(\.warnings)
        page = PlacingPage(
            subject.title, source: request.imageRequest.listName, floors: subject.floors,
            near: request.near ?? subject.near ?? underlying.compactMap(\.middle).last,
            layers: underlying.map(\.layer), background: Self.background(request.background),
            library: library, savingAddress: request.savingAddress)
    }

    /// The page in UTF-8.
    package var html: [UInt8] { page.html }

    /// Writes the page, whole or not at all.
    ///
    /// - Parameter force: write over a page of another kind, and one that this program did not make.
    /// - Throws: a `Failure`: `outputRefused` if there is such a page, or none can be made; `inputOutput` if
    ///   writing fails.
    public func write(force: Bool = false) throws {
        try PageFile.write(page.html, as: .placing, to: path, isTyped: isTyped, force: force)
    }

    private static func path(_ request: PlacingRequest) throws -> String {
        let image = request.image
        let page = request.imageRequest.pageNumber
        let stem = image.splitExtension.stem + (page == 1 ? "" : ".page\(page)")
        let path = try PageFile.checked(request.output ?? stem + ".html")
        guard !OutputFile.areSame(path, image) else {
            throw Failure(.usage, cannot: "write '\(path)'", "that is the image itself")
        }
        return path
    }

    /// Smaller pictures would show nothing, larger ones are beyond what browsers draw.
    private static let edges = 64...8192

    private static func check(_ request: PlacingRequest) throws {
        if let near = request.near { try Georeference.checkPlace(near, of: "--near") }
        if let edge = request.longestEdge, !edges.contains(edge) {
            throw Failure(
                .usage,
                "--preview \(edge) is not between \(edges.lowerBound) and \(edges.upperBound)")
        }
        if case .tiles(let address) = request.background, !PlacingPage.isAddress(address) {
            throw Failure(
                .usage, "--basemap '\(address)' is not the address of a map's tiles",
                remedy: "write it with {z}, {x} and {y}, as https://tile.openstreetmap.org/{z}/{x}/{y}.png, "
                    + "or 'none'")
        }
    }

    private static func background(_ background: PlacingRequest.Background) -> PlacingPage.Background {
        switch background {
        case .openStreetMap: .openStreetMap
        case .tiles(let address): .tiles(address)
        case .none: .none
        }
    }
}

/// What a page places: an image, or the floors of a manifest.
struct PlacingSubject {
    /// Its name for people.
    let title: String
    /// The floors, of each building from the lowest on; an image alone is the only one.
    let floors: [PlacingPage.Floor]
    /// Where the map may begin.
    let near: Point?
    /// Warnings for the user, a line each.
    let warnings: [String]

    /// Reads the images.
    ///
    /// - Throws: a `Failure` if none of them can be read, or that of the floor that is asked for cannot.
    init(_ request: PlacingRequest) async throws {
        if Manifest.isManifest(request.image) {
            if let page = request.page {
                throw Failure(
                    .usage, "--page \(page) has no meaning beside a manifest",
                    remedy: "choose a floor with --floor")
            }
            try await self.init(Manifest(contentsOf: request.image), request)
        } else {
            try self.init(image: request)
        }
    }

    private init(image request: PlacingRequest) throws {
        if let floor = request.floor {
            throw Failure.needsManifest("--floor \(floor)", beside: request.image)
        }
        let asked = request.imageRequest
        let image = try PlannedImage(
            asked, longestEdge: request.longestEdge ?? PlacingRequest.standardEdge)
        (title, floors) = (asked.listName.fileName, [PlacingPage.Floor(plan: image.plan)])
        (near, warnings) = (image.near, image.warnings)
    }

    private init(_ manifest: Manifest, _ request: PlacingRequest) async throws {
        let chosen = try request.floor.map { try manifest.floor($0) }
        let all = FloorPoints.floors(of: manifest)
        let building = chosen.flatMap { chosen in all.first { $0.floor.name == chosen.name }?.building }
        let points = chosen == nil ? all : all.filter { $0.building == building }
        let planned = try await PlannedFloors(points.map(\.image), longestEdge: request.longestEdge)
        var rows = zip(points, planned.images).map { PlacingRow($0, $1, of: all, chosen: chosen?.name) }
        rows.append(contentsOf: PlacingRow.ofSeveralImages(manifest, chosen: chosen?.name))
        if let problem = Self.problem(rows, chosen: chosen?.name) { throw problem }
        rows.separateOtherSizes()
        // The building's name, or that of the campus; with the floor's if only one is placed.
        let name =
            switch manifest {
            case .building(let building): building.name
            case .campus(let campus): chosen?.name.building ?? campus.name
            }
        title = [name ?? request.image.fileName, chosen?.request.effectiveLabel].compactMap(\.self)
            .joined(separator: ", ")
        floors = rows.filter { $0.isOffered || $0.plan != nil }.sorted { $0.rank < $1.rank }.map(\.page)
        near = rows.first { $0.floor.name == chosen?.name }?.near ?? rows.compactMap(\.near).first
        warnings = planned.warnings + rows.flatMap(\.warnings)
    }

    /// What is wrong with the floor that was asked for, or with all of them.
    private static func problem(_ rows: [PlacingRow], chosen: FloorName?) -> Failure? {
        let isFaulty = chosen != nil || !rows.contains { $0.plan != nil }
        guard isFaulty, let row = rows.first(where: { chosen == nil || $0.floor.name == chosen }),
            let problem = row.problem
        else { return nil }
        return problem.attempt == nil ? problem.inAttempt("place the \(row.floor.name)") : problem
    }
}
