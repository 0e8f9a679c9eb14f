import Georeferencing
import TestSupport
import Testing
import Tiling

/// Coordinates of many systems in Web Mercator, compared with PROJ's `cs2cs` (9.1.1):
///
///     echo X Y | cs2cs -f %.4f CRS EPSG:3857
///
/// with `Y X` where the authority puts the northing or the latitude first. Gons are GDAL's,
/// `echo X Y | gdaltransform -s_srs CRS -t_srs EPSG:3857`: `cs2cs` takes all angles for degrees. A
/// PROJ string is written `cs2cs -f %.4f STRING +to +proj=webmerc +datum=WGS84`. No grid is needed
/// but those that Debian's `proj-data` brings along.
@Suite struct CRSTableTests {
    /// A place in a system, x east, and in Mercator metres.
    struct Row: Sendable, CustomTestStringConvertible {
        let crs: String
        let place: Point
        let expected: Point

        init(_ crs: String, _ x: Double, _ y: Double, _ east: Double, _ north: Double) {
            self.crs = crs
            place = Point(x: x, y: y)
            expected = Point(x: east, y: north)
        }

        var testDescription: String { crs }
    }

    static let rows = [
        // UTM, north
        Row("EPSG:25832", 691_604.3, 5_334_765.2, 1_288_579.9184, 6_129_721.5164),
        // UTM, south
        Row("EPSG:32756", 334_873.2, 6_252_266.1, 16_833_176.8019, -4_009_616.7344),
        // a datum shift of seven parameters
        Row("EPSG:27700", 530_047.5, 180_422.25, -14_194.8378, 6_711_609.4598),
        // Lambert conformal conic
        Row("EPSG:2154", 652_469.02, 6_862_035.26, 261_845.7021, 6_250_564.3504),
        // Lambert azimuthal equal-area, northing first
        Row("EPSG:3035", 4_321_000, 3_210_000, 1_113_194.9079, 6_800_125.4544),
        // Albers equal-area
        Row("EPSG:5070", -1_234_567.8, 1_987_654.3, -12_318_250.5502, 4_872_799.6341),
        // polar stereographic, north
        Row("EPSG:3995", 512_345.6, -1_498_765.4, 2_100_903.9808, 13_149_530.2340),
        // polar stereographic, south
        Row("EPSG:3031", -1_512_345.6, -598_765.4, -12_423_202.0084, -12_980_001.3958),
        // Swiss oblique Mercator
        Row("EPSG:2056", 2_600_072.4, 1_199_545.8, 828_170.6443, 5_933_426.9482),
        // the same with its older false origin
        Row("EPSG:21781", 600_072.4, 199_545.8, 828_170.6443, 5_933_426.9482),
        // degrees and a height
        Row("EPSG:4979", 11.5, 48.1, 1_280_174.1441, 6_123_507.4250),
        // UTM and a height
        Row("EPSG:25832+5783", 691_604.3, 5_334_765.2, 1_288_579.9184, 6_129_721.5164),
        // Gauss-Krueger, northing first
        Row("EPSG:31468", 4_468_000, 5_333_000, 1_287_814.5311, 6_129_215.2686),
        // northing first
        Row("EPSG:2193", 1_570_000, 5_180_000, 19_216_941.0241, -5_393_353.7157),
        // US survey feet
        Row("EPSG:2263", 990_000, 205_000, -8_235_332.8586, 4_972_502.7977),
        // Lambert, the meridian of Paris
        Row("EPSG:27572", 600_000, 2_428_000, 260_098.6206, 6_249_506.3861),
        // gons from the meridian of Paris, latitude first
        Row("EPSG:4807", 0.05, 54.3, 265_108.1692, 6_252_820.1287),
        // degrees of another datum
        Row("EPSG:4275", 2.3, 48.9, 255_956.0964, 6_257_899.2178),
        Row("EPSG:3067", 385_000, 6_672_000, 2_774_911.8994, 8_437_385.6311),
        // oblique stereographic
        Row("EPSG:28992", 121_000, 487_000, 544_126.4166, 6_867_273.0008),
        // Fiji, near the antimeridian
        Row("EPSG:3460", 2_100_000, 4_000_000, 20_002_925.9693, -1_920_568.5625),
        // Mercator around 150 degrees east
        Row("EPSG:3832", 3_456_789, -1_234_567, -19_920_304.0666, -1_242_783.6294),
        // UTM zone 1, beyond the antimeridian
        Row("EPSG:32701", 150_000, 8_120_000, 20_005_644.2436, -1_918_206.9880),
        // UTM zone 60, likewise
        Row("EPSG:32660", 800_000, 6_000_000, -19_861_080.1032, 7_181_656.6941),
        Row("EPSG:3413", 512_345.6, -1_498_765.4, -2_908_473.1049, 13_130_408.1822),
        // plate carree
        Row("EPSG:4087", 9_876_543.2, 5_432_100.1, 9_876_543.2000, 6_240_551.6117),
        // Krovak, with negative coordinates
        Row("EPSG:5514", -740_000, -1_043_000, 1_609_694.1768, 6_462_053.3821),
        Row("EPSG:2180", 637_000, 487_000, 2_338_455.6046, 6_842_179.1213),
        Row("EPSG:23700", 650_000, 239_000, 2_120_351.8635, 6_023_237.9619),
        Row("EPSG:2039", 220_000, 630_000, 3_919_579.2559, 3_732_195.3709),
        Row("EPSG:6677", -6000, -35_000, 15_558_796.1754, 4_257_296.8306),
        // US survey feet, another zone
        Row("EPSG:2236", 920_000, 530_000, -8_927_619.7173, 2_973_037.1494),
        Row("EPSG:4326", 11.5, 48.1, 1_280_174.1441, 6_123_507.4250),
        Row("EPSG:22183", 3_450_000, 6_160_000, -7_407_840.0701, -4_123_819.6962),
        Row("EPSG:3006", 674_000, 6_580_000, 2_010_203.5061, 8_250_501.8541),
        // A datum shift of its own
        Row(
            "+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +y_0=0 +ellps=bessel "
                + "+towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +units=m +no_defs",
            3_501_234.5, 5_501_234.5, 1_003_662.9295, 6_385_504.4753),
        // Feet, and the meridian of Paris, in PROJ's words
        Row(
            "+proj=utm +zone=32 +datum=WGS84 +units=us-ft +no_defs", 2_268_000, 17_500_000,
            1_288_069.0833, 6_128_606.2324),
        Row(
            "+proj=longlat +ellps=intl +pm=paris +towgs84=-87,-98,-121 +no_defs", 1.25, 44.5,
            399_199.2426, 5_542_989.2046),
        // The first of these three as WKT 1
        Row(transverseMercator, 3_501_234.5, 5_501_234.5, 1_003_662.9295, 6_385_504.4753),
    ]

    @Test("coordinates are those of cs2cs to a millimetre, there and back", arguments: rows.some(22))
    func agrees(row: Row) throws {
        let conversion = try CRSConversion(CRS(row.crs))
        var points = [row.place]
        conversion.mercator(of: &points)
        #expect(points[0].distance(to: row.expected) < 1e-3)
        conversion.coordinates(ofMercator: &points)
        // Degrees, gons and feet differ in length; a shift that drops the height costs a millimetre.
        let scale = abs(row.place.x) > 400 ? 1 : 1e-5
        #expect(points[0].distance(to: row.place) < 5e-3 * scale)
    }
}

private let transverseMercator = """
    PROJCS["site",GEOGCS["site",DATUM["site",SPHEROID["Bessel 1841",6377397.155,299.1528128],\
    TOWGS84[598.1,73.7,418.2,0.202,0.045,-2.455,6.7]],PRIMEM["Greenwich",0],\
    UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],\
    PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],PARAMETER["scale_factor",1],\
    PARAMETER["false_easting",3500000],PARAMETER["false_northing",0],UNIT["metre",1]]
    """
