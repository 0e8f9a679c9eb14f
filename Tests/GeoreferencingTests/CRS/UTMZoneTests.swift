import TestSupport
import Testing
import Tiling

@testable import Georeferencing

/// The zones that are known without PROJ's database.
@Suite struct UTMZoneTests {
    @Test(
        "each zone has PROJ's name, and its coordinates to the last bit", arguments: [32600, 32700].some(1))
    func sameAsDatabase(first: Int) throws {
        var random = SplitMix(seed: UInt64(first))
        for code in first + 1...first + 60 {
            // A wording that PROJ is asked for.
            let (known, asked) = try (CRS("EPSG:\(code)"), CRS("urn:ogc:def:crs:EPSG::\(code)"))
            #expect(known.name == asked.name && known.isGeographic == asked.isGeographic)
            #expect(try known.metresPerUnit == asked.metresPerUnit)
            let middle = Double(code % 100 * 6 - 183)
            let places = (0..<50).map { _ in
                Point(
                    x: middle + .random(in: -20...20, using: &random),
                    y: .random(in: -89...89, using: &random))
            }
            var (one, other) = (places, places)
            try CRSConversion(known).coordinates(ofLonLat: &one)
            try CRSConversion(asked).coordinates(ofLonLat: &other)
            #expect(one == other && one[0] != places[0], "\(known.name)")
            try CRSConversion(known).lonLat(of: &one)
            try CRSConversion(asked).lonLat(of: &other)
            #expect(one == other, "\(known.name)")
        }
    }

    @Test(
        "other codes and definitions are not zones",
        arguments: [
            "EPSG:32600", "EPSG:32661", "EPSG:32761", "EPSG:25832", "EPSG:3857", "ESRI:32632", "32632",
            "EPSG:032632", "EPSG:+2632", "EPSG:32632:1", "EPSG:32632+5773", "",
        ])
    func others(definition: String) { #expect(UTMZone(definition) == nil) }
}
