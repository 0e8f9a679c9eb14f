import Platform
import Tiling

/// Turns map coordinates of a file's lines into longitudes and latitudes.
struct MapPlaces {
    private let crs: CRS
    private let conversion: CRSConversion

    init(_ crs: CRS) throws {
        self.crs = crs
        conversion = try CRSConversion(crs)
    }

    /// The place of a point.
    ///
    /// - Parameters:
    ///   - line: the number of its line.
    ///   - isNeeded: whether it must be a place.
    /// - Throws: `.badInput` if it is none, and must be one.
    func lonLat(of point: Point, line: Int, isNeeded: Bool = true) throws -> Point {
        var place = [point]
        conversion.lonLat(of: &place)
        let isPlace = abs(place[0].x) <= 540 && abs(place[0].y) <= 90
        guard isPlace || !isNeeded else {
            throw Failure(
                .badInput, "line \(line) lies at \(point.x),\(point.y), which is not a place in \(crs.name)",
                remedy: "name the system of its coordinates: --crs EPSG:n")
        }
        return place[0]
    }
}
