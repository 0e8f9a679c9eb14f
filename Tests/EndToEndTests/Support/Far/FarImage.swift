import Foundation
import TestSupport

/// An image with all that belongs to it, in a folder `site` that a server shows.
enum FarImage: String, CaseIterable {
    // Fetched whole.
    case worldFile, auxiliary, strips, kmz, points
    // Read by ranges.
    case tiled, tiledJPEG, cog, band, big, overviews, maskFile, mask, turned, utm, sixteen, noData

    /// The name of the file in the folder.
    var name: String {
        switch self {
        case .worldFile, .points: "plan.png"
        case .auxiliary: "plan.jpg"
        case .kmz: "plan.kmz"
        default: "plan.tif"
        }
    }

    /// Whether the program reads its parts when it needs them.
    var isReadByRanges: Bool {
        ![.worldFile, .auxiliary, .strips, .kmz, .points].contains(self)
    }

    /// More options of `gdal_translate` for the ones that it makes alone.
    private var translation: [String]? {
        switch self {
        case .auxiliary: ["-of", "JPEG", "-b", "1", "-b", "2", "-b", "3"]
        case .strips: ["-co", "COMPRESS=LZW"]
        case .tiled: Self.tiling + ["-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=2"]
        case .tiledJPEG:
            Self.tiling + [
                "-b", "1", "-b", "2", "-b", "3", "-co", "COMPRESS=JPEG", "-co", "PHOTOMETRIC=YCBCR",
            ]
        case .cog: ["-of", "COG", "-co", "BLOCKSIZE=128", "-co", "COMPRESS=DEFLATE"]
        case .band: Self.tiling + ["-co", "INTERLEAVE=BAND", "-co", "COMPRESS=DEFLATE"]
        case .big: Self.tiling + ["-co", "BIGTIFF=YES"]
        case .overviews: Self.tiling
        case .maskFile:
            Self.tiling + [
                "-b", "1", "-b", "2", "-b", "3", "-mask", "4", "--config", "GDAL_TIFF_INTERNAL_MASK", "NO",
            ]
        case .mask:
            Self.tiling + [
                "-b", "1", "-b", "2", "-b", "3", "-mask", "4", "--config", "GDAL_TIFF_INTERNAL_MASK", "YES",
            ]
        case .sixteen:
            Self.tiling + [
                "-b", "1", "-ot", "UInt16", "-scale", "0", "255", "300", "5100", "-co", "COMPRESS=LZW",
            ]
        case .noData: Self.tiling + ["-b", "1", "-b", "2", "-b", "3", "-a_nodata", "40"]
        case .worldFile, .kmz, .points, .turned, .utm: nil
        }
    }

    /// Blocks that are small enough for a small plan to have many.
    private static let tiling = ["-co", "TILED=YES", "-co", "BLOCKXSIZE=64", "-co", "BLOCKYSIZE=64"]
    private static let place = ["-q", "-a_srs", "EPSG:4326", "-a_ullr", "2", "48.002", "2.003", "48"]

    /// Makes the files in the folder `site` of a workshop, from its plan.
    func make(in workshop: Workshop) throws {
        try FileManager.default.createDirectory(at: workshop.file("site"), withIntermediateDirectories: true)
        let image = "site/\(name)"
        let degrees =
            "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
            + "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]"
        switch self {
        case .worldFile:
            try workshop.copyPlan(to: image)
            try workshop.write(
                Data("0.00001\n0\n0\n-0.00001\n2.000005\n48.001995\n".utf8), to: "site/plan.pgw")
            try workshop.write(Data(degrees.utf8), to: "site/plan.prj")
        case .points:
            try workshop.copyPlan(to: image)
            let rows = [SavedRows.header] + SavedRows.rows
            try workshop.write(Data((rows.joined(separator: "\n") + "\n").utf8), to: "site/plan.png.points")
        case .kmz: try workshop.write(Data(Self.kmz(of: workshop)), to: image)
        case .turned:
            // Turned by 20 degrees: only GDAL's own format says so on the command line of all its versions.
            let turned = """
                <VRTDataset rasterXSize="300" rasterYSize="200"><SRS>EPSG:4326</SRS>
                <GeoTransform>2, 0.0000094, 0.0000034, 48.002, -0.0000034, -0.0000094</GeoTransform>
                """
            let bands = (1...3).map {
                "<VRTRasterBand dataType=\"Byte\" band=\"\($0)\"><SimpleSource><SourceFilename "
                    + "relativeToVRT=\"1\">plan.png</SourceFilename><SourceBand>\($0)</SourceBand>"
                    + "</SimpleSource></VRTRasterBand>"
            }
            try workshop.write(Data((turned + bands.joined() + "</VRTDataset>").utf8), to: "turned.vrt")
            try workshop.tool("gdal_translate", ["-q"] + Self.tiling + ["turned.vrt", image])
        case .utm:
            try workshop.tool("gdal_translate", Self.place + ["plan.png", "flat.tif"])
            try workshop.tool(
                "gdalwarp", ["-q", "-t_srs", "EPSG:32631"] + Self.tiling + ["flat.tif", image])
        default:
            try workshop.tool("gdal_translate", Self.place + (translation ?? []) + ["plan.png", image])
            if self == .overviews { try workshop.tool("gdaladdo", ["-q", "-ro", image, "2", "4"]) }
        }
    }

    private static func kmz(of workshop: Workshop) throws -> [UInt8] {
        let text = """
            <kml xmlns="http://www.opengis.net/kml/2.2"><Document><GroundOverlay>
            <Icon><href>files/plan.png</href></Icon><LatLonBox><north>48.002</north><south>48</south>
            <east>2.003</east><west>2</west></LatLonBox></GroundOverlay></Document></kml>
            """
        let plan = try [UInt8](Data(contentsOf: workshop.file("plan.png")))
        return ZIPBuilder([.init("doc.kml", Array(text.utf8)), .init("files/plan.png", plan)]).bytes
    }
}

extension Workshop {
    /// Copies the plan to a path inside.
    func copyPlan(to name: String) throws {
        try FileManager.default.copyItem(at: file("plan.png"), to: file(name))
    }

    /// Runs another program here, and expects that it succeeds.
    func tool(_ name: String, _ arguments: [String]) throws {
        let outcome = try Tool.run(name, arguments, in: url)
        guard outcome.status == 0 else { throw Failed(description: "\(name): \(outcome.errors)") }
    }

    /// A program that failed.
    struct Failed: Error, CustomStringConvertible { var description: String }

    /// A tiled TIFF of noise, `site/noise.tif`: each block has bytes that nothing compresses.
    func makeNoise(width: Int, height: Int, _ options: [String] = []) throws {
        try FileManager.default.createDirectory(at: file("site"), withIntermediateDirectories: true)
        let script = """
            import random, sys
            width, height = map(int, sys.argv[1:])
            with open("noise.ppm", "wb") as file:
                file.write(b"P6 %d %d 255\\n" % (width, height) + random.Random(1).randbytes(3 * width * height))
            """
        let outcome = try Python.run(script, ["\(width)", "\(height)"], in: url)
        guard outcome.status == 0 else { throw Failed(description: outcome.errors) }
        try tool(
            "gdal_translate",
            [
                "-q", "-a_srs", "EPSG:4326", "-a_ullr", "2", "48.002", "2.003", "48", "-co", "TILED=YES",
                "-co",
                "BLOCKXSIZE=128", "-co", "BLOCKYSIZE=128",
            ] + options + ["noise.ppm", "site/noise.tif"])
    }
}

extension Snapshot {
    /// What another snapshot has differently, apart from the program's own state.
    func differences(from other: Snapshot) -> [String] {
        Set(contents.keys).union(other.contents.keys)
            .filter { !$0.hasPrefix(".tilewright") && contents[$0] != other.contents[$0] }.sorted()
    }
}
