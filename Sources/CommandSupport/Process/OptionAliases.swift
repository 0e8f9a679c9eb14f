/// Options of other programs that make tiles, and what does the same here.
enum OptionAliases {
    /// What to write in the place of an option; nil if nobody has it, or the command does not have that either.
    static func advice(on option: String, forCommandWith options: [String]) -> String? {
        guard let ours = advice[option] else { return nil }
        let named = ours.split { !($0.isLetter || $0 == "-") }.filter { $0.hasPrefix("--") }
        return named.allSatisfy { options.contains(String($0)) } ? "write \(ours)" : nil
    }

    /// gdal2tiles, gdal_translate, `gdal raster tile`, `vips dzsave`, tippecanoe, and web servers.
    private static let advice = [
        "--bbox": "--bounds W,S,E,N", "--extent": "--bounds W,S,E,N", "--a_ullr": "--bounds W,S,E,N",
        "--s_srs": "--crs EPSG:CODE", "--s-srs": "--crs EPSG:CODE", "--srs": "--crs EPSG:CODE",
        "--a_srs": "--crs EPSG:CODE", "--input-crs": "--crs EPSG:CODE", "--epsg": "--crs EPSG:CODE",
        "--min-zoom": "--zoom MIN-MAX", "--max-zoom": "--zoom MIN-MAX", "--minzoom": "--zoom MIN-MAX",
        "--maxzoom": "--zoom MIN-MAX", "--minimum-zoom": "--zoom MIN-MAX", "--maximum-zoom": "--zoom MIN-MAX",
        "--zooms": "--zoom MIN-MAX", "--processes": "--jobs N", "--threads": "--jobs N",
        "--parallel": "--jobs N", "--tiledriver": "--format png, jpeg or webp",
        "--tilesize": "--tile-size 256 or 512", "--tms": "--scheme tms",
        "--xyz": "nothing: rows count from the north unless --scheme tms is given",
        "--resume": "nothing: the same command again goes on where a stopped run ended",
        "--exclude": "nothing: wholly transparent tiles are left out unless --empty write is given",
        "--srcnodata": "--nodata COLOUR", "--dstnodata": "--background '#rrggbb'",
        "--overwrite": "--force, for an output that tilewright did not make; its own it updates",
        "--webviewer": "'tilewright viewer OUTPUT' when the tiles are built",
        "--suffix": "--format png, jpeg or webp",
        "--jpeg-quality": "--quality N", "--webp-quality": "--quality N", "--output-dir": "--output FOLDER",
        "--out": "--output OUTPUT", "--rotate": "--bearing DEGREES, with --anchor and --scale",
        "--rotation": "--bearing DEGREES, with --anchor and --scale", "--colors": "--palette N",
        "--port": "--listen 127.0.0.1:PORT", "--bind": "--listen HOST:PORT", "--host": "--listen HOST:PORT",
    ]
}
