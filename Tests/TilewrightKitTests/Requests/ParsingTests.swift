import Raster
import Testing
import TilewrightKit
import Tiling

/// Values of options as users write them.
struct ParsingTests {
    @Test(
        "Zooms are a range, which may have open ends, or a single zoom",
        arguments: [
            ("16-22", 16, 22), ("18", 18, 18), ("16-", 16, nil), ("-20", nil, 20), ("0-30", 0, 30),
        ] as [(String, Int?, Int?)])
    func zooms(text: String, minimum: Int?, maximum: Int?) throws {
        let range = try ZoomRange(parsing: text)
        #expect(range.minimum == minimum && range.maximum == maximum)
    }

    @Test(
        "A text that is not a range of zooms is quoted",
        arguments: [
            ("", "is not a zoom range"), ("-", "is not a zoom range"), ("1-2-3", "is not a zoom range"),
            ("x", "is not a zoom range"), ("3-x", "is not a zoom range"), ("0-31", "is not within 0-30"),
            ("5-4", "ends before it begins"),
        ])
    func refusedZooms(text: String, words: String) {
        expectRefusal(.usage, "the zoom '\(text)' \(words)") { try ZoomRange(parsing: text) }
    }

    @Test(
        "The address of a tile is its zoom, column and row, in either scheme",
        arguments: [
            ("0/0/0", TileScheme.xyz, 0, 0, 0), ("3/7/2", .xyz, 3, 7, 2), ("3/7/2", .tms, 3, 7, 5),
            ("30/1073741823/0", .tms, 30, 1_073_741_823, 1_073_741_823), ("02/01/3", .xyz, 2, 1, 3),
        ])
    func addresses(text: String, scheme: TileScheme, zoom: Int, column: Int, row: Int) throws {
        let expected = TileCoordinate(zoom: zoom, column: column, row: row)
        #expect(try TileCoordinate(parsing: text, in: scheme) == expected)
    }

    @Test(
        "A text that is not the address of a tile in the world is quoted",
        arguments: [
            ("", "is not the address"), ("18/1", "is not the address"), ("1/1/1/1", "is not the address"),
            ("a/b/c", "is not the address"), ("1//1", "is not the address"), ("1/-1/0", "is not the address"),
            ("1/+1/0", "is not the address"), ("1/1/1.png", "is not the address"),
            ("1/0/99999999999999999999", "is not the address"), ("31/0/0", "there is no zoom 31"),
            ("3/8/0", "there is no column 8 at zoom 3"), ("3/0/8", "there is no row 8 at zoom 3"),
            ("0/1/0", "there is no column 1 at zoom 0"),
        ])
    func refusedAddresses(text: String, words: String) {
        expectRefusal(.usage, words) { try TileCoordinate(parsing: text) }
        expectRefusal(.usage, "'\(text)'") { try TileCoordinate(parsing: text) }
    }

    @Test(
        "Counts have units of powers of 1000, sizes of powers of 1024",
        arguments: [
            ("4M", 4_000_000, 4 << 20), ("20G", 20_000_000_000, 20 << 30), ("1.5k", 1500, 1536),
            ("7", 7, 7), ("2T", 2_000_000_000_000, 2 << 40),
        ])
    func quantities(text: String, count: Int, bytes: Int) {
        #expect(Count(parsing: text) == Count(count))
        #expect(ByteSize(parsing: text) == ByteSize(bytes))
    }

    @Test("A count is a number above zero", arguments: ["", "M", "0", "-1", "x", "9e30"])
    func noQuantity(text: String) {
        #expect(Count(parsing: text) == nil && ByteSize(parsing: text) == nil)
    }

    @Test("Spaces around numbers are ignored")
    func blanks() throws {
        #expect(
            try BoundingBox(parsing: " 1 , 2,3 ,4 ") == BoundingBox(minX: 1, minY: 2, maxX: 3, maxY: 4))
        #expect(
            try ColorKey(parsing: "255, 254 ,1,8", as: "nodata colour")
                == ColorKey(red: 255, green: 254, blue: 1, tolerance: 8))
        #expect(try ImageRequest.bands(parsing: "3, 2,1 ") == [3, 2, 1])
        #expect(try ImageRequest.range(parsing: "200 ,3000") == SampleRange(200...3000))
        #expect(try ImageRequest.range(parsing: "0.5%, 98 %") == SampleRange(.percent(0.5), .percent(98)))
        #expect(try ImageRequest.range(parsing: "0,99%") == SampleRange(.value(0), .percent(99)))
        #expect(
            try PixelWindow(parsingCrop: "1,2,3,4") == PixelWindow(columns: 1..<4, rows: 2..<6))
        for text in ["#0a0b0c", "0a0b0c"] {
            #expect(try RGBColor(parsing: text) == RGBColor(red: 10, green: 11, blue: 12))
        }
    }

    @Test("Other texts are refused with a remedy")
    func refused() {
        expectRefusal(.usage, "is not W,S,E,N") { try BoundingBox(parsing: "1,2,3") }
        expectRefusal(.usage, "is not LON,LAT") {
            try PositionRequest.Source(parsingCorners: "1,2 3")
        }
        expectRefusal(.usage, "is not a window of whole pixels") {
            try PixelWindow(parsingCrop: "1.5,2,3,4")
        }
        expectRefusal(.usage, "is not R,G,B") { try ColorKey(parsing: "1,2,300", as: "nodata colour") }
        expectRefusal(.usage, "is not a colour") { try RGBColor(parsing: "#12345") }
        for range in ["98%,2%", "2%,2%", "-1%,50%", "5%,101%", "7,7", "0,nan"] {
            expectRefusal(.usage, range == "0,nan" ? "is not MIN,MAX" : "MIN is not below MAX") {
                try ImageRequest.range(parsing: range)
            }
        }
        expectRefusal(.usage, "are not one to four band numbers") {
            try ImageRequest.bands(parsing: "0")
        }
        expectRefusal(.usage, "MIN is not below MAX") { try ImageRequest.range(parsing: "5,5") }
    }
}
