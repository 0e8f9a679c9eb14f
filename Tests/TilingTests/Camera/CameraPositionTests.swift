import Tiling
import Testing

@Suite struct CameraPositionTests {
    private func camera(
        _ longitude: Double = 0, _ latitude: Double = 0, zoom: Double = 10, bearing: Double = 0,
        tilt: Double = 0
    ) -> CameraPosition {
        CameraPosition(
            target: Point(x: longitude, y: latitude), zoom: zoom, bearing: bearing, tilt: tilt)
    }

    @Test(
        "latitudes are clamped to 85 degrees",
        arguments: [(100.0, 85.0), (85.1, 85), (85, 85), (-85, -85), (-90, -85), (12.5, 12.5)])
    func latitudes(given: Double, expected: Double) {
        #expect(camera(0, given).target.y == expected)
    }

    @Test(
        "longitudes are wrapped",
        arguments: [
            (480.0, 120.0), (840, 120), (1200, 120), (180, -180), (-180, -180), (-181, 179),
            (179.5, 179.5), (-540, -180), (-1e-300, -1e-300),
        ])
    func longitudes(given: Double, expected: Double) {
        #expect(camera(given).target.x == expected)
    }

    @Test(
        "bearings are wrapped to 0..<360",
        arguments: [(0.0, 0.0), (360, 0), (-90, 270), (725, 5), (359.5, 359.5), (-1e-300, 0)])
    func bearings(given: Double, expected: Double) {
        #expect(camera(bearing: given).bearing == expected)
    }

    @Test("zooms are clamped", arguments: [(-1.0, 0.0), (0, 0), (3.5, 3.5), (30, 30), (31, 30)])
    func zooms(given: Double, expected: Double) {
        #expect(camera(zoom: given).zoom == expected)
    }

    // The ends are those of GMSCameraPosition; 10, 12 and 14 are those of CameraPosition.Builder.
    @Test(
        "the tilt is at most the zoom's limit",
        arguments: [
            (0.0, 30.0), (9, 30), (10, 30), (11, 33.75), (12, 37.5), (14, 45), (15, 55), (16, 65),
            (21, 65), (30, 65),
        ])
    func tilts(zoom: Double, limit: Double) {
        #expect(camera(zoom: zoom, tilt: 90).tilt == limit)
        #expect(camera(zoom: zoom, tilt: limit).tilt == limit)
        #expect(camera(zoom: zoom, tilt: limit - 1).tilt == limit - 1)
        #expect(camera(zoom: zoom, tilt: -5).tilt == 0)
    }

    @Test("the zoom is clamped before the tilt")
    func order() {
        #expect(camera(zoom: 40, tilt: 90).tilt == 65)
        #expect(camera(zoom: -5, tilt: 90).tilt == 30)
    }

    @Test("values that are not numbers are replaced", arguments: [Double.nan, .infinity, -.infinity])
    func notNumbers(value: Double) {
        let camera = camera(value, value, zoom: value, bearing: value, tilt: value)
        let values = [camera.target.x, camera.target.y, camera.zoom, camera.bearing, camera.tilt]
        #expect(values.allSatisfy { $0.isFinite })
        #expect(CameraPosition.zooms.contains(camera.zoom))
        #expect(abs(camera.target.y) <= 85)
    }
}
