package import Tiling

/// The tiles of a container, counted without decoding any of them.
///
/// Takes about 40 bytes of memory for each different content.
package struct TilesetSurvey: Sendable {
    /// The tiles of a zoom.
    package struct Zoom: Hashable, Sendable {
        /// The zoom.
        package var zoom: Int
        /// The number of tiles.
        package var tiles: Int
        /// The bytes that clients download: equal tiles count each time.
        package var bytes: Int
    }

    /// Whether the container stores each content only once, even if several tiles have it.
    package let storesOnce: Bool
    /// The kinds of tiles seen so far; vector tiles cannot be recognised by their bytes.
    package private(set) var kinds: Set<TileKind> = []
    /// The additional compression of the tiles' files; nil if there is none.
    package internal(set) var compression: String?
    /// The number of tiles that are missing or have another length than expected.
    package internal(set) var missing = 0

    private var zooms: [Int: Zoom] = [:]
    private var rectangles = TilesByZoom()
    private var contents = ContentTable<Content>()

    /// The content of one or more tiles.
    private struct Content: HashedContent, BitwiseCopyable {
        var hash: ContentHash
        /// Bytes; a tile beyond 4 GiB is a bug.
        var length: UInt32
        var tiles: Int
    }

    /// Starts with no tiles.
    init(storesOnce: Bool) { self.storesOnce = storesOnce }

    /// Records the kind of a tile.
    ///
    /// - Parameter front: its first bytes, at least twelve unless the tile is shorter.
    mutating func note(front: [UInt8]) {
        if front.isGzip { compression = "gzip" }
        kinds.insert(TileKind(signatureOf: front))
    }

    /// Records the kind of all tiles.
    mutating func note(_ kind: TileKind) { kinds.insert(kind) }

    /// Counts a tile.
    ///
    /// - Parameter content: identifies its bytes; equal tiles have the same value.
    mutating func count(_ tile: TileCoordinate, size: Int, content: ContentHash) {
        rectangles.count(tile)
        add(1, at: tile.zoom, size: size)
        add(content, size: size, tiles: 1)
    }

    /// Counts consecutive tiles with the same content.
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

    /// The tiles that exist, per zoom from the lowest. A zoom has two entries if the tiles cross the
    /// antimeridian.
    package var limits: [TileRange] { rectangles.limits }

    /// The number of tiles.
    package var tileCount: Int { zooms.values.reduce(0) { $0 + $1.tiles } }

    /// The bytes of all tiles that clients download.
    package var bytes: Int { zooms.values.reduce(0) { $0.addingSaturated($1.bytes) } }

    /// The number of different contents.
    package var contentCount: Int { contents.contents.count }

    /// The bytes of all contents, each counted once.
    package var contentBytes: Int { contents.contents.reduce(0) { $0.addingSaturated(Int($1.length)) } }

    /// The number of tiles whose content another tile has, too.
    package var sharingTiles: Int {
        contents.contents.reduce(0) { $1.tiles > 1 ? $0.addingSaturated($1.tiles) : $0 }
    }
}

/// The type of a tileset's tiles, even if they are not images.
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

    /// Recognises a tile by its first twelve bytes. Vector tiles have no signature.
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

    /// Recognises a word from a tileset's documents, or the extension of a tile's name; nil for other words.
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
    /// Whether these bytes begin like gzip (RFC 1952, section 2.3.1).
    var isGzip: Bool { starts(with: [0x1F, 0x8B]) }
}
