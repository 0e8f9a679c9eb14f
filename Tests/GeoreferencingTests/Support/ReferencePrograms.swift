import Foundation
import TestSupport
import Tiling

/// Runs PROJ's `cs2cs` in lon/lat order on lines of coordinates.
func cs2cs(from source: String, to target: String, _ lines: [String]) throws -> [Point] {
    let program = "cs2cs"
    let outcome = try Tool.run(
        program, ["-f", "%.9f", source, target], input: lines.joined(separator: "\n") + "\n")
    return outcome.output.split(separator: "\n").map { line in
        let fields = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
        return Point(x: Double(fields[0]) ?? .nan, y: Double(fields[1]) ?? .nan)
    }
}

/// Where PROJ's `geod` arrives that walks along a bearing in degrees.
func geod(from start: Point, bearing: Double, metres: Double) throws -> Point {
    let program = "geod"
    let outcome = try Tool.run(
        program, ["+ellps=WGS84", "-f", "%.11f"],
        input: "\(start.y) \(start.x) \(bearing) \(metres)\n")
    let fields = outcome.output.split(whereSeparator: \.isWhitespace)
    return Point(x: Double(fields[1]) ?? .nan, y: Double(fields[0]) ?? .nan)
}
