internal import Georeferencing
internal import Raster
package import Tiling

/// What a part of a pyramid must know of the whole if it has only some of the images.
package struct WholePyramid: Hashable, Codable, Sendable {
    /// The zoom that images are rendered at.
    package let finest: Int
    /// The pixels of that zoom that exist, before a cutline.
    package let window: PixelWindow
    /// Whether there are several images.
    package let isMosaic: Bool
}

extension PyramidPlan {
    /// What its parts must know of it.
    package var whole: WholePyramid {
        get throws {
            let matrix = levels[0].matrix
            let footprints = try layers.map { try Self.footprint($0.mapping.outline, in: matrix) }
            return WholePyramid(
                finest: matrix.zoom, window: try Self.finestWindow(of: footprints, matrix: matrix),
                isMosaic: isMosaic)
        }
    }

    /// The layers that touch what is rendered.
    package var touchedLayers: [Int] {
        let (part, coverages) = (levels[0].part.hull, target.coverages)
        return layers.indices.filter { !coverages[$0].window.intersection(part).isEmpty }
    }

    /// Plans a pyramid of which only a part will be built: the same decisions as for the whole.
    ///
    /// - Parameters:
    ///   - layers: at least those that touch the part, in the order of the whole.
    ///   - whole: the pyramid.
    /// - Throws: a `Failure` if a layer lies nowhere.
    package init(layers: [ImageLayer], of whole: WholePyramid, options: PyramidOptions) throws {
        let matrix = TileMatrix(zoom: whole.finest, tileSize: options.tileSize)
        let together = try layers.map { layer in
            let columns = try Self.footprint(layer.mapping.outline, in: matrix).columns
            let first = CellCoverage.touched(columns, tolerance: CellCoverage.tolerance(of: columns))
                .lowerBound
            // The window begins where the westernmost layer does; see `broughtTogether`.
            return whole.isMosaic && first < whole.window.columns.lowerBound
                ? layer.movedEast(turns: 1) : layer
        }
        try self.init(together: together, of: whole, options: options)
    }
}
