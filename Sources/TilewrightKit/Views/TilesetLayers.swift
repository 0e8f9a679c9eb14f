import Codecs
import Georeferencing
import Platform
import Raster
import Rendering
import Tilesets
import Tiling

/// The zooms of a tileset that a view reads, each for some rows of the view.
struct TilesetLayers {
    /// A zoom for some rows of the view.
    struct Part {
        fileprivate(set) var layer: ImageLayer
        let mosaic: TileMosaic
        /// The edge of the squares of its pixels that are averaged.
        fileprivate let box: Int

        /// The pixels of the layer.
        var source: any RasterSource { box == 1 ? mosaic : BoxedSource(mosaic, box: box) }
    }

    /// The parts, from the top of the view; empty if the view shows nothing of the tileset.
    private(set) var parts: [Part]

    /// The pixels around a view that its kernels may read: the widest kernel reaches 64.
    private static let reach = 96

    /// Chooses zooms.
    ///
    /// - Parameters:
    ///   - tileset: the tileset, in any container.
    ///   - grid: the pixels of the view.
    ///   - size: the columns and rows of the view.
    /// - Throws: a `Failure` if the tileset cannot be placed.
    init(_ tileset: StoredTileset, on grid: PixelGrid, size: PixelWindow) throws {
        let zooms = Set(tileset.metadata.limits.map(\.zoom)).sorted()
        if zooms.isEmpty {
            parts = []
            return
        }
        let lookups = TileLookups(tileset.reader)
        if let copied = CoincidingZoom(of: tileset, on: grid, size: size) {
            let choice = ZoomChoice(zoom: copied.zoom, halvings: 0)
            parts = try Self.parts(of: tileset, lookups, choice, rows: size.rows, on: grid, size: size)
            for index in parts.indices { parts[index].layer.method = .nearest }
            return
        }
        parts = try Self.bands(of: size, on: grid) { cellSize in
            ZoomChoice(forCell: cellSize, of: zooms, tileSize: tileset.metadata.tileSize)
        }.flatMap { choice, rows in
            try Self.parts(of: tileset, lookups, choice, rows: rows, on: grid, size: size)
        }
    }

    /// Runs of rows with the same zoom, in whole bands of the view, from the top.
    private static func bands(
        of size: PixelWindow, on grid: PixelGrid, _ choose: (_ cellSize: Double) -> ZoomChoice
    ) -> [(choice: ZoomChoice, rows: Range<Int>)] {
        var bands: [(choice: ZoomChoice, rows: Range<Int>)] = []
        for top in stride(
            from: size.rows.lowerBound, to: size.rows.upperBound, by: PyramidPlan.rowsPerBand)
        {
            let bottom = min(top + PyramidPlan.rowsPerBand, size.rows.upperBound)
            let choice = choose(
                grid.narrowestCell(of: PixelWindow(columns: size.columns, rows: top..<bottom)))
            if let last = bands.last, last.choice == choice {
                bands[bands.count - 1].rows = last.rows.lowerBound..<bottom
            } else {
                bands.append((choice, top..<bottom))
            }
        }
        return bands
    }

    /// The tiles of a zoom in some rows of a view, even beyond the antimeridian.
    private static func parts(
        of tileset: StoredTileset, _ lookups: TileLookups, _ choice: ZoomChoice, rows: Range<Int>,
        on grid: PixelGrid, size: PixelWindow
    ) throws -> [Part] {
        let tileSize = tileset.metadata.tileSize
        let matrix = TileMatrix(zoom: choice.zoom, tileSize: tileSize)
        let corners = PixelWindow(columns: size.columns, rows: rows).corners.map {
            matrix.pixel(ofMercator: grid.mercator(ofPixel: $0))
        }
        let seen = matrix.tiles(around: corners, reach: reach << choice.halvings)
        return try tileset.metadata.rectangles(in: seen, of: matrix).map { tiles in
            let mosaic = TileMosaic(lookups, zoom: choice.zoom, tiles: tiles, tileSize: tileSize)
            let box = 1 << choice.halvings
            var layer = ImageLayer(
                try matrix.mapping(of: tiles, halvings: choice.halvings), of: mosaic.info, mosaic.blockSize,
                box: box)
            layer.isZoom = true
            layer.viewRows = rows == size.rows ? nil : rows
            return Part(layer: layer, mosaic: mosaic, box: box)
        }
    }
}

extension TilesetMetadata {
    /// The tiles of a zoom within given tiles, in rectangles that do not touch. Columns continue beyond the
    /// antimeridian on either side. Around the world, tiles make at most one turn.
    fileprivate func rectangles(in seen: PixelWindow, of matrix: TileMatrix) -> [PixelWindow] {
        let (limits, turn) = (limits.filter { $0.zoom == matrix.zoom }, matrix.tilesPerEdge)
        guard let first = limits.first else { return [] }
        let rows = limits.reduce(Range(first.rows)) { $0.hull(with: Range($1.rows)) }.clamped(to: seen.rows)
        if rows.isEmpty { return [] }
        let turns =
            floorDivide(seen.columns.lowerBound, turn)...floorDivide(seen.columns.upperBound, turn)
        let columns = RangeSet(
            turns.flatMap { index in
                limits.map { Range($0.columns).moved(by: index * turn).clamped(to: seen.columns) }
            })
        return columns.ranges.map { columns in
            PixelWindow(columns: columns.count < turn ? columns : 0..<turn, rows: rows)
        }
    }
}

extension TileMatrix {
    /// The columns and rows of the tiles around some points, with a margin of `reach` pixels. Rows are within
    /// the world.
    fileprivate func tiles(around pixels: [Point], reach: Int) -> PixelWindow {
        func tiles(_ values: [Double]) -> Range<Int> {
            let (low, high) = (values.reduce(.infinity, min), values.reduce(-.infinity, max))
            // No view shows more than a hundred turns of the world.
            let farthest = 100.0 * Double(pixelsPerEdge)
            let first = Int(min(max(low - Double(reach), -farthest), farthest).rounded(.down))
            let last = Int(min(max(high + Double(reach), -farthest), farthest).rounded(.up))
            return floorDivide(first, tileSize)..<floorDivide(last, tileSize) + 1
        }
        return PixelWindow(
            columns: tiles(pixels.map(\.x)), rows: tiles(pixels.map(\.y)).clamped(to: 0..<tilesPerEdge))
    }

    /// The mapping of the pixels of a rectangle of tiles, which may be halved.
    fileprivate func mapping(of tiles: PixelWindow, halvings: Int) throws -> ImageMapping {
        let halved = TileMatrix(zoom: zoom, tileSize: tileSize >> halvings)
        let pixels = PixelWindow(
            columns: tiles.columns.multiplied(by: halved.tileSize),
            rows: tiles.rows.multiplied(by: halved.tileSize))
        return try ImageMapping(of: pixels, in: halved)
    }
}

/// The zoom of a tileset that a part of a view reads.
struct ZoomChoice: Hashable {
    /// The zoom.
    let zoom: Int
    /// The number of times that its pixels are halved first, if better zooms are missing.
    let halvings: Int
}

extension ZoomChoice {
    /// Chooses the coarsest zoom whose pixels are at most half as large as the view's; if this zoom is
    /// missing, the next finer one, or the finest.
    ///
    /// - Parameters:
    ///   - cellSize: the edge of a pixel of the view in Mercator metres.
    ///   - zooms: the zooms in ascending order, at least one.
    ///   - tileSize: pixels along a tile's edge.
    init(forCell cellSize: Double, of zooms: [Int], tileSize: Int) {
        let world = TileMatrix(zoom: 0, tileSize: tileSize).cellSize
        // A rounding error must not exclude a fitting zoom.
        let wanted = Int((log2(2 * world / cellSize) - 1e-6).rounded(.up))
        guard let zoom = zooms.first(where: { $0 >= wanted }) else {
            self.zoom = zooms[zooms.count - 1]
            halvings = 0
            return
        }
        self.zoom = zoom
        halvings = min(zoom - wanted, tileSize.trailingZeroBitCount)
    }
}

/// A zoom whose pixels are those of a view, to a thousandth of a pixel.
struct CoincidingZoom {
    /// The zoom.
    let zoom: Int
    /// From pixels of the view to pixels of the zoom, which may continue beyond the antimeridian; nil if the
    /// view is turned.
    let shift: (columns: Int, rows: Int)?

    /// The tolerance of positions in pixels.
    private static let tolerance = 1e-3

    /// Finds the zoom of a tileset; nil if there is none.
    ///
    /// - Parameters:
    ///   - grid: the pixels of the view.
    ///   - size: its columns and rows.
    init?(of tileset: StoredTileset, on grid: PixelGrid, size: PixelWindow) {
        for zoom in Set(tileset.metadata.limits.map(\.zoom)) {
            let matrix = TileMatrix(zoom: zoom, tileSize: tileset.metadata.tileSize)
            let corners = size.corners.map { matrix.pixel(ofMercator: grid.mercator(ofPixel: $0)) }
            let whole = corners.map { Point(x: $0.x.rounded(), y: $0.y.rounded()) }
            let isClose = zip(corners, whole).allSatisfy {
                abs($0.x - $1.x) < Self.tolerance && abs($0.y - $1.y) < Self.tolerance
            }
            let (right, down) = (whole[1], whole[3])
            let sides = [
                abs(right.x - whole[0].x), abs(down.y - whole[0].y), abs(right.y - whole[0].y),
                abs(down.x - whole[0].x),
            ]
            let (width, height) = (Double(size.width), Double(size.height))
            guard isClose, sides == [width, height, 0, 0] || sides == [0, 0, width, height] else {
                continue
            }
            self.zoom = zoom
            let isUpright = right.x > whole[0].x && down.y > whole[0].y
            shift =
                isUpright
                ? (Int(whole[0].x) - size.columns.lowerBound, Int(whole[0].y) - size.rows.lowerBound) : nil
            return
        }
        return nil
    }
}

/// Tiles whose pixels coincide with a view's, and are copied.
struct CopiedTiles {
    private let tileset: StoredTileset
    private let zoom: Int
    /// From columns and rows of the view to those of the zoom.
    private let shift: (columns: Int, rows: Int)
    private let size: PixelWindow

    /// The tiles of all contents of a view; nil if one of them must be resampled.
    static func all(
        _ contents: [MapContent], on grid: PixelGrid, size: PixelWindow
    ) -> [CopiedTiles]? {
        var copies: [CopiedTiles] = []
        for content in contents {
            guard case .tileset(let tileset) = content,
                let found = CoincidingZoom(of: tileset, on: grid, size: size), let shift = found.shift
            else { return nil }
            copies.append(CopiedTiles(tileset: tileset, zoom: found.zoom, shift: shift, size: size))
        }
        return copies
    }

    /// Draws the tiles on top of a picture.
    func lay(over picture: ViewPicture) throws {
        let tileSize = tileset.metadata.tileSize
        let matrix = TileMatrix(zoom: zoom, tileSize: tileSize)
        let seen = PixelWindow(
            columns: size.columns.moved(by: shift.columns), rows: size.rows.moved(by: shift.rows))
        let mosaic = TileMosaic(
            TileLookups(tileset.reader), zoom: zoom,
            tiles: PixelWindow(
                columns: matrix.tiles(ofPixels: seen.columns), rows: matrix.tiles(ofPixels: seen.rows)),
            tileSize: tileSize)
        try mosaic.forEachTile { tile, pixels in picture.lay(pixels, ofTile: tile, of: matrix, in: seen) }
    }
}
