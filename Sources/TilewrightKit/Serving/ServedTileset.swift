import Platform
import Publishing
import Raster
import Synchronization
public import Tilesets
public import Tiling

/// A tileset under its name on a server. Its files are checked at each request, so that the new tiles are
/// served when a tileset was built again or an image has changed.
public final class ServedTileset: Sendable {
    /// A tile, with the properties of all tiles of its tileset.
    public struct Tile: Sendable {
        /// The bytes of an image file; nil if there is no such tile.
        public let bytes: [UInt8]?
        /// The ending of tiles' names.
        public let fileExtension: String
        /// Pixels along a tile's edge.
        public let size: Int
    }

    /// The part of addresses before the numbers: names with slashes between them.
    public let name: String
    /// The name that the user gave; nil for the tileset's own name.
    let label: String?
    /// Its entry in a floor switch, if it is a floor.
    let floor: ServedFloor?

    /// The threads that read its files. Other tilesets have other threads.
    package let threads: BlockingThreads
    private let source: any TileSource
    private let content = Mutex<ServedContent?>(nil)

    /// Names a tileset. Opens nothing yet.
    init(
        _ name: String, label: String? = nil, floor: ServedFloor? = nil, source: any TileSource,
        on threads: BlockingThreads
    ) {
        (self.name, self.label, self.floor) = (name, label, floor)
        (self.source, self.threads) = (source, threads)
    }

    /// The source of the tiles, for people.
    public var origin: String { source.title }

    /// Its content at the last check.
    var last: ServedContent? { content.withLock { $0 } }

    /// Whether its tiles were those of a finished tileset, not rendered from images, at the last check.
    package var isStored: Bool { if case .stored? = last?.tiles { true } else { false } }

    /// The current content; opens the tileset again if its files changed. May block: call it on `threads`.
    ///
    /// - Throws: a `Failure` if it cannot be read.
    func current() throws -> ServedContent {
        let last = last
        if let last, last.watch.isCurrent { return last }
        let opened = try source.open(after: last)
        content.withLock { $0 = opened }
        return opened
    }

    /// The current metadata; addresses are relative to the tileset's name.
    ///
    /// - Throws: a `Failure` if it cannot be read.
    public func metadata() throws -> TilesetMetadata { try current().metadata }

    /// The PMTiles archive with the tiles, if there is one.
    public func archive() throws -> String? { try current().archive }

    /// The TileJSON of the tileset.
    ///
    /// - Parameter base: the address of the server, without a slash at its end.
    public func tileJSON(below base: String) throws -> [UInt8] {
        var metadata = try metadata()
        metadata.baseURL = base + "/" + TilesetMetadata.escaped(name)
        return metadata.tileJSON.bytes
    }

    /// A tile, which may have to be rendered.
    ///
    /// - Throws: a `Failure` if it cannot be read; `CancellationError` if the task was cancelled.
    public func tile(at coordinate: TileCoordinate) async throws -> Tile {
        let content = try current()
        let bytes =
            switch content.tiles {
            case .stored(let tileset): try tileset.tile(at: coordinate)
            case .rendered(let tiles): try await tiles.tile(at: coordinate)
            }
        let metadata = content.metadata
        return Tile(bytes: bytes, fileExtension: metadata.format.fileExtension, size: metadata.tileSize)
    }
}

/// The content of a tileset at a moment.
struct ServedContent: Sendable {
    /// The source of tiles.
    enum Tiles: Sendable {
        /// From a finished tileset.
        case stored(StoredTileset)
        /// From images, rendered one by one.
        case rendered(RenderedTiles)
    }

    /// The files that it was made of.
    let watch: FileWatch
    /// The source of the tiles.
    let tiles: Tiles
    /// The metadata; its template is that of files in a folder.
    let metadata: TilesetMetadata
    /// The PMTiles archive with the tiles, if there is one.
    let archive: String?

    /// Describes a finished tileset.
    init(_ tileset: StoredTileset, watch: FileWatch) {
        self.watch = watch
        tiles = .stored(tileset)
        metadata = tileset.metadata.asServed
        archive = TilesetContainer(existing: tileset.path) == .pmtiles ? tileset.path : nil
    }

    /// Describes images.
    init(_ rendered: RenderedTiles, metadata: TilesetMetadata, watch: FileWatch) {
        self.watch = watch
        tiles = .rendered(rendered)
        self.metadata = metadata.asServed
        archive = nil
    }
}

extension TilesetMetadata {
    /// The same metadata with a server's names of tiles, whose rows count from the north.
    fileprivate var asServed: TilesetMetadata {
        var metadata = self
        metadata.template = "{z}/{x}/{y}.\(format.fileExtension)"
        metadata.scheme = .xyz
        metadata.baseURL = nil
        return metadata
    }
}

/// The state of files at a moment. It shows when content that was made of them is out of date.
struct FileWatch: Sendable {
    private var items: [(path: String, isFolder: Bool, stamp: FileStamp?)]

    /// Records the state of files, which may be missing, and of folders, in which files may appear or
    /// disappear.
    init(_ files: [String], folders: [String] = []) {
        items =
            files.map { ($0, false, FileStamp($0)) } + folders.map { ($0, true, FileStamp(folder: $0)) }
    }

    /// A watch of all files and folders of both.
    static func + (one: FileWatch, other: FileWatch) -> FileWatch {
        var both = one
        both.items += other.items
        return both
    }

    /// Whether nothing changed. Takes a system call for each file and folder.
    var isCurrent: Bool {
        items.allSatisfy { ($0.isFolder ? FileStamp(folder: $0.path) : FileStamp($0.path)) == $0.stamp }
    }

    /// Whether all files existed.
    var isThere: Bool { items.allSatisfy { $0.isFolder || $0.stamp != nil } }
}

/// A transparent tile.
package enum TransparentTile {
    /// The tiles by their sizes, kept because a map may request many.
    private static let made = Mutex<[Int: [UInt8]]>([:])

    /// A PNG file.
    ///
    /// - Parameter size: pixels along an edge.
    package static func bytes(size: Int) throws -> [UInt8] {
        if let bytes = made.withLock({ $0[size] }) { return bytes }
        let pixels = [UInt8](repeating: 0, count: size * size * 4)
        let bytes = try pixels.withUnsafeBufferPointer { pixels in
            try TileEncoding(.png).makeEncoder(palette: nil)
                .encode(TilePixels(size: size, bytes: pixels, isOpaque: false))
        }
        made.withLock { $0[size] = bytes }
        return bytes
    }
}
