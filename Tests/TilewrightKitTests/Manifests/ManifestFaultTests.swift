import Platform
import Foundation
import TestSupport
import Testing

@testable import TilewrightKit

/// Manifests with one fault each.
struct ManifestFaultTests {
    private let site: ManifestSite

    init() throws { site = try ManifestSite() }

    /// A manifest with a fault, and its expected message.
    struct Fault: Sendable {
        var text: String
        var kind: Failure.Kind = .usage
        /// Line and column, as `7:13`; nil for any.
        var place: String?
        /// Words in the message.
        var words = ""

        var excerpt: String { String(text.prefix(200)) }
    }

    /// A building of two floors, with a line added at the top or at the first floor, whose keys are in column
    /// 5. The added line is line 2 or line 6.
    private static func building(top: String = "", floor: String = "") -> String {
        """
        output: tiles
        \(top)
        floors:
          - floor: B1
            ordinal: -1
            \(floor)
            image: a.png
          - {floor: 1, image: b.png}

        """
    }

    /// Faults of every key, at every level where it is allowed.
    private static let ofKeys: [Fault] = ManifestKey.Level.allCases.flatMap { level in
        let names = ManifestKey.names(at: level).filter {
            !["output", "floors", "buildings", "floor", "image", "ordinal"].contains($0)
        }
        return level == .campus ? [] : names.flatMap { ofKey($0, at: level) }
    }

    private static func ofKey(_ name: String, at level: ManifestKey.Level) -> [Fault] {
        func fault(_ line: String, _ column: Int, _ words: String, _ kind: Failure.Kind = .usage) -> Fault {
            let indent = level == .floor ? 4 : 0
            return Fault(
                text: level == .floor ? building(floor: line) : building(top: line), kind: kind,
                place: "\(level == .floor ? 6 : 2):\(indent + column)", words: words)
        }
        let value = name.utf8.count + 3
        // Without a letter, the key is another one, or unknown.
        let typo = String(name.dropLast(2) + name.suffix(1))
        return [
            fault("\(name):", name.utf8.count + 2, "'\(name)' has no value"),
            fault("\(name): {a: b}", value, "'\(name)' takes one value, but this is a mapping"),
            fault("\(typo): 1", 1, "unknown key '\(typo)'"),
            fault("\(name): 1\n\(level == .floor ? "    " : "")\(name): 1", 1, "occurs twice", .badInput)
                .onNextLine,
        ]
    }

    /// Invalid values, by key.
    private static let values: [(String, String, String)] = [
        ("crop", "1,2,3", "is not COL,ROW,WIDTH,HEIGHT"), ("crop", "[1, 2, 0, 4]", "not a window"),
        ("nodata", "1,2", "is not R,G,B"), ("nodata", "[300, 0, 0]", "is not R,G,B"),
        ("paper", "white", "is not R,G,B"), ("bands", "0", "are not one to four band numbers"),
        ("bands", "[1, 2, 3, 4, 5]", "are not one to four band numbers"), ("rescale", "5,5", "is empty"),
        ("rescale", "5", "is not MIN,MAX"), ("keep-colors", "perhaps", "is not a value of 'keep-colors'"),
        ("keep-colors", "yes", "is not a value of"), ("max-residual", "-1", "must be a distance in metres"),
        ("max-residual", "far", "needs a number"), ("bounds", "1,2,3", "is not W,S,E,N"),
        ("bounds", "[1, 2, 3, x]", "is not W,S,E,N"), ("corners", "1,2 3", "is not LON,LAT"),
        ("gcp", "1,2,3", "is not a control point"), ("gcp", "[]", "names no point"),
        ("gcp", "1,2,3,95", "is not a place on the Earth"), ("anchor", "1,2", "is not a control point"),
        ("transform", "afine", "did you mean 'affine'?"), ("transform", "spline", "is not a value of"),
        ("scale", "1:0", "is not a scale"), ("scale", "1:2:3", "is not a scale"),
        ("bearing", "north", "needs a number"), ("bearing", "inf", "needs a number"),
        ("dpi", "many", "needs a number"), ("orient", "up", "is not a value of 'orient'"),
        ("zoom", "22-17", "ends before it begins"), ("zoom", "17-31", "is not within 0-30"),
        ("zoom", "high", "is not a zoom range"), ("zoom", "[17, 22]", "takes one value, but this is a list"),
        ("tile-size", "1024", "is not a value of"), ("format", "jpg", "did you mean 'jpeg'?"),
        ("format", "gif", "is not a value of"), ("quality", "best", "needs a whole number"),
        ("quality", "90", "--quality does not apply to PNG"), ("lossless", "1", "is not a value of"),
        ("lossless", "true", "--lossless does not apply to PNG"), ("png-level", "9", "is not a value of"),
        ("palette", "1", "--palette 1 is not between"), ("palette", "1.5", "needs a whole number"),
        ("background", "blue", "is not a colour"), ("resampling", "lanczos3", "did you mean 'lanczos'?"),
        ("overview-resampling", "best", "is not a value of"), ("empty", "keep", "is not a value of"),
        ("scheme", "wmts", "is not a value of"), ("template", "'{floor}/{z}/{x}.{ext}'", "has no {y}"),
        ("template", "'{floor}/{z}/{x}/{y'", "has an unmatched brace"),
        ("template", "/{floor}/{z}/{x}/{y}", "is absolute"), ("doc-kml", "both", "is not a value of"),
        ("dpi", "0", "--dpi 0 is not a resolution"),
        ("scale", "1:100", "--scale needs --anchor"),
        ("bearing", "17", "--bearing needs --anchor"),
        ("anchor", "1,2,3,4", "--anchor needs the plan's scale"),
    ]

    private static let ofValues: [Fault] = values.flatMap { key, value, words in
        [
            Fault(
                text: building(floor: "\(key): \(value)"), place: "6:\(key.utf8.count + 7)", words: words),
            Fault(text: building(top: "\(key): \(value)"), place: "2:\(key.utf8.count + 3)", words: words),
        ].map { key == "gcp" || key == "corners" ? $0.anywhere : $0 }
    }

    private static let ofFiles: [Fault] = ["gcps", "world-file", "kml", "cutline"].flatMap { key in
        [
            Fault(
                text: building(floor: "\(key): gone.x"), kind: .missingInput,
                place: "6:\(key.utf8.count + 7)", words: "there is no file '"),
            Fault(
                text: building(top: "\(key): no/such/gone.x"), kind: .missingInput,
                place: "2:\(key.utf8.count + 3)", words: "no/such/gone.x'"),
            Fault(
                text: building(floor: "\(key): ''"), place: "6:\(key.utf8.count + 7)",
                words: "needs the name of a file"),
        ]
    }

    private static let ofRuns: [Fault] = ManifestKey.ofTheRun.sorted().flatMap { name in
        [building(top: "\(name): 1"), building(floor: "\(name): 1")].map {
            Fault(text: $0, words: "'\(name)' says how to run, not what to build")
        }
    }

    /// Faults of the whole manifest.
    private static let ofBuildings: [Fault] = [
        Fault(text: "", kind: .badInput, place: "1:1", words: "there is no document"),
        Fault(text: "x", place: "1:1", words: "a manifest is a mapping of keys, but this is a string"),
        Fault(text: "- x", place: "1:1", words: "but this is a list"),
        Fault(text: "~", place: "1:1", words: "a manifest is a mapping"),
        Fault(text: "{}", place: "1:1", words: "there is no 'output'"),
        Fault(text: "output: t", place: "1:1", words: "there is neither 'floors' nor 'buildings'"),
        Fault(text: "output: t\nfloors:", place: "2:8", words: "not empty"),
        Fault(text: "output: t\nfloors: []", place: "2:9", words: "not empty"),
        Fault(text: "output: t\nfloors: {floor: 1, image: a.png}", place: "2:9", words: "not a mapping"),
        Fault(text: "output: t\nfloors: [1]", place: "2:10", words: "a floor is a mapping of keys"),
        Fault(text: "output: t\nfloors: [{image: a.png}]", place: "2:10", words: "has no 'floor'"),
        Fault(text: "output: t\nfloors: [{floor: 1}]", place: "2:10", words: "has no 'image'"),
        Fault(text: "output: t\nfloors: [{floor: 1, image: []}]", place: "2:28", words: "names no file"),
        Fault(
            text: "output: t\nfloors: [{floor: 1, image: gone.png}]", kind: .missingInput, place: "2:28",
            words: "gone.png'"),
        Fault(
            text: "output: t\nfloors: [{floor: 1, image: [a.png, a.png/x.png]}]", kind: .missingInput,
            place: "2:36"),
        Fault(text: "output: t\nfloors: [{floor: B1, image: a.png}]", place: "2:18", words: "has no ordinal"),
        Fault(
            text: "output: t\nfloors: [{floor: 1, ordinal: 1.5, image: a.png}]", place: "2:30",
            words: "needs a whole number"),
        Fault(
            text: "output: t\nfloors: [{floor: 99999999999999999999, image: a.png}]", place: "2:18",
            words: "has no ordinal"),
        Fault(text: "output: t\nfloors: [{floor: ., ordinal: 1, image: a.png}]", place: "2:18"),
        Fault(text: "output: t\nfloors: [{floor: '', ordinal: 1, image: a.png}]", place: "2:18"),
        Fault(text: "output: t\nfloors: [{floor: a/b, ordinal: 1, image: a.png}]", place: "2:18"),
        Fault(
            text: "output: t\nfloors:\n- {floor: 1, image: a.png}\n- {floor: 1, image: b.png}", place: "4:11",
            words: "the floor '1' is already defined on line 3"),
        Fault(
            text: "output: t\nfloors:\n- {floor: 1, image: a.png, default: true}\n"
                + "- {floor: 2, image: b.png, default: true}", place: "4:37",
            words: "the floor on line 3 is already the default"),
        Fault(
            text: "output: t\ntemplate: '{z}/{x}/{y}.png'\nfloors:\n- {floor: 1, image: a.png}\n"
                + "- {floor: 2, image: b.png}", place: "2:11", words: "the template has no {floor}"),
        Fault(
            text: "output: t\nfloors:\n- {floor: 1, image: [a.png, b.png], gcps: ground.points}",
            place: "3:43",
            words: "--gcps is for one image, but there are 2"),
        Fault(
            text: "output: t\nbounds: 1,2,3,4\nfloors:\n- {floor: 1, image: [a.png, b.png]}", place: "4:21",
            words: "--bounds is for one image"),
        Fault(
            text: "output: t\nfloors:\n- {floor: 1, image: a.png, gcps: ground.points, kml: a.kml}",
            place: "3:54", words: "--gcps and --kml both give the image's position"),
        Fault(
            text: "output: t\nquality: 90\nformat: jpeg\nfloors:\n- {floor: 1, image: a.png, format: png}",
            place: "5:36", words: "--quality does not apply to PNG"),
        Fault(
            text: "output: t.pmtiles\nfloors: [{floor: 1, image: a.png}]", place: "1:9",
            words: "an archive holds one floor"),
        Fault(
            text: "output: 't/{floor}'\nfloors: [{floor: 1, image: a.png}]", place: "1:9",
            words: "{floor} is only for the names of archives"),
        Fault(
            text: "output: '{floor}/{floor}.mbtiles'\nfloors: [{floor: 1, image: a.png}]", place: "1:9",
            words: "{floor} is only for the names"),
        Fault(text: "output: ''\nfloors: [{floor: 1, image: a.png}]", place: "1:9", words: "'output' needs"),
        Fault(text: "output:\nfloors: [{floor: 1, image: a.png}]", place: "1:8", words: "has no value"),
        Fault(
            text: "output: '{floor}.pmtiles'\nurl: https://a.b\nfloors: [{floor: 1, image: a.png}]",
            place: "2:6", words: "--url does not apply to PMTiles"),
        Fault(
            text: "output: '{floor}.pmtiles'\nfloors: [{floor: 1, image: a.png, format: auto}]", place: "3:1",
            words: "--format auto does not apply"
        ).anywhere,
        Fault(
            text: "output: '{floor}.mbtiles'\nfloors: [{floor: 1, image: a.png, scheme: tms}]", place: "2:43",
            words: "--scheme tms does not apply"),
        Fault(text: "output: t\nurl: tiles\nfloors: [{floor: 1, image: a.png}]", place: "2:6"),
        Fault(text: "floor: 1\noutput: t", place: "1:1", words: "'floor' does not belong at the top"),
        Fault(
            text: "output: t\nfloors: [{floor: 1, output: u, image: a.png}]", place: "2:21",
            words: "'output' does not belong at a floor"),
        Fault(text: "output: t\nzooom: 17\nfloors: []", place: "2:1", words: "did you mean 'zoom'?"),
        Fault(text: "output: t\ntileSize: 512\nfloors: []", place: "2:1", words: "did you mean 'tile-size'?"),
        Fault(text: "output: t\nfoo: 512\nfloors: []", place: "2:1", words: "unknown key 'foo'"),
        Fault(text: "output: t\n? \n: 1\nfloors: []", words: "unknown key ''"),
        Fault(
            text: "output: t\n\(String(repeating: "x", count: 900)): 512\nfloors: []", place: "2:1",
            words: "unknown key 'xxx"),
    ]

    /// Faults of several buildings.
    private static let ofCampuses: [Fault] = [
        Fault(text: "buildings: [a.yaml]", place: "1:1", words: "there is no 'output'"),
        Fault(text: "output: t\nbuildings: []", place: "2:12", words: "'buildings' must be a list"),
        Fault(text: "output: t\nbuildings: a.yaml", place: "2:12", words: "'buildings' must be a list"),
        Fault(text: "output: t\nbuildings: [[a]]", place: "2:13", words: "a building is a mapping"),
        Fault(
            text: "output: t\nbuildings: [gone.yaml]", kind: .missingInput, place: "2:13", words: "gone.yaml'"
        ),
        Fault(
            text: "output: t\nbuildings: [building.yaml]", place: "2:13", words: "lists buildings itself"),
        Fault(text: "output: t\nzoom: 3\nbuildings: []", place: "2:1", words: "'zoom' does not belong"),
        Fault(
            text: "output: t\nbuildings: []\nfloors: []", place: "2:1", words: "'buildings' does not belong"),
        Fault(text: "output: t.pmtiles\nbuildings: [a.yaml]", place: "1:9", words: "is a folder"),
        Fault(
            text: "output: t\nbuildings:\n- {output: a, floors: [{floor: 1, image: a.png}]}\n"
                + "- {output: ./a/, floors: [{floor: 1, image: a.png}]}", place: "4:3",
            words: "another building already has the folder"),
        Fault(
            text: "output: t\nbuildings: [{output: a, buildings: [x.yaml]}]", place: "2:25",
            words: "'buildings' does not belong"),
        Fault(
            text: "output: t\nbuildings: [a.png]", kind: .badInput, words: "a.png:1:1: there is no document"),
    ]

    /// Texts that are not YAML, or need many resources.
    private static let ofYAML: [Fault] = [
        Fault(text: "output: t\nfloors: [", kind: .badInput), Fault(text: "a: b: c", kind: .badInput),
        Fault(text: "\"", kind: .badInput, place: "1:2"), Fault(text: "\ta: 1", kind: .badInput),
        Fault(text: "output: !!binary x", kind: .badInput, place: "1:9"),
        Fault(text: "output: !t x", kind: .badInput, place: "1:9"),
        Fault(text: "output: *t", kind: .badInput, place: "1:9"),
        Fault(text: "output: &a [*a]", kind: .badInput, place: "1:13"),
        Fault(text: "<<: [x]", kind: .badInput, place: "1:6"),
        Fault(text: "output: \"\\0\"", kind: .badInput, place: "1:9"),
        Fault(text: "output: t\n---\noutput: u", kind: .badInput, place: "2:1"),
        Fault(text: "output: #t", place: "1:8", words: "has no value"),
        Fault(text: String(repeating: "[", count: 100_000), kind: .badInput, words: "levels deep"),
        Fault(text: String(repeating: "- ", count: 400_000), kind: .badInput, words: "levels deep"),
        Fault(text: String(repeating: "{a: ", count: 200_000), kind: .badInput, words: "levels deep"),
        Fault(text: String(repeating: "? ", count: 400_000), kind: .badInput, words: "levels deep"),
        Fault(text: String(repeating: "a", count: 1_000_000), words: "a manifest is a mapping"),
        Fault(text: "output: \(String(repeating: "a/", count: 500_000))", words: "neither 'floors'"),
        Fault(
            text: "zoom: \(String(repeating: "1", count: 1_000_000))\noutput: t", place: "1:7",
            words: "is not a zoom range"),
        Fault(
            text: "output: t\ngcp: [\(String(repeating: "[1,2,3,4],", count: 19_000))]\nfloors: [{floor: 1}]",
            place: "3:10", words: "has no 'image'"),
        Fault(
            text: "output: t\ngcp: [\(String(repeating: "\"1,2,3,4\",", count: 20_000))]\nkml: a.kml\n"
                + "quality: 80\nformat: jpeg\nfloors: [{floor: 1, image: a.png}]", place: "3:6",
            words: "both give the image's position"),
        Fault(
            text: "output: t\nfloors:\n" + String(repeating: "- {floor: 1, image: a.png}\n", count: 1001),
            place: "3:1", words: "there are 1001 floors"),
        Fault(
            text: "output: t\nfloors: [{floor: 1, image: [\(String(repeating: "a.png,", count: 20_000))],"
                + " crop: '1,2,3,4'}]", words: "--crop is for one image"),
        Fault(
            text: (0..<50_000).map { "k\($0): 1\n" }.joined(), kind: .badInput,
            words: "more than 100000 values"),
        Fault(
            text: (0..<40_000).map { "k\($0): 1\n" }.joined(), place: "1:1", words: "unknown key 'k0'"),
        Fault(
            text: "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
                + (0..<9).map { depth in
                    let from = depth == 0 ? "a" : "b\(depth - 1)"
                    return "b\(depth): &b\(depth) [" + String(repeating: "*\(from),", count: 10) + "]\n"
                }.joined(), kind: .badInput, words: "counting aliases"),
        Fault(
            text: "a: &a [x]\nb: [" + String(repeating: "*a,", count: 300_000) + "]", kind: .badInput,
            words: "counting aliases"),
        Fault(text: String(repeating: "# x\n", count: 300_000), kind: .badInput, words: "too large").anywhere,
    ]

    static let all = ofKeys + ofValues + ofFiles + ofRuns + ofBuildings + ofCampuses + ofYAML

    @Test("There are more than two hundred faults")
    func count() { #expect(Self.all.count > 400) }

    @Test("A fault is one line with file, line and column, within a second of CPU time", .long)
    func faults() throws {
        for fault in Self.all {
            let start = Self.processorSeconds
            let failure = try #require(try site.failure(of: Array(fault.text.utf8)), "\(fault.excerpt)")
            #expect(Self.processorSeconds - start < 1, "\(fault.excerpt)")
            check(failure, fault)
        }
    }

    /// The CPU time of this thread.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    @Test(
        "Bytes that are not UTF-8 are a fault with line and column",
        arguments: [
            [0xFF], [0xC3, 0x28], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80], [0xED, 0xA0, 0x80], [0x00], [0x1B],
        ])
    func encoding(bytes: [UInt8]) throws {
        let whole = Array("output: t\nname: x".utf8) + bytes + Array("\nfloors: []\n".utf8)
        let failure = try #require(try site.failure(of: whole))
        check(failure, Fault(text: "", kind: .badInput, words: "not plain text in UTF-8"))
    }

    @Test("A manifest that does not exist, or is a folder, is a missing input")
    func missing() throws {
        expectRefusal(.missingInput, "cannot read") { try Manifest(contentsOf: site.path("gone.yaml")) }
        expectRefusal(.missingInput, "cannot read") { try Manifest(contentsOf: site.path("plans")) }
    }

    @Test("A fault of a manifest that a campus names has that manifest's name")
    func named() throws {
        try site.write("output: t\nzoom: 99\nfloors: []", to: "east.yaml")
        expectRefusal(.usage, "\(site.path("east.yaml")):2:7: the zoom '99' is not within 0-30") {
            try site.campus("output: t\nbuildings: [east.yaml]")
        }
    }

    @Test("A manifest with any change is read, or refused with line and column", .long)
    func damaged() throws {
        let whole = Array(Self.building(top: "zoom: 3-7\ngcps: ground.points", floor: "name: &n 'x'").utf8)
        var random = SplitMix(seed: 11)
        for _ in 0..<(TestRun.isComplete ? 100_000 : 2000) {
            var bytes = whole
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2:
                    bytes.insert("{}[]&*!:-#'\"\n \t,?|>%@<".utf8.randomElement(using: &random)!, at: place)
                default: bytes.insert(contentsOf: bytes[place...].prefix(30), at: place)
                }
            }
            if let failure = try site.failure(of: bytes) {
                check(failure, Fault(text: "", kind: failure.kind))
                #expect([.usage, .badInput, .missingInput].contains(failure.kind))
            }
        }
    }

    private func check(_ failure: Failure, _ fault: Fault) {
        #expect(failure.kind == fault.kind, "\(failure)")
        #expect(failure.message.utf8.count < 600)
        for text in [failure.message, failure.remedy ?? ""] {
            #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "\(failure)")
        }
        let place = fault.place.map(NSRegularExpression.escapedPattern) ?? #"\d+:\d+"#
        let pattern = #"^[^\n]*/[a-z]+\.(yaml|png):"# + place + ": "
        let isLarge = fault.words == "too large"
        #expect(
            isLarge || failure.message.range(of: pattern, options: .regularExpression) != nil, "\(failure)")
        #expect(fault.words.isEmpty || failure.message.contains(fault.words), "\(failure)")
    }
}

extension ManifestFaultTests.Fault {
    /// The same fault, at any place.
    fileprivate var anywhere: Self {
        var fault = self
        fault.place = nil
        return fault
    }

    /// The same fault, one line further.
    fileprivate var onNextLine: Self {
        var fault = self
        fault.place = place?.replacing("6:", with: "7:").replacing("2:", with: "3:")
        return fault
    }
}
