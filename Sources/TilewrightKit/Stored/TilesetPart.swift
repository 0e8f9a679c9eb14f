import Platform
import Publishing
import Tilesets
import Tiling

/// The tiles of a tileset at some zooms and in an area.
struct TilesetPart: TileCollection {
    private let whole: any TilesetReader
    private let area: TileArea
    /// The metadata of the part, without the contents.
    let metadata: TilesetMetadata

    /// Chooses a part.
    ///
    /// - Parameters:
    ///   - zooms: an open end is that of the tileset.
    ///   - bounds: an area in degrees; nil for all.
    /// - Returns: nil if that is the whole tileset.
    init?(of tileset: StoredTileset, zooms: ZoomRange, bounds: BoundingBox? = nil) {
        guard bounds != nil || zooms != ZoomRange() else { return nil }
        whole = tileset.reader
        area = TileArea(zooms, bounds)
        var metadata = tileset.metadata
        metadata.contents = nil
        if let bounds { metadata.bounds = metadata.bounds.part(in: bounds.unwrapped) }
        self.metadata = metadata
    }

    var path: String { whole.path }

    // The job would promise all of its tiles.
    var origin: TilesetOrigin { TilesetOrigin(images: whole.origin.images) }

    func place(of tile: TileCoordinate) -> String { whole.place(of: tile) }

    func forEachTile(_ body: (EncodedTile) throws -> Void) throws {
        try whole.forEachTile { if area.contains($0.coordinate) { try body($0) } }
    }
}

/// The tiles at some zooms that touch a box.
private struct TileArea: Sendable {
    private let zooms: ClosedRange<Int>
    /// The columns and rows of each zoom; nil for all.
    private let ranges: [[TileRange]]?

    init(_ zooms: ZoomRange, _ bounds: BoundingBox?) {
        self.zooms = (zooms.minimum ?? 0)...(zooms.maximum ?? ZoomRange.possible.upperBound)
        ranges = bounds.map { box in ZoomRange.possible.map { TileRange.touching(box.unwrapped, zoom: $0) } }
    }

    func contains(_ tile: TileCoordinate) -> Bool {
        guard zooms.contains(tile.zoom) else { return false }
        return ranges?[tile.zoom].contains {
            $0.columns.contains(tile.column) && $0.rows.contains(tile.row)
        } ?? true
    }
}

extension TileRange {
    /// Metadata have degrees of seven decimals: by so much, bounds that were copied from there may be beyond
    /// an edge of tiles.
    private static let tolerance = 1e-7

    /// The tiles of a zoom that share an area with a box in degrees whose west is not greater than its east.
    fileprivate static func touching(_ box: BoundingBox, zoom: Int) -> [TileRange] {
        let world = WebMercator.maximumLatitude
        if box.minY >= world || box.maxY <= -world { return [] }
        let edge = Double(1 << zoom)
        func column(_ longitude: Double) -> Double { (longitude + 180) / 360 * edge }
        func row(_ latitude: Double) -> Double {
            let metres = WebMercator.metres(
                latitude: max(-world, min(latitude, world)))
            return (1 - metres / WebMercator.halfWorld) / 2 * edge
        }
        let west = Int(column(box.minX + tolerance).rounded(.down))
        let east = max(west, Int(column(box.maxX - tolerance).rounded(.down)))
        let north = max(0, Int(row(box.maxY - tolerance).rounded(.down)))
        let south = max(north, min(1 << zoom, Int(row(box.minY + tolerance).rounded(.up))) - 1)
        guard north < 1 << zoom else { return [] }
        return wrapping(zoom: zoom, columns: west...east, rows: north...south)
    }
}

extension BoundingBox {
    /// The part of this box that another one contains, which may be a turn around the world away; all of this
    /// box if none does. Both are in degrees.
    fileprivate func part(in box: BoundingBox) -> BoundingBox {
        if width >= 360 {
            return BoundingBox(
                minX: box.minX, minY: max(minY, box.minY), maxX: box.maxX, maxY: min(maxY, box.maxY))
        }
        let parts = [-360.0, 0, 360].compactMap { turn in
            intersection(
                BoundingBox(minX: box.minX + turn, minY: box.minY, maxX: box.maxX + turn, maxY: box.maxY))
        }
        return parts.max { $0.width < $1.width } ?? self
    }
}
