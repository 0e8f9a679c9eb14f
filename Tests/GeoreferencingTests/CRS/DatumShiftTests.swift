import Foundation
import Georeferencing
import TestSupport
import Testing
import Tiling

/// Datum shifts that want grids, as PROJ's own program lists them.
struct DatumShiftTests {
    /// A system, and a place in it: coordinates of the system, x east, and about the same in degrees.
    struct Case: CustomTestStringConvertible {
        var crs: String
        var coordinates, lonLat: Point
        var testDescription: String { crs }

        init(_ crs: String, _ x: Double, _ y: Double, _ longitude: Double, _ latitude: Double) {
            (self.crs, coordinates) = (crs, Point(x: x, y: y))
            lonLat = Point(x: longitude, y: latitude)
        }
    }

    /// An operation in the list of projinfo(1).
    private struct Listed {
        var metres: Double
        var missing: [String] = []
    }

    static let cases = [
        Case("EPSG:4267", -97.75, 30.26, -97.7503, 30.2602),
        Case("EPSG:4267", -80.1, 26, -80.0998, 26.0003),
        Case("EPSG:26714", 600_000, 3_348_000, -97.9601, 30.2600),
        Case("EPSG:27700", 530_000, 180_000, -0.1287, 51.5034),
        Case("EPSG:28992", 155_000, 463_000, 5.3876, 52.1554),
        Case("EPSG:31467", 3_500_000, 5_500_000, 8.9990, 49.6340),
        Case("EPSG:4301", 139.7, 35.6, 139.6968, 35.6032),
        Case("EPSG:4269", -97.75, 30.26, -97.75, 30.26),
    ]

    /// What projinfo lists of operations whose area has the place, whether grids are there or not.
    private func listed(_ test: Case) throws -> [Listed] {
        let (place, reach) = (test.lonLat, 1e-4)
        let box = [place.x - reach, place.y - reach, place.x + reach, place.y + reach]
        let outcome = try Tool.run(
            "projinfo",
            [
                "-s", test.crs, "-t", "EPSG:4326", "--bbox", box.map { "\($0)" }.joined(separator: ","),
                "--spatial-test", "contains", "--grid-check", "none", "-o", "PROJ",
            ])
        var operations: [Listed] = []
        for line in outcome.output.split(separator: "\n") {
            if let match = line.firstMatch(of: #/, ([\d.]+) m, /#) {
                operations.append(Listed(metres: try #require(Double(match.1))))
            } else if let match = line.firstMatch(of: #/^Grid (\S+) needed but not found/#) {
                operations[operations.count - 1].missing.append(String(match.1))
            }
        }
        return operations
    }

    @Test(
        "The grids that are named are those of the best operation of projinfo", .needs("projinfo"),
        arguments: cases.some(4))
    func best(test: Case) throws {
        let crs = try CRS(test.crs)
        let step = crs.isGeographic ? 1e-7 : 0.01
        let (x, y) = (test.coordinates.x, test.coordinates.y)
        let mapping = try ImageMapping(
            Georeference(
                crs: crs, pixelToCRS: .affine(AffineTransform(a: step, b: 0, c: x, d: 0, e: -step, f: y))),
            width: 100, height: 100)
        let used = try #require(mapping.datumAccuracy)
        let operations = try listed(test)
        let best = try #require(operations.min { $0.metres < $1.metres })
        #expect(used == operations.filter(\.missing.isEmpty).map(\.metres).min())
        if best.metres <= 0.75 * used {
            let shift = try #require(mapping.betterShift)
            // The program rounds to three digits.
            #expect(abs(shift.accuracy - best.metres) < 0.01 * best.metres)
            #expect(shift.missingGrids.sorted() == best.missing.sorted() && !best.missing.isEmpty)
        } else {
            #expect(mapping.betterShift == nil)
        }
    }

    @Test("A system without a shift has no better one")
    func none() throws {
        let mapping = try ImageMapping(
            Georeference(
                crs: CRS("EPSG:32631"),
                pixelToCRS: .affine(AffineTransform(a: 1, b: 0, c: 5e5, d: 0, e: -1, f: 5e6))),
            width: 100, height: 100)
        #expect(mapping.betterShift == nil)
    }
}
