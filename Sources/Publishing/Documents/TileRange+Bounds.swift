import Platform
package import Tilesets
package import Tiling

extension TileRange {
    /// The box of the finest tiles in degrees on WGS 84; the world if there are no tiles. Its east is
    /// beyond 180 if the tiles cross the antimeridian.
    static func lonLatBounds(of limits: [TileRange]) -> BoundingBox {
        let finest = limits.map(\.zoom).reduce(0, max)
        let parts = limits.filter { $0.zoom == finest }
        guard var whole = parts.first, let last = parts.last else {
            return TileRange(zoom: 0, column: 0, row: 0).lonLatBounds
        }
        let east = last.columns.upperBound + (parts.count > 1 ? 1 << finest : 0)
        whole.columns = whole.columns.lowerBound...east
        return whole.lonLatBounds
    }

    /// The box of the finest tiles without their outermost columns and rows, in degrees on WGS 84.
    /// Bounds that touch every outermost tile contain this box. If there is only one column, the west edge is
    /// east of the east edge; likewise with rows.
    static func innerBounds(of limits: [TileRange]) -> BoundingBox {
        let finest = limits.map(\.zoom).reduce(0, max)
        let box = lonLatBounds(of: limits)
        guard let rows = limits.first(where: { $0.zoom == finest })?.rows else { return box }
        let column = 360 / Double(1 << finest)
        return BoundingBox(
            minX: box.minX + column,
            minY: latitude(ofRow: rows.upperBound, zoom: finest),
            maxX: box.maxX - column,
            maxY: latitude(ofRow: rows.lowerBound + 1, zoom: finest))
    }

    /// The box of the tiles in degrees on WGS 84.
    var lonLatBounds: BoundingBox {
        func longitude(ofColumn column: Int) -> Double { Double(column) / Double(1 << zoom) * 360 - 180 }
        return BoundingBox(
            minX: longitude(ofColumn: columns.lowerBound),
            minY: Self.latitude(ofRow: rows.upperBound + 1, zoom: zoom),
            maxX: longitude(ofColumn: columns.upperBound + 1),
            maxY: Self.latitude(ofRow: rows.lowerBound, zoom: zoom))
    }

    /// The latitude, in degrees, of the northern edge of a row: `atan(sinh(y))`.
    private static func latitude(ofRow row: Int, zoom: Int) -> Double {
        atan(sinh(.pi * (1 - 2 * Double(row) / Double(1 << zoom)))) * 180 / .pi
    }
}

extension TileRange {
    /// Zoom, first column, first row, last column, last row; rows count from the north.
    var numbers: [Int] {
        [zoom, columns.lowerBound, rows.lowerBound, columns.upperBound, rows.upperBound]
    }

    /// Takes `numbers` that were read; nil if there are no such tiles.
    init?(numbers: [Int]) {
        guard numbers.count == 5, 0...30 ~= numbers[0], numbers[1] <= numbers[3], numbers[2] <= numbers[4],
            numbers.dropFirst().allSatisfy((0..<1 << numbers[0]).contains)
        else { return nil }
        self.init(zoom: numbers[0], columns: numbers[1]...numbers[3], rows: numbers[2]...numbers[4])
    }
}

extension TilesetMetadata {
    /// Fits the bounds to the tiles that exist: they contain all tiles, but do not reach beyond the tiles'
    /// edges. Transparent parts of the image may have no tiles.
    package mutating func fitBounds() {
        guard !limits.isEmpty else { return }
        let outer = TileRange.lonLatBounds(of: limits)
        let inner = TileRange.innerBounds(of: limits)
        bounds.minY = bounds.minY > inner.minY ? outer.minY : max(bounds.minY, outer.minY)
        bounds.maxY = bounds.maxY < inner.maxY ? outer.maxY : min(bounds.maxY, outer.maxY)
        // Bounds that cross the antimeridian are published as a whole turn.
        if bounds.minX < -180 || bounds.maxX > 180 || outer.maxX > 180 { return }
        bounds.minX = bounds.minX > inner.minX ? outer.minX : max(bounds.minX, outer.minX)
        bounds.maxX = bounds.maxX < inner.maxX ? outer.maxX : min(bounds.maxX, outer.maxX)
    }
}

extension CameraView {
    /// The view that shows all of a box in degrees on a phone held upright, from straight above. The zoom is
    /// rounded down to hundredths, so that all is still seen.
    ///
    /// - Parameter box: its east is beyond 180 across the antimeridian.
    static func overview(of box: BoundingBox) -> CameraView {
        var view = CameraView(CameraPosition(target: box.center, zoom: 0), size: .standard)
        // The whole world is too wide for a phone: the view shows its middle at the lowest zoom.
        try? view.show(box, padding: .standard, bearing: 0, tilt: 0)
        let zoom = (view.camera.zoom * 100).rounded(.down) / 100
        return CameraView(CameraPosition(target: view.camera.target, zoom: zoom), size: .standard)
    }
}

/// The area of a tileset in degrees, in the form that clients need.
struct ClientArea: Hashable, Sendable {
    /// The western edge, between -180 and 180 degrees.
    let west: PublishedDegrees
    /// The southern edge.
    let south: PublishedDegrees
    /// The eastern edge, between -180 and 180 degrees; less than `west` if the area crosses the
    /// antimeridian.
    let east: PublishedDegrees
    /// The northern edge.
    let north: PublishedDegrees

    /// The bounds of a tileset, cut to its tiles: otherwise a client would request tiles that do not exist.
    /// If the bounds go around the world because they must not cross the antimeridian, only the tiles define
    /// the area.
    init(of metadata: TilesetMetadata) {
        let tiles = TileRange.lonLatBounds(of: metadata.limits)
        let box = Self.meet(metadata.bounds, tiles) ? metadata.bounds : tiles
        let isAround = box.width >= 360
        west = Self.low(isAround ? -.infinity : box.minX, tiles.minX)
        south = Self.low(box.minY, tiles.minY)
        let end = Self.high(isAround ? .infinity : box.maxX, tiles.maxX)
        let half = PublishedDegrees(whole: 180)
        east = end > half ? PublishedDegrees(units: end.units - 2 * half.units) : end
        north = Self.high(box.maxY, tiles.maxY)
    }

    /// Whether boxes overlap. In tilesets of other programs the bounds may be anywhere.
    private static func meet(_ one: BoundingBox, _ other: BoundingBox) -> Bool {
        one.minX < other.maxX && other.minX < one.maxX && one.minY < other.maxY
            && other.minY < one.maxY
    }

    /// A lower edge. The image's edge is rounded outwards, a tile's edge inwards, because the next tile does
    /// not exist.
    private static func low(_ image: Double, _ tiles: Double) -> PublishedDegrees {
        image > tiles
            ? PublishedDegrees(roundingDown: image) : PublishedDegrees(roundingUp: tiles)
    }

    /// An upper edge, likewise.
    private static func high(_ image: Double, _ tiles: Double) -> PublishedDegrees {
        image < tiles
            ? PublishedDegrees(roundingUp: image) : PublishedDegrees(roundingDown: tiles)
    }

    /// The eastern edge; beyond 180 degrees if the area crosses the antimeridian.
    var eastUnwrapped: PublishedDegrees {
        east < west
            ? PublishedDegrees(units: east.units + PublishedDegrees(whole: 360).units) : east
    }

    /// West, south, east, north: one box, or two if the antimeridian divides the area.
    var boxes: [[PublishedDegrees]] {
        if west <= east { return [[west, south, east, north]] }
        return [
            [west, south, PublishedDegrees(whole: 180), north],
            [PublishedDegrees(whole: -180), south, east, north],
        ]
    }
}

extension TilesetMetadata {
    /// The box in degrees that shows all of the tileset, which has tiles: its bounds, but no farther than its
    /// tiles. The east is beyond 180 across the antimeridian.
    package var shownBounds: BoundingBox {
        let area = ClientArea(of: self)
        return BoundingBox(
            minX: area.west.degrees, minY: area.south.degrees, maxX: area.eastUnwrapped.degrees,
            maxY: area.north.degrees)
    }
}
