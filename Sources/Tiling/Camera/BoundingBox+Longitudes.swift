import Platform

// Boxes in degrees, which cross the antimeridian if their west is greater than their east, or their east is
// beyond 180.

extension BoundingBox {
    /// From the western to the eastern longitude of a box in degrees, 0 to 360.
    package var longitudeSpan: Double {
        min(maxX >= minX ? maxX - minX : (maxX - minX).wrapped(from: 0), 360)
    }

    /// The same box of degrees with its west in -180..<180, and its east, in one piece, up to 360 greater.
    package var unwrapped: BoundingBox {
        let west = minX.wrapped(from: -180)
        return BoundingBox(minX: west, minY: minY, maxX: west + longitudeSpan, maxY: maxY)
    }

    /// The smallest box of degrees that holds this one and another, in one piece.
    package func union(_ other: BoundingBox) -> BoundingBox {
        let (box, other) = (unwrapped, other.unwrapped)
        let ways = [-360.0, 0, 360].map { turn in
            BoundingBox(
                minX: min(box.minX, other.minX + turn), minY: min(box.minY, other.minY),
                maxX: max(box.maxX, other.maxX + turn), maxY: max(box.maxY, other.maxY))
        }
        let shortest = ways.min { $0.width < $1.width }.unwrapped("there are three ways")
        if shortest.width < 360 { return shortest.unwrapped }
        return BoundingBox(minX: -180, minY: shortest.minY, maxX: 180, maxY: shortest.maxY)
    }

    /// A box of degrees in Mercator metres, in one piece. Latitudes end at the world's edges.
    ///
    /// - Throws: `.usage` if it is upside down, or not of numbers.
    init(mercatorOf degrees: BoundingBox) throws(Failure) {
        let edges = [degrees.minX, degrees.minY, degrees.maxX, degrees.maxY]
        guard edges.allSatisfy(\.isFinite), degrees.minY <= degrees.maxY else {
            throw Failure(
                .usage, "bounds to show have their south above their north",
                remedy: "give W,S,E,N in degrees")
        }
        let world = -WebMercator.maximumLatitude...WebMercator.maximumLatitude
        let box = degrees.unwrapped
        self.init(
            minX: WebMercator.metres(longitude: box.minX),
            minY: WebMercator.metres(latitude: box.minY.clamped(to: world)),
            maxX: WebMercator.metres(longitude: box.maxX),
            maxY: WebMercator.metres(latitude: box.maxY.clamped(to: world)))
    }

    /// Whether a point lies in the box, edges included, to a thousandth of the unit.
    func contains(_ point: Point) -> Bool {
        minX - 1e-3 <= point.x && point.x <= maxX + 1e-3 && minY - 1e-3 <= point.y
            && point.y <= maxY + 1e-3
    }
}
