import Platform
import Georeferencing
import TestSupport
import Testing
import Tiling

@Suite struct GeospatialPDFTests {
    @Test("the samples are there") func samples() {
        #expect(GeospatialSample.all.count == 35)
    }

    /// A tenth of a pixel at 150 to the inch.
    private static let tolerance = 0.1 * 72 / 150

    @Test("pages lie where GDAL puts them, at every resolution", arguments: GeospatialSample.all)
    func corners(sample: GeospatialSample) throws {
        let position = try sample.position()
        let inverse = try #require(position.georeference.pixelToCRS.inverse)
        let conversion = try CRSConversion(position.georeference.crs)
        for reading in sample.readings {
            let corners = sample.corners(of: reading)
            var lonLat = corners.map { position.georeference.pixelToCRS($0) }
            conversion.lonLat(of: &lonLat)
            for (corner, expected) in zip(corners, zip(reading.corners, reading.lonLat)) {
                #expect(inverse(expected.0.point).distance(to: corner) < Self.tolerance)
                var place = [expected.1.point]
                conversion.coordinates(ofLonLat: &place)
                #expect(inverse(place[0]).distance(to: corner) < Self.tolerance)
            }
        }
    }

    @Test("the neatline is GDAL's", arguments: GeospatialSample.all)
    func neatline(sample: GeospatialSample) throws {
        let position = try sample.position()
        let inverse = try #require(position.georeference.pixelToCRS.inverse)
        let neatline = try #require(position.neatline)
        let expected = sample.neatline.dropLast().map { inverse($0.point) }
        #expect(neatline.count == expected.count)
        for point in expected {
            #expect(neatline.contains { $0.distance(to: point) < Self.tolerance })
        }
    }

    @Test("a viewport is turned with its page", arguments: [90, 180, 270])
    func turned(by turn: Int) throws {
        let sample = try GeospatialSample.named("turned, ISO32000")
        let upright = try sample.position(turn: 0)
        let turned = try sample.position(turn: turn)
        for unit in [Point(x: 0, y: 0), Point(x: 300, y: 0), Point(x: 120, y: 199)] {
            let place = upright.georeference.pixelToCRS(sample.pointsFromUnits(turn: 0)(unit))
            let other = turned.georeference.pixelToCRS(sample.pointsFromUnits(turn: turn)(unit))
            #expect(place.distance(to: other) < 1e-6)
        }
    }

    @Test(
        "Esri's WKT means the same as the number",
        arguments: GeospatialSample.all.filter { $0.measure?.epsg != nil && $0.turn == 0 })
    func wktAlone(sample: GeospatialSample) throws {
        var nameless = sample
        nameless.measure?.epsg = nil
        let expected = try sample.position()
        let found = try nameless.position()
        for corner in sample.corners(of: sample.readings[0]) {
            let (one, other) = (
                expected.georeference.pixelToCRS(corner), found.georeference.pixelToCRS(corner)
            )
            // Esri writes units and angles with fewer digits.
            #expect(one.distance(to: other) < (expected.georeference.crs.isGeographic ? 1e-9 : 1e-3))
        }
        #expect(found.georeference.crs.isGeographic == expected.georeference.crs.isGeographic)
    }

    @Test("a page without parts has no position") func nothing() throws {
        #expect(try GeospatialPDF([], pointsFromUnits: .identity) == nil)
    }
}
