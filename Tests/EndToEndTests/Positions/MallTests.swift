import Foundation
import TestSupport
import Testing

/// Five floors of a real building, whose images reach from edge to edge of their vectors' box.
@Suite(.needsSharedData)
struct MallTests {
    static let floors = ["B1", "F1", "F2", "F3", "F4"]

    /// Where the walls of a floor's tiles lie in relation to its vectors.
    ///
    /// - Parameter shift: pixels of the maximum zoom by which the bounds are moved east and south.
    private func alignment(of floor: String, shiftedBy shift: Double = 0) throws -> Alignment {
        let map = try GeoJSON(contentsOf: SharedData.url("data/mall/\(floor)-geojson_map.json"))
        let image = try SharedData.url("data/mall/\(floor)-floor_image.png").path
        let zoom = 19
        let step = 360 / Double(256 << zoom)
        var bounds = map.bounds
        let flattening = cos(bounds[1] * .pi / 180)
        for (index, move) in [(0, 1.0), (2, 1), (1, -flattening), (3, -flattening)] {
            bounds[index] += shift * move * step
        }
        let scratch = try TemporaryDirectory()
        try Program.succeed([
            image, "--bounds", bounds.map { "\($0)" }.joined(separator: ","), "--zoom", "\(zoom)",
            "-o", scratch.path("tiles"),
        ])
        let mosaic = try Mosaic(of: scratch.url.appending(path: "tiles"), zoom: zoom)
        return Alignment(of: map.pixels(zoom: zoom), on: mosaic) {
            mosaic.picture.darkness($0, $1)
        }
    }

    @Test("The walls of a floor match its vectors", .long, arguments: floors)
    func wallsLieOnVectors(floor: String) throws {
        let alignment = try alignment(of: floor)
        #expect(abs(alignment.column) <= 1 && abs(alignment.row) <= 1)
        #expect(alignment.contrast > 1.15)
    }

    @Test("A floor that is three pixels off is detected", .long, arguments: floors)
    func misplacedFloorIsFoundOut(floor: String) throws {
        let alignment = try alignment(of: floor, shiftedBy: 3)
        #expect(abs(alignment.column - 3) <= 1 && abs(alignment.row - 3) <= 1)
    }
}
