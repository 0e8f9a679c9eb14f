import Foundation
import TestSupport
import Testing

/// Everything that can be wrong ends with its status and one clear line.
struct ExitStatusTests {
    /// A command line, and how it ends.
    struct Case: CustomTestStringConvertible {
        /// As a user would type it: words with blanks between them, blanks inside a word as `~`.
        var command: String
        var status: Int32
        /// What the error says, or a part of it.
        var says: String
        var testDescription: String { command }

        init(_ status: Int32, _ command: String, _ says: String) {
            (self.status, self.command, self.says) = (status, command, says)
        }
    }

    // Each way to be wrong once; what is wrong in the same way follows as `more`. `AT` stands for a
    // position.

    static let commandLines = [
        Case(64, "", "neither a command nor an image"),
        Case(64, "plan.png AT", "'--output <OUTPUT>'"),
        Case(64, "plan.png AT -o out --bogus", "unknown option '--bogus'"),
        Case(64, "plan.png plan.png AT -o out", "--bounds is for one image"),
        Case(64, "fit plan.png plan.png AT", "unexpected argument 'plan.png'"),
        Case(66, "@missing AT -o out", "cannot read the list 'missing'"),
        Case(64, "plan.png AT -o x.mbtiles --url https://a.b", "--url does not apply to MBTiles"),
        Case(64, "plan.png AT -o x.pmtiles --scheme tms", "--scheme tms does not apply"),
        Case(64, "plan.png AT -o x.pmtiles --format auto", "auto"),
        Case(64, "plan.png AT -o out -q -v", "--quiet and --verbose"),
        Case(64, "plan.png AT -o out -j 0", "--jobs 0"),
        Case(64, "plan.png AT -o out --memory lots", "'lots'"),
        Case(64, "plan.png AT -o out --max-tiles 1", "--max-tiles allows 1"),
        Case(64, "plan.png AT -o out --max-pixels 100", "the image has 60000 pixels"),
        Case(64, "plan.png AT -o out --zoom 25-20", "ends before it begins"),
        Case(64, "plan.png AT -o out --zoom 0", "smaller than a pixel at zoom 0"),
        Case(64, "plan.png AT -o out --zoom 0-30", "tiles, but --max-pixels allows 20G"),
        Case(64, "plan.png AT -o out --quality 80", "--quality does not apply to PNG"),
        Case(64, "plan.png AT -o out --format jpeg --quality 0", "--quality 0"),
        Case(64, "plan.png AT -o out --format webp --lossless --quality 9", "with --lossless"),
        Case(64, "plan.png AT -o out --lossless", "--lossless does not apply to PNG"),
        Case(64, "plan.png AT -o out --palette 1", "--palette 1 is not between 2 and 256"),
        Case(64, "plan.png AT -o out --palette 9 --format jpeg", "--palette applies only to PNG"),
        Case(64, "plan.png AT -o out --format gif", "the value 'gif' is invalid for '--format"),
        Case(64, "plan.png AT -o out --tile-size 300", "the value '300' is invalid"),
        Case(64, "plan.png AT -o out --tile-size big", "the value 'big' is invalid"),
        Case(64, "plan.png plan.png --crop 0,0,9,9 -o out", "--crop is for one image"),
        Case(64, "plan.png AT -o out --background red", "'red' is not a colour"),
        Case(64, "plan.png AT -o out --nodata 1,2", "is not R,G,B or R,G,B,TOLERANCE"),
        Case(64, "plan.png AT -o out --crop 0,0,301,200", "the crop extends beyond the image"),
        Case(64, "plan.png AT -o out --crop -1,0,9,9", "is not a window of whole pixels"),
        Case(64, "plan.png AT -o out --template ../{z}/{x}/{y}.png", "the name '..' in its path"),
        Case(64, "plan.png AT -o out --template {z}/{x}.png", "has no {y}"),
        Case(64, "plan.png AT -o out --floor ../1", "the floor '../1'"),
        Case(64, "plan.png AT -o out --max-residual 1", "--max-residual does not apply"),
        Case(64, "fit plan.png AT", "there is nothing to fit"),
    ]

    static let moreCommandLines = [
        Case(64, "plan.png AT -o x.MBTiles --scheme tms", "--scheme tms does not apply"),
        Case(64, "plan.png AT -o x.mbtiles --template {z}-{x}-{y}.png", "not apply to MBTiles"),
        Case(64, "plan.png AT -o x.PMTiles --url https://a.b", "--url does not apply to PMTiles"),
        Case(64, "plan.png AT -o x.pmtiles --template {z}-{x}-{y}.png", "not apply to PMTiles"),
        Case(64, "plan.png AT -o out -j -2", "--jobs -2"),
        Case(64, "plan.png AT -o out --zoom 31", "is not within 0-30"),
        Case(64, "plan.png AT -o out --zoom -", "is not a zoom range"),
        Case(
            64, "plan.png --bounds 2,48,2.00000001,48.00000001 -o out --zoom 0-3",
            "smaller than a pixel at zoom 3"),
        Case(64, "plan.png AT -o out --format jpeg --quality -1", "--quality -1"),
        Case(64, "plan.png AT -o out --format jpeg --png-level fast", "--png-level does not apply"),
        Case(64, "plan.png AT -o out --format webp --png-level fast", "does not apply to WebP"),
        Case(64, "plan.png AT -o out --format webp --quality 101", "--quality 101"),
        Case(64, "plan.png AT -o out --format jpeg --lossless", "--lossless does not apply"),
        Case(64, "plan.png AT -o out --format auto --lossless", "--lossless does not apply"),
        Case(
            64, "plan.png AT -o out --format auto --background #ffffff",
            "auto would make only JPEG: use --format jpeg"),
        Case(64, "plan.png AT -o out --palette 257", "--palette 257 is not between 2 and 256"),
        Case(64, "plan.png AT -o out --palette -4", "--palette -4 is not between 2 and 256"),
        Case(64, "plan.png AT -o out --palette 9 --format webp", "--palette applies only to PNG"),
        Case(64, "plan.png AT -o out --palette 9 --format auto", "--palette applies only to PNG"),
        Case(64, "plan.png AT -o out --resampling best", "the value 'best' is invalid"),
        Case(64, "plan.png AT -o out --nodata 1,,2,3", "is not R,G,B or R,G,B,TOLERANCE"),
        Case(64, "plan.png AT -o out --paper 1,2", "the colour of the paper '1,2' is not R,G,B"),
        Case(64, "plan.png AT -o out --paper 1,2,3,-1", "is not R,G,B or R,G,B,TOLERANCE"),
        Case(64, "plan.png AT -o out --nodata 1,2,256", "is not R,G,B or R,G,B,TOLERANCE"),
        Case(64, "plan.png AT -o out --crop 0,0,0,9", "is not a window of whole pixels"),
        Case(64, "plan.png AT -o out --template {floor}/{z}/{x}/{y}.png", "no floor is given"),
        Case(64, "plan.png AT -o out --template /{z}/{x}/{y}.png", "is absolute"),
        Case(64, "plan.png AT -o out --transform affine", "--transform does not apply"),
        Case(64, "info plan.png AT --tile-size 7", "the value '7' is invalid"),
    ]

    static let positions = [
        Case(64, "plan.png AT --corners 2,48~3,48~3,47 -o out", "--bounds and --corners both give"),
        Case(64, "plan.png --bounds 2,49,2.1,48 -o out", "south is not below north"),
        Case(64, "plan.png --bounds 2,48,nan,49 -o out", "is not W,S,E,N"),
        Case(65, "plan.png --bounds 0,86,10,89 -o out", "nowhere on the map"),
        Case(64, "plan.png AT --crs EPSG:99999 -o out", "'EPSG:99999'"),
        Case(64, "plan.png AT --bearing 3 -o out", "--bearing needs --anchor"),
        Case(64, "plan.png --anchor 0,0,2,48 --scale 0 -o out", "'0' is not a scale"),
        Case(64, "plan.png --corners 2,48~3,48 -o out", "2 corners are given"),
        Case(64, "plan.png --corners 2,48~3,48~3,49~2,49 -o out", "anticlockwise"),
        Case(65, "plan.png --gcp 0,0,2,48 -o out", "the similarity fit needs 2"),
        Case(
            65, "plan.png --gcp 0,0,2,48 --gcp 0,0,2.1,48 -o out",
            "two control points have the same pixel"),
        Case(
            1,
            "plan.png --gcp 0,0,2,48 --gcp 300,0,2.003,48 --gcp 0,200,2,47.998 "
                + "--gcp 300,200,2.004,47.998 --max-residual 2 -o out",
            "--max-residual allows 2.00 m"),
        Case(65, "plan.png -o out", "it has no position"),
        Case(66, "plan.png --world-file none.pgw --crs EPSG:3857 -o out", "cannot read 'none.pgw'"),
        Case(65, "plan.png --world-file five.pgw --crs EPSG:3857 -o out", "5 values"),
        Case(65, "plan.png --world-file good.pgw -o out", "coordinate reference system"),
    ]

    static let morePositions = [
        Case(64, "plan.png --bounds 2,48,2,49 -o out", "west is not left of east"),
        Case(64, "plan.png --bounds 48,2,48.1,102 -o out", "are not latitudes"),
        Case(64, "plan.png --bounds 2,48,inf,49 -o out", "is not W,S,E,N"),
        Case(64, "plan.png --bounds 2,48,3 -o out", "is not W,S,E,N"),
        Case(64, "plan.png --bounds 2,48,,49 -o out", "is not W,S,E,N"),
        Case(64, "plan.png AT --crs nonsense -o out", "'nonsense'"),
        Case(64, "plan.png --bearing -3 -o out", "--bearing needs --anchor"),
        Case(64, "plan.png --scale 1 -o out", "--scale needs --anchor"),
        Case(64, "plan.png --anchor 0,0,2,48 -o out", "--anchor needs the plan's scale"),
        Case(64, "plan.png --anchor 0,0,2,48 --scale -1 -o out", "'-1' is not a scale"),
        Case(64, "plan.png --anchor 0,0,2,98 --scale 1 -o out", "not a place on the Earth"),
        Case(64, "plan.png --corners 2,48~2,48~2,48 -o out", "on a line or on each other"),
        Case(
            65, "plan.png --gcp 0,0,2,48 --gcp 9,0,2,48 -o out",
            "two control points have the same place"),
        Case(
            65, "plan.png --gcp 0,0,2,48 --gcp 9,9,2.1,47.9 --gcp 18,18,2.2,47.8 -o out",
            "lie on one line"),
        Case(66, "plan.png --gcps none.points -o out", "cannot read 'none.points'"),
        Case(65, "plan.png --world-file zeros.pgw --crs EPSG:3857 -o out", "into a line"),
        Case(
            65, "plan.png --world-file text.pgw --crs EPSG:3857 -o out", "'north' is not a number"),
    ]

    static let images = [
        Case(66, "none.png AT -o out", "cannot read 'none.png': no such file"),
        Case(66, "no\nne.png AT -o out", "cannot read 'no\\nne.png': no such file"),
        Case(66, "\u{1B}[2J.png AT -o out", "cannot read '\\u{1B}[2J.png': no such file"),
        Case(66, ". AT -o out", "it is a folder"),
        Case(66, "/dev/null AT -o out", "it is not a regular file"),
        Case(65, "empty.png AT -o out", "the file is empty"),
        Case(65, "@empty.png AT -o out", "the list 'empty.png' contains no names"),
        Case(65, "words.png AT -o out", "not an image of a known type"),
        Case(65, "plan.gif AT -o out", "it is a GIF"),
        Case(65, "plan.tif AT -o out", "cannot read 'plan.tif': the file ends too early"),
        Case(65, "plan.heic AT -o out", "it has no description of images"),
        Case(66, "plan.dwg AT -o out", "cannot read 'plan.dwg': "),
        Case(65, "cut.jpg AT -o out", "cannot read 'cut.jpg'"),
        Case(65, "clear.png AT -o out", "every pixel is transparent"),
        Case(73, "plan.png AT -o file", "'file'"),
        Case(73, "plan.png AT -o file/deeper", "'file/deeper'"),
        Case(73, "plan.png AT -o foreign", "it contains files that tilewright did not make"),
    ]

    private static let heads: [String: [UInt8]] = [
        "empty.png": [], "words.png": Array("hello, world".utf8), "file": [1],
        "plan.gif": Array("GIF89a".utf8), "plan.dwg": Array("AC1032\0\0".utf8),
        "plan.svg": Array("<?xml version=\"1.0\"?><svg width=\"9\"/>".utf8),
        "plan.tif": [0x49, 0x49, 42, 0, 8, 0, 0, 0],
        "plan.heic": [0, 0, 0, 24] + Array("ftypheic".utf8) + [0, 0, 0, 0],
        "five.pgw": Array("1\n0\n0\n-1\n2\n".utf8), "zeros.pgw": Array("0\n0\n0\n0\n0\n0\n".utf8),
        "text.pgw": Array("north\n0\n0\n-1\n2\n3\n".utf8),
        "good.pgw": Array("1\n0\n0\n-1\n200000\n6000000\n".utf8),
    ]

    /// Tables that share a directory, for none of their command lines changes it.
    struct Table: CustomTestStringConvertible {
        var testDescription: String
        var cases: [Case]
    }

    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        for (name, bytes) in Self.heads { try workshop.write(bytes, to: name) }
        try Picture(width: 60, height: 40).write(to: workshop.path("clear.png"))
        let jpeg = try JPEGFile(.noise(width: 64, height: 64)).bytes
        try workshop.write(jpeg.prefix(jpeg.count / 2), to: "cut.jpg")
        try FileManager.default.createDirectory(
            at: workshop.file("foreign"), withIntermediateDirectories: false)
        try workshop.write([1], to: "foreign/letter.txt")
        return workshop
    }

    @Test(
        "Each error has its status, and one line that names it", .long,
        arguments: [
            Table(testDescription: "command lines", cases: commandLines),
            Table(testDescription: "positions", cases: positions),
            Table(testDescription: "images", cases: images),
        ])
    func errorIsOneLine(of table: Table) throws { try check(table) }

    @Test(
        "Each similar error has its status, too", .long,
        arguments: [
            Table(testDescription: "command lines", cases: moreCommandLines),
            Table(testDescription: "positions", cases: morePositions),
        ])
    func similarErrorIsOneLine(of table: Table) throws { try check(table) }

    private func check(_ table: Table) throws {
        let workshop = try workshop()
        let before = try Snapshot(of: workshop.url)
        for test in table.cases {
            let words = test.command.split(separator: " ").flatMap { word -> [String] in
                word == "AT"
                    ? ["--bounds", Workshop.bounds] : [String(word).replacing("~", with: " ")]
            }
            let outcome = try workshop.run(words)
            let (command, errors) = (Comment(rawValue: test.command), outcome.errors)
            #expect(outcome.status == test.status, command)
            #expect(outcome.output.isEmpty, command)
            let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
            // The last line is what follows the last line feed: nothing.
            #expect((2...3).contains(lines.count) && lines.last == "", "\(command): \(errors)")
            #expect(
                lines[0].hasPrefix("error: ") && lines[0].contains(test.says),
                "\(command): \(errors)")
            #expect(lines.count < 3 || lines[1].hasPrefix("       "), "\(command): \(errors)")
            #expect(try Snapshot(of: workshop.url) == before, command)
            #expect(!workshop.has("out"), command)
        }
    }

    @Test("Pixels that are rendered only to be halved count, too")
    func finestPixelsCount() throws {
        let workshop = try Workshop(Picture(width: 1_000_000, height: 1))
        let outcome = try workshop.run([
            "plan.png", "--anchor", "500000,0,2,48", "--scale", "0.1", "--bearing", "20", "--zoom",
            "10", "-o", "out",
        ])
        #expect(outcome.status == 64)
        let form = /error: zoom 10 is made from zoom (\d+), .* ([\d.]+)G pixels, but --max-pixels allows 20G/
        let match = try #require(outcome.errors.firstMatch(of: form))
        let (zoom, pixels) = try (#require(Int(match.1)), #require(Double(match.2)))
        // 100 km on the ground, along a line that runs 20 degrees south of east.
        let length = 100_000 / cos(48 * .pi / 180) / World.cellSize(zoom: zoom)
        let box = length * cos(20 * .pi / 180) * length * sin(20 * .pi / 180)
        #expect(abs(pixels * 1e9 / box - 1) < 0.02)
    }

    @Test("Help and version are results")
    func helpIsAResult() throws {
        for arguments in [["--help"], ["build", "--help"], ["help", "fit"], ["--version"]] {
            let outcome = try Program.run(arguments)
            #expect(outcome.status == 0 && outcome.errors.isEmpty && !outcome.output.isEmpty)
        }
    }

    @Test("An unknown instruction set is an error that names the known ones")
    func unknownKernelsAreRefused() throws {
        let workshop = try workshop()
        let outcome = try Program.run(
            ["info", "plan.png", "--bounds", Workshop.bounds],
            environment: ["TILEWRIGHT_SIMD=avx9"], in: workshop.url)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("'avx9' (TILEWRIGHT_SIMD)"))
        #expect(outcome.errors.contains("portable"))
    }

    @Test("The error of an unreadable file has a remedy")
    func wayOutIsNamed() throws {
        let workshop = try workshop()
        let errors = try workshop.run(["plan.gif", "--bounds", Workshop.bounds, "-o", "out"]).errors
        #expect(errors.contains("convert it first: convert plan.gif plan.png"))
    }
}
