import Raster
import Testing
import TilewrightKit
import Tiling

/// Values as people write them.
struct ParsingTests {
    @Test(
        "Zooms are a range with open ends, or one",
        arguments: [
            ("16-22", 16, 22), ("18", 18, 18), ("16-", 16, nil), ("-20", nil, 20), ("0-30", 0, 30),
        ] as [(String, Int?, Int?)])
    func zooms(text: String, minimum: Int?, maximum: Int?) throws {
        let range = try ZoomRange(parsing: text)
        #expect(range.minimum == minimum && range.maximum == maximum)
    }

    @Test(
        "What is no range of zooms is quoted",
        arguments: [
            ("", "is not a zoom range"), ("-", "is not a zoom range"), ("1-2-3", "is not a zoom range"),
            ("x", "is not a zoom range"), ("3-x", "is not a zoom range"), ("0-31", "goes beyond 0-30"),
            ("5-4", "ends before it begins"),
        ])
    func refusedZooms(text: String, words: String) {
        expectRefusal(.usage, "the zoom '\(text)' \(words)") { try ZoomRange(parsing: text) }
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

    @Test("What is no number, or none above zero, is no count", arguments: ["", "M", "0", "-1", "x", "9e30"])
    func noQuantity(text: String) {
        #expect(Count(parsing: text) == nil && ByteSize(parsing: text) == nil)
    }

    @Test("Blanks around numbers do not count")
    func blanks() throws {
        #expect(
            try BoundingBox(parsing: " 1 , 2,3 ,4 ") == BoundingBox(minX: 1, minY: 2, maxX: 3, maxY: 4))
        #expect(
            try NodataColor(parsing: "255, 254 ,1,8")
                == NodataColor(red: 255, green: 254, blue: 1, tolerance: 8))
        #expect(try ImageRequest.bands(parsing: "3, 2,1 ") == [3, 2, 1])
        #expect(try ImageRequest.range(parsing: "200 ,3000") == 200...3000)
        #expect(
            try PixelWindow(parsingCrop: "1,2,3,4") == PixelWindow(columns: 1..<4, rows: 2..<6))
        for text in ["#0a0b0c", "0a0b0c"] {
            #expect(try RGBColor(parsing: text) == RGBColor(red: 10, green: 11, blue: 12))
        }
    }

    @Test("What is something else is refused with the way out")
    func refused() {
        expectRefusal(.usage, "is not W,S,E,N") { try BoundingBox(parsing: "1,2,3") }
        expectRefusal(.usage, "is not LON,LAT") {
            try PositionRequest.Source(parsingCorners: "1,2 3")
        }
        expectRefusal(.usage, "is not a window of whole pixels") {
            try PixelWindow(parsingCrop: "1.5,2,3,4")
        }
        expectRefusal(.usage, "is not R,G,B") { try NodataColor(parsing: "1,2,300") }
        expectRefusal(.usage, "is not a colour") { try RGBColor(parsing: "#12345") }
        expectRefusal(.usage, "are not one to four numbers from 1 on") {
            try ImageRequest.bands(parsing: "0")
        }
        expectRefusal(.usage, "MIN is not below MAX") { try ImageRequest.range(parsing: "5,5") }
    }
}
