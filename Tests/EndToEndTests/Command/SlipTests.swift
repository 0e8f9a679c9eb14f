import TestSupport
import Testing

/// Slips of the finger, and habits from other programs: what was meant is named.
struct SlipTests {
    /// A command line, and what is said to it.
    struct Slip: CustomTestStringConvertible {
        /// Words with blanks between them, blanks inside a word as `~`; `AT` stands for a position.
        var command: String
        var status: Int32
        /// Parts of what is said, in their order.
        var says: [String]
        var testDescription: String { command }

        init(_ command: String, _ status: Int32, _ says: String...) {
            (self.command, self.status, self.says) = (command, status, says)
        }
    }

    static let commands = [
        Slip("", 64, "neither a command nor an image is named", "tilewright plan.png -o tiles"),
        Slip("verfy tiles", 64, "unknown command 'verfy': did you mean 'verify'?", "lists the commands"),
        Slip("buid plan.png -o out", 64, "unknown command 'buid': did you mean 'build'?"),
        Slip("Info plan.png", 64, "unknown command 'Info': did you mean 'info'?"),
        Slip("verfy --help", 64, "did you mean 'verify'?"),
        Slip("help nonsense", 64, "unknown command 'nonsense'", "lists the commands"),
        Slip("help vrify", 64, "unknown command 'vrify': did you mean 'verify'?"),
        Slip("nonsense", 66, "'nonsense' is neither a command nor a file"),
        Slip("plan -o out", 66, "'plan' is neither a command nor a file", "did you mean 'plan.png'?"),
        Slip("convert a.mbtiles", 64, "'<OUT>'", "tilewright convert [<options>] <IN> <OUT>"),
        Slip("info", 64, "'<source> ...'", "tilewright info <source> ... [<options>]"),
        Slip("--vesion", 64, "unknown option '--vesion'", "did you mean '--version'?"),
        Slip("verify plan.png", 66, "it is a file, not a tileset", "a tileset is a folder"),
        Slip("viewer nowhere", 66, "no such folder", "a tileset is a folder"),
        Slip("tile nowhere 15,1,1", 64, "'15,1,1' is not the address of a tile", "18/134768/90166"),
        Slip("serve out --port 80", 64, "unknown option '--port'", "--listen 127.0.0.1:PORT"),
        Slip("snippet out --for leeflet", 64, "provide one of the following", "leaflet", "snippet --help"),
    ]

    static let sources = [
        Slip("plan.dwg", 66, "cannot read 'plan.dwg': ", "to a PDF, and build that"),
        Slip(
            "plan.eps AT -o out", 65, "a PostScript, EPS or Illustrator drawing",
            "ps2pdf -dEPSCrop plan.eps plan.pdf"),
        Slip("plan.png", 64, "missing '--output <OUTPUT>'", "name a folder"),
        Slip("plam.png AT -o out", 66, "no such file", "did you mean 'plan.png'?"),
        Slip("plan.png AT out", 66, "cannot read 'out'", "write -o before it"),
        Slip("plan.png AT -z 16 18 -o out", 66, "cannot read '18'", "-z 16-22"),
        Slip("plan.png -o out", 65, "it has no position", "--corners"),
    ]

    static let options = [
        Slip("plan.png AT -o x.zip", 64, "'x.zip', which ends like a ZIP archive", "name a folder"),
        Slip("plan.png AT -o x.gpkg", 64, "ends like a GeoPackage", ".pmtiles or .mbtiles"),
        Slip("plan.png AT -o x.tar.gz", 64, "ends like an archive"),
        Slip("plan.png AT -o X.PNG", 64, "ends like an image"),
        Slip("plan.png AT -o x.mbtile", 64, "a mistyped MBTiles file"),
        Slip("convert out x.zip", 64, "ends like a ZIP archive"),
        Slip("plan.png AT -o out --template {z}/{x}/{y}.jpg", 64, "the tiles are PNG", "--format jpeg"),
        Slip("plan.png AT -o out --template ${z}/${x}/${y}.png", 64, "a '$' before {z}", "write {z} alone"),
        Slip(
            "plan.png AT -o out --template {Z}/{X}/{Y}.png", 64, "placeholder '{Z}'", "write {z}; known are"),
        Slip(
            "plan.png AT -o out --format gif", 64, "the value 'gif' is invalid",
            "'png', 'jpeg', 'webp' or 'auto'"),
        Slip(
            "plan.png AT -o out --resampling bicubic", 64, "the value 'bicubic' is invalid", "cubic, ",
            "build --help"),
        Slip("plan.png AT -o out -z 18-16", 64, "ends before it begins", "16-22"),
        Slip("plan.png AT -o out -z 16..18", 64, "is not a zoom range", "16-22"),
        Slip("plan.png --bbox 2,48,3,49 -o out", 64, "unknown option '--bbox'", "--bounds W,S,E,N"),
        Slip("plan.png AT -o out --tilesize 512", 64, "unknown option '--tilesize'", "--tile-size"),
        Slip(
            "camera out --maxzoom 3", 64, "'--maxzoom' of 'tilewright camera'",
            "--min-zoom MIN and --max-zoom"),
        Slip("camera out --rotate 3", 64, "'--rotate' of 'tilewright camera'", "write --bearing DEGREES"),
        Slip("plan.png AT -o out --rotate 3", 64, "unknown option '--rotate'", "with --anchor and --scale"),
        Slip("plan.png --floor= AT -o out", 64, "the floor '' cannot", "use at most 128 bytes"),
        Slip(
            "plan.png --bounds= -o out", 64, "the value '' is invalid for '--bounds <W,S,E,N>'",
            "give 4 numbers"),
        Slip("plan.png --small= AT -o out", 64, "unknown option '--small'", "build --help"),
        Slip("plan.png AT -o", 64, "missing value for '-o <OUTPUT>'", "build --help"),
        Slip("plan.png AT -o out --outputs x", 64, "unknown option '--outputs'", "did you mean '--output'?"),
        Slip("plan.png AT -o out --jobs all", 64, "'all' is invalid for '--jobs <N>'", "build --help"),
        Slip("plan.png AT --crs 3857 -o out", 64, "its authority is missing", "EPSG:3857"),
        Slip("plan.png AT -format png -o out", 64, "unknown option '-format'", "did you mean '--format'?"),
        Slip("plan.png AT -oout", 64, "unknown option '-oout'", "-o out"),
        Slip("convert a -o k.pmtiles", 64, "unknown option '-o'", "tilewright convert"),
        Slip("plan.png AT -o -", 64, "standard output", "./-"),
        Slip("plan.png AT -o out/{z}/{x}/{y}", 64, "{z} belongs in the names", "--template"),
        Slip("plan.png AT -o note", 73, "'note': it is not a folder", ".pmtiles"),
        Slip("plan.png AT -o out --template {z}/{x}/{y}{r}.png", 64, "placeholder '{r}'", "known are"),
        Slip("plan.png AT .", 66, "'.': it is a folder", "write -o before it"),
        Slip(". AT -o out", 66, "'.': it is a folder", "./*.png"),
        Slip("plan.png --corners 1,2 3,4 -o out", 66, "cannot read '3,4'", "quote all corners together"),
        Slip(
            "plan.png --corners 2,1~48,2~2,2~48,2~2,2~48,1~2,1~48,1 -o out", 64, "8 corners are given",
            "with a dot"),
        Slip("--generate-completion-script tcsh", 64, "scripts for 'tcsh'", "zsh bash fish"),
        Slip("plan.png AT -o out -raverage", 64, "option '-raverage'", "write --resampling area"),
        Slip("plan.png AT -o out --profile", 64, "for gdal2tiles.py's: ", "for vips dzsave's: "),
        Slip("--kml plan.png -o out", 64, "missing expected argument", "write --doc-kml superoverlay"),
        Slip("convert out x.pmtiles --processes 4", 64, "unknown option '--processes'", "convert --help"),
    ]

    @Test(
        "Errors suggest the intended word, in one line and one that helps",
        arguments: (commands + sources + options).some(13))
    func namesWhatWasMeant(_ slip: Slip) throws {
        let workshop = try Workshop()
        try workshop.write(Array("AC1032\0\0".utf8), to: "plan.dwg")
        try workshop.write(Array("%!PS-Adobe-3.0 EPSF-3.0\n".utf8), to: "plan.eps")
        try workshop.write(Array("milk".utf8), to: "note")
        let before = try Snapshot(of: workshop.url)
        let words = slip.command.split(separator: " ").flatMap { word in
            word == "AT" ? ["--bounds", Workshop.bounds] : [String(word).replacing("~", with: " ")]
        }
        let outcome = try workshop.run(words)
        #expect(outcome.status == slip.status, "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 2, "\(outcome.errors)")
        var rest = outcome.errors[...]
        for part in slip.says {
            let range = try #require(rest.firstRange(of: part), "\(outcome.errors)")
            rest = rest[range.upperBound...]
        }
        #expect(try Snapshot(of: workshop.url) == before)
    }

    @Test(
        "Names of file types are understood as people write them", arguments: ["jpg", "JPEG", "PNG", "Webp"])
    func typesAreUnderstood(_ name: String) throws {
        let workshop = try Workshop()
        try workshop.build(["--format", name, "-z", "15"])
        let endings = ["jpg": ".jpg", "JPEG": ".jpg", "PNG": ".png", "Webp": ".webp"]
        let names = try Snapshot(of: workshop.file("out")).tiles.keys
        #expect(!names.isEmpty && names.allSatisfy { $0.hasSuffix(endings[name] ?? "?") })
    }

    @Test("A folder may be called like something else, if a slash says that it is one, or it is there")
    func foldersMayBeCalledSo() throws {
        let workshop = try Workshop()
        try workshop.build(["-z", "15"], to: "tiles.zip/")
        try workshop.build(["-z", "15"], to: "tiles.zip")
        #expect(workshop.has("tiles.zip/tilejson.json"))
    }

    @Test("A plan without a place for its tiles is the same plan")
    func dryRunNeedsNoOutput() throws {
        let workshop = try Workshop()
        let words = ["plan.png", "--bounds", Workshop.bounds, "--dry-run"]
        let without = try Program.succeed(words, in: workshop.url)
        let with = try Program.succeed(words + ["-o", "out"], in: workshop.url)
        #expect(without.output == with.output && without.output.contains("zoom"))
        #expect(!workshop.has("out"))
    }
}
