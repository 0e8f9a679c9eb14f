import Platform
import Publishing

/// An image, or the floors of a manifest, that may be laid on the map in a page of the server.
package struct PlacingPlace: Sendable {
    /// The last name of the page's address.
    static let pageName = "place"
    /// The last name of the address that takes what the page saves.
    static let savingName = "points"

    /// Where its images are read.
    package let threads = BlockingThreads()
    private let path: String
    /// Which page of an image, as it was asked for.
    private let page: Int?
    private let isManifest: Bool
    /// The address of the page, relative to the server's.
    package let pagePath: String
    /// The address that takes what is saved, relative to the server's.
    package let savingPath: String

    /// Names what a thing places; nil if it is neither an image nor a manifest.
    ///
    /// - Parameter image: what is asked for of images.
    init?(_ thing: ServedThing, image: ImageRequest) {
        if thing.kind == .tileset { return nil }
        (path, isManifest) = (thing.path, thing.kind == .manifest)
        page = isManifest ? nil : image.page
        let prefix = (isManifest ? thing.name : thing.effectiveName).map { "\($0)/" } ?? ""
        (pagePath, savingPath) = (prefix + Self.pageName, prefix + Self.savingName)
    }

    /// What is placed, for people.
    var title: String { path.fileName }

    /// The page, in UTF-8. Reads the images; takes as long as `tilewright place`.
    ///
    /// - Parameter assets: a folder with `leaflet.js` and `leaflet.css`; nil to load them from the web.
    /// - Throws: a `Failure` if none of the images can be read.
    package func page(assets: String?) async throws -> [UInt8] {
        var request = PlacingRequest(path)
        request.page = page
        request.assets = assets
        request.savingAddress = Self.savingName
        return try await PlacingPageFile(request).html
    }

    /// Checks what the page has saved, and puts it where every command finds it.
    ///
    /// - Parameters:
    ///   - text: the file of points.
    ///   - name: the name that the page gave to the file.
    /// - Returns: the file that was written, and lines for people.
    /// - Throws: a `Failure` if the points make no fit, or points of another program are there.
    package func save(_ text: String, as name: String) throws -> (file: String, lines: [String]) {
        var image = ImageRequest(path)
        image.page = page
        var points =
            isManifest
            ? try SavedPoints(text, by: name.fileName, for: Manifest(contentsOf: path))
            : try SavedPoints(text, named: name.fileName, for: image)
        try points.write()
        return (points.path, points.warnings + [points.advice].compactMap(\.self))
    }
}
