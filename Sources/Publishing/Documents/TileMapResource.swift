import Platform
package import Tilesets
import Tiling

/// The document for clients of the OSGeo Tile Map Service 1.0.0: profile `global-mercator`, lengths in
/// metres, and the size of the tiles in pixels.
///
/// Only trees whose rows are counted from the south and whose names end in `{z}/{x}/{y}.EXT` have it:
/// the specification does not allow others.
package struct TileMapResource: Sendable {
    private static let addressEnd = "{z}/{x}/{y}."
    private let metadata: TilesetMetadata
    private let extent: PublishedExtent
    /// The part of the address before the zoom.
    private let base: String

    /// Makes the document of a tileset; nil if it cannot have one.
    package init?(_ metadata: TilesetMetadata) {
        let address = metadata.address
        guard metadata.scheme == .tms,
            let end = address.firstRange(of: Self.addressEnd),
            !address[..<end.lowerBound].contains("{"), !address[end.upperBound...].contains("{")
        else { return nil }
        self.metadata = metadata
        extent = PublishedExtent(of: metadata)
        base = String(address[..<end.lowerBound])
    }

    /// The file: `tilemapresource.xml`, or `tilemapresource-FLOOR.xml` for a floor.
    package var file: SideFile {
        let name = sideFileName("tilemapresource", floor: metadata.floor, fileExtension: "xml")
        return SideFile(name: name, bytes: Array(text.utf8))
    }

    /// The title in such a document, of any program; nil if it has none.
    package static func title(of bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let start = text.firstRange(of: "<Title>")?.upperBound,
            let end = text[start...].firstRange(of: "</Title>")?.lowerBound, start < end
        else { return nil }
        return XMLText.unescaped(String(text[start..<end]))
    }

    private var text: String {
        let edge = WebMercator.halfWorld
        let size = metadata.tileSize
        let format = metadata.format
        return XMLText.declaration + """
            <TileMap version="1.0.0" tilemapservice="http://tms.osgeo.org/1.0.0">
              <Title>\(XMLText.escaped(metadata.name))</Title>
              <Abstract>\(XMLText.escaped(metadata.description))</Abstract>
              <SRS>EPSG:3857</SRS>
              <BoundingBox \(boundingBox)/>
              <Origin x="\(-edge)" y="\(-edge)"/>
              <TileFormat width="\(size)" height="\(size)" mime-type="\(format.mediaTypes[0])" \
            extension="\(format.fileExtension)"/>
              <TileSets profile="global-mercator">
            \(tileSets)
              </TileSets>
            </TileMap>

            """
    }

    private var boundingBox: String {
        let degrees = extent.bounds.map(\.degrees)
        // To the millimetre, no farther than the square world.
        let corners = [Point(x: degrees[0], y: degrees[1]), Point(x: degrees[2], y: degrees[3])].map {
            lonLat in
            let limit = WebMercator.maximumLatitude
            let metres = WebMercator.metres(Point(x: lonLat.x, y: min(max(lonLat.y, -limit), limit)))
            return Point(x: (metres.x * 1000).rounded() / 1000, y: (metres.y * 1000).rounded() / 1000)
        }
        return "minx=\"\(corners[0].x)\" miny=\"\(corners[0].y)\" maxx=\"\(corners[1].x)\" "
            + "maxy=\"\(corners[1].y)\""
    }

    private var tileSets: String {
        guard let zooms = extent.zooms else { return "" }
        return zooms.map { zoom in
            let cellSize = TileMatrix(zoom: zoom, tileSize: metadata.tileSize).cellSize
            return "    <TileSet href=\"\(XMLText.escaped(base))\(zoom)\" "
                + "units-per-pixel=\"\(cellSize)\" order=\"\(zoom)\"/>"
        }.joined(separator: "\n")
    }
}

/// Pieces of XML 1.0 documents to write, in UTF-8.
package enum XMLText {
    /// The first line of a file.
    package static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    /// Escapes a text for use between tags or in an attribute's quotes. Characters that XML cannot hold
    /// are left out.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // U+FFFE and U+FFFF are not characters.
            case "\t", "\n", " "..."\u{FFFD}", "\u{10000}"...: result.unicodeScalars.append(scalar)
            default: continue
            }
        }
        return result
    }

    /// The inverse of `escaped`; other entities stay as they are.
    static func unescaped(_ text: String) -> String {
        // The ampersand comes last, so that `&amp;lt;` becomes `&lt;`.
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
