import Georeferencing
import Platform
import Publishing
public import Tiling

/// The contents of a page in which users place an image, or the floors of a manifest, on the map by hand.
public struct PlacingRequest: Hashable, Sendable {
    /// The map under everything.
    public enum Background: Hashable, Sendable {
        /// The map of OpenStreetMap.
        case openStreetMap
        /// An address of tiles with `{z}`, `{x}` and `{y}`.
        case tiles(String)
        /// No map: the page loads nothing from the web.
        case none

        /// The address in the page; nil for OpenStreetMap's.
        package var address: String? {
            switch self {
            case .openStreetMap: nil
            case .tiles(let address): address
            case .none: ""
            }
        }
    }

    /// The image, with or without a position, or a manifest.
    public var image: String
    /// The only floor of the manifest to place, as `Manifest.floor(_:)` takes it; nil for all.
    public var floor: String?
    /// The page of a TIFF, or the ground overlay of a KMZ, counted from 1; nil for the first one.
    public var page: Int?
    /// The path of the page; nil for `plan.html` next to `plan.png`.
    public var output: String?
    /// The start of the map, longitude and latitude in degrees; nil for the position of the image, of its
    /// camera, or of the layers under it.
    public var near: Point?
    /// The layers to align with, each on top of the ones before: tilesets, GeoJSON, KML and KMZ files, and
    /// images with a position.
    public var layers: [String] = []
    /// The maximum number of tiles that each of these tilesets may have.
    public var maxTiles = BuildResources.standardMaxTiles
    /// The map under everything.
    public var background = Background.openStreetMap
    /// The longest edge of a picture in the page, in pixels; nil for the standard edge, or less if the
    /// pictures of all floors make the page too large.
    public var longestEdge: Int?
    /// A folder with `leaflet.js` and `leaflet.css`, to put into the page; nil for those of the system, or to
    /// load them from the web.
    public var assets: String?
    /// The address to which the page sends saved points, relative to the page; nil if the browser saves them.
    package var savingAddress: String?
    /// The guide whose step the page is; nil for a page of its own.
    package var guide: PlacingGuide?

    /// The largest edge that browsers draw quickly, even on phones.
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

/// A page in which users place an image, or the floors of a manifest, on the map by hand: roughly first, then
/// by points.
///
/// It holds a reduced picture of each image and of the layers to align with, and works from the disk. Each
/// pixel of a picture takes some ten bytes of memory. Pictures of up to four floors are made at a time.
public struct PlacingPageFile: Sendable {
    /// The path of the page.
    public let path: String
    private let isTyped: Bool
    /// Warnings for the user, a line each.
    public let warnings: [String]

    /// The page in UTF-8.
    package let html: [UInt8]

    /// Reads the images, and draws the layers under them.
    ///
    /// - Throws: a `Failure` if something cannot be read, or if the name of the page is not that of a page.
    public init(_ request: PlacingRequest) async throws {
        try await self.init(request, manifest: nil, heads: nil)
    }

    /// Reads the images of a manifest that is known, and draws the layers under them.
    ///
    /// - Parameters:
    ///   - manifest: the manifest, which may differ from its file; nil to read the file.
    ///   - heads: tells of images whose pictures a server makes; nil to make the pictures.
    init(_ request: PlacingRequest, manifest: Manifest?, heads: ImageHeads?) async throws {
        path = try Self.path(request)
        isTyped = request.output != nil
        try Self.check(request)
        let library = try MapLibrary(assets: request.assets)
        var underlying: [UnderlyingLayer] = []
        let edge = request.longestEdge ?? PlacingRequest.standardEdge
        for input in request.layers {
            underlying.append(try await UnderlyingLayer(input, longestEdge: edge, maxTiles: request.maxTiles))
        }
        let subject = try await PlacingSubject(request, manifest: manifest, heads: heads)
        warnings = subject.warnings + underlying.flatMap(\.warnings)
        html = PlacingPage.html(
            subject.title, source: request.imageRequest.listName, floors: subject.floors,
            near: request.near ?? subject.near ?? underlying.compactMap(\.middle).last,
            layers: underlying.map(\.layer), basemap: request.background.address,
            library: library, savingAddress: request.savingAddress, guide: request.guide)
    }

    /// Writes the page, whole or not at all.
    ///
    /// - Parameter force: overwrite a page of another kind, or one that tilewright did not make.
    /// - Throws: a `Failure`: `outputRefused` if there is such a page, or none can be made; `inputOutput` if
    ///   writing fails.
    public func write(force: Bool = false) throws {
        try PageFile.write(html, as: .placing, to: path, isTyped: isTyped, force: force)
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

    /// Smaller pictures would show nothing, and browsers do not draw larger ones.
    private static let edges = 64...8192

    private static func check(_ request: PlacingRequest) throws {
        if let near = request.near { try Georeference.checkPlace(near, of: "--near") }
        if let edge = request.longestEdge, !edges.contains(edge) {
            throw Failure(
                .usage,
                "--preview \(edge) is not between \(edges.lowerBound) and \(edges.upperBound)")
        }
        if case .tiles(let address) = request.background,
            !["{z}", "{x}", "{y}"].allSatisfy(address.contains)
        {
            throw Failure(
                .usage, "--basemap '\(address)' is not the address of a map's tiles",
                remedy: "write it with {z}, {x} and {y}, or write 'none'; OpenStreetMap has the address "
                    + "https://tile.openstreetmap.org/{z}/{x}/{y}.png")
        }
    }
}

/// The content that a page places: an image, or the floors of a manifest.
struct PlacingSubject {
    /// Its name for people.
    let title: String
    /// The floors, from the lowest of each building; a single image counts as a floor.
    let floors: [PlacingPage.Part]
    /// A place at which the map may begin.
    let near: Point?
    /// Warnings for the user, a line each.
    let warnings: [String]

    /// Reads the images.
    ///
    /// - Parameters:
    ///   - manifest: the manifest; nil to read its file.
    ///   - heads: tells of images whose pictures a server makes; nil to make the pictures.
    /// - Throws: a `Failure` if no image can be read, or if that of the requested floor cannot.
    init(_ request: PlacingRequest, manifest: Manifest?, heads: ImageHeads?) async throws {
        if Manifest.isManifest(request.image) {
            if let page = request.page {
                throw Failure(
                    .usage, "--page \(page) does not apply to a manifest",
                    remedy: "choose a floor with --floor")
            }
            let manifest = try manifest ?? Manifest(contentsOf: request.image)
            try await self.init(manifest, request, heads)
        } else {
            try self.init(image: request)
        }
    }

    private init(image request: PlacingRequest) throws {
        if let floor = request.floor {
            throw Failure.needsManifest("--floor \(floor)", nextTo: request.image)
        }
        let asked = request.imageRequest
        let image = try PlannedImage(
            asked, longestEdge: request.longestEdge ?? PlacingRequest.standardEdge)
        title = asked.listName.fileName
        floors = [PlacingPage.Part(.record(["plan": image.plan]), content: image.picture.address)]
        (near, warnings) = (image.near, image.warnings)
    }

    private init(_ manifest: Manifest, _ request: PlacingRequest, _ heads: ImageHeads?) async throws {
        let chosen = try request.floor.map { try manifest.floor($0) }
        let all = FloorPoints.floors(of: manifest)
        let building = chosen.flatMap { chosen in all.first { $0.floor.name == chosen.name }?.building }
        let points = chosen == nil ? all : all.filter { $0.building == building }
        let planned =
            if let heads {
                try await PlannedFloors(linking: points, heads)
            } else {
                try await PlannedFloors(points.map(\.image), longestEdge: request.longestEdge)
            }
        var rows = zip(points, planned.images).map { PlacingRow($0, $1, of: all, chosen: chosen?.name) }
        rows.append(contentsOf: PlacingRow.ofSeveralImages(manifest, chosen: chosen?.name))
        if let problem = Self.problem(rows, chosen: chosen?.name) { throw problem }
        rows.separateOtherSizes()
        // The name of the building or campus, with that of the floor if only one is placed.
        let name =
            switch manifest {
            case .building(let building): building.name
            case .campus(let campus): chosen?.name.building ?? campus.name
            }
        title = [name ?? request.image.fileName, chosen?.request.effectiveLabel].compactMap(\.self)
            .joined(separator: ", ")
        floors = rows.filter { $0.isOffered || $0.planned != nil }.sorted { $0.rank < $1.rank }.map(\.page)
        near =
            rows.first { $0.floor.name == chosen?.name }?.planned?.near
            ?? rows.compactMap { $0.planned?.near }.first
        warnings = planned.warnings + rows.flatMap(\.warnings)
    }

    /// The error of the requested floor, or of all floors.
    private static func problem(_ rows: [PlacingRow], chosen: FloorName?) -> Failure? {
        let isFaulty = chosen != nil || !rows.contains { $0.planned != nil }
        guard isFaulty, let row = rows.first(where: { chosen == nil || $0.floor.name == chosen }),
            let problem = row.image.failure
        else { return nil }
        return problem.attempt == nil ? problem.inAttempt("place the \(row.floor.name)") : problem
    }
}

/// The file of a page that tilewright writes.
enum PageFile {
    /// Refuses a name that is not that of an HTML file.
    ///
    /// - Throws: a `Failure` (`usage`).
    static func checked(_ path: String) throws -> String {
        guard path.hasEnding(".html") || path.hasEnding(".htm") else {
            throw Failure(
                .usage, cannot: "write '\(path)'", "the page is an HTML file",
                remedy: "choose a name that ends in .html")
        }
        return path
    }

    /// Writes a page, whole or not at all.
    ///
    /// Pages of different kinds may have the same name: `plan.html` for `plan.png` and for `plan.pmtiles`.
    ///
    /// - Parameters:
    ///   - kind: the kind of pages that may be replaced.
    ///   - isTyped: whether a user named the file.
    ///   - force: whether to replace any page.
    /// - Throws: a `Failure`: `outputRefused` if there is another page, or none can be made; `inputOutput` if
    ///   writing fails.
    static func write(
        _ html: [UInt8], as kind: PageKind, to path: String, isTyped: Bool, force: Bool
    ) throws {
        // A link is followed: its target is replaced.
        if isTyped, FileStatus(at: path) != nil { _ = try checked(WholeFile.followingLink(path)) }
        if !force, let old = try OutputFile.text(of: path), PageKind(of: old) != kind {
            let other =
                PageKind(of: old).map { "was written by '\($0.command)'" } ?? "was not made by tilewright"
            throw Failure(
                .outputRefused, cannot: "write '\(path)'", "the page there \(other)",
                remedy: "choose another name with -o, or add --force to overwrite the page")
        }
        try OutputFile.write(html, to: path, isTyped: isTyped)
    }
}
