import Platform
package import Tilesets
import Tiling

/// The document for clients of the OSGeo Tile Map Service 1.0.0: profile `global-mercator`, lengths in
/// metres, and the size of the tiles in pixels.
package enum TileMapResource {
    /// The file: `tilemapresource.xml`, or `tilemapresource-FLOOR.xml` for a floor. Only trees whose rows are
    /// counted from the south and whose names end in `{z}/{x}/{y}.EXT` have it: the specification does not
    /// allow others.
    package static func file(of metadata: TilesetMetadata) -> SideFile? {
        let address = metadata.address
        guard metadata.scheme == .tms, let end = address.firstRange(of: "{z}/{x}/{y}."),
            !address[..<end.lowerBound].contains("{"), !address[end.upperBound...].contains("{")
        else { return nil }
        return SideFile(
            name: SideFile.name("tilemapresource", floor: metadata.floor, fileExtension: "xml"),
            bytes: Array(text(metadata, base: String(address[..<end.lowerBound])).utf8))
    }

    /// The title in such a document, of any program; nil if it has none.
    package static func title(of bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let start = text.firstRange(of: "<Title>")?.upperBound,
            let end = text[start...].firstRange(of: "</Title>")?.lowerBound, start < end
        else { return nil }
        return XMLText.unescaped(String(text[start..<end]))
    }

    /// - Parameter base: the part of the tiles' addresses before the zoom.
    private static func text(_ metadata: TilesetMetadata, base: String) -> String {
        let (edge, size, format) = (WebMercator.halfWorld, metadata.tileSize, metadata.format)
        let extent = PublishedExtent(of: metadata)
        let tileSets = (extent.zooms.map(Array.init) ?? []).map { zoom in
            let cellSize = TileMatrix(zoom: zoom, tileSize: size).cellSize
            return "    <TileSet href=\"\(XMLText.escaped(base))\(zoom)\" "
                + "units-per-pixel=\"\(cellSize)\" order=\"\(zoom)\"/>"
        }
        return XMLText.declaration + """
            <TileMap version="1.0.0" tilemapservice="http://tms.osgeo.org/1.0.0">
              <Title>\(XMLText.escaped(metadata.name))</Title>
              <Abstract>\(XMLText.escaped(metadata.description))</Abstract>
              <SRS>EPSG:3857</SRS>
              <BoundingBox \(boundingBox(extent.bounds.map(\.degrees)))/>
              <Origin x="\(-edge)" y="\(-edge)"/>
              <TileFormat width="\(size)" height="\(size)" mime-type="\(format.mediaTypes[0])" \
            extension="\(format.fileExtension)"/>
              <TileSets profile="global-mercator">
            \(tileSets.joined(separator: "\n"))
              </TileSets>
            </TileMap>

            """
    }

    /// West, south, east and north in metres: to the millimetre, no farther than the square world.
    private static func boundingBox(_ degrees: [Double]) -> String {
        let limit = WebMercator.maximumLatitude
        let edges = [(0, "min"), (2, "max")].map { index, name in
            let latitude = min(max(degrees[index + 1], -limit), limit)
            let metres = WebMercator.metres(Point(x: degrees[index], y: latitude))
            let (x, y) = ((metres.x * 1000).rounded() / 1000, (metres.y * 1000).rounded() / 1000)
            return "\(name)x=\"\(x)\" \(name)y=\"\(y)\""
        }
        return edges.joined(separator: " ")
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
