package import Tiling

/// The tiles of a container, counted without decoding any of them.
///
/// Holds some 40 bytes for each different content in memory.
package struct TilesetSurvey: Sendable {
    /// The tiles of a zoom.
    package struct Zoom: Hashable, Sendable {
        /// The zoom.
        package var zoom: Int
        /// How many there are.
        package var tiles: Int
        /// Their bytes, as clients get them: those of tiles that hold the same are counted for each.
        package var bytes: Int
    }

    /// Whether the container stores a content once, whatever the number of tiles that have it.
    package let storesOnce: Bool
    /// What the tiles are, as far as that was seen; vector tiles are not known by their bytes.
    package private(set) var kinds: Set<TileKind> = []
    /// How the tiles are compressed on top of their file type; nil if they are not.
    package internal(set) var compression: String?
    /// Tiles that should be there, and are missing or of another length.
    package internal(set) var missing = 0

    private var zooms: [Int: Zoom] = [:]
    private var rectangles = TilesByZoom()
    private var contents = ContentTable<Content>()

    /// What one or more tiles hold.
    private struct Content: HashedContent, BitwiseCopyable {
        var hash: ContentHash
        /// Bytes; a tile beyond 4 GiB is a bug.
        var length: UInt32
        var tiles: Int
    }

    /// Starts without a tile.
    init(storesOnce: Bool) { self.storesOnce = storesOnce }

    /// Notes what a tile is.
    ///
    /// - Parameter front: its first bytes, twelve or more if it has as many.
    mutating func note(front: [UInt8]) {
        if front.isGzip { compression = "gzip" }
        kinds.insert(TileKind(signatureOf: front))
    }

    /// Notes what all tiles are.
    mutating func note(_ kind: TileKind) { kinds.insert(kind) }

    /// Counts a tile.
    ///
    /// - Parameter content: represents its bytes, the same for tiles that hold the same.
    mutating func count(_ tile: TileCoordinate, size: Int, content: ContentHash) {
        rectangles.count(tile)
        add(1, at: tile.zoom, size: size)
        add(content, size: size, tiles: 1)
    }

    /// Counts tiles that follow each other, and hold the same.
    ///
    /// - Parameter run: IDs of PMTiles, below `TileID.end`.
    mutating func count(_ run: Range<UInt64>, size: Int, content: ContentHash) {
        rectangles.count(run)
        var start = run.lowerBound
        while start < run.upperBound {
            let zoom = TileID(start).zoom
            let end = min(run.upperBound, TileID.first(ofZoom: zoom + 1).number)
            add(Int(end - start), at: zoom, size: size)
            start = end
        }
        add(content, size: size, tiles: run.count)
    }

    private mutating func add(_ hash: ContentHash, size: Int, tiles: Int) {
        let content = Content(hash: hash, length: UInt32(clamping: size), tiles: tiles)
        contents.insert(content) { $0.tiles += tiles }
    }

    private mutating func add(_ tiles: Int, at number: Int, size: Int) {
        var zoom = zooms[number] ?? Zoom(zoom: number, tiles: 0, bytes: 0)
        zoom.tiles += tiles
        zoom.bytes = zoom.bytes.addingSaturated(size.multipliedSaturated(by: tiles))
        zooms[number] = zoom
    }

    /// The zooms that have tiles, from the lowest.
    package var levels: [Zoom] { zooms.values.sorted { $0.zoom < $1.zoom } }

    /// The tiles that exist, per zoom from the lowest; two entries at a zoom across the antimeridian.
    package var limits: [TileRange] { rectangles.limits }

    /// The number of tiles.
    package var tileCount: Int { zooms.values.reduce(0) { $0 + $1.tiles } }

    /// Bytes of all tiles, as clients get them.
    package var bytes: Int { zooms.values.reduce(0) { $0.addingSaturated($1.bytes) } }

    /// The number of different contents.
    package var contentCount: Int { contents.contents.count }

    /// Bytes of all contents, each once.
    package var contentBytes: Int { contents.contents.reduce(0) { $0.addingSaturated(Int($1.length)) } }

    /// The number of tiles that hold what another tile holds too.
    package var sharingTiles: Int {
        contents.contents.reduce(0) { $1.tiles > 1 ? $0.addingSaturated($1.tiles) : $0 }
    }
}

/// What the tiles of a tileset are, images or not.
public enum TileKind: String, CaseIterable, Sendable {
    /// PNG.
    case png
    /// JPEG.
    case jpeg
    /// WebP.
    case webp
    /// AVIF.
    case avif
    /// GIF.
    case gif
    /// Vector tiles of Mapbox, in protocol buffers.
    case mvt
    /// Something else, or unknown.
    case unknown

    /// Recognises the first bytes of a tile, of which twelve are enough. Vector tiles have no signature.
    ///
    /// AVIF begins with a box `ftyp` of the brand `avif` or `avis`.
    package init(signatureOf bytes: [UInt8]) {
        switch TileFormat(signatureOf: bytes) {
        case .png: self = .png
        case .jpeg: self = .jpeg
        case .webp: self = .webp
        case .auto, nil:
            let brand = bytes.dropFirst(4).prefix(8)
            if bytes.starts(with: "GIF8".utf8) {
                self = .gif
            } else if brand.elementsEqual("ftypavif".utf8) || brand.elementsEqual("ftypavis".utf8) {
                self = .avif
            } else {
                self = .unknown
            }
        }
    }

    /// Recognises a word of a tileset's documents, or the extension of a tile's name; nil for another word.
    package init?(named word: String) {
        let word = word.lowercased()
        let subtype = word.split(separator: "/").last.map(String.init) ?? word
        switch subtype {
        case "jpg": self = .jpeg
        case "pbf", "vnd.mapbox-vector-tile", "x-protobuf": self = .mvt
        default:
            guard let kind = Self(rawValue: subtype), kind != .unknown else { return nil }
            self = kind
        }
    }
}

extension [UInt8] {
    /// Whether they begin as gzip does (RFC 1952, section 2.3.1).
    var isGzip: Bool { starts(with: [0x1F, 0x8B]) }
}
