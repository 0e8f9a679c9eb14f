import Foundation
import Tilesets
import Tiling

/// The tiles of a shared page as elements of HTML, in the form of `ViewerPage.Tileset.init(_:inside:)`.
///
/// Equal tiles of a zoom are in the page once. Each zoom is separate, so that the finest can be left out: as
/// soon as the tiles exceed the limit, only the sizes of those of the finest zoom are kept.
struct SharedTiles {
    private struct Address: Comparable {
        let tileset: Int
        let tile: TileCoordinate

        var text: String { "\(tileset)/\(tile.zoom)/\(tile.column)/\(tile.row)" }

        static func < (one: Address, other: Address) -> Bool {
            (one.tileset, one.tile) < (other.tileset, other.tile)
        }
    }

    private struct Zoom {
        var addresses: [(Address, ContentHash)] = []
        /// The lengths of the texts of pictures.
        var lengths: [ContentHash: Int] = [:]
        /// The texts; nil if they take more than the limit.
        var texts: [ContentHash: Data]? = [:]
    }

    private let limit: Int
    private var parts: [Int: Zoom] = [:]
    /// Bytes of all texts that are kept.
    private var kept = 0

    /// Begins without tiles.
    ///
    /// - Parameter limit: the bytes that the texts of pictures may take together.
    init(limit: Int) { self.limit = limit }

    /// The zooms that have tiles, from the lowest.
    var zooms: [Int] { parts.keys.sorted() }

    /// Whether the tiles of all zooms are here.
    var areAllKept: Bool { parts.values.allSatisfy { $0.texts != nil } }

    /// Adds a tile.
    mutating func add(_ tile: EncodedTile, _ type: TileFormat, of tileset: Int) {
        let zoom = tile.coordinate.zoom, hash = ContentHash(of: tile.bytes)
        let start = "\(type.rawValue);base64,", length = start.utf8.count + (tile.bytes.count + 2) / 3 * 4
        let isKept = parts[zoom].map { $0.texts != nil } ?? isBelowLeftOut(zoom)
        parts[zoom, default: Zoom(texts: isKept ? [:] : nil)].addresses.append(
            (Address(tileset: tileset, tile: tile.coordinate), hash))
        guard parts[zoom]?.lengths.updateValue(length, forKey: hash) == nil, isKept else { return }
        parts[zoom]?.texts?[hash] = Data(start.utf8) + Data(tile.bytes).base64EncodedData()
        kept += length
        while kept > limit, let finest = parts.filter({ $0.value.texts != nil }).keys.max() {
            kept -= parts[finest]?.lengths.values.reduce(0, +) ?? 0
            parts[finest]?.texts = nil
        }
    }

    /// Whether no zoom that was left out is as low as this one.
    private func isBelowLeftOut(_ zoom: Int) -> Bool {
        parts.allSatisfy { $0.value.texts != nil || $0.key > zoom }
    }

    /// The elements with the tiles of a zoom, which must have been kept.
    func elements(zoom: Int) -> [UInt8] {
        guard let part = parts[zoom], let texts = part.texts else {
            preconditionFailure("zoom \(zoom) is left out")
        }
        var html: [UInt8] = []
        forEachElement(part) { hash, start, same in
            html += start.utf8
            if let same { html += same.utf8 } else { html += texts[hash] ?? Data() }
            html += Self.end.utf8
        }
        return html
    }

    /// The number of bytes of these elements.
    func size(zoom: Int) -> Int {
        guard let part = parts[zoom] else { return 0 }
        var size = 0
        forEachElement(part) { hash, start, same in
            size += start.utf8.count + (same?.utf8.count ?? part.lengths[hash] ?? 0) + Self.end.utf8.count
        }
        return size
    }

    private static let end = "</script>\n"

    /// Calls a function with each tile in the order of addresses: its hash, the start of its element, and a
    /// reference to an element before it with the same picture.
    private func forEachElement(_ part: Zoom, _ body: (ContentHash, String, String?) -> Void) {
        var first: [ContentHash: Address] = [:]
        for (address, hash) in part.addresses.sorted(by: { $0.0 < $1.0 }) {
            body(
                hash, "<script type=\"text/plain\" id=\"\(address.text)\">", first[hash].map { "=\($0.text)" }
            )
            if first[hash] == nil { first[hash] = address }
        }
    }
}
