// The options of GDAL's two programs. A row is an option as their help lists it; the values below a row have an
// equivalent of their own.

extension OptionAliases {
    static let gdal2tiles = OtherProgram(
        name: "gdal2tiles.py", versions: "GDAL 3.6 to 3.13",
        options: [
            OptionAlias("--version", is: .same),
            OptionAlias("-h", "--help", is: .same),
            OptionAlias(
                "--legacy",
                is: .unneeded("there is only one way to make tiles")),
            OptionAlias(
                "-p", "--profile", is: .missing(onlyMercator),
                values: [
                    .init(names: ["mercator"], equivalent: .unneeded("tiles are always in Web Mercator")),
                    .init(names: ["raster"], equivalent: .missing(noPosition)),
                ]),
            OptionAlias(
                "-r", "--resampling", is: .option("--resampling KERNEL"),
                values: kernels(
                    of: "--resampling",
                    [
                        .init(names: ["antialias"], equivalent: .option("--resampling lanczos"))
                    ])),
            OptionAlias("-s", "--s_srs", is: .option("--crs EPSG:CODE")),
            OptionAlias("-z", "--zoom", is: .same),
            OptionAlias("-e", "--resume", is: .unneeded(resumes)),
            OptionAlias("-a", "--srcnodata", is: .option("--nodata R,G,B")),
            OptionAlias(
                "-d", "--tmscompatible", is: .missing("it belongs to geodetic tiles; " + onlyMercator)),
            OptionAlias(
                "--xyz", is: .unneeded("rows count from the north unless --scheme tms is given")),
            OptionAlias("-v", "--verbose", is: .same),
            OptionAlias("-x", "--exclude", is: .unneeded(skipsEmpty)),
            OptionAlias("-q", "--quiet", is: .same),
            OptionAlias("--processes", is: .option("--jobs N; all cores are used without it")),
            OptionAlias(
                "--mpi", is: .command("'tilewright split', which divides a build for many machines")),
            OptionAlias("--tilesize", is: .option("--tile-size 256 or 512"), values: otherSizes),
            OptionAlias("--tiledriver", is: .option("--format png, jpeg or webp")),
        ] + transparency + [
            OptionAlias("-k", "--force-kml", is: .option("--doc-kml superoverlay")),
            OptionAlias("-n", "--no-kml", is: .unneeded("KML is written only with --doc-kml")),
            OptionAlias(
                "-u", "--url",
                is: .option("--url URL, the address of OUTPUT; gdal2tiles adds OUTPUT's name to it")),
            webViewer(["-w", "--webviewer"], [.init(names: ["google"], equivalent: .command(googlePage))]),
            OptionAlias("-t", "--title", is: .option("--name TEXT")),
            OptionAlias("-c", "--copyright", is: .option("--attribution TEXT")),
            OptionAlias("-g", "--googlekey", is: .command(googlePage + "; the key goes into the page")),
            OptionAlias("-b", "--bingkey", is: .unneeded("no page uses maps of Bing")),
            mapML,
            OptionAlias("--webp-quality", is: .option("--quality N, 1 to 100")),
            OptionAlias("--webp-lossless", is: .option("--lossless")),
            OptionAlias("--jpeg-quality", is: .option("--quality N, 1 to 100")),
        ])

    static let gdalRasterTile = OtherProgram(
        name: "gdal raster tile", versions: "GDAL 3.11 and 3.12",
        options: [
            OptionAlias("-h", "--help", is: .same),
            OptionAlias("--json-usage", is: .command("'tilewright build --help', which lists the options")),
            OptionAlias(
                "--config",
                is: .option("--memory SIZE or --jobs N, for GDAL_CACHEMAX or GDAL_NUM_THREADS")),
            OptionAlias("-q", "--quiet", is: .same),
            OptionAlias("-i", "--input", "--dataset", is: .option("the image's name without an option")),
            OptionAlias("-o", "--output", is: .same),
            OptionAlias(
                "--if", "--input-format", is: .unneeded("the type of a file is recognised by its content")),
            OptionAlias(
                "--oo", "--open-option",
                is: .option("--page, --layers, --dpi or --bands to choose what is read")),
            OptionAlias(
                "-f", "--of", "--format", "--output-format", is: .option("--format png, jpeg or webp")),
            OptionAlias(
                "--co", "--creation-option", is: .option("--quality N, --lossless or --png-level LEVEL")),
            OptionAlias(
                "--tiling-scheme", is: .missing(onlyMercator),
                values: [
                    .init(
                        names: ["WebMercatorQuad", "GoogleMapsCompatible", "mercator"],
                        equivalent: .unneeded("tiles are always in Web Mercator")),
                    .init(names: ["raster"], equivalent: .missing(noPosition)),
                ]),
            OptionAlias("--min-zoom", "--max-zoom", is: .option(zooms)),
            OptionAlias(
                "--min-x", "--max-x", "--min-y", "--max-y",
                is: .option("--crop or --cutline to cut the image; 'tilewright tile' makes one tile")),
            OptionAlias(
                "--no-intersection-ok", is: .missing("an image outside the map is an error, status 65")),
            OptionAlias(
                "-r", "--resampling", is: .option("--resampling KERNEL"),
                values: kernels(of: "--resampling", [rms(of: "--resampling")])),
            OptionAlias(
                "--overview-resampling", is: .option("--overview-resampling KERNEL"),
                values: kernels(of: "--overview-resampling", [rms(of: "--overview-resampling")])),
            OptionAlias(
                "--convention", is: .option("--scheme xyz or tms; xyz is the default here, too"),
                values: [
                    .init(names: ["xyz"], equivalent: .unneeded("--scheme xyz is the default")),
                    .init(names: ["tms"], equivalent: .option("--scheme tms")),
                ]),
            OptionAlias(
                "--tile-size", is: .option("--tile-size 256 or 512"), values: otherSizes),
            OptionAlias(
                "--add-alpha",
                is: .unneeded("PNG and WebP tiles have alpha wherever the image does not cover them")),
            OptionAlias("--no-alpha", is: .option("--background '#rrggbb'")),
            OptionAlias("--dst-nodata", is: .option("--background '#rrggbb'")),
            OptionAlias("--skip-blank", is: .unneeded(skipsEmpty)),
            OptionAlias(
                "--metadata", "--copy-src-metadata",
                is: .option("--name or --description for the tileset; tiles hold only pixels")),
            OptionAlias("--aux-xml", is: .unneeded("tilejson.json and metadata.json describe the tiles")),
            OptionAlias(
                "--kml", is: .option("--doc-kml superoverlay; --kml FILE places the image by that file")),
            OptionAlias("--resume", is: .unneeded(resumes)),
            OptionAlias("--progress", is: .option("--progress bar; on a terminal, it is the default")),
            OptionAlias(
                "-j", "--num-threads", is: .option("--jobs N; all cores are used without it"),
                values: [.init(names: ["ALL_CPUS"], equivalent: .unneeded("all cores are the default"))]),
            OptionAlias("--parallel-method", is: .unneeded("one process uses all cores")),
        ] + transparency + [
            webViewer(
                ["--webviewer"],
                [.init(names: ["stac"], equivalent: .missing("tilejson.json describes the tiles"))]),
            OptionAlias("--url", is: .same),
            OptionAlias("--title", is: .option("--name TEXT")),
            OptionAlias("--copyright", is: .option("--attribution TEXT")),
            mapML,
        ])

    // What both programs have.

    /// How pixels without colours are weighed.
    private static let transparency = [
        OptionAlias("--excluded-values", is: .option("--nodata R,G,B")),
        OptionAlias(
            "--excluded-values-pct-threshold", "--nodata-values-pct-threshold",
            is: .missing("transparent pixels count by their area, so edges are partly transparent")),
    ]

    private static func webViewer(_ names: [String], _ others: [OptionAlias.Value]) -> OptionAlias {
        OptionAlias(
            names, is: .command("'tilewright viewer OUTPUT' after the build"),
            values: [
                .init(names: ["none"], equivalent: .unneeded("only 'tilewright viewer' writes pages")),
                .init(
                    names: ["openlayers"],
                    equivalent: .command(
                        "'tilewright snippet OUTPUT --for openlayers --page' after the build")),
                .init(names: ["mapml"], equivalent: .missing(noMapML)),
            ] + others)
    }

    private static let mapML = OptionAlias("--mapml-template", is: .missing(noMapML))

    private static let noMapML =
        "browsers do not show MapML; 'tilewright viewer' writes a page that they show"
    private static let googlePage = "'tilewright snippet OUTPUT --for google-js --page' after the build"
    private static let resumes = "the same command resumes a stopped run"
    static let skipsEmpty = "fully transparent tiles are skipped unless --empty write is given"
    private static let onlyMercator = "tiles are always in Web Mercator, which all map clients show"
    private static let noPosition =
        "every image needs a position; if it has none, choose one, such as --anchor 0,0,0,0 --scale 0.1"

    /// GDAL's kernels that tilewright does not have by that name.
    ///
    /// - Parameter others: those that only one of GDAL's programs has.
    private static func kernels(of option: String, _ others: [OptionAlias.Value]) -> [OptionAlias.Value] {
        [
            .init(names: ["average"], equivalent: .option("\(option) area")),
            .init(names: ["near"], equivalent: .option("\(option) nearest")),
            .init(
                names: ["cubicspline"],
                equivalent: .missing("the nearest is \(option) bilinear, as soft and without rings")),
            .init(
                names: ["min", "max", "med", "q1", "q3"],
                equivalent: .missing(
                    "the nearest is \(option) area, the average, or mode if colours are codes")),
        ] + others
    }

    private static func rms(of option: String) -> OptionAlias.Value {
        .init(names: ["rms", "sum"], equivalent: .missing("the nearest is \(option) area, the average"))
    }
}
