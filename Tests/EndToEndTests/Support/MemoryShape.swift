import Testing

/// A build whose memory goes into something else than that of the others.
struct MemoryShape: Sendable, CustomTestStringConvertible {
    /// What takes the memory.
    var name: String
    var images: [PageImage]
    var options: [String]
    /// The CRS in which the only image gets a place of its own, as a tiled GeoTIFF; nil if options place it.
    var crs: String?
    /// The name of the output.
    var output = "out"

    var testDescription: String { name }

    private static let bounds = ["--bounds", "11,47,11.008,47.0027"]
    private static let plan = PageImage(name: "plan.png", kind: .plan, width: 6000, height: 3000)

    private static func photograph(
        _ width: Int, _ height: Int, _ keywords: String = "quality=90"
    ) -> PageImage {
        PageImage(name: "photo.jpg", kind: .photograph, width: width, height: height, keywords: keywords)
    }

    /// Sheets side by side, of which one is open at a time with some rows of the next.
    private static let sheets = (0..<2).map {
        PageImage(name: "sheet\($0).png", kind: .plan, width: 5000, height: 1200)
    }

    /// All of them.
    static let all = [
        MemoryShape(name: "rows and rings of a plan", images: [plan], options: bounds),
        MemoryShape(
            name: "units and encoders of four jobs", images: [photograph(8000, 1500)],
            options: ["--bounds", "11,47,11.0107,47.0014", "--format", "jpeg", "-j", "4"]),
        MemoryShape(
            name: "encoders that try hard, in an archive", images: [photograph(5000, 1000)],
            options: ["--bounds", "11,47,11.0067,47.0009", "--png-level", "small"], output: "out.pmtiles"),
        MemoryShape(
            name: "all rows of a turned plan", images: [plan],
            options: ["--anchor", "0,0,11,47", "--scale", "0.1", "--bearing", "23"]),
        MemoryShape(
            name: "rows of a tiled GeoTIFF in UTM", images: [photograph(4000, 2500)],
            options: ["--format", "jpeg"], crs: "EPSG:32632"),
        MemoryShape(
            name: "coefficients of a progressive JPEG",
            images: [photograph(5000, 2500, "quality=90, progressive=True")],
            options: bounds + ["--format", "jpeg"]),
        MemoryShape(
            name: "tiles of 512 pixels as WebP", images: [plan],
            options: bounds + ["--tile-size", "512", "--format", "webp", "-z", "16-18"]),
        MemoryShape(name: "colours of a palette", images: [plan], options: bounds + ["--palette", "64"]),
        MemoryShape(
            name: "rings and halos of lanczos", images: [photograph(8000, 1200)],
            options: [
                "--bounds", "11,47,11.0107,47.0011", "--resampling", "lanczos", "--overview-resampling",
                "lanczos",
            ]),
        MemoryShape(name: "two sheets", images: sheets, options: ["--crs", "EPSG:4326"]),
        MemoryShape(
            name: "a tall gray scan, one job",
            images: [PageImage(name: "scan.png", kind: .gray, width: 3000, height: 7000)],
            options: ["--bounds", "11,47,11.004,47.0063", "-j", "1"]),
        MemoryShape(
            name: "a wide strip in a database",
            images: [PageImage(name: "strip.png", kind: .plan, width: 16000, height: 700)],
            options: ["--bounds", "11,47,11.0213,47.0006"], output: "out.mbtiles"),
    ]
}
