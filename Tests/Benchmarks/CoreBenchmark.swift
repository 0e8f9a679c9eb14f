import Codecs
import Georeferencing
import Pyramid
import Raster
import Resampling
import Tilesets
import Tiling

/// What a build would take on many cores: a simulation with a clock of its own.
enum CoreBenchmark {
    static let counts = [1, 2, 4, 8, 16, 32, 64]

    /// Builds the tiles of an image below a folder for each number of cores, and prints a table in Markdown.
    ///
    /// - Parameters:
    ///   - image: a plan or a photograph, some 12 000 pixels wide.
    ///   - bearing: degrees that it is turned by.
    ///   - jpeg: whether tiles are JPEG, and resampled as photographs are.
    static func run(image: String, folder: String, bearing: Double, jpeg: Bool) throws {
        print("| cores | seconds | speed-up | decoding | rendering, encoding | writing |")
        print("| --- | --- | --- | --- | --- | --- |")
        let plan = try plan(image, bearing: bearing, jpeg: jpeg)
        var first: Double?
        for count in counts {
            let builder = PyramidBuilder(
                plan: plan,
                resources: PyramidResources(jobs: count, memory: 4 << 30, scratchDirectory: folder))
            var sink = try TreeWriter(options("\(folder)/cores-\(count)", jpeg: jpeg))
            let result = try BuildSimulation(
                builder, from: { _ in try ImageFile.open(path: image) }, to: &sink
            ) {
                if jpeg { JPEGTileEncoder(quality: 75) } else { PNGTileEncoder() }
            }
            try sink.discard()
            first = first ?? result.wall
            let speedUp = (first ?? 0) / result.wall
            print(
                "| \(count) | \(text(result.wall)) | \(text(speedUp)) | \(text(result.decoding)) | "
                    + "\(text(result.rendering)) | \(text(result.writing)) |")
        }
    }

    private static func options(_ path: String, jpeg: Bool) throws -> TreeWriter.Options {
        let names = try TileNames(
            writing: jpeg ? .jpeg : .png, as: "{z}/{x}/{y}.{ext}", floor: nil, scheme: .xyz)
        return TreeWriter.Options(path: path, names: names, job: ContentHash(of: "cores"))
    }

    private static func plan(
        _ path: String, bearing: Double, jpeg: Bool
    ) throws -> PyramidPlan {
        let info = try ImageFile.open(path: path).info
        let mapping = try ImageMapping(georeference(info, bearing), width: info.width, height: info.height)
        return try PyramidPlan(
            layers: [ImageLayer(mapping: mapping, info: info)],
            options: PyramidOptions(
                zooms: 16...22, tileSize: 256, resampling: jpeg ? .cubic : .area,
                overviewResampling: jpeg ? .cubic : .area))
    }

    /// At the scale of a floor plan: 3 cm of Web Mercator a pixel.
    private static func georeference(_ info: RasterInfo, _ bearing: Double) throws -> Georeference {
        let (width, height, cell) = (Double(info.width), Double(info.height), 0.0309)
        if bearing == 0 {
            let (west, north) = (13_366_515.98, 3_541_405.05)
            let box = BoundingBox(
                minX: west, minY: north - height * cell, maxX: west + width * cell, maxY: north)
            return try .bounds(box, crs: .webMercator, width: info.width, height: info.height)
        }
        return try .anchor(
            pixel: Point(x: width / 2, y: height / 2), lonLat: Point(x: 120.0751, y: 30.2932),
            metresPerPixel: cell * 0.8646, bearing: bearing)
    }

    private static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
