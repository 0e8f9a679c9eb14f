import Platform
import Georeferencing
import Publishing
import Tiling

/// A page in which an image, or the floors of a manifest, are laid on the map by hand: roughly first, then by
/// points.
///
/// It holds a reduced picture of each image and of what is to be aligned with, and works from the disk. Memory:
/// some ten bytes for each pixel of a picture; pictures of up to four floors are made at a time.
public struct PlacingPageFile: Sendable {
    /// Where the page goes.
    public let path: String
    /// Whether the user named it.
    private let isTyped: Bool
    /// What is not an error, and what the user should know: a line each.
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
            library: library,
            savingAddress: request.savingAddress)
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
