import Tiling
import Testing

@Suite struct CameraLimitsTests {
    private func target(_ longitude: Double, _ latitude: Double, in box: BoundingBox) -> Point {
        let camera = CameraPosition(target: Point(x: longitude, y: latitude), zoom: 5)
        return CameraLimits(targetBounds: box).clamping(camera).target
    }

    @Test("the target is held within bounds, and goes the shorter way around the world")
    func targets() {
        let box = BoundingBox(minX: 10, minY: 40, maxX: 20, maxY: 50)
        #expect(target(12, 45, in: box) == Point(x: 12, y: 45))
        #expect(target(5, 60, in: box) == Point(x: 10, y: 50))
        #expect(target(30, 30, in: box) == Point(x: 20, y: 40))
        // On the other side of the world, -165 is as far from both edges.
        #expect(target(-166, 45, in: box).x == 20)
        #expect(target(-164, 45, in: box).x == 10)
    }

    @Test("bounds may cross the antimeridian")
    func antimeridian() {
        let box = BoundingBox(minX: 170, minY: -20, maxX: -170, maxY: 0)
        #expect(target(175, -10, in: box).x == 175)
        #expect(target(-175, -10, in: box).x == -175)
        #expect(target(-180, -10, in: box).x == -180)
        #expect(target(160, -10, in: box).x == 170)
        #expect(target(-160, -10, in: box).x == -170)
        let same = BoundingBox(minX: 170, minY: -20, maxX: 190, maxY: 0)
        #expect(target(-160, -10, in: same).x == -170)
    }

    @Test("bounds of 360 degrees do not limit the longitude")
    func fullTurn() {
        let box = BoundingBox(minX: -180, minY: -20, maxX: 180, maxY: 0)
        #expect(target(-180, -10, in: box).x == -180)
        #expect(target(179, -10, in: box).x == 179)
    }

    @Test("a zoom range clamps at once, and the tilt follows")
    func zooms() {
        let camera = CameraPosition(target: Point(x: 0, y: 0), zoom: 18, tilt: 60)
        let view = CameraView(camera, limits: CameraLimits(zooms: 2...12))
        #expect(view.camera.zoom == 12)
        #expect(view.camera.tilt == 37.5)
        let low = CameraPosition(target: Point(x: 0, y: 0), zoom: 1)
        #expect(CameraView(low, limits: CameraLimits(zooms: 2...12)).camera.zoom == 2)
        #expect(CameraView(low, limits: CameraLimits(zooms: 40...50)).camera.zoom == 30)
    }
}
