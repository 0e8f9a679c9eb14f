import Platform
import Tiling

/// The media types of files, for servers and stores: those of IANA's list, or of the file's specification.
package enum MediaType {
    /// A TileJSON, an index, or metadata.
    package static let json = "application/json"
    /// A page.
    package static let html = "text/html; charset=utf-8"
    /// A file of an unknown type.
    package static let bytes = "application/octet-stream"

    /// The media type of a file that tilewright writes, by the ending of its name.
    package static func ofFile(named name: String) -> String {
        let ending = name.splitExtension.fileExtension.lowercased()
        if let format = TileFormat.allCases.first(where: { $0 != .auto && $0.fileExtension == ending }) {
            return format.mediaTypes[0]
        }
        return switch ending {
        case "json": json
        case "html", "htm": html
        case "xml": "application/xml"
        // OGC KML 2.3, section 4.
        case "kml": "application/vnd.google-earth.kml+xml"
        case "pmtiles": "application/vnd.pmtiles"
        case "mbtiles": "application/vnd.sqlite3"
        default: bytes
        }
    }

    /// The media type of a tile by its first bytes: in a tileset of PNG and JPEG, names do not tell.
    package static func ofTile(_ tile: [UInt8]) -> String {
        TileFormat(signatureOf: tile)?.mediaTypes[0] ?? bytes
    }
}
