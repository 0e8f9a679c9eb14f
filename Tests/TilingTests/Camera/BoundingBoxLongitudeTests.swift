import Tiling
import Testing

/// Boxes of longitudes and latitudes.
@Suite struct BoundingBoxLongitudeTests {
    private func box(_ west: Double, _ east: Double) -> BoundingBox {
        BoundingBox(minX: west, minY: 0, maxX: east, maxY: 1)
    }

    @Test(
        "a box whose west is greater than its east crosses the antimeridian",
        arguments: [
            (10.0, 20.0, 10.0), (177, -178, 5), (177, 182, 5), (-180, 180, 360), (-400, 400, 360), (5, 5, 0),
        ])
    func spans(west: Double, east: Double, span: Double) {
        #expect(box(west, east).longitudeSpan == span)
    }

    @Test(
        "the union is the smallest box of both",
        arguments: [
            ((1.0, 2.0), (3.0, 4.0), (1.0, 4.0)), ((178, 179), (-179, -178), (178, 182)),
            ((-179, -178), (178, 179), (178, 182)), ((177, -178), (-179.5, -177), (177, 183)),
            ((-180, 180), (5, 6), (-180, 180)), ((-100, 90), (80, -90), (-180, 180)),
        ])
    func unions(one: (Double, Double), other: (Double, Double), both: (Double, Double)) {
        #expect(box(one.0, one.1).union(box(other.0, other.1)) == box(both.0, both.1))
    }
}
