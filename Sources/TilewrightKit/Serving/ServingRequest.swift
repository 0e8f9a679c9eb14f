import Platform
import Publishing

/// The sources to serve, and the options to read images.
public struct ServingRequest: Sendable {
    /// Folders of tiles, archives, images and manifests, under names.
    public var inputs: [ServedInput]
    /// The properties of all images; the path is replaced by that of each.
    public var image = ImageRequest("")
    /// The tiles of images.
    public var pyramid = PyramidRequest()
    /// The resources for rendering: `jobs` tiles at a time, which share the memory.
    public var resources = BuildResources()
    /// Whether images can be placed on the map in a page that saves their points. If so, images without a
    /// position are accepted, too.
    public var allowsPlacing = false

    /// Makes a request.
    public init(_ inputs: [ServedInput]) { self.inputs = inputs }

    /// The sources that are images.
    public var images: [ServedInput] { inputs.filter { $0.kind == .image } }
}

/// A source that is served, and its name.
public struct ServedInput: Hashable, Sendable {
    /// The kind of a path.
    enum Kind: Hashable, Sendable { case tileset, manifest, image }

    /// The name that the user gave; nil for the name of the file or folder.
    public let name: String?
    /// A folder of tiles, an archive, an image, or a manifest.
    public let path: String
    /// The kind of the path, which does not change while a folder is missing because it is built again.
    let kind: Kind

    /// Names a source, and checks whether it is a folder. If its disk does not answer, a name without an ending
    /// counts as that of a folder.
    public init(_ path: String, name: String? = nil) {
        (self.path, self.name) = (path, name)
        let isTileset =
            TilesetContainer(path: path).isArchive
            || BlockingThreads.answer { StoredTileset.isTileset(path) }
                ?? path.fileName.splitExtension.fileExtension.isEmpty
        kind = isTileset ? .tileset : Manifest.isManifest(path) ? .manifest : .image
    }

    /// Reads `INPUT` or `NAME=INPUT`; the path of an existing file or folder is an `INPUT`, even if it
    /// contains `=`.
    ///
    /// - Throws: `.usage` if an address cannot contain the name.
    public init(parsing text: String) throws(Failure) {
        @Sendable func isFile() -> Bool { FileStamp(text) != nil || FileStamp(folder: text) != nil }
        guard !FarFiles.isAddress(text), let equals = text.firstIndex(of: "="),
            !(BlockingThreads.answer(isFile) ?? false)
        else {
            self.init(text)
            return
        }
        let (name, path) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
        if path.isEmpty {
            throw Failure(
                .usage, cannot: "serve '\(text)'", "there is no input after '='", remedy: "write NAME=INPUT")
        }
        self.init(path, name: name)
        try checkName()
    }

    /// Refuses a name that an address cannot contain.
    ///
    /// - Throws: `.usage`.
    func checkName() throws(Failure) {
        let name = effectiveName
        let isName =
            !name.isEmpty && ![".", ".."].contains(name)
            && !name.unicodeScalars.contains { "/\\\u{7F}".unicodeScalars.contains($0) || $0.value < 0x20 }
        if isName { return }
        throw Failure(
            .usage, cannot: "serve '\(path)'", "an address cannot contain the name '\(name)'",
            remedy: "write NAME=INPUT, with a NAME without slashes")
    }

    /// The name in addresses.
    var effectiveName: String {
        if let name { return name }
        // '.' and '..' stand for folders with names.
        let file =
            [".", ".."].contains(path.fileName)
            ? CanonicalPath(path).components.last ?? "" : path.fileName
        let isFolder = kind == .tileset && !TilesetContainer(path: path).isArchive
        return isFolder ? file : file.splitExtension.stem
    }
}

/// An image, or the floors of a manifest, that can be placed on the map in a page of the server.
package struct PlacingPlace: Sendable {
    /// The last name of the page's address.
    static let pageName = "place"
    /// The last name of the address to which the page sends points.
    static let savingName = "points"

    /// The threads that read its images.
    package let threads = BlockingThreads()
    private let path: String
    /// The requested page of an image.
    private let page: Int?
    private let isManifest: Bool
    /// The address of the page, relative to the server's.
    package let pagePath: String
    /// The address to which points are sent, relative to the server's.
    package let savingPath: String

    /// Describes the page of an image or a manifest; nil for other sources.
    ///
    /// - Parameter image: the properties of all images.
    init?(_ input: ServedInput, image: ImageRequest) {
        if input.kind == .tileset { return nil }
        (path, isManifest) = (input.path, input.kind == .manifest)
        page = isManifest ? nil : image.page
        let prefix = (isManifest ? input.name : input.effectiveName).map { "\($0)/" } ?? ""
        (pagePath, savingPath) = (prefix + Self.pageName, prefix + Self.savingName)
    }

    /// Its name for people.
    var title: String { path.fileName }

    /// The page, in UTF-8. Reads the images, which takes as long as `tilewright place`.
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

    /// Checks the points that the page has saved, and writes the file that every command finds.
    ///
    /// - Parameters:
    ///   - text: the file of points.
    ///   - name: the name that the page gave to the file.
    /// - Returns: the file that was written, and lines for people.
    /// - Throws: a `Failure` if the points have no fit, or if points of another program exist.
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
