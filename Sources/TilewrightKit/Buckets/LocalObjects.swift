import Platform
import Publishing
import Tilesets

/// The objects that OUTPUT becomes, and where their bytes are.
struct LocalObjects: Sendable {
    /// A place of bytes: the tiles of a tileset, or a document.
    enum Place: Sendable {
        /// The tiles of a tree. Their paths below it follow the prefix.
        case tree(TreeListing, prefix: String)
        /// The tiles of an archive.
        case archive(ArchivedTiles)
        /// Bytes in memory.
        case bytes([UInt8])
        /// A file that is not held in memory, as it was when it was hashed.
        case file(String, FileStamp?)
    }

    /// A path, and the number of the place of its bytes.
    struct Entry: Sendable {
        var object: PublishedObject
        var place: Int32
    }

    /// The path that the user gave.
    let output: String
    /// All kinds of objects.
    private(set) var kinds: [ObjectKind] = []
    /// The objects, sorted by the bytes of their paths.
    private(set) var entries: [Entry] = []
    /// The places of bytes.
    private(set) var places: [Place] = []

    private let cache: CacheControl
    private let budget: ReadingBudget

    /// The most bytes of a document that is held in memory.
    static let largestDocument = 16 << 20

    /// Begins without objects.
    init(of output: String, _ cache: CacheControl, budget: ReadingBudget) {
        (self.output, self.cache, self.budget) = (output, cache, budget)
    }

    /// Adds the tiles of a tree.
    mutating func add(_ tree: TreeListing, below prefix: String) throws {
        let kind = kind(.tile, type: "")
        let place = add(.tree(tree, prefix: prefix))
        try budget.check(entries.count.addingSaturated(tree.tileCount), of: output)
        entries.reserveCapacity(entries.count + tree.tileCount)
        try tree.forEachTile { path, size, hash in
            try add(prefix + path, kind, size: size, hash, place)
        }
    }

    /// Adds the tiles and documents of an archive.
    mutating func add(_ archive: ArchivedTiles) throws {
        let kind = kind(.tile, type: "")
        let place = add(.archive(archive))
        for tile in archive.tiles { try add(tile.path, kind, size: tile.size, tile.hash, place) }
        for file in archive.documents {
            try add(document: file.name, file.bytes, as: ObjectRole(ofDocument: file.name))
        }
    }

    /// Adds a document.
    mutating func add(document path: String, _ bytes: [UInt8], as role: ObjectRole) throws {
        let kind = kind(role, type: MediaType.ofFile(named: path))
        try add(path, kind, size: bytes.count, ContentHash(of: bytes), add(.bytes(bytes)))
    }

    /// Adds a file, which is read once.
    ///
    /// - Parameters:
    ///   - file: where it is.
    ///   - path: the path of the object.
    mutating func add(file: String, at path: String, as role: ObjectRole) throws {
        let kind = kind(role, type: MediaType.ofFile(named: path))
        let stamp = FileStamp(file)
        var size = 0
        let hash = try ContentHash(ofFile: file) { size += $0.count }
        try add(path, kind, size: size, hash, add(.file(file, stamp)))
    }

    private mutating func add(_ place: Place) -> Int32 {
        places.append(place)
        return Int32(places.count - 1)
    }

    private mutating func kind(_ role: ObjectRole, type: String) -> UInt8 {
        let kind = ObjectKind(role: role, headers: cache.headers(role, type: type))
        if let index = kinds.firstIndex(of: kind) { return UInt8(index) }
        kinds.append(kind)
        return UInt8(kinds.count - 1)
    }

    private mutating func add(
        _ path: String, _ kind: UInt8, size: Int, _ hash: ContentHash, _ place: Int32
    ) throws {
        guard ObjectPath.isSafe(path), path.utf8.first != UInt8(ascii: ".") else {
            throw Failure(
                .badInput, cannot: "publish '\(output)'",
                "'\(path.excerpt(60))' cannot be the name of an object",
                remedy: "names need at most \(ObjectPath.longest) bytes, and no dot at the start")
        }
        entries.append(
            Entry(
                object: PublishedObject(path: path, kind: kind, isCertain: true, size: size, hash: hash),
                place: place))
    }

    /// Sorts the objects; the last call before they are read.
    ///
    /// - Throws: `.badInput` if two have the same path.
    mutating func finish() throws {
        entries.sort { ObjectPath.precedes($0.object.path, $1.object.path) }
        for (one, other) in zip(entries, entries.dropFirst())
        where ObjectPath.areSame(one.object.path, other.object.path) {
            throw Failure(
                .badInput, cannot: "publish '\(output)'",
                "two of its files have the name '\(one.object.path.excerpt(60))'")
        }
    }
}

/// How long clients may keep objects.
struct CacheControl: Hashable, Sendable {
    /// The value for tiles, and for archives of tiles if the user gave it.
    var tiles = "public, max-age=604800"
    /// The value for documents, which change with each build.
    var documents = "public, max-age=60"
    /// The value for archives: clients read them piece by piece, and pieces of two builds do not fit.
    var archives = "public, max-age=60"

    /// The values with one that the user gave.
    init(_ given: String?) {
        guard let given else { return }
        (tiles, archives) = (given, given)
    }

    fileprivate func headers(_ role: ObjectRole, type: String) -> ObjectHeaders {
        let value =
            switch role {
            case .tile: tiles
            case .part: archives
            default: documents
            }
        return ObjectHeaders(contentType: type, cacheControl: value)
    }
}

// Putting an object.
extension LocalObjects {
    private var attempt: String { "publish '\(output)'" }

    /// Puts an object, and makes sure that its bytes are those that were listed.
    ///
    /// - Throws: `.inputOutput` if the file has changed, `.busy` if a run writes the tileset; the store's
    ///   failures.
    func put(_ index: Int, to store: any ObjectStore) throws {
        let entry = entries[index], object = entry.object, kind = kinds[Int(object.kind)]
        let bytes: [UInt8]?
        switch places[Int(entry.place)] {
        case .bytes(let held): bytes = held
        case .tree(let tree, let prefix):
            bytes = try tree.bytes(ofTile: String(Substring(object.path.utf8.dropFirst(prefix.utf8.count))))
        case .archive(let archive): bytes = try archive.bytes(ofTile: object.path)
        case .file(let path, let stamp):
            if FileStamp(path) != stamp { throw InputFile.changed(attempt) }
            try store.put(fileAt: path, size: object.size, at: object.path, kind.headers)
            if FileStamp(path) != stamp { throw InputFile.changed(attempt) }
            return
        }
        guard let bytes, bytes.count == object.size, ContentHash(of: bytes) == object.hash else {
            try checkIsUnchanged()
            throw Failure(
                .badInput, cannot: attempt,
                bytes == nil
                    ? "'\(object.path)' is missing" : "'\(object.path)' is not the file that was built",
                remedy: "'tilewright verify' lists all that is wrong, and the same build repairs it")
        }
        try store.put(bytes, at: object.path, kind.headers(of: bytes))
    }

    /// Fails if OUTPUT is not as it was listed.
    ///
    /// - Throws: `.busy`, `.inputOutput`.
    func checkIsUnchanged() throws {
        for place in places {
            switch place {
            case .tree(let tree, _): try tree.checkIsUnchanged(attempt)
            case .archive(let archive): try archive.checkIsUnchanged(attempt)
            case .file(let path, let stamp): if FileStamp(path) != stamp { throw InputFile.changed(attempt) }
            case .bytes: break
            }
        }
    }
}
