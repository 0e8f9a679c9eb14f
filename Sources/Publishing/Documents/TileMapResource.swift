package import Tilesets
import Tiling

/// The document that clients of the OSGeo Tile Map Service 1.0.0 read: profile `global-mercator`, all
/// lengths in metres, and the pixel size of the tiles that there are.
///
/// It exists for trees whose rows are counted from the south, and whose names end in
/// `{z}/{x}/{y}.EXT`: the specification knows no others.
package struct TileMapResource: Sendable {
    private static let addressEnd = "{z}/{x}/{y}."
    private let metadata: TilesetMetadata
    private let extent: PublishedExtent
    /// What stands before a zoom in an address.
    private let base: String

    /// Makes the document of a tileset, if it can have one.
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
