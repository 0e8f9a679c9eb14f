import Platform

/// What to serve, and how images among it are read.
public struct ServingRequest: Sendable {
    /// Folders of tiles, archives, images and manifests, under names.
    public var things: [ServedThing]
    /// What of images counts, and where they lie; the path is that of each.
    public var image = ImageRequest("")
    /// What a build would make of images.
    public var pyramid = PyramidRequest()
    /// What rendering may use of the machine: `jobs` tiles at a time, which share the memory.
    public var resources = BuildResources()
    /// Whether images may be laid on the map in a page that saves their points; those without a position are
    /// served too then.
    public var allowsPlacing = false

    /// Asks for things.
    public init(_ things: [ServedThing]) { self.things = things }

    /// The things that are images.
    public var images: [ServedThing] { things.filter { $0.kind == .image } }
}

/// A thing that is served, and its name.
public struct ServedThing: Hashable, Sendable {
    /// What a path means.
    enum Kind: Hashable, Sendable { case tileset, manifest, image }

    /// What somebody called it; nil for the name of the file or the folder.
    public let name: String?
    /// A folder of tiles, an archive, an image, or a manifest.
    public let path: String
    /// What the path means; it stays that, also while a folder is gone that is built anew.
    let kind: Kind

    /// Names a thing. Looks whether there is a folder.
    public init(_ path: String, name: String? = nil) {
        (self.path, self.name) = (path, name)
        kind = StoredTileset.isTileset(path) ? .tileset : Manifest.isManifest(path) ? .manifest : .image
    }

    /// Reads `THING` or `NAME=THING`. What has a file or a folder of its name is no name.
    ///
    /// - Throws: `.usage` if the name cannot stand in an address.
    public init(parsing text: String) throws(Failure) {
        guard let equals = text.firstIndex(of: "="), !Self.exists(text) else {
            self.init(text)
            return
        }
        let (name, path) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
        if path.isEmpty {
            throw Failure(
                .usage, cannot: "serve '\(text)'", "nothing stands behind '='", remedy: "write NAME=THING")
        }
        self.init(path, name: name)
        try checkName()
    }

    /// Refuses a name that no request can have.
    ///
    /// - Throws: `.usage`.
    func checkName() throws(Failure) {
        let name = effectiveName
        let isName =
            !name.isEmpty && ![".", ".."].contains(name)
            && !name.unicodeScalars.contains { "/\\\u{7F}".unicodeScalars.contains($0) || $0.value < 0x20 }
        if isName { return }
        throw Failure(
            .usage, cannot: "serve '\(path)'", "'\(name)' can be no name in an address",
            remedy: "write NAME=THING, with a name without slashes")
    }

    private static func exists(_ path: String) -> Bool {
        FileStamp(path) != nil || FileStamp(folder: path) != nil
    }

    /// What addresses begin with.
    var effectiveName: String {
        if let name { return name }
        // The folder in which one is has a name, too.
        let file =
            [".", ".."].contains(path.fileName)
            ? CanonicalPath(path).components.last ?? "" : path.fileName
        let isFolder = kind == .tileset && !TilesetContainer(path: path).isArchive
        return isFolder ? file : file.splitExtension.stem
    }
}
