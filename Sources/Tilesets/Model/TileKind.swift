import Tiling

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
    /// Something else, or nobody says.
    case unknown

    /// Tells by the first bytes of a tile, of which twelve are enough. Vector tiles have no signature.
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

    /// Tells by a word of a tileset's documents, or by what stands behind the dot of a tile's name; nil for a
    /// word that stands for none.
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
