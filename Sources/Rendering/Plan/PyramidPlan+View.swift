import Georeferencing
import Raster
package import Tiling

extension PyramidPlan {
    /// The height in pixels of the bands in which a view's layers are chosen: an edge of the cells of
    /// positions.
    package static let rowsPerBand = MappingGrid.cellSize

    /// Plans a view: one picture with the pixels of a camera or of any other grid.
    ///
    /// An image is drawn as many times as the view shows the world. A kernel's cost grows with the square of
    /// its scale, so images with much smaller pixels than the view should be averaged first (`BoxedSource`).
    ///
    /// - Parameters:
    ///   - size: the columns and rows of the view, from column 0 and row 0.
    ///   - layers: the images, each over the ones before it.
    ///   - options: only the kernel, the background and the cutline are used.
    /// - Returns: nil if the view shows nothing of the images.
    package init?(
        viewOf layers: [ImageLayer], on grid: PixelGrid, size: PixelWindow, options: PyramidOptions
    ) {
        let ground = ViewGround(grid, size: size)
        var (shown, coverages): ([ImageLayer], [CellCoverage]) = ([], [])
        for layer in layers.flatMap({ $0.copies(on: ground) }) {
            let outline = ground.part(of: layer.mapping)
            if outline.count < 3 { continue }
            shown.append(layer.limited(seenOn: grid, size: size))
            coverages.append(
                CellCoverage(
                    Footprint(outline: outline.map(grid.pixel(ofMercator:))), within: layer.viewRows))
        }
        if shown.isEmpty { return nil }
        var options = options
        options.zooms = 0...0
        var window = grid.partInWorld(of: size)
        var cut: LevelCut?
        if let cutline = options.cutline {
            guard let mask = CutMask(cutline, seenOn: grid, size: size) else { return nil }
            window = mask.window.intersection(window)
            cut = LevelCut(mask: mask, scale: 1)
        }
        if window.isEmpty { return nil }
        let level = PyramidLevel(grid: grid, window: window, coverages: coverages, cut: cut)
        self.init(viewOf: shown, levels: [level], options: options)
    }
}

extension ImageLayer {
    /// Copies of the layer, one for each time the view shows the world; an image that leads around the world
    /// is endless.
    fileprivate func copies(on ground: ViewGround) -> [ImageLayer] {
        if isZoom || mapping.columnsPerTurn != nil { return [self] }
        guard let box = BoundingBox(around: mapping.outline) else { return [] }
        return ground.box.turns(ofWest: box.minX, east: box.maxX, world: WebMercator.world).map { turns in
            turns == 0 ? self : movedEast(turns: turns)
        }
    }

    /// The layer with its visible part, as a view shows it.
    fileprivate func limited(seenOn grid: PixelGrid, size: PixelWindow) -> ImageLayer {
        if visibleRings == nil { return self }
        let ground = ViewGround(grid, size: size.grownByPixel)
        return limited { ground.part(of: $0).map(grid.pixel(ofMercator:)) }
    }
}

extension CutMask {
    /// The polygons as a view shows them; nil if it shows none.
    fileprivate init?(_ cutline: Cutline, seenOn grid: PixelGrid, size: PixelWindow) {
        let around = size.grownByPixel
        let ground = ViewGround(grid, size: around)
        let rings = cutline.rings(seenIn: ground.box, cellSize: grid.narrowestCell(of: around))
        self.init(
            polygons: rings.map { rings in
                rings.map { ground.part(of: $0).map(grid.pixel(ofMercator:)) }
            })
    }
}

extension PixelWindow {
    /// The window with an extra pixel on all sides, so that clipping makes no edge of a polygon at the view's
    /// own edge.
    fileprivate var grownByPixel: PixelWindow {
        PixelWindow(
            columns: columns.lowerBound - 1..<columns.upperBound + 1,
            rows: rows.lowerBound - 1..<rows.upperBound + 1)
    }
}

extension PixelGrid {
    /// The pixels of a view that are inside the world or cut by its northern or southern edge. If the view is
    /// turned or tilted, all pixels: then `MappingPatches` checks each position.
    fileprivate func partInWorld(of size: PixelWindow) -> PixelWindow {
        guard isUpright else { return size }
        let half = WebMercator.halfWorld
        let (top, bottom) = (
            pixel(ofMercator: Point(x: 0, y: half)).y, pixel(ofMercator: Point(x: 0, y: -half)).y
        )
        let first = max(Double(size.rows.lowerBound), top.rounded(.down))
        let end = min(Double(size.rows.upperBound), bottom.rounded(.up))
        return PixelWindow(columns: size.columns, rows: Int(first)..<Int(max(first, end)))
    }
}

/// The part of the plane that a view shows.
struct ViewGround {
    /// The corners of the view from the top left, in Mercator metres.
    private let corners: [Point]
    /// The box around the corners.
    let box: BoundingBox

    init(_ grid: PixelGrid, size: PixelWindow) {
        corners = size.corners.map(grid.mercator(ofPixel:))
        precondition(corners.allSatisfy(\.isFinite), "a view does not reach the horizon")
        box = BoundingBox(around: corners) ?? BoundingBox(minX: 0, minY: 0, maxX: 0, maxY: 0)
    }

    /// The part of an image's footprint that the view shows: a ring in Mercator metres, empty if it shows
    /// nothing.
    func part(of mapping: ImageMapping) -> [Point] {
        var ring = mapping.outline
        if mapping.columnsPerTurn != nil, let outline = BoundingBox(around: ring) {
            ring = [
                Point(x: box.minX, y: outline.maxY), Point(x: box.maxX, y: outline.maxY),
                Point(x: box.maxX, y: outline.minY), Point(x: box.minX, y: outline.minY),
            ]
        }
        return part(of: ring)
    }

    /// The part of a ring in Mercator metres that the view shows; empty if it shows nothing.
    func part(of ring: [Point]) -> [Point] {
        corners.indices.reduce(ring) { ring, index in
            ring.clipped(from: corners[index], to: corners[(index + 1) % corners.count])
        }
    }
}
