import Foundation
import Tilesets
import Tiling

/// A tileset's metadata as a test needs it.
func metadata(
    scheme: TileScheme = .xyz, template: String = "{z}/{x}/{y}.png", baseURL: String? = nil,
    floor: String? = nil, name: String = "Plan", tileSize: Int = 256,
    bounds: BoundingBox = BoundingBox(minX: 11.5, minY: 48.1, maxX: 11.6, maxY: 48.2),
    limits: [TileRange] = [
        TileRange(zoom: 12, columns: 2178...2180, rows: 1417...1420),
        TileRange(zoom: 13, columns: 4357...4359, rows: 2835...2838),
        TileRange(zoom: 14, columns: 8715...8719, rows: 5670...5676),
    ],
    contents: TilesetContents? = nil
) -> TilesetMetadata {
    TilesetMetadata(
        name: name, description: "", attribution: "", floor: floor, format: .png,
        tileSize: tileSize, scheme: scheme, template: template, baseURL: baseURL, bounds: bounds,
        limits: limits, contents: contents)
}

/// A document as Foundation reads it.
func parsed(_ file: SideFile) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(file.bytes))
    guard let object = object as? [String: Any] else { throw CocoaError(.coderReadCorrupt) }
    return object
}
