internal import Georeferencing
internal import Raster
internal import Resampling
internal import Tiling

/// What images are rendered onto: the pixels of a grid, and which of them each image touches.
struct RenderTarget: Sendable {
    /// The images, each over the ones before it.
    let layers: [ImageLayer]
    /// The grid.
    let grid: PixelGrid
    /// The pixels of the grid that exist at all.
    let window: PixelWindow
    /// The pixels that are rendered.
    let part: LevelPart
    /// The cells of the grid that the footprint of each image touches.
    let coverages: [CellCoverage]
    /// The kernel.
    let method: ResamplingMethod

    /// The weights of a layer for all pixels to be rendered that its footprint touches; nil if rows
    /// and columns are not resampled apart.
    func weights(ofLayer index: Int) -> SeparableWeights? {
        let layer = layers[index]
        guard layer.isSeparable(by: method),
            case .separable(let column, let row) = layer.mapping.shape
        else { return nil }
        let pixels = pixels(ofLayer: index)
        let everywhere = -Double.infinity...Double.infinity
        let isTurn = layer.mapping.columnsPerTurn != nil
        return SeparableWeights(
            columns: AxisWeights(
                pixels: pixels.columns, method: method,
                within: isTurn ? everywhere : layer.mapping.columns
            ) { column(grid.mercator(ofPixel: Point(x: $0, y: 0)).x) },
            rows: AxisWeights(
                pixels: pixels.rows, method: method, within: layer.mapping.rows
            ) { row(grid.mercator(ofPixel: Point(x: 0, y: $0)).y) },
            sourceWidth: layer.info.width)
    }

    /// The pixels for which a layer needs weights. Of several layers these are all columns, also if only
    /// a part of them is rendered: together they tell how a layer's edge is joined with another.
    private func pixels(ofLayer index: Int) -> PixelWindow {
        let touched = coverages[index].window.intersection(window)
        let rendered = touched.intersection(part.hull)
        if layers.count == 1 || rendered.isEmpty { return rendered }
        return PixelWindow(columns: touched.columns, rows: rendered.rows)
    }

    /// The positions of a layer's pixels under the pixels of the grid.
    func mappingGrid(ofLayer index: Int) -> MappingGrid {
        MappingGrid(layers[index], onto: grid, method: method)
    }

    /// The rows of images that some rows to be rendered need; they lie in one row of cells.
    func sources(of rows: Range<Int>, _ needs: [LayerNeeds]) -> [LayerRows] {
        let cellRow = floorDivide(rows.lowerBound, CellCoverage.cellSize)
        return layers.indices.compactMap { layer in
            let needed = part.columns.map { columns in
                let touched = coverages[layer].pixels(inCellRow: cellRow, of: columns)
                return needs[layer].sourceRows(
                    for: PixelWindow(columns: touched, rows: rows),
                    sourceHeight: layers[layer].info.height)
            }.filter { !$0.isEmpty }
            guard let first = needed.first else { return nil }
            return LayerRows(
                layer: layer, rows: needed.dropFirst().reduce(first) { $0.hull(with: $1) })
        }
    }
}

extension PyramidPlan {
    /// What the images are rendered onto: the finest level.
    var target: RenderTarget {
        let finest = levels[0]
        return RenderTarget(
            layers: layers, grid: finest.matrix.grid, window: finest.window, part: finest.part,
            coverages: finest.coverages, method: options.resampling)
    }
}
