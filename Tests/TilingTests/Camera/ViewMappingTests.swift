import Tiling
import Testing

@Suite struct ViewMappingTests {
    static let bearings = [0.0, 17, 90, 135, 180, 200.5, 270, 300, 359.9]
    static let cameras: [(Double, Double)] = [(0, 0), (4, 30), (12, 37.5), (15.25, 50), (17, 65), (30, 65)]

    private func view(
        _ target: Point, zoom: Double, bearing: Double = 0, tilt: Double = 0,
        size: ViewSize = .standard
    ) -> CameraView {
        CameraView(
            CameraPosition(target: target, zoom: zoom, bearing: bearing, tilt: tilt), size: size)
    }

    @Test(
        "the world is 256 times 2 to the zoom points wide",
        arguments: [(0.0, 256.0), (2, 1024), (3.5, 2896.309375740099)])
    func worldWidth(zoom: Double, width: Double) throws {
        let view = view(Point(x: 20, y: 0), zoom: zoom)
        let west = try #require(view.point(ofPlace: Point(x: 0, y: 0)))
        let east = try #require(view.point(ofPlace: Point(x: 36, y: 0)))
        #expect(abs((east.x - west.x) * 10 - width) < 1e-9)
        #expect(abs(east.y - west.y) < 1e-9)
    }

    @Test("a view shows what a pin-hole camera shows", arguments: bearings, cameras)
    func pinHole(bearing: Double, camera: (zoom: Double, tilt: Double)) throws {
        let view = view(
            Point(x: 151.2, y: -33.87), zoom: camera.zoom, bearing: bearing, tilt: camera.tilt)
        let pinHole = PinHole(position: view.camera, size: view.size)
        // At the lowest zooms a view shows the world several times.
        let noise = camera.zoom < 1 ? 1e-9 : 1e-11
        for point in [
            Point(x: 0, y: 0), Point(x: 390, y: 0), Point(x: 390, y: 844), Point(x: 0, y: 844),
            Point(x: 195, y: 422), Point(x: 100, y: 611.5), Point(x: -50, y: 900),
        ] {
            #expect(degrees(view.place(atPoint: point), pinHole.place(at: point)) < noise)
        }
    }

    // What `map.unproject` of MapLibre GL JS 5.3.0 answers at three corners and at (100, 600) of a view of
    // 390 x 700 points, whose zooms are one less.
    @Test(
        "a view shows what MapLibre shows",
        arguments: [
            (
                CameraPosition(target: Point(x: 151.2, y: -33.87), zoom: 17, bearing: 40, tilt: 60),
                [
                    (151.2076299464128, -33.85605483675334), (151.21521381127968, -33.86133927524851),
                    (151.1979555620208, -33.87373620831528), (151.19700581637528, -33.87203061467053),
                ]
            ),
            (
                CameraPosition(target: Point(x: -122.4, y: 37.8), zoom: 15.5, bearing: 200, tilt: 50),
                [
                    (-122.4001505860684, 37.776988803794424), (-122.41860123604226, 37.78229654189407),
                    (-122.39993503990473, 37.809924399873), (-122.39474536343289, 37.80621918911693),
                ]
            ),
            (
                CameraPosition(target: Point(x: 10, y: 60), zoom: 4, bearing: 300, tilt: 30),
                [
                    (-38.70417814094259, 61.757828248415905), (-17.481128448241094, 74.91079004685184),
                    (42.983396979249136, 58.7537607493596), (25.646953300576342, 50.02464011634862),
                ]
            ),
            (
                CameraPosition(target: Point(x: 179.999, y: -16.5), zoom: 18.25, bearing: 315, tilt: 65),
                [
                    (179.987555339786, -16.493209212089823), (179.99191767944404, -16.489026322712576),
                    (180.00090316152455, -16.5011292341984), (180.00004849138105, -16.50138998258035),
                ]
            ),
        ] as [(CameraPosition, [(Double, Double)])])
    func maplibre(camera: CameraPosition, places: [(Double, Double)]) throws {
        let view = CameraView(camera, size: try #require(ViewSize(width: 390, height: 700)))
        let points = [(0, 0), (390, 0), (390, 700), (100, 600)]
        for (point, place) in zip(points, places) {
            let seen = view.place(atPoint: Point(x: Double(point.0), y: Double(point.1)))
            #expect(degrees(seen, Point(x: place.0, y: place.1)) < 1e-9)
        }
    }

    @Test("the inverse undoes the mapping", arguments: bearings, cameras)
    func roundTrip(bearing: Double, camera: (zoom: Double, tilt: Double)) throws {
        let view = view(
            Point(x: 179.99, y: 60), zoom: max(camera.zoom, 3), bearing: bearing, tilt: camera.tilt)
        for point in [Point(x: 0, y: 0), Point(x: 390, y: 40), Point(x: 20, y: 844)] {
            let place = try #require(view.place(atPoint: point))
            let back = try #require(view.point(ofPlace: place))
            #expect(back.distance(to: point) < (camera.zoom == 30 ? 1e-3 : 1e-6))
        }
    }

    @Test("the target is in the middle", arguments: bearings)
    func middle(bearing: Double) throws {
        let target = Point(x: -122.4, y: 37.8)
        let view = view(target, zoom: 18, bearing: bearing, tilt: 65)
        let point = try #require(view.point(ofPlace: target))
        #expect(point.distance(to: Point(x: 195, y: 422)) < 1e-9)
        let pixel = view.mercatorFromPixel(Point(x: 390, y: 844))
        #expect(pixel.distance(to: Point(x: 0, y: 0)) < 1e-9)
    }

    @Test("with bearing 90, east is at the top")
    func east() throws {
        let view = view(Point(x: 10, y: 50), zoom: 12, bearing: 90)
        let top = try #require(view.place(atPoint: Point(x: 195, y: 0)))
        #expect(top.x > 10.1)
        #expect(abs(top.y - 50) < 1e-9)
        let right = try #require(view.place(atPoint: Point(x: 390, y: 422)))
        #expect(right.y < 49.99)
        #expect(abs(right.x - 10) < 1e-9)
    }

    @Test("nothing is seen above the horizon")
    func horizon() {
        let view = view(Point(x: 0, y: 0), zoom: 18, tilt: 65)
        // 1.5 heights by the cotangent of 65 degrees, 0.6995 heights above the middle.
        #expect(view.place(atPoint: Point(x: 195, y: 422 - 590)) != nil)
        #expect(view.place(atPoint: Point(x: 195, y: 422 - 591)) == nil)
        #expect(view.mercatorFromPixel.denominator(at: Point(x: 390, y: -340)) < 0)
    }

    @Test("places behind the eye are not in the view")
    func behind() {
        let view = view(Point(x: 0, y: 40), zoom: 18, tilt: 65)
        // The plane of the eye meets the ground 1.5 heights by the sine of 65 degrees south of the target:
        // 1397 points, of 4.1 millionths of a degree of latitude each.
        #expect(view.point(ofPlace: Point(x: 0, y: 39.999)) != nil)
        #expect(view.point(ofPlace: Point(x: 0, y: 39.99)) == nil)
    }

    @Test("pixels are points times the scale", arguments: [1.0, 2, 2.625, 4])
    func scale(scale: Double) throws {
        let size = try #require(ViewSize(width: 411, height: 731, scale: scale))
        let view = view(Point(x: 5, y: 45), zoom: 17.3, bearing: 33, tilt: 40, size: size)
        let point = Point(x: 100, y: 200)
        let pixel = Point(x: 100 * scale, y: 200 * scale)
        let distance = view.mercatorFromPixel(pixel).distance(to: view.mercatorFromPoint(point))
        #expect(distance < 1e-9)
        #expect(size.pixelWidth == Int((411 * scale).rounded()))
    }

    // 2^zoom tiles of 256 pixels make the world: this is the definition of a zoom.
    @Test(
        "straight views of whole zooms have the pixels of tiles",
        arguments: [(0, 0, 128, 128), (3, 2, 512, 700), (18, 131_000, 17_000_064, 23_000_100)])
    func coincide(zoom: Int, tile: Int, column: Int, row: Int) throws {
        let size = try #require(ViewSize(width: 640, height: 480))
        let cell = WebMercator.world / Double(256 << zoom)
        let corner = Point(
            x: Double(column) * cell - WebMercator.halfWorld,
            y: WebMercator.halfWorld - Double(row) * cell)
        let view = view(WebMercator.lonLat(corner), zoom: Double(zoom), size: size)
        for (x, y) in [(0, 0), (640, 0), (17, 333), (640, 480)] {
            let offset = view.mercatorFromPixel(Point(x: Double(x), y: Double(y)))
            let pixelColumn = (view.mercatorTarget.x + offset.x + WebMercator.halfWorld) / cell
            let pixelRow = (WebMercator.halfWorld - view.mercatorTarget.y - offset.y) / cell
            #expect(abs(pixelColumn - Double(column + x - 320)) < 1e-3)
            #expect(abs(pixelRow - Double(row + y - 240)) < 1e-3)
        }
    }

    @Test("sizes out of range are refused")
    func sizes() {
        #expect(ViewSize(width: 0, height: 10) == nil)
        #expect(ViewSize(width: 10, height: -1) == nil)
        #expect(ViewSize(width: 10, height: 10, scale: 0.5) == nil)
        #expect(ViewSize(width: 10, height: 10, scale: 4.1) == nil)
        #expect(ViewSize(width: 10, height: 10, scale: .nan) == nil)
        #expect(ViewSize(width: 200_000, height: 10) == nil)
    }
}
