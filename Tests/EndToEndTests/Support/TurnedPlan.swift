import Foundation
import TestSupport
import Testing

/// A plan that lies turned on the map, in a file with its world file.
struct TurnedPlan {
    /// The plan.
    let picture: Picture
    /// Where the image is.
    let image: String

    private let scratch: TemporaryDirectory

    /// Writes a plan and its world file, in Web Mercator metres.
    ///
    /// - Parameters:
    ///   - cellSize: the edge of a pixel in Mercator metres.
    ///   - degrees: how far the plan is turned clockwise.
    init(_ picture: Picture, cellSize: Double, turnedBy degrees: Double) throws {
        scratch = try TemporaryDirectory()
        self.picture = picture
        image = scratch.path("plan.png")
        try picture.write(to: image)
        let angle = degrees * .pi / 180
        let (along, across) = (cellSize * cos(angle), cellSize * sin(angle))
        // Down the file: x per column, y per column, x per row, y per row, and the first centre.
        let numbers = [along, -across, -across, -along, 1_287_345.67, 6_130_123.45]
        _ = try scratch.write(numbers.map { "\($0)\n" }.joined(), to: "plan.pgw")
    }

    /// A file next to the image.
    func path(_ name: String) -> String { scratch.path(name) }

    /// Builds it, and gives the tree.
    func build(_ options: [String], environment: [String] = [], to name: String) throws -> URL {
        try Program.succeed(
            [image, "--crs", "EPSG:3857", "-o", path(name)] + options, environment: environment)
        return scratch.url.appending(path: name)
    }
}

/// The Web Mercator world.
enum World {
    /// Half its width in metres: pi times WGS 84's semi-major axis.
    static let halfWidth = Double.pi * 6_378_137

    /// The edge of a pixel of 256 px tiles in Mercator metres.
    static func cellSize(zoom: Int) -> Double { 2 * halfWidth / Double(256 << zoom) }
}
