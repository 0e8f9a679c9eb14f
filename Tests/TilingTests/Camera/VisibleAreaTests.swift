import Tiling
import Testing

@Suite struct VisibleAreaTests {
    private func view(
        _ longitude: Double, _ latitude: Double, zoom: Double, bearing: Double = 0,
        tilt: Double = 0, width: Int = 512, height: Int = 512
    ) throws -> CameraView {
        CameraView(
            CameraPosition(
                target: Point(x: longitude, y: latitude), zoom: zoom, bearing: bearing, tilt: tilt),
            size: try #require(ViewSize(width: width, height: height)))
    }

    @Test("corners go clockwise from the top left")
    func corners() throws {
        // At zoom 1 the world is 512 points wide.
        let corners = try view(0, 0, zoom: 1).corners
        let edge = 85.0511287798066
        for (corner, latitude) in zip(corners, [edge, edge, -edge, -edge]) {
            #expect(degrees(corner, Point(x: 180, y: latitude)) < 1e-9)
        }
        let turned = try view(10, 50, zoom: 15, bearing: 180).corners
        #expect(turned[0].x > 10 && turned[0].y < 50)
        #expect(turned[2].x < 10 && turned[2].y > 50)
    }

    @Test("what is visible is a box in degrees")
    func bounds() throws {
        // 512 of 4096 points: an eighth of the world.
        let box = try view(10, 0, zoom: 4).bounds
        #expect(abs(box.minX + 12.5) < 1e-9)
        #expect(abs(box.maxX - 32.5) < 1e-9)
        // The inverse Gudermannian of a sixteenth of the world.
        #expect(abs(box.maxY - 21.943045533438177) < 1e-9)
        #expect(abs(box.minY + 21.943045533438177) < 1e-9)
    }

    @Test("across the antimeridian the west is greater than the east")
    func antimeridian() throws {
        let box = try view(179, 0, zoom: 4).bounds
        #expect(abs(box.minX - 156.5) < 1e-9)
        #expect(abs(box.maxX + 158.5) < 1e-9)
        let touching = try view(157.5, 0, zoom: 4).bounds
        #expect(abs(touching.maxX - 180) < 1e-9)
    }

    @Test("a view of the whole world and more ends at the world's edges")
    func world() throws {
        let box = try view(30, 40, zoom: 0).bounds
        #expect((box.minX, box.maxX) == (-180, 180))
        #expect(abs(box.minY + 85.0511287798066) < 1e-9)
        #expect(abs(box.maxY - 85.0511287798066) < 1e-9)
    }

    @Test("the area beyond the northern edge does not widen the box")
    func tilted() throws {
        // Of what is visible, the northern edge of the world is the widest part.
        let view = try view(0, 80, zoom: 3, tilt: 30)
        let pinHole = PinHole(position: view.camera, size: view.size)
        var longitudes: [Double] = []
        for y in 0...512 {
            if let place = pinHole.place(at: Point(x: 512, y: Double(y))), place.y <= 85.0511287798066 {
                longitudes.append(place.x)
            }
        }
        let widest = try #require(longitudes.max())
        #expect(view.bounds.maxX >= widest)
        // A point of the view is less than 0.4 degrees there.
        #expect(view.bounds.maxX < widest + 0.4)
    }

    @Test("tiles are those of the camera's zoom, rounded")
    func zooms() throws {
        let view = try view(10, 50, zoom: 11.5)
        #expect(view.tiles().zoom == 12)
        #expect(view.tiles(zooms: 3...9).zoom == 9)
        #expect(view.tiles(zooms: 14...18).zoom == 14)
        #expect(try self.view(10, 50, zoom: 11.49).tiles().zoom == 11)
    }

    @Test("a view of exactly some tiles touches no other")
    func exact() throws {
        let tiles = try view(0, 0, zoom: 4).tiles()
        #expect((tiles.firstColumn, tiles.lastColumn) == (7, 8))
        #expect(tiles.rows == 7...8)
        let wider = try view(0, 0, zoom: 4, width: 514, height: 514).tiles()
        #expect((wider.firstColumn, wider.lastColumn) == (6, 9))
        #expect(wider.rows == 6...9)
    }

    @Test("columns continue across the antimeridian")
    func wrapping() throws {
        let tiles = try view(180, 0, zoom: 4).tiles()
        #expect((tiles.firstColumn, tiles.lastColumn) == (15, 0))
        #expect(tiles.limits.map(\.columns) == [15...15, 0...0])
        #expect(tiles.limits.map(\.rows) == [7...8, 7...8])
    }

    @Test("a view of the whole world touches every tile")
    func all() throws {
        let tiles = try view(100, 0, zoom: 0).tiles(zooms: 3...5)
        #expect((tiles.firstColumn, tiles.lastColumn, tiles.rows) == (0, 7, 0...7))
        let one = try view(100, 0, zoom: 0).tiles()
        #expect((one.firstColumn, one.lastColumn, one.rows) == (0, 0, 0...0))
        // Seven columns of eight and parts of both that are left: none is left out.
        let nearly = try view(22.5, 0, zoom: 3, width: 2000).tiles()
        #expect((nearly.firstColumn, nearly.lastColumn) == (0, 7))
    }

    @Test("at the highest zoom and the edges of the world, tiles are in the world")
    func extremes() throws {
        for (longitude, latitude) in [(179.999999999, 85.0), (-180, -85), (0, 85)] {
            let tiles = try view(longitude, latitude, zoom: 30, tilt: 65).tiles()
            #expect(tiles.limits.allSatisfy { $0.rows.lowerBound >= 0 && $0.rows.upperBound < 1 << 30 })
            #expect(tiles.limits.allSatisfy { $0.columns.count < 20 })
        }
    }
}
