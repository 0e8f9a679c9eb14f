import Tiling

/// Pieces of KML 2.2 documents to write.
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

    /// A picture on the ground. If pictures overlap, the one with the higher `drawOrder` is seen.
    ///
    /// - Parameter box: the picture's edges in degrees.
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

    /// A link to another document, which is fetched when its region comes into view.
    static func networkLink(name: String, href: String, region: String) -> String {
        """
          <NetworkLink>
            <name>\(XMLText.escaped(name))</name>\(region)
            <Link><href>\(XMLText.escaped(href))</href><viewRefreshMode>onRegion</viewRefreshMode></Link>
          </NetworkLink>
        """
    }

    /// The region of a feature, which is shown once the region is `leastPixels` large on the screen.
    ///
    /// - Parameter box: the region's edges in degrees.
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
            // U+FFFE and U+FFFF are no characters.
            case "\t", "\n", " "..."\u{FFFD}", "\u{10000}"...: result.unicodeScalars.append(scalar)
            default: continue
            }
        }
        return result
    }

    /// The inverse of `escaped`; other entities stay as they are.
    static func unescaped(_ text: String) -> String {
        // The ampersand last: what it begins may be a text.
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
            .reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
