import Foundation
import Georeferencing
import TestSupport
import Testing

/// Files next to an image with a position that is not read.
@Suite struct UnreadNeighbourTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// The file's name, and the advice, in which `DIR` stands for the folder.
    static let files = [
        (
            "plan.tab",
            "'DIR/plan.tab' is a MapInfo file: gdal_translate DIR/plan.png DIR/plan-placed.tif writes its "
                + "position into a TIFF"
        ),
        (
            "plan.map",
            "'DIR/plan.map' is an OziExplorer file: gdal_translate DIR/plan.map DIR/plan-placed.tif writes "
                + "its position into a TIFF"
        ),
        (
            "plan.gcp",
            "'DIR/plan.gcp' is a list of control points: add --gcps DIR/plan.gcp, and --crs EPSG:n if they "
                + "are not degrees"
        ),
        ("plan.kml", "'DIR/plan.kml' is a KML file: add --kml DIR/plan.kml"),
        (
            "plan_RPC.TXT",
            "'DIR/plan_RPC.TXT' is a list of rational polynomials (RPC): gdalwarp -rpc -t_srs EPSG:3857 "
                + "DIR/plan.png DIR/plan-placed.tif uses them to make a georeferenced image"
        ),
    ]

    @Test("a file of positions next to an image is named, and how to use it", arguments: files)
    func neighbours(name: String, advice: String) throws {
        let image = directory.path("plan.png")
        #expect(UnreadNeighbour.advice(on: image, hasRPC: false) == nil)
        _ = try directory.write("", to: "other" + name.dropFirst(4))
        #expect(UnreadNeighbour.advice(on: image, hasRPC: false) == nil)
        _ = try directory.write("", to: name)
        let expected = advice.replacing("DIR", with: directory.url.path)
        // A file is more likely to be what was meant than tags, which every satellite image has.
        #expect(UnreadNeighbour.advice(on: image, hasRPC: true) == expected)
    }

    @Test("the tags of a satellite image are named if there is no such file")
    func tags() {
        let path = directory.url.path
        #expect(
            UnreadNeighbour.advice(on: "\(path)/plan.tif", hasRPC: true)
                == "its tags are rational polynomials (RPC): gdalwarp -rpc -t_srs EPSG:3857 \(path)/plan.tif "
                + "\(path)/plan-placed.tif uses them to make a georeferenced image")
    }
}
