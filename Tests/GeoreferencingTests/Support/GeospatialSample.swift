import Foundation
import Georeferencing
import TestSupport
import Testing
import Tiling

/// A page that GDAL wrote, and where GDAL 3.6.2 puts its corners: a record of `geospatial_pdfs.json`.
struct GeospatialSample: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    /// `/Rotate` of the page.
    var turn: Int
    var mediaBox: [Double]
    var measure: Measure?
    var lgiDict: Dictionary?
    var readings: [Reading]
    /// In coordinates, the end repeated; one that GDAL forgets to close has four points.
    var neatline: [[Double]]

    struct Measure: Decodable, Sendable {
        var box, bounds, groundPoints, boxPoints: [Double]
        var type: String
        var epsg: Int?
        var wkt, name: String
    }

    struct Dictionary: Decodable, Sendable {
        var matrix, neatline: [Double]
        var projection: [String: String]
        var name: String
    }

    struct Reading: Decodable, Sendable {
        var dpi, width, height: Double
        var corners, lonLat: [[Double]]
    }

    var testDescription: String { name }

    static let all: [GeospatialSample] = {
        let url = SharedData.packageRoot.appending(
            path: "Tests/GeoreferencingTests/Support/geospatial_pdfs.json")
        guard let data = try? Data(contentsOf: url),
            let samples = try? JSONDecoder().decode([GeospatialSample].self, from: data)
        else { return [] }
        return samples
    }()

    static func named(_ name: String) throws -> GeospatialSample {
        guard let sample = all.first(where: { $0.name == name }) else { throw CocoaError(.fileNoSuchFile) }
        return sample
    }

    /// The content of the document.
    var part: GeospatialPart {
        if let measure {
            let system = GeospatialMeasure.System(type: measure.type, epsg: measure.epsg, wkt: measure.wkt)
            return GeospatialPart(
                name: measure.name,
                form: .measure(
                    GeospatialMeasure(
                        box: measure.box, bounds: measure.bounds, groundPoints: measure.groundPoints,
                        boxPoints: measure.boxPoints, system: system)))
        }
        return GeospatialPart(
            name: lgiDict?.name,
            form: .lgiDict(
                LGIDict(
                    matrix: lgiDict?.matrix, neatline: lgiDict?.neatline,
                    projection: lgiDict?.projection ?? [:])))
    }

    /// From units of the document to points of the page as it is turned.
    func pointsFromUnits(turn: Int? = nil) -> Tiling.AffineTransform {
        let (width, height) = (mediaBox[2] - mediaBox[0], mediaBox[3] - mediaBox[1])
        let upright = Tiling.AffineTransform(a: 1, b: 0, c: -mediaBox[0], d: 0, e: -1, f: mediaBox[3])
        let clockwise: Tiling.AffineTransform? =
            switch turn ?? self.turn {
            case 90: Tiling.AffineTransform(a: 0, b: -1, c: height, d: 1, e: 0, f: 0)
            case 180: Tiling.AffineTransform(a: -1, b: 0, c: width, d: 0, e: -1, f: height)
            case 270: Tiling.AffineTransform(a: 0, b: 1, c: 0, d: -1, e: 0, f: width)
            default: nil
            }
        return clockwise.map { upright.followed(by: $0) } ?? upright
    }

    /// Where the page lies.
    func position(turn: Int? = nil) throws -> GeospatialPDF {
        let found = try GeospatialPDF([part], pointsFromUnits: pointsFromUnits(turn: turn))
        return try #require(found)
    }

    /// The corners of a reading in points of the page. GDAL rounds the size of a page to pixels; a measure it
    /// stretches over them, and a matrix it does not.
    func corners(of reading: Reading) -> [Point] {
        let isTurned = turn % 180 != 0
        let (width, height) = (mediaBox[2] - mediaBox[0], mediaBox[3] - mediaBox[1])
        let pixel = 72 / reading.dpi
        let size =
            measure == nil
            ? Point(x: reading.width * pixel, y: reading.height * pixel)
            : Point(x: isTurned ? height : width, y: isTurned ? width : height)
        return [Point(x: 0, y: 0), Point(x: size.x, y: 0), size, Point(x: 0, y: size.y)]
    }
}

extension [Double] {
    /// Two numbers as a point.
    var point: Point { Point(x: self[0], y: self[1]) }
}
