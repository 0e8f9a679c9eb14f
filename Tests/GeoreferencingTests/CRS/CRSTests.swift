import Platform
import Georeferencing
import Testing
import Tiling

@Suite struct CRSTests {
    @Test(
        "every wording of Web Mercator is Web Mercator",
        arguments: [
            "EPSG:3857", "epsg:900913", " EPSG:3785\n", "EPSG:102100", "EPSG:102113", "ESRI:102100",
            "urn:ogc:def:crs:EPSG::3857",
            """
            +proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m \
            +nadgrids=@null +wktext +no_defs
            """,
            esriWebMercator,
        ])
    func webMercator(definition: String) throws {
        #expect(try CRS(definition) == .webMercator)
    }

    @Test(
        "every wording of WGS 84 is longitude, latitude on WGS 84",
        arguments: [
            "EPSG:4326", "OGC:CRS84", "+proj=longlat +datum=WGS84 +no_defs", "+init=epsg:4326",
            esriWGS84,
        ])
    func wgs84(definition: String) throws {
        #expect(try CRS(definition) == .wgs84)
    }

    @Test(
        "other systems keep their names and kinds",
        arguments: [
            ("EPSG:25832", "ETRS89 / UTM zone 32N", false), ("EPSG:4267", "NAD27", true),
            ("EPSG:27700", "OSGB36 / British National Grid", false),
            ("+proj=utm +zone=32", "+proj=utm +zone=32", false),
        ])
    func others(definition: String, name: String, isGeographic: Bool) throws {
        let crs = try CRS(definition)
        #expect(crs.name == name)
        #expect(crs.isGeographic == isGeographic)
    }

    @Test(
        "a PROJ string and an EPSG code of one system agree",
        arguments: ["+proj=utm +zone=32 +datum=WGS84", "+init=epsg:32632", "epsg:32632"])
    func projString(definition: String) throws {
        var place = [Point(x: 10, y: 50)]
        try CRSConversion(CRS(definition)).coordinates(ofLonLat: &place)
        // cs2cs EPSG:4326 EPSG:32632 of 50 10
        #expect(place[0].distance(to: Point(x: 571666.447_5, y: 5_539_109.815_3)) < 1e-3)
    }

    @Test(
        "a definition that is not a horizontal reference system is refused with its name",
        arguments: ["EPSG:1", "nonsense", "", "EPSG:4978", "EPSG:5773", "+proj=nonsense", "4326"])
    func refused(definition: String) {
        let failure = #expect(throws: Failure.self) { try CRS(definition) }
        #expect(failure?.kind == .usage)
        #expect(failure?.message.contains("'") == true)
        #expect(failure?.remedy != nil)
    }

    // PROJ compares every parameter with all others: these would take it a minute.
    @Test("a definition far longer than any system has is refused before PROJ reads it")
    func tooLong() {
        let definition = (0..<60_000).reduce(into: "+proj=longlat") { $0 += " +x\($1)=1" }
        let failure = #expect(throws: Failure.self) { try CRS(definition, failure: .badInput) }
        #expect(failure?.kind == .badInput)
        #expect(failure?.message.hasSuffix("it is too long") == true)
    }

    @Test("a name of several lines becomes one")
    func brokenName() throws {
        let text = try CRS("EPSG:25832").esriWKT()
        let wkt = "PROJCS[\"site\ngrid\"" + text[text.firstIndex(of: ",")!...]
        #expect(try CRS(wkt).name == "site grid")
    }

    @Test("a definition of some length is read")
    func long() throws {
        let remark = String(repeating: "as the surveyor has it ", count: 2000)
        let text = try CRS("EPSG:25832").esriWKT()
        let wkt = "PROJCS[\"\(remark)\"" + text[text.firstIndex(of: ",")!...]
        #expect(try CRS(wkt).isGeographic == false)
    }

    @Test("a bare number is refused with its authority as a remedy")
    func bareNumber() {
        let failure = #expect(throws: Failure.self) { try CRS("25832") }
        #expect(failure?.remedy == "write EPSG:25832")
    }

    @Test(
        "a word that is only part of a system's name does not name it", arguments: ["foo", "amersf"])
    func partOfName(definition: String) {
        let failure = #expect(throws: Failure.self) { try CRS(definition) }
        #expect(
            failure?.message == "no coordinate reference system has the name '\(definition)'")
    }

    @Test("a full name names its system", arguments: ["NAD27", "etrs89 / utm zone 32n"])
    func wholeName(definition: String) throws {
        #expect(try CRS(definition).name.lowercased() == definition.lowercased())
    }

    @Test("Esri's WKT is read back as the same system", arguments: ["EPSG:25832", "EPSG:2056"])
    func esriRoundTrip(definition: String) throws {
        let crs = try CRS(definition)
        let text = try crs.esriWKT()
        #expect(text.hasPrefix("PROJCS["))
        #expect(!text.contains("\n"))
        var (here, there) = ([Point(x: 8, y: 47)], [Point(x: 8, y: 47)])
        try CRSConversion(crs).coordinates(ofLonLat: &here)
        try CRSConversion(CRS(text)).coordinates(ofLonLat: &there)
        #expect(here[0].distance(to: there[0]) < 1e-3)
    }
}

/// The side file of Esri's software for an image in Web Mercator.
private let esriWebMercator = """
    PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",\
    SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],\
    UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],\
    PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],\
    PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],\
    PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]
    """

/// The side file of Esri's software for an image in degrees.
private let esriWGS84 = """
    GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],\
    PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]
    """
