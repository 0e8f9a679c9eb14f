import Foundation
import TestSupport
import Testing

/// The places that the page of `place` reads from copied texts.
@Suite(.needs("node"))
struct AddressesInPageTests {
    /// The places of texts: longitude, latitude and zoom, the reason of a refusal, or nil for no place.
    private func places(_ texts: [String], language: String = "en") throws -> [Any] {
        let scratch = try TemporaryDirectory()
        let pages = SharedData.packageRoot.appending(path: "Sources/Publishing/Pages")
        let files = try ["page.js", "fit.js", "addresses.js"].map {
            try String(contentsOf: pages.appending(path: $0), encoding: .utf8)
        }
        let input = String(decoding: try JSONSerialization.data(withJSONObject: texts), as: UTF8.self)
        let script = """
            const rounded = (number) => Number(number.toFixed(7));
            console.log(JSON.stringify(\(input).map((text) => {
              const place = readPlace(text, "\(language)");
              if (!place || place.problem) return place && place.problem;
              const doubts = [place.isBare && "bare", place.isTurned && "turned"].filter(Boolean);
              return [rounded(place.x), rounded(place.y), ...(place.zoom ? [rounded(place.zoom)] : []), ...doubts];
            })));
            """
        let path = try scratch.write(
            (["\"use strict\";"] + files + [script]).joined(separator: "\n"), to: "a.js")
        let outcome = try Tool.run("node", [path])
        try #require(outcome.status == 0, "\(outcome.errors)")
        let json = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(json as? [Any])
    }

    /// Compares with the texts' places.
    private func check(_ cases: [(String, [AnyHashable])], language: String = "en") throws {
        for (found, (text, expected)) in zip(try places(cases.map(\.0), language: language), cases) {
            #expect(found as? [AnyHashable] == expected, "\(text)")
        }
    }

    @Test("addresses of web maps: the place that is marked, or else the middle of the view")
    func addresses() throws {
        let google = "https://www.google.com/maps"
        try check([
            ("\(google)/@47.37,8.54,18z", [8.54, 47.37, 18]),
            ("see \(google)/@-33.86,151.2,15.5z.", [151.2, -33.86, 15.5]),
            (
                "\(google)/place/Mall/@47.3,8.5,17z/data=!3m1!4b1!4m6!3m5!1s0x1:0x2!8m2!3d47.37!4d8.54!16zL20",
                [8.54, 47.37, 17]
            ),
            ("\(google)/place/47%C2%B022'36%22N+8%C2%B030'00%22E/@47.3,8.4,17z", [8.5, 47.3766667, 17]),
            ("\(google)/search/?api=1&query=47.37%2C8.54", [8.54, 47.37]),
            ("\(google)/search/47.37,+8.54?entry=tts", [8.54, 47.37]),
            ("\(google)/dir/46.9,7.4/47.37,8.54/@47.1,8,9z", [8.54, 47.37, 9]),
            ("\(google)/embed?pb=!1m18!1m12!1m3!1d2701.6!2d8.54!3d47.37!2m3", [8.54, 47.37]),
            ("maps.google.com/maps?q=loc:47.37,8.54", [8.54, 47.37]),
            ("https://maps.google.com/?ll=47.37,8.54&z=15", [8.54, 47.37, 15]),
            ("https://consent.google.com/m?continue=\(google)/@47.37,8.54,18z&gl=DE", [8.54, 47.37, 18]),
            ("https://www.openstreetmap.org/way/1#map=18/47.37/8.54", [8.54, 47.37, 18]),
            ("https://www.openstreetmap.org/?mlat=47.37&mlon=8.54#map=17/47.3/8.5", [8.54, 47.37, 17]),
            // The example of OpenStreetMap's own tests.
            ("https://osm.org/go/0EEQjE--", [0.0549316, 51.5107727, 9]),
            ("https://maps.apple.com/?ll=47.37,8.54&q=Mall&z=18", [8.54, 47.37, 18]),
            ("https://maps.apple.com/place?coordinate=47.37,8.54&name=Mall", [8.54, 47.37]),
            ("https://maps.apple.com/frame?center=47.37%2C8.54&span=0.1,0.2", [8.54, 47.37]),
            ("https://www.bing.com/maps?cp=47.37~8.54&lvl=18", [8.54, 47.37, 18]),
            ("https://www.bing.com/maps?cp=47.3~8.5&lvl=18&sp=point.47.37_8.54_Mall", [8.54, 47.37, 18]),
            ("https://wego.here.com/?map=47.37,8.54,18,normal", [8.54, 47.37, 18]),
            ("https://share.here.com/l/47.37,8.54,Mall?z=17", [8.54, 47.37, 17]),
            ("https://example.org/map.html#18.5/47.37/8.54/-20/60", [8.54, 47.37, 18.5]),
            ("https://www.waze.com/ul?ll=47.37%2C8.54&navigate=yes", [8.54, 47.37]),
            ("https://yandex.com/maps/213/moscow/?ll=37.62%2C55.75&z=16", [37.62, 55.75, 16]),
            ("geo:47.37,8.54,410;crs=wgs84;u=35", [8.54, 47.37]),
            ("geo:0,0?z=18&q=47.37,8.54(Mall)", [8.54, 47.37, 18]),
        ])
    }

    @Test("the height of Google's view in metres becomes a zoom: a pixel is a metre at zoom 16 at 48 degrees")
    func metres() throws {
        // By the OpenStreetMap wiki's "Zoom levels": 156543.03 m * cos(latitude) / 2^zoom, for 800 pixels.
        let found = try places(["https://www.google.com/maps/@48,8,1279m/data=!3m1!1e3"])
        let numbers = try #require(found.first as? [Double])
        let pixel = 156543.03 * cos(48 * Double.pi / 180) / exp2(numbers[2])
        #expect(abs(pixel * 800 - 1279) < 1)
    }

    @Test("addresses without a place, or with a shifted one, are refused")
    func refused() throws {
        let cases = [
            ("https://map.baidu.com/@13000000,4800000,15z", "place.goShifted"),
            ("https://www.amap.com/regeo?lng=116.4&lat=39.9", "place.goShifted"),
            ("https://www.google.cn/maps/@39.9,116.4,15z", "place.goShifted"),
            ("https://maps.app.goo.gl/abc", "place.goShort"), ("https://goo.gl/maps/abc", "place.goShort"),
            ("https://yandex.com/maps/-/CDabc", "place.goShort"),
            ("https://www.google.com/maps/place/Zurich", "place.goNoPlace"),
            ("https://www.google.com/maps/@147.37,8.54,18z", "place.goNoPlace"),
            ("https://www.google.com/maps?q=12+34+Main+Street", "place.goNoPlace"),
            ("geo:47,8;crs=moon", "place.goNoPlace"), ("https://[", "place.goNoPlace"),
        ]
        #expect(try places(cases.map(\.0)) as? [String] == cases.map(\.1))
    }

    @Test("coordinates in many notations; without letters, the first is the longitude, if it can be one")
    func coordinates() throws {
        let dms: [AnyHashable] = [8.5416944, 47.3768889]
        try check([
            ("47°22'36.8\"N 8°32'30.1\"E", dms), ("47 22 36.8 N, 8 32 30.1 E", dms),
            ("8° 32′ 30.1″ E; 47° 22′ 36.8″ N", dms), ("N 47° 22.5' E 008° 30.6'", [8.51, 47.375]),
            ("S 33.5 W 70.25", [-70.25, -33.5]), ("北纬47.375度，东经8.51度", [8.51, 47.375]),
            ("lat: 47.37, lon: 8.54", [8.54, 47.37]), ("{\"lng\": 8.54, \"lat\": 47.37}", [8.54, 47.37]),
            ("8.54, 47.37", [8.54, 47.37, "bare"]), ("8.54 47.37", [8.54, 47.37, "bare"]),
            ("8,54 47,37", [8.54, 47.37, "bare"]), ("8,54; 47,37", [8.54, 47.37, "bare"]),
            ("(8,54, 47,37)", [8.54, 47.37, "bare"]), ("۸٫۵۴، ۴۷٫۳۷", [8.54, 47.37, "bare"]),
            ("47 22.5 8 30.6", [47.375, 8.51, "bare"]), ("−8.54, 47.37", [-8.54, 47.37, "bare"]),
            ("30.25, 120.5", [120.5, 30.25, "bare"]), ("120.5, 30.25", [120.5, 30.25, "bare"]),
        ])
        let others = [
            "Harbour Mall & Sons", "47.37", "91 95", "12 rue de l'Est 5", "47 75 0 N, 8 0 0 E", "8 N 9 N", "",
        ]
        #expect(try places(others).allSatisfy { $0 is NSNull })
    }

    @Test(
        "the letter O is east or west, depending on the language, and the page says so",
        arguments: [("de", 16.5), ("en", 16.5), ("fr", -16.5), ("es", -16.5), ("pt", -16.5)])
    func letters(language: String, longitude: Double) throws {
        try check([("48,25 N 16,5 O", [longitude, 48.25, "turned"])], language: language)
        try check(
            [
                ("48,25° Nord 16,5° Ost", [16.5, 48.25]), ("48,25° nord, 16,5° ouest", [-16.5, 48.25]),
                ("48,25° norte 16,5° oeste", [-16.5, 48.25]), ("48,25° sur 16,5° este", [16.5, -48.25]),
            ], language: language)
    }
}
