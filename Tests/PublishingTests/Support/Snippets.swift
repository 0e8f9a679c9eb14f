import Publishing
import Testing
import Tilesets
import Tiling

/// What would end a literal, a comment or a script element, if it were let.
let hostileText =
    "\"q\" 'a' `b` ${c} $d \\(e) \\ %s %@ </script><!-- ?? é 🗺 \n\r\t\0\u{2028}\u{202E} end\\"

/// The code for a client, of tiles whose address is known.
func snippet(
    _ metadata: TilesetMetadata, for client: SnippetClient, url: String? = "https://a.org/t",
    enlargeTo: Int? = nil
) throws -> String {
    let address = ClientAddress(ofTree: metadata, url: url)
    return try #require(
        ClientSnippet(metadata, for: client, at: address, enlargeTo: enlargeTo)
    ).text
}

/// A tileset on both sides of the antimeridian, as its TileJSON says it: bounds do not wrap there.
func fiji(floor: String? = nil) -> TilesetMetadata {
    metadata(
        floor: floor, bounds: BoundingBox(minX: -180, minY: -17, maxX: 180, maxY: -16),
        limits: [
            TileRange(zoom: 7, columns: 127...127, rows: 69...70),
            TileRange(zoom: 7, columns: 0...0, rows: 69...70),
        ])
}
