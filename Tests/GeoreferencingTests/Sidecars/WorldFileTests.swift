import Platform
import Foundation
import Georeferencing
import TestSupport
import Testing
import Tiling

@Suite struct WorldFileTests {
    /// Six numbers, and the corners that GDAL 3.6's gdalinfo gives for an image of 400 x 300.
    struct Sample: CustomTestStringConvertible {
        var degrees: Int
        var numbers: [Double]
        var corners: [Point]

        var testDescription: String { "\(degrees) degrees" }

        init(_ degrees: Int, _ numbers: [Double], _ corners: [[Double]]) {
            self.degrees = degrees
            self.numbers = numbers + [500000.125, 5200000]
            self.corners = corners.map { Point(x: 500000 + $0[0], y: 5200000 + $0[1]) }
        }

        var text: String { numbers.map { "\($0)\n" }.joined() }
    }

    static let samples = [
        Sample(
            0, [0.25, 0, 0, -0.25],
            [[0, 0.125], [100, 0.125], [100, -74.875], [0, -74.875]]),
        Sample(
            13, [0.243592516196, 0.056237763586, 0.056237763586, -0.243592516196],
            [[-0.025, 0.094], [97.412, 22.589], [114.283, -50.489], [16.846, -72.984]]),
        Sample(
            45, [0.176776695297, 0.176776695297, 0.176776695297, -0.176776695297],
            [[-0.052, 0], [70.659, 70.711], [123.692, 17.678], [52.981, -53.033]]),
        Sample(
            90, [0, 0.25, 0.25, 0], [[0, -0.125], [0, 99.875], [75, 99.875], [75, -0.125]]),
        Sample(
            180, [-0.25, 0, 0, 0.25],
            [[0.25, -0.125], [-99.75, -0.125], [-99.75, 74.875], [0.25, 74.875]]),
    ]

    @Test("the corners are those of gdalinfo at every angle", arguments: samples)
    func corners(sample: Sample) throws {
        let transform = try WorldFile(parsing: sample.text, path: "w.pgw").pixelToCRS
        let pixels = [(0.0, 0.0), (400, 0), (400, 300), (0, 300)].map { Point(x: $0, y: $1) }
        for (pixel, corner) in zip(pixels, sample.corners) {
            #expect(transform(pixel).distance(to: corner) < 1e-3)
        }
    }

    @Test("a written file is read back", arguments: samples)
    func roundTrip(sample: Sample) throws {
        let file = try WorldFile(parsing: sample.text, path: "w.pgw")
        let again = try WorldFile(parsing: file.text, path: "w.pgw")
        for pixel in [Point(x: 0.5, y: 0.5), Point(x: 400, y: 300)] {
            #expect(file.pixelToCRS(pixel).distance(to: again.pixelToCRS(pixel)) < 1e-8)
        }
        #expect(file.text.split(separator: "\n").count == 6)
    }

    @Test(
        "line ends, empty lines and exponents do not matter",
        arguments: [
            "0.25\r\n0\r\n0\r\n-0.25\r\n10\r\n20\r\n", "0.25\n0\n0\n-0.25\n10\n20",
            "\n2.5e-1\n\n0.0E+00\n-0\n-2.5E-1\n1e1\n+20.000\n\n", "0.25 0 0 -0.25 10 20",
            "  0.25\r0\r0\r-0.25\r10\r20\r",
        ])
    func spelling(text: String) throws {
        let file = try WorldFile(parsing: text, path: "w.pgw")
        #expect(
            file.pixelToCRS == AffineTransform(a: 0.25, b: 0, c: 9.875, d: 0, e: -0.25, f: 20.125))
    }

    @Test(
        "an invalid world file is refused with the file's name",
        arguments: [
            "", "1\n0\n0\n-1\n5", "1\n0\n0\n-1\n5\n6\n7", "0\n0\n0\n0\n5\n6", "1\n2\n2\n4\n5\n6",
            "1\n0\n0\nnan\n5\n6", "inf\n0\n0\n-1\n5\n6", "1\n0\n0\n-1\nx\n6",
            "0,25\n0\n0\n-0,25\n1\n2",
            "1e-200\n0\n0\n1e-200\n5\n6",
        ])
    func refused(text: String) {
        let failure = #expect(throws: Failure.self) { try WorldFile(parsing: text, path: "w.pgw") }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains("'w.pgw'") == true)
    }

    @Test(
        "files in UTF-16 and with byte order marks are read like others",
        arguments: [
            [0xEF, 0xBB, 0xBF] + Array("0.25\n0\n0\n-0.25\n10\n20\n".utf8),
            [0xFF, 0xFE]
                + "0.25\r\n0\r\n0\r\n-0.25\r\n10\r\n20".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] },
            [0xFE, 0xFF] + "0.25\n0\n0\n-0.25\n10\n20\n".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] },
        ] as [[UInt8]])
    func encodings(bytes: [UInt8]) throws {
        let scratch = try TemporaryDirectory()
        try Data(bytes).write(to: scratch.url.appending(path: "w.pgw"))
        let file = try WorldFile(contentsOf: scratch.path("w.pgw"))
        #expect(file.pixelToCRS == AffineTransform(a: 0.25, b: 0, c: 9.875, d: 0, e: -0.25, f: 20.125))
        // A .prj and a list of points go through the same function.
        try Data([0xFF, 0xFE] + "EPSG:2056".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
            .write(to: scratch.url.appending(path: "w.prj"))
        #expect(try CRS(contentsOf: scratch.path("w.prj")) == CRS("EPSG:2056"))
    }

    @Test("a decimal comma gets its own advice")
    func decimalComma() {
        let failure = #expect(throws: Failure.self) {
            try WorldFile(parsing: "0,25\n0\n0\n-0,25\n1\n2", path: "w.pgw")
        }
        #expect(failure?.remedy == "write decimals with a dot")
    }

    @Test("a file that is not there is missing, not bad")
    func missing() {
        let failure = #expect(throws: Failure.self) { try WorldFile(contentsOf: "/nowhere/w.pgw") }
        #expect(failure?.kind == .missingInput)
    }

    @Test(
        "all usual names are tried",
        arguments: [
            (
                "a/plan.png",
                [
                    "a/plan.pgw", "a/plan.PGW", "a/plan.pngw", "a/plan.pgwx", "a/plan.wld", "a/plan.WLD",
                    "a/plan.png.wld",
                ]
            ),
            ("PLAN.JPEG", ["PLAN.jgw", "PLAN.JGW", "PLAN.jpegw"]),
            ("b.c/plan", ["b.c/plan.wld"]), ("x.tif", ["x.tfw", "x.tifw", "x.tfwx", "x.TFWX"]),
        ])
    func candidates(image: String, expected: [String]) {
        let names = WorldFile.candidates(nextTo: image)
        for name in expected { #expect(names.contains(name)) }
        #expect(names.first == expected.first)
    }

    @Test("without a .prj and without --crs, no system is guessed")
    func noSystem() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("0.25\n0\n0\n-0.25\n500000\n5200000\n", to: "plan.pgw")
        let failure = #expect(throws: Failure.self) {
            try Georeference.worldFile(at: path, crs: nil)
        }
        #expect(failure?.kind == .badInput)
        #expect(failure?.remedy?.contains("--crs EPSG:3857") == true)
        #expect(try Georeference.worldFile(at: path, crs: .webMercator).crs == .webMercator)
        _ = try directory.write(CRS("EPSG:32632").esriWKT(), to: "plan.prj")
        #expect(try Georeference.worldFile(at: path, crs: nil).crs.name == "WGS 84 / UTM zone 32N")
        _ = try directory.write("PROJCS[broken", to: "plan.prj")
        let broken = #expect(throws: Failure.self) {
            try Georeference.worldFile(at: path, crs: nil)
        }
        #expect(broken?.kind == .badInput)
        #expect(broken?.message.contains("plan.prj") == true)
    }

    // Sixty megabytes of them would take a gigabyte and many seconds.
    @Test(
        "a file far larger than its kind is refused before it is parsed",
        arguments: ["plan.pgw", "plan.prj", "plan.points", "plan.kml", "plan.aux.xml"].some(1))
    func tooLarge(name: String) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(String(repeating: "1 ", count: 9 << 20), to: name)
        let failure = #expect(throws: Failure.self) {
            switch name {
            case "plan.pgw": _ = try WorldFile(contentsOf: path)
            case "plan.prj": _ = try CRS(contentsOf: path)
            case "plan.points":
                _ = try ControlPointFile.points(of: path, crs: nil, width: 400, height: 300)
            case "plan.kml": _ = try KMLFile(contentsOf: path)
            default: _ = try PAMFile(contentsOf: path)
            }
        }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.hasSuffix("it is too large for a file of its kind") == true)
    }

    @Test("the file next to an image is found")
    func find() throws {
        let directory = try TemporaryDirectory()
        #expect(try WorldFile.find(nextTo: directory.path("plan.png")) == nil)
        let path = try directory.write("", to: "plan.wld")
        #expect(try WorldFile.find(nextTo: directory.path("plan.png")) == path)
    }
}
