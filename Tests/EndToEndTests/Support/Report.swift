import Foundation

/// What `info --json` says.
struct Report: Decodable {
    struct Image: Decodable { var width, height, orientation, bands, reduction: Int }
    struct Position: Decodable {
        var corners: [[Double]]
        var bounds: [Double]
        var cellSize, nativeZoom: Double
    }
    struct Limits: Decodable { var columns, rows: [Int] }
    struct Zoom: Decodable {
        var zoom, tiles: Int
        var limits: [Limits]
    }
    struct Estimate: Decodable { var tiles, bytes, memory, scratch: Int }

    var image: Image
    var position: Position
    var tileSize: Int
    var zooms: [Zoom]
    var estimate: Estimate

    /// Reads standard output.
    init(_ output: String) throws {
        self = try JSONDecoder().decode(Report.self, from: Data(output.utf8))
    }

    /// The image's outer corners, clockwise from the top left.
    var corners: [Place] { position.corners.map { Place(longitude: $0[0], latitude: $0[1]) } }

    /// The edge of a pixel on the ground in metres.
    var cellSize: Double { position.cellSize }
}
