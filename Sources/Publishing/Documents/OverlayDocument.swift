package import Tilesets
package import Tiling

/// A KML document with one picture of the whole tileset on the ground.
package struct OverlayDocument: Sendable {
    /// The tileset.
    package var metadata: TilesetMetadata
    /// The edges of the picture in degrees; the east is beyond 180 if they cross the antimeridian.
    package var box: BoundingBox
    /// The bytes of the picture, a PNG file.
    package var picture: [UInt8]

    /// Makes the document of a picture.
    package init(_ metadata: TilesetMetadata, box: BoundingBox, picture: [UInt8]) {
        self.metadata = metadata
        self.box = box
        self.picture = picture
    }

    /// The picture, `doc.png`, and the document, `doc.kml`; `doc-FLOOR.png` and so on for a floor.
    package var files: [SideFile] {
        let name = sideFileName("doc", floor: metadata.floor, fileExtension: "png")
        let overlay = KMLText.groundOverlay(
            name: metadata.name, href: TilesetMetadata.escaped(name), box: box, drawOrder: 0)
        return [
            SideFile(name: name, bytes: picture),
            SideFile(
                name: sideFileName("doc", floor: metadata.floor, fileExtension: "kml"),
                bytes: KMLText.document(
                    name: metadata.name, description: metadata.description, [overlay])),
        ]
    }
}
