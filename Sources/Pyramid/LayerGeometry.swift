internal import Georeferencing
internal import Raster
internal import Resampling
internal import Tiling

/// How the pixels of the finest level are made of those of a layer.
enum LayerGeometry: Sendable {
    case separable(SeparableWeights)
    case grid(MappingGrid)

    /// Prepares weights or a grid.
    ///
    /// - Parameter window: the pixels of the finest level that will be asked for.
    init(_ layer: ImageLayer, matrix: TileMatrix, window: PixelWindow, method: ResamplingMethod) {
        guard layer.isSeparable(by: method),
            case .separable(let column, let row) = layer.mapping.shape
        else {
            self = .grid(MappingGrid(layer, matrix: matrix, method: method))
            return
        }
        let columns = AxisWeights(
            pixels: window.columns, method: method, within: layer.mapping.columns
        ) { column(matrix.mercator(ofPixel: Point(x: $0, y: 0)).x) }
        let rows = AxisWeights(
            pixels: window.rows, method: method, within: layer.mapping.rows
        ) { row(matrix.mercator(ofPixel: Point(x: 0, y: $0)).y) }
        self = .separable(SeparableWeights(columns: columns, rows: rows))
    }

    /// The source rows that a window of the finest level needs, as far as they exist; empty where
    /// none is touched. Exactly those that rendering it will read.
    func sourceRows(for window: PixelWindow, sourceHeight: Int) -> Range<Int> {
        if window.isEmpty { return 0..<0 }
        let needed: [Range<Int>]
        switch self {
        case .separable(let weights):
            needed = window.rows.map { weights.rows.sourcePixels(of: $0) }
        case .grid(let grid):
            needed = MappingGrid.parts(of: window).compactMap { part in
                grid.sourceRows(of: part).map { $0.lowerBound..<$0.upperBound + 1 }
            }
        }
        let inside = needed.map { $0.clamped(to: 0..<sourceHeight) }.filter { !$0.isEmpty }
        return inside.dropFirst().reduce(inside.first ?? 0..<0) { $0.hull(with: $1) }
    }
}

extension PyramidPlan {
    /// How the finest level is made of a layer.
    func geometry(ofLayer index: Int) -> LayerGeometry {
        let level = levels[0]
        return LayerGeometry(
            layers[index], matrix: level.matrix,
            window: level.coverages[index].window.intersection(level.window),
            method: options.resampling)
    }

    /// The rows of images that some rows of the finest level need; they lie in one row of cells.
    func sources(of rows: Range<Int>, _ geometries: [LayerGeometry]) -> [LayerRows] {
        let level = levels[0]
        let cellRow = floorDivide(rows.lowerBound, CellCoverage.cellSize)
        return layers.indices.compactMap { layer in
            let columns = level.covered(
                byLayer: layer, inCellRow: cellRow, of: level.window.columns)
            let needed = geometries[layer].sourceRows(
                for: PixelWindow(columns: columns, rows: rows),
                sourceHeight: layers[layer].info.height)
            return needed.isEmpty ? nil : LayerRows(layer: layer, rows: needed)
        }
    }
}
