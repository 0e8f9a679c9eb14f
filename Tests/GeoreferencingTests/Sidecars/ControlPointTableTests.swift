import Platform
import Georeferencing
import Testing
import Tiling

@Suite struct ControlPointTableTests {
    private func read(_ text: String, crs: CRS? = nil) throws -> [ControlPoint] {
        try ControlPointTable(parsing: text, path: "plan.csv", crs: crs).points
    }

    @Test(
        "Tables are read with any separator, with and without a header",
        arguments: [
            "100.5,200.25,8.54,47.38,door\n900,700,8.55,47.37,lift 2\n",
            "col,row,lon,lat,name\r\n100.5,200.25,8.54,47.38,door\r\n900,700,8.55,47.37,lift 2\r\n",
            "# taken on Monday\nname;Latitude;Longitude;Pixel X;Pixel Y\n"
                + "door;47,38;8,54;100,5;200,25\n\n\"lift 2\";47,37;8,55;900;700",
            "pixel\tline\tlon\tlat\tid\n100.5\t200.25\t8.54\t47.38\tdoor\n900\t700\t8.55\t47.37\tlift 2\n",
            "  100.5   200.25  8.54 47.38 door\n900 700 8.55 47.37 \"lift 2\"\n",
            "x, y, lng, lat, label\n100.5, 200.25, 8.54, 47.38, door\n900, 700, 8.55, 47.37, \"lift 2\"",
        ])
    func variants(text: String) throws {
        let points = try read(text)
        #expect(points.map(\.pixel) == [Point(x: 100.5, y: 200.25), Point(x: 900, y: 700)])
        #expect(points.map(\.lonLat) == [Point(x: 8.54, y: 47.38), Point(x: 8.55, y: 47.37)])
        #expect(points.map(\.name) == ["door", "lift 2"])
        #expect(points.map(\.isEnabled) == [true, true])
    }

    @Test("A name may contain separators and quotes; a point without a name is named by its line")
    func names() throws {
        let points = try read("1,2,8,47,\"door, \"\"north\"\"\"\n\n3,4,8,47\n5,6,8,47,\n")
        #expect(points.map(\.name) == ["door, \"north\"", "line 3", "line 4"])
    }

    @Test("Places may be in another system")
    func otherSystem() throws {
        // cs2cs EPSG:32632 EPSG:4326
        let place = Point(x: 8.539984517, y: 47.379360978)
        let text = "col,row,easting,northing\n100,200,465275.4,5247425.1\n"
        #expect(try read(text, crs: CRS("EPSG:32632"))[0].lonLat.distance(to: place) < 1e-8)
        #expect(throws: Failure.self) { try read(text) }
    }

    @Test(
        "Errors are named with their line",
        arguments: [
            ("", "it holds no points"), ("1,2,8\n", "line 1 has 3 values"),
            ("1,2,8,47\n1,2,north,47\n", "line 2: 'north' is not a number"),
            ("col,row,lon\n1,2,3\n", "line 1: its header has no column 'lat'"),
            ("1,2,800,47\n", "line 1 is at 800.0,47.0, which is not a place"),
            ("1,2,8,nan\n", "line 1: 'nan' is not a number"),
        ])
    func damage(text: String, words: String) {
        let failure = #expect(throws: Failure.self) { try read(text) }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
        #expect(failure?.message.contains("'plan.csv'") == true)
    }
}
