import Tiling
import Testing

@Suite struct CameraUpdateTests {
    private func view(
        _ target: Point = Point(x: 10, y: 50), zoom: Double = 12, bearing: Double = 0,
        tilt: Double = 0, limits: CameraLimits = CameraLimits()
    ) -> CameraView {
        CameraView(
            CameraPosition(target: target, zoom: zoom, bearing: bearing, tilt: tilt), limits: limits)
    }

    private func after(_ updates: CameraUpdate..., in view: CameraView) throws -> CameraPosition {
        var view = view
        for update in updates { try view.apply(update) }
        return view.camera
    }

    @Test("updates of the zoom change only the zoom")
    func zooms() throws {
        let start = view(bearing: 40, tilt: 30)
        #expect(try after(.zoomIn, in: start) == start.camera.with(zoom: 13))
        #expect(try after(.zoomOut, in: start) == start.camera.with(zoom: 11))
        #expect(try after(.zoomTo(17.5), in: start) == start.camera.with(zoom: 17.5))
        #expect(try after(.zoomBy(-2.25), in: start) == start.camera.with(zoom: 9.75))
        #expect(try after(.zoomBy(100), in: start).zoom == 30)
        #expect(try after(.zoomBy(.nan), in: start).zoom == 0)
    }

    @Test("a target changes the place, and the zoom if one is given")
    func targets() throws {
        let start = view(bearing: 40, tilt: 30)
        let place = Point(x: 480, y: 100)
        let there = Point(x: 120, y: 85)
        #expect(try after(.target(place), in: start) == start.camera.with(target: there))
        #expect(
            try after(.target(place, zoom: 3), in: start)
                == start.camera.with(target: there, zoom: 3))
        let other = CameraPosition(target: there, zoom: 5, bearing: 1, tilt: 2)
        #expect(try after(.setCamera(other), in: start) == other)
    }

    @Test(
        "a zoom about a point keeps the place that is seen there",
        arguments: [(0.0, 0.0), (90, 0), (33, 30), (200, 45), (315, 65)],
        [Point(x: 0, y: 0), Point(x: 390, y: 844), Point(x: 390, y: 0), Point(x: 120, y: 700)])
    func zoomAbout(angles: (bearing: Double, tilt: Double), point: Point) throws {
        for (zoom, change) in [(17.0, 1.0), (17, -1), (16.5, 0.75), (18, 12)] {
            var view = view(zoom: zoom, bearing: angles.bearing, tilt: angles.tilt)
            let before = view.place(atPoint: point)
            try view.apply(.zoomBy(change, at: point))
            #expect(view.camera.zoom == zoom + change)
            #expect(degrees(before, view.place(atPoint: point)) < 1e-9)
        }
    }

    @Test("a zoom about a point keeps its place even if the tilt changes, and at the zoom's limits")
    func zoomAboutLimits() throws {
        let corner = Point(x: 390, y: 844)
        var tilted = view(zoom: 16, bearing: 70, tilt: 65)
        let before = tilted.place(atPoint: corner)
        try tilted.apply(.zoomBy(-3, at: corner))
        #expect(tilted.camera.tilt == 41.25)
        #expect(degrees(before, tilted.place(atPoint: corner)) < 1e-9)
        var limited = view(zoom: 16, limits: CameraLimits(zooms: 10...17))
        let seen = limited.place(atPoint: corner)
        try limited.apply(.zoomBy(5, at: corner))
        #expect(limited.camera.zoom == 17)
        #expect(degrees(seen, limited.place(atPoint: corner)) < 1e-9)
        let still = limited.camera
        try limited.apply(.zoomBy(1, at: corner))
        #expect(degrees(still.target, limited.camera.target) < 1e-12)
    }

    @Test("a zoom about a point of the sky leaves the target")
    func zoomAboutSky() throws {
        let start = view(zoom: 17, tilt: 65)
        let zoomed = try after(.zoomBy(1, at: Point(x: 195, y: -400)), in: start)
        #expect(zoomed == start.camera.with(zoom: 18))
    }

    // At zoom 12 the world is 1048576 points wide: 100 points are 360 * 100 / 1048576 degrees of longitude.
    @Test(
        "scrolling goes right and down in the turned view, on the ground as at tilt 0",
        arguments: [(0.0, 1.0, 0.0), (90, 0, -1), (180, -1, 0), (270, 0, 1)], [0.0, 30])
    func scroll(turn: (bearing: Double, east: Double, north: Double), tilt: Double) throws {
        let start = view(Point(x: 10, y: 0), bearing: turn.bearing, tilt: tilt)
        let camera = try after(.scrollBy(x: 100, y: 0), in: start)
        let step = 360.0 * 100 / 1_048_576
        #expect(abs(camera.target.x - 10 - turn.east * step) < 1e-9)
        // Close to the equator a degree of latitude is as long as one of longitude, to a millionth.
        #expect(abs(camera.target.y - turn.north * step) < 1e-7)
        #expect((camera.zoom, camera.bearing, camera.tilt) == (12, turn.bearing, tilt))
        let back = try after(.scrollBy(x: 100, y: 0), .scrollBy(x: -100, y: 0), in: start)
        #expect(degrees(back.target, start.camera.target) < 1e-12)
    }

    @Test("scrolling down goes south, and up goes east with bearing 90")
    func scrollDown() throws {
        let down = try after(.scrollBy(x: 0, y: 100), in: view(Point(x: 10, y: 0)))
        #expect(abs(down.target.y + 360.0 * 100 / 1_048_576) < 1e-7)
        let up = try after(.scrollBy(x: 0, y: -100), in: view(Point(x: 10, y: 0), bearing: 90))
        #expect(abs(up.target.x - 10 - 360.0 * 100 / 1_048_576) < 1e-9)
    }

    @Test("scrolling goes around the world, and ends at 85 degrees")
    func scrollFar() throws {
        let start = view(Point(x: 179, y: 84), zoom: 0)
        let camera = try after(.scrollBy(x: 64, y: -1000), in: start)
        #expect(abs(camera.target.x + 91) < 1e-9)
        #expect(camera.target.y == 85)
    }

    @Test("limits hold after each update")
    func limits() throws {
        let box = BoundingBox(minX: 9, minY: 49, maxX: 11, maxY: 51)
        let start = view(limits: CameraLimits(targetBounds: box, zooms: 5...15))
        #expect(try after(.target(Point(x: 0, y: 0), zoom: 30), in: start).target == Point(x: 9, y: 49))
        #expect(try after(.zoomTo(30), .zoomOut, in: start).zoom == 14)
    }
}
