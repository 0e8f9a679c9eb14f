package import Tiling

extension StatedTileset {
    /// What is doubtful about where the tileset lies, if its bounds and its tiles do not meet at all.
    ///
    /// - Parameters:
    ///   - limits: the tiles.
    ///   - scheme: how rows were taken to count; nil of a container that leaves no doubt.
    /// - Returns: a line that begins with `its bounds`; nil if all is well, or nothing is stated.
    package func placeDoubt(_ limits: [TileMatrixLimits], scheme: TileScheme?) -> String? {
        guard let stated = statedBounds, !limits.isEmpty else { return nil }
        let tiles = TileMatrixLimits.lonLatBounds(of: limits)
        if stated.meets(tiles) { return nil }
        let mirrored = BoundingBox(minX: tiles.minX, minY: -tiles.maxY, maxX: tiles.maxX, maxY: -tiles.minY)
        guard stated.meets(mirrored), let scheme else { return "its bounds lie elsewhere than its tiles" }
        let isNorth = mirrored.center.y > 0
        let (count, other) = scheme == .tms ? ("north", TileScheme.xyz) : ("south", .tms)
        return "its bounds lie \(isNorth ? "north" : "south") of the equator, and its tiles as far "
            + "\(isNorth ? "south" : "north") of it: either its rows count from the \(count), and convert "
            + "--in-scheme \(other.rawValue) takes them so, or its bounds are wrong"
    }
}

extension BoundingBox {
    /// Whether boxes in degrees touch, however often one is moved around the world.
    fileprivate func meets(_ other: BoundingBox) -> Bool {
        minY <= other.maxY && other.minY <= maxY
            && [-360, 0, 360.0].contains { minX <= other.maxX + $0 && other.minX + $0 <= maxX }
    }
}
