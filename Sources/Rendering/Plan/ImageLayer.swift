package import Georeferencing
package import Raster
package import Tiling

/// One of the images of a pyramid, with its position.
package struct ImageLayer: Sendable {
    /// Its position.
    package internal(set) var mapping: ImageMapping
    /// Its size and pixel format.
    package let info: RasterInfo
    /// Columns and rows of the blocks in which it can be read in any order; nil if it can only be read from
    /// the top.
    package let blockSize: (width: Int, height: Int)?
    /// The least number of such blocks that a task reads: several if preparing to read is slow.
    package var blocksPerTask = 1
    /// The rows of a view in which it is drawn, in pixels of the view; nil for all. They begin and end at
    /// whole bands, see `PyramidPlan.rowsPerBand`.
    package var viewRows: Range<Int>?
    /// The kernel that it is drawn with; nil for the plan's.
    package var method: ResamplingMethod?
    /// The index of its image; a view may show an image several times.
    package var image = 0
    /// The edge of its visible part, in Mercator metres; nil for the image's own edge.
    package var neatline: [Point]?
    /// Its visible part, over the pixels that images are rendered onto: the part inside its neatline, or on
    /// the Earth; nil if all is visible. The plan finds it.
    var limb: CutMask?
    /// Whether it is a zoom of a finished pyramid, chosen for some rows of a view: it is drawn only at
    /// its own place, not at other turns around the world.
    package var isZoom = false

    /// Makes a layer.
    package init(
        mapping: ImageMapping, info: RasterInfo, blockSize: (width: Int, height: Int)? = nil
    ) {
        self.mapping = mapping
        self.info = info
        self.blockSize = blockSize
    }

    /// Whether reading a window costs much less than reading all of its rows.
    var isTiled: Bool { blockSize.map { 2 * $0.width <= info.width } ?? false }

    /// The rings of its visible part, in Mercator metres; nil for the image's own edge.
    var visibleRings: [[Point]]? { neatline.map { [$0] } ?? mapping.earth?.seen }

    /// The layer with the edge of its visible part.
    ///
    /// - Parameter pixels: from a ring in Mercator metres to the pixels that images are rendered onto.
    func limited(_ pixels: (_ ring: [Point]) -> [Point]) -> ImageLayer {
        guard let seen = visibleRings else { return self }
        var layer = self
        layer.limb = CutMask(polygons: [seen.map(pixels)])
        return layer
    }

    /// The layer, moved east by turns around the world.
    func movedEast(turns: Int) -> ImageLayer {
        let way = Double(turns) * WebMercator.world
        var layer = self
        layer.mapping = mapping.movedEast(turns: turns)
        layer.neatline = neatline?.map { Point(x: $0.x + way, y: $0.y) }
        return layer
    }
}

extension [ImageLayer] {
    /// The layers, each moved by a turn around the world if that brings them closer together: the widest gap
    /// without layers is then outside.
    func broughtTogether() -> [ImageLayer] {
        if count == 1 { return self }
        let extents = map(\.mapping.extent)
        let order = extents.indices.sorted { extents[$0].lowerBound < extents[$1].lowerBound }
        var start = extents[order[0]].lowerBound
        // From the eastern end of all layers to the western end of the first one, a turn later.
        var end = extents.map(\.upperBound).reduce(start, Swift.max)
        var widest = start + WebMercator.world - end
        end = extents[order[0]].upperBound
        for index in order.dropFirst() {
            if extents[index].lowerBound - end > widest {
                widest = extents[index].lowerBound - end
                start = extents[index].lowerBound
            }
            end = Swift.max(end, extents[index].upperBound)
        }
        return map { layer in
            layer.mapping.extent.lowerBound < start ? layer.movedEast(turns: 1) : layer
        }
    }
}

extension ImageMapping {
    /// From the western to the eastern end of the footprint, in Mercator metres.
    fileprivate var extent: ClosedRange<Double> {
        let columns = outline.map(\.x)
        return columns.reduce(.infinity, min)...columns.reduce(-.infinity, max)
    }
}
