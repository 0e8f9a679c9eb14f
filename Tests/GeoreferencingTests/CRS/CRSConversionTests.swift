import Platform
import Georeferencing
import Testing
import Tiling

@Suite struct CRSConversionTests {
    @Test("Degrees become Web Mercator metres")
    func webMercator() throws {
        var points = [Point(x: 5, y: 50)]
        try CRSConversion(.webMercator).coordinates(ofLonLat: &points)
        // mercantile.xy(5, 50)
        #expect(points[0].distance(to: Point(x: 556597.4539663679, y: 6446275.841017161)) < 1e-6)
        try CRSConversion(.wgs84).coordinates(ofLonLat: &points)
        #expect(points[0].x > 556_597)
    }

    @Test("A system of another celestial body has no longitudes and latitudes on the Earth")
    func moon() throws {
        let crs = try CRS("+proj=longlat +R=1737400 +no_defs")
        let failure = #expect(throws: Failure.self) { try CRSConversion(crs) }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains("into longitudes and latitudes") == true)
        // PROJ's own words.
        #expect(failure?.message.contains("celestial body") == true, "\(String(describing: failure))")
    }

    @Test("A system that Esri's dialect cannot express is not written")
    func noEsriWKT() throws {
        // projinfo -o WKT1_ESRI: DerivedGeographicCRS can only be exported to WKT2.
        let crs = try CRS("+proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p=30 +lon_0=10 +datum=WGS84")
        let failure = #expect(throws: Failure.self) { try crs.esriWKT() }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.contains("as WKT") == true)
    }
}
