import Foundation
import Testing
import Tiling

/// Grids of pixels over Mercator: upright ones, and what a camera sees.
struct PixelGridTests {
    /// A pin-hole camera over the origin, 1.5 heights away, tilted and turned: where a pixel's ray meets the
    /// ground, computed in three dimensions.
    private struct Camera {
        let (width, height, metres, tilt, bearing): (Double, Double, Double, Double, Double)

        /// The place on the ground in metres from the target, x east and y north.
        func ground(_ pixel: Point) -> Point {
            let (t, b) = (tilt * .pi / 180, bearing * .pi / 180)
            let d = 1.5 * height
            // Right, up and forward axes of the camera, in ground axes: right, ahead, up.
            let eye = (0.0, -d * sin(t), d * cos(t))
            let (x, y) = (pixel.x - width / 2, height / 2 - pixel.y)
            let ray = (x, y * cos(t) + d * sin(t), y * sin(t) - d * cos(t))
            let share = -eye.2 / ray.2
            let (u, v) = (eye.0 + share * ray.0, eye.1 + share * ray.1)
            return Point(
                x: (u * cos(b) + v * sin(b)) * metres, y: (v * cos(b) - u * sin(b)) * metres)
        }

        var transform: ProjectiveTransform {
            let (t, b) = (tilt * .pi / 180, bearing * .pi / 180)
            let d = 1.5 * height
            let middle = AffineTransform(a: 1, b: 0, c: -width / 2, d: 0, e: -1, f: height / 2)
            return ProjectiveTransform(middle).followed(
                by: ProjectiveTransform(
                    (metres * cos(b) * cos(t), metres * sin(b), 0),
                    (-metres * sin(b) * cos(t), metres * cos(b), 0), (0, -sin(t) / d, cos(t))))
        }
    }

    private static let centre = Point(x: 13_366_515.97, y: 3_541_136.63)
    private static let cameras = [(0.0, 0.0), (0, 33), (40, 0), (65, 290)]

    private func grid(_ tilt: Double, _ bearing: Double) -> (PixelGrid, Camera) {
        let camera = Camera(width: 390, height: 844, metres: 0.3, tilt: tilt, bearing: bearing)
        return (PixelGrid(seenBy: camera.transform, centre: Self.centre), camera)
    }

    @Test("Pixels of a view match those of a pinhole camera, in both directions", arguments: cameras)
    func places(tilt: Double, bearing: Double) {
        let (grid, camera) = grid(tilt, bearing)
        for pixel in [Point(x: 0, y: 0), Point(x: 390, y: 0), Point(x: 17.25, y: 844), Point(x: 200, y: 400)]
        {
            let (place, expected) = (grid.mercator(ofPixel: pixel), camera.ground(pixel))
            #expect(abs(place.x - Self.centre.x - expected.x) < 1e-6)
            #expect(abs(place.y - Self.centre.y - expected.y) < 1e-6)
            #expect(grid.pixel(ofMercator: place).distance(to: pixel) < 1e-6)
        }
        #expect(!grid.isUpright && grid.isAffine == (tilt == 0))
    }

    // In a tilted view, d (1 + v sin t / d) is the distance along the line of sight: a pixel is that much wider.
    @Test("The narrowest pixel is as wide as its distance makes it", arguments: cameras)
    func narrowest(tilt: Double, bearing: Double) {
        let (grid, camera) = grid(tilt, bearing)
        for row in [0.0, 422, 844] {
            let middle = camera.ground(Point(x: 195, y: row))
            let v = middle.distance(to: Point(x: 0, y: 0)) / camera.metres * (row > 422 ? -1 : 1)
            let width = camera.metres * (1 + v * sin(tilt * .pi / 180) / (1.5 * 844))
            #expect(abs(grid.narrowestCell(columns: 195..<196, row: row) / width - 1) < 1e-3)
        }
        #expect(PixelGrid(origin: Self.centre, cellSize: 2).narrowestCell(columns: 0..<9, row: 3) == 2)
    }

    @Test("Rows of one shape are few in a small tilted view, and all if pixels do not change")
    func shapes() {
        #expect(grid(0, 33).0.rowsOfOneShape(from: 0, atMost: 64) == 64)
        #expect(PixelGrid(origin: Self.centre, cellSize: 2).rowsOfOneShape(from: 0, atMost: 64) == 64)
        // Lengths change with the square of 1 - y sin t / (d cos t): from row 0 on to about half as much again.
        let (grid, camera) = grid(65, 10)
        let rows = Double(grid.rowsOfOneShape(from: 0, atMost: 64))
        func length(_ row: Double) -> Double {
            camera.ground(Point(x: 195, y: row)).distance(to: camera.ground(Point(x: 195, y: row + 1)))
        }
        #expect(length(0) / length(rows) < 1.6 && length(0) / length(2 * rows) > 1.5)
    }
}
