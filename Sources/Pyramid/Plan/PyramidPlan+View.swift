internal import Georeferencing
internal import Raster
internal import Resampling
package import Tiling

extension PyramidPlan {
    /// The height of the bands of a view in which its layers are chosen, in pixels: an edge of the cells of
    /// positions.
    package static let rowsPerBand = MappingGrid.cellSize

    /// Plans a view: one picture, whose pixels are those of a camera, or of any other grid.
    ///
    /// An image is drawn as often as the view shows the world. If its pixels are much smaller than those of
    /// the view, it is drawn at a multiple of the view's size, and halved: a kernel's cost grows with the
    /// square of its scale.
    ///
    /// - Parameters:
    ///   - grid: the view's pixels.
    ///   - size: the columns and rows of the view, from column 0 and row 0.
    ///   - layers: the images, each over the ones before it.
    ///   - options: of which the kernels and the background count.
    /// - Returns: nil if the view shows nothing of the images.
    package init?(
        viewOf layers: [ImageLayer], on grid: PixelGrid, size: PixelWindow, options: PyramidOptions
    ) {
        let ground = ViewGround(grid, size: size)
        var shown: [(layer: ImageLayer, outline: [Point])] = []
        for layer in layers.flatMap({ $0.copies(on: ground) }) {
            let outline = ground.part(of: layer.mapping)
            if outline.count >= 3 { shown.append((layer, outline)) }
        }
        if shown.isEmpty { return nil }
        let halvings = shown.map { Self.halvings($0.layer, on: ground, options: options) }.max() ?? 0
        var options = options
        options.zooms = 0...0
        self.init(
            viewOf: shown.map(\.layer),
            levels: Self.levels(shown, grid: grid, size: size, halvings: halvings), options: options)
    }

    /// The levels of a view, the finest first; the last has the view's own pixels.
    private static func levels(
        _ shown: [(layer: ImageLayer, outline: [Point])], grid: PixelGrid, size: PixelWindow,
        halvings: Int
    ) -> [PyramidLevel] {
        var (grid, levels): (PixelGrid, [PyramidLevel]) = (grid, [])
        for level in 0...halvings {
            let coverages = shown.map { layer, outline in
                CellCoverage(
                    Footprint(outline: outline.map(grid.pixel(ofMercator:))),
                    within: level == halvings ? layer.viewRows?.scaled(by: 1 << level) : nil)
            }
            levels.append(
                PyramidLevel(
                    grid: grid, halvings: level,
                    window: grid.partInWorld(of: size.scaled(by: 1 << level)), coverages: coverages))
            grid = grid.doubled
        }
        return levels.reversed()
    }

    /// How often a view is drawn at twice its size for the sake of a layer.
    private static func halvings(
        _ layer: ImageLayer, on ground: ViewGround, options: PyramidOptions
    ) -> Int {
        let method = layer.method ?? options.resampling
        if layer.isZoom || method.copiesPixels || ground.isUpright && layer.mapping.isSeparable {
            return 0
        }
        let cellSize = cellSize(of: layer.mapping, pixels: layer.info.width * layer.info.height)
        var (halvings, narrowest) = (0, ground.narrowestCell)
        // Up to four pixels of the image along one of the view are cheaper for a kernel than four times as
        // many pixels are.
        while narrowest >= 4 * cellSize, halvings < mostHalvings {
            narrowest /= 2
            halvings += 1
        }
        return halvings
    }

    /// A view is drawn at most at 64 times its size: a kernel of 64 pixels, the widest, reaches further
    /// than any image has pixels then.
    private static let mostHalvings = 6
}

extension ImageLayer {
    /// The layer, as often as the view shows the world; an image that leads around it is endless.
    fileprivate func copies(on ground: ViewGround) -> [ImageLayer] {
        if isZoom || mapping.columnsPerTurn != nil { return [self] }
        guard let box = BoundingBox(around: mapping.outline) else { return [] }
        return ground.turns(ofWest: box.minX, east: box.maxX).map { turns in
            var copy = self
            if turns != 0 { copy.mapping = mapping.movedEast(turns: turns) }
            return copy
        }
    }
}

extension PixelGrid {
    /// The pixels of a view that lie within the world, or are cut by its northern or southern edge; of a
    /// view that is turned or tilted, all: there, `MappingPatches` looks at each position.
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

extension ImageMapping {
    /// Whether columns and rows of the image depend on one axis of the plane each.
    fileprivate var isSeparable: Bool {
        if case .separable = shape { true } else { false }
    }
}

extension PixelWindow {
    fileprivate func scaled(by factor: Int) -> PixelWindow {
        PixelWindow(columns: columns.scaled(by: factor), rows: rows.scaled(by: factor))
    }
}

extension Range<Int> {
    fileprivate func scaled(by factor: Int) -> Range<Int> {
        lowerBound * factor..<upperBound * factor
    }
}
