internal import Georeferencing
internal import Tiling

extension [ImageLayer] {
    /// The layers, moved by a turn around the world if that brings them closer together: the
    /// widest stretch of the world without any of them becomes the outside.
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

extension ImageLayer {
    /// The layer some turns around the world further east.
    func movedEast(turns: Int) -> ImageLayer {
        let way = Double(turns) * WebMercator.world
        var layer = self
        layer.mapping = mapping.movedEast(turns: turns)
        layer.neatline = neatline?.map { Point(x: $0.x + way, y: $0.y) }
        return layer
    }
}

extension ImageMapping {
    /// From the western to the eastern end of the footprint, in Mercator metres.
    fileprivate var extent: ClosedRange<Double> {
        let columns = outline.map(\.x)
        return columns.reduce(.infinity, min)...columns.reduce(-.infinity, max)
    }
}
