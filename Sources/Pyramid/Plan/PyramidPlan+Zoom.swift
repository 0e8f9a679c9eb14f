internal import Georeferencing
internal import Tiling

extension PyramidPlan {
    /// The plan of one of the zooms by itself: the same tiles and footprints, of images that are made for this zoom and
    /// that nothing is halved for.
    ///
    /// - Parameter layers: the images in the order of the plan's.
    /// - Returns: nil if a cutline leaves nothing of this zoom.
    package func alone(zoom: Int, of layers: [ImageLayer]) throws -> PyramidPlan? {
        guard let found = levels.first(where: { $0.zoom == zoom && $0.isWritten }) else { return nil }
        var level = found
        if let cutline = options.cutline {
            var window = level.window
            guard let mask = Self.mask(cutline, within: &window, matrix: level.matrix) else { return nil }
            level.cut = LevelCut(mask: mask, scale: 1)
        }
        let limited = layers.map { $0.limited { $0.map(level.matrix.pixel(ofMercator:)) } }
        return PyramidPlan(self, level: level, layers: limited)
    }
}
