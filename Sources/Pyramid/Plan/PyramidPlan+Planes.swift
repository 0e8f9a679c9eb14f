internal import Raster
internal import Resampling
internal import Tiling

/// Opaque pixels in planes.
extension PyramidPlan {
    /// Whether units of the finest level that are opaque may be made as planes: those of one upright image without an
    /// alpha, whose pixels are read by nothing but halving and tiles.
    var makesPlanes: Bool {
        layers.count == 1 && levels.count > 1 && levels[0].cut == nil && target.isSeparable(0)
            && layers[0].info.pixelFormat != .rgba8
    }

    /// Which pixels of each level's ring lie in planes: those that read nothing but opaque pixels of the image. None if
    /// halving reads no more than pairs of pixels: their tiles are gathered.
    ///
    /// - Parameter weights: those of the only image.
    func planesOfRings(_ weights: SeparableWeights?, kernels: Kernels) -> [OpaquePlanes?] {
        let none = [OpaquePlanes?](repeating: nil, count: levels.count)
        guard makesPlanes, haloOfUnits != nil, let weights else { return none }
        let info = layers[0].info
        let opaque = weights.opaqueWindow(ofSource: (info.width, info.height))
        var (window, planes) = (opaque?.intersection(levels[0].part.hull), none)
        for level in levels.indices.dropFirst() {
            let reducer = Reducer(method: reducing(toLevel: level), kernels: kernels)
            guard reducer.takesPlanes, reducer.reach > 0, let fine = window else { break }
            let pixels = reducer.pixels(reading: fine).intersection(levels[level].part.hull)
            guard !leadsAround(level),
                let opaque = OpaquePlanes(count: info.pixelFormat.bytesPerPixel, blocksIn: pixels)
            else { break }
            (planes[level], window) = (opaque, opaque.window)
        }
        return planes
    }

    /// Whether a level may hold pixels of both ends of the world.
    private func leadsAround(_ index: Int) -> Bool {
        let level = levels[index]
        let isTurn = level.grid.columnsPerTurn.map { level.part.hull.width >= $0 } ?? false
        return isTurn || level.isWrapped || level.part.columns.count != 1
    }
}
