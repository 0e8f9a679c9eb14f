import Tiling
import Testing
import TilewrightKit

/// The values of a camera's options as users write them.
struct CameraParsingTests {
    @Test(
        "Updates are read",
        arguments: [
            ("zoomIn", .zoomIn), ("zoomOut", .zoomOut), ("zoomTo:17.5", .zoomTo(17.5)),
            ("zoomBy:-2", .zoomBy(-2)), ("zoomBy:1@10,20.5", .zoomBy(1, at: Point(x: 10, y: 20.5))),
            ("target:-0.1,51.5", .target(Point(x: -0.1, y: 51.5))),
            ("target:-0.1,51.5,17", .target(Point(x: -0.1, y: 51.5), zoom: 17)),
            ("scrollBy:-100,50", .scrollBy(x: -100, y: 50)),
            ("fit:1,2,3,4", .fit(BoundingBox(minX: 1, minY: 2, maxX: 3, maxY: 4))),
            (
                "fit:179,2,-179,4,10",
                .fit(BoundingBox(minX: 179, minY: 2, maxX: -179, maxY: 4), padding: ViewInsets(all: 10))
            ),
            (
                "fit:1,2,3,4,5,6,7,8",
                .fit(
                    BoundingBox(minX: 1, minY: 2, maxX: 3, maxY: 4),
                    padding: ViewInsets(top: 5, right: 6, bottom: 7, left: 8))
            ),
        ] as [(String, CameraUpdate)])
    func updates(text: String, update: CameraUpdate) throws {
        #expect(try CameraUpdate(parsing: text) == update)
    }

    @Test(
        "A text that is not an update is quoted",
        arguments: [
            "", "zoom", "zoomIn:1", "zoomTo", "zoomTo:", "zoomTo:x", "zoomTo:nan", "zoomBy:1@2", "target:1",
            "target:1,2,3,4", "scrollBy:1", "fit:1,2,3", "fit:1,2,3,4,5,6", "ZoomIn", "zoomBy:inf",
        ])
    func refusedUpdates(text: String) {
        let values = text.split(separator: ":", omittingEmptySubsequences: false).last ?? ""
        let quoted = values.split(separator: "@").last ?? ""
        expectRefusal(.usage, "\(quoted)' is not") { try CameraUpdate(parsing: text) }
    }

    @Test(
        "Sizes are in points, with pixels per point",
        arguments: [
            ("390x844@2", 390, 844, 2.0), ("1024x768", 1024, 768, 1), ("411x731@2.625", 411, 731, 2.625),
        ])
    func sizes(text: String, width: Int, height: Int, scale: Double) throws {
        let size = try ViewSize(parsing: text)
        #expect((size.width, size.height, size.scale) == (width, height, scale))
    }

    @Test(
        "A text that is not a size is quoted",
        arguments: [
            "", "390", "390x", "x844", "0x844", "390x-1", "390x844@", "390x844@5", "390x844@0.5",
            "390x844@2@2", "390x844x2", "3.5x4", "390x844@nan",
        ])
    func refusedSizes(text: String) {
        expectRefusal(.usage, "the size '\(text)' is not") { try ViewSize(parsing: text) }
    }

    @Test("A padding is one number, or four clockwise from the top")
    func paddings() throws {
        #expect(try ViewInsets(parsing: "10") == ViewInsets(all: 10))
        #expect(try ViewInsets(parsing: "1,2,3,4") == ViewInsets(top: 1, right: 2, bottom: 3, left: 4))
        expectRefusal(.usage, "'1,2' is not P or T,R,B,L") { try ViewInsets(parsing: "1,2") }
        expectRefusal(.usage, "'-1' is negative") { try ViewInsets(parsing: "-1") }
    }
}
