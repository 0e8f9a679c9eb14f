internal import Georeferencing
internal import Raster
internal import Resampling
internal import Tiling

/// Which rows of a layer's image the pixels of the finest level need: the exact answer of the weights
/// or of the grid that will be used to render them.
enum LayerNeeds {
    case weights(SeparableWeights)
    case grid(MappingGrid)

    /// Prepares weights or a grid.
    init(_ plan: PyramidPlan, layer: Int) {
        self = plan.weights(ofLayer: layer).map { .weights($0) } ?? .grid(plan.grid(ofLayer: layer))
    }

    /// The weights, where rows and columns are resampled apart.
    var weights: SeparableWeights? {
        if case .weights(let weights) = self { weights } else { nil }
    }

    /// The rows for a window of the finest level, as far as they exist; empty where none is touched.
    func sourceRows(for window: PixelWindow, sourceHeight: Int) -> Range<Int> {
        if window.isEmpty { return 0..<0 }
        let needed: [Range<Int>] =
            switch self {
            case .weights(let weights):
                window.rows.map { weights.rows.sourcePixels(of: $0) }
            case .grid(let grid):
                MappingGrid.parts(of: window).compactMap { part in
                    grid.sourceRows(of: part).map { $0.lowerBound..<$0.upperBound + 1 }
                }
            }
        let inside = needed.map { $0.clamped(to: 0..<sourceHeight) }.filter { !$0.isEmpty }
        return inside.dropFirst().reduce(inside.first ?? 0..<0) { $0.hull(with: $1) }
    }
}

extension PyramidPlan {
    /// The weights of a layer for all pixels of the finest level that its footprint touches; nil
    /// where rows and columns are not resampled apart.
    func weights(ofLayer index: Int) -> SeparableWeights? {
        let (layer, level, method) = (layers[index], levels[0], options.resampling)
        guard layer.isSeparable(by: method),
            case .separable(let column, let row) = layer.mapping.shape
        else { return nil }
        let window = level.coverages[index].window.intersection(level.window)
        let everywhere = -Double.infinity...Double.infinity
        let isTurn = layer.mapping.columnsPerTurn != nil
        return SeparableWeights(
            columns: AxisWeights(
                pixels: window.columns, method: method,
                within: isTurn ? everywhere : layer.mapping.columns
            ) { column(level.matrix.mercator(ofPixel: Point(x: $0, y: 0)).x) },
            rows: AxisWeights(
                pixels: window.rows, method: method, within: layer.mapping.rows
            ) { row(level.matrix.mercator(ofPixel: Point(x: 0, y: $0)).y) })
    }

    /// The positions of a layer's pixels under the pixels of the finest level.
    func grid(ofLayer index: Int) -> MappingGrid {
        MappingGrid(layers[index], matrix: levels[0].matrix, method: options.resampling)
    }

    /// The rows of images that some rows of the finest level need; they lie in one row of cells.
    func sources(of rows: Range<Int>, _ needs: [LayerNeeds]) -> [LayerRows] {
        let level = levels[0]
        let cellRow = floorDivide(rows.lowerBound, CellCoverage.cellSize)
        return layers.indices.compactMap { layer in
            let columns = level.covered(
                byLayer: layer, inCellRow: cellRow, of: level.window.columns)
            let needed = needs[layer].sourceRows(
                for: PixelWindow(columns: columns, rows: rows),
                sourceHeight: layers[layer].info.height)
            return needed.isEmpty ? nil : LayerRows(layer: layer, rows: needed)
        }
    }
}
