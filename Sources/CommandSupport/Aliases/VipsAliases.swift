extension OptionAliases {
    static let dzsave = OtherProgram(
        name: "vips dzsave", versions: "libvips 8.14 to 8.18",
        options: [
            OptionAlias(
                "--imagename", "--basename", is: .option("--output OUTPUT; --template names the tiles")),
            OptionAlias(
                "--layout",
                is: .option(
                    "--template '{z}/{y}/{x}.{ext}' for that of google, the only one that is made; --layout NAME is "
                        + "for CAD drawings")),
            OptionAlias(
                "--suffix", is: .option("--format png, jpeg or webp"),
                values: [
                    .init(
                        names: [".jpg", ".jpeg"],
                        equivalent: .option("--format jpeg, and --quality N for [Q=N]")),
                    .init(names: [".webp"], equivalent: .option("--format webp, and --quality N for [Q=N]")),
                    .init(names: [".png"], equivalent: .unneeded("--format png is the default")),
                ]),
            OptionAlias("--overlap", is: .unneeded("tiles of web maps do not overlap, and show no seams")),
            OptionAlias(
                "--tile-size", is: .option("--tile-size 256 or 512; 256 is the default"), values: otherSizes),
            OptionAlias("--centre", is: .unneeded("the image's position decides where it is in the tiles")),
            OptionAlias("--depth", is: .option(zooms)),
            OptionAlias(
                "--angle", is: .option("--corners or --bearing; the image's position turns it")),
            OptionAlias(
                "--container", is: .option("--output NAME.pmtiles or NAME.mbtiles for a single file"),
                values: [.init(names: ["fs"], equivalent: .option("--output FOLDER"))]),
            OptionAlias(
                "--compression", is: .unneeded("tiles are compressed; --png-level sets the effort")),
            OptionAlias(
                "--region-shrink", is: .option("--overview-resampling KERNEL"),
                values: [
                    .init(names: ["mean"], equivalent: .option("--overview-resampling area")),
                    .init(names: ["mode"], equivalent: .option("--overview-resampling mode")),
                    .init(names: ["nearest"], equivalent: .option("--overview-resampling nearest")),
                    .init(
                        names: ["median", "min", "max"],
                        equivalent: .missing("the nearest is --overview-resampling area, the average")),
                ]),
            OptionAlias(
                "--skip-blanks", is: .unneeded(skipsEmpty)),
            OptionAlias(
                "--keep", "--strip", "--no-strip",
                is: .unneeded("tiles hold only pixels, no metadata of the image")),
            OptionAlias("--id", is: .option("--url URL")),
            OptionAlias("--Q", is: .option("--quality N, with --format jpeg or webp")),
            OptionAlias("--background", is: .option("--background '#rrggbb'")),
            OptionAlias("--page-height", is: .option("--page N to choose the page of a document")),
            OptionAlias("--profile", is: .unneeded("colours are converted to sRGB, which clients assume")),
        ])

    /// Sizes of tiles that tilewright does not make.
    static let otherSizes: [OptionAlias.Value] = [
        .init(names: ["128", "254"], equivalent: .option("--tile-size 256, the smallest")),
        .init(names: ["1024", "2048", "4096"], equivalent: .option("--tile-size 512, the largest")),
    ]
}
