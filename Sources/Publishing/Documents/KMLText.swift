import Tiling

/// Pieces of KML 2.2 documents that are to be written.
enum KMLText {
    /// A whole document.
    static func document(name: String, description: String = "", _ features: [String]) -> [UInt8] {
        let about =
            description.isEmpty
            ? "" : "  <description>\(XMLText.escaped(description))</description>\n"
        let text =
            XMLText.declaration + """
                <kml xmlns="http://www.opengis.net/kml/2.2">
                <Document>
                  <name>\(XMLText.escaped(name))</name>
                \(about)\(features.joined(separator: "\n"))
                </Document>
                </kml>

                """
        return Array(text.utf8)
    }

    /// A picture on the ground. Of two in one place, the one of the higher `drawOrder` is seen.
    static func groundOverlay(
        name: String, href: String, box: BoundingBox, drawOrder: Int, region: String = ""
    ) -> String {
        """
          <GroundOverlay>
            <name>\(XMLText.escaped(name))</name>\(region)
            <drawOrder>\(drawOrder)</drawOrder>
            <Icon><href>\(XMLText.escaped(href))</href></Icon>
            <LatLonBox>\(edges(box))</LatLonBox>
          </GroundOverlay>
        """
    }

    /// Another document, which is fetched when its region comes into view.
    static func networkLink(name: String, href: String, region: String) -> String {
        """
          <NetworkLink>
            <name>\(XMLText.escaped(name))</name>\(region)
            <Link><href>\(XMLText.escaped(href))</href><viewRefreshMode>onRegion</viewRefreshMode></Link>
          </NetworkLink>
        """
    }

    /// Where something is shown, once it is so many pixels large on the screen.
    static func region(_ box: BoundingBox, leastPixels: Int) -> String {
        """

            <Region>
              <LatLonAltBox>\(edges(box))</LatLonAltBox>
              <Lod><minLodPixels>\(leastPixels)</minLodPixels><maxLodPixels>-1</maxLodPixels></Lod>
            </Region>
        """
    }

    private static func edges(_ box: BoundingBox) -> String {
        "<north>\(box.maxY)</north><south>\(box.minY)</south>"
            + "<east>\(box.maxX)</east><west>\(box.minX)</west>"
    }
}
