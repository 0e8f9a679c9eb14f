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

    /// The title in such a document of whatever program; nil if it has none.
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
        let southWest = MercatorPoint(longitude: degrees[0], latitude: degrees[1])
        let northEast = MercatorPoint(longitude: degrees[2], latitude: degrees[3])
        return "minx=\"\(southWest.x)\" miny=\"\(southWest.y)\" maxx=\"\(northEast.x)\" "
            + "maxy=\"\(northEast.y)\""
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

/// A place in EPSG:3857, in metres east and north, of published degrees.
private struct MercatorPoint {
    /// Metres east, to the millimetre.
    let x: Double
    /// Metres north, to the millimetre.
    let y: Double

    /// Projects a place: `R * lon` and `R * asinh(tan(lat))`.
    init(longitude: Double, latitude: Double) {
        let latitude = min(max(latitude, -WebMercator.maximumLatitude), WebMercator.maximumLatitude)
        x = Self.rounded(longitude / 180 * WebMercator.halfWorld)
        y = Self.rounded(WebMercator.radius * asinh(tan(latitude * .pi / 180)))
    }

    private static func rounded(_ metres: Double) -> Double { (metres * 1000).rounded() / 1000 }
}
