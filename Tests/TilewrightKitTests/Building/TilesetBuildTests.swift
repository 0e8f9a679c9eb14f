import Codecs
import Platform
import Foundation
import Raster
import TestSupport
import Testing
import TilewrightKit
import Tiling

/// Builds that another program requests.
struct TilesetBuildTests {
    private let site: Site

    init() throws { site = try Site() }

    /// The events of a run.
    private final class Log {
        var began: [(phase: BuildEvent.Phase, tileCount: Int)] = []
        var done: [Int] = []
        var ended = 0
        var warnings: [String] = []

        func add(_ event: BuildEvent) {
            switch event {
            case .began(let phase, let tileCount): began.append((phase, tileCount))
            case .progressed(let tilesDone): done.append(tilesDone)
            case .ended: ended += 1
            case .warning(let warning): warnings.append(warning.text)
            }
        }
    }

    @Test(
        "A build makes every tile, in each container, and reports its progress",
        arguments: ["out", "out.mbtiles", "out.pmtiles"])
    func containers(output: String) async throws {
        let build = try TilesetBuild(site.request(output))
        let log = Log()
        let summary = try await build.run { log.add($0) }
        #expect(summary.tileCount == build.plan.tileCount && summary.skippedCount == 0)
        #expect(summary.changes.added.count == summary.tileCount)
        #expect(log.began.count == 1 && log.began[0].tileCount == summary.tileCount)
        #expect(log.done.last == summary.tileCount && log.done == log.done.sorted())
        #expect(log.ended == 1 && log.warnings == [])
        // Nothing is made twice.
        let again = try await TilesetBuild(site.request(output)).run()
        #expect(again.changes.isEmpty && again.changes.unchanged == summary.tileCount)
        var addresses: Set<TileCoordinate> = []
        let stored = try StoredTileset(site.path(output))
        try stored.forEachTile { tile in
            let bytes = try stored.tile(at: tile.coordinate)
            #expect(bytes == tile.bytes)
            addresses.insert(tile.coordinate)
        }
        #expect(addresses == Set(summary.changes.added))
        #expect(stored.path == site.path(output))
        #expect(try stored.tile(at: TileCoordinate(zoom: 17, column: 0, row: 0)) == nil)
        let check = try TilesetCheck(site.path(output)).run { event in
            if case .fault(let fault) = event { Issue.record("\(fault)") }
        }
        #expect(check.tiles == summary.tileCount && check.faults == 0)
    }

    @Test("A build whose images are hashed ahead is the same job")
    func hashesAhead() async throws {
        let first = try await TilesetBuild(site.request(), hashesAhead: true).run()
        #expect(first.changes.added.count == first.tileCount)
        for isAhead in [false, true] {
            let again = try await TilesetBuild(site.request(), hashesAhead: isAhead).run()
            #expect(again.changes.isEmpty && again.changes.unchanged == first.tileCount)
        }
        try site.draw("plan.png", width: 300, height: 200) { column, _ in UInt8(column % 256) }
        let changed = try await TilesetBuild(site.request(), hashesAhead: true).run()
        #expect(changed.changes.changed.count == first.tileCount)
    }

    @Test("A palette counts the colours of all tiles first")
    func palette() async throws {
        var encoding = TileEncoding()
        encoding.palette = 16
        let log = Log()
        let build = try TilesetBuild(site.request(zoom: 16...16, encoding: encoding))
        _ = try await build.run { log.add($0) }
        #expect(log.began.map(\.phase) == [.colors, .tiles] && log.ended == 2)
    }

    @Test("A build of only transparent tiles is refused, and leaves no files")
    func transparent() async throws {
        try site.draw("plan.png", width: 300, height: 200) { _, _ in 0 }
        let failure = await #expect(throws: Failure.self) {
            try await TilesetBuild(site.request()).run()
        }
        #expect(failure?.message.contains("every pixel is transparent") == true)
        #expect(!site.has("out"))
    }

    @Test(
        "A request that contradicts itself is refused before anything is written",
        arguments: [
            ("none", "-o needs the name"), ("image", "that is the image itself"),
            ("kml", "--doc-kml does not apply to PMTiles, which holds no other files"),
            ("template", "--template does not apply to MBTiles, whose tiles have no file names"),
            ("scheme", "--scheme tms does not apply to PMTiles, which always counts rows from the north"),
            ("address", "--url does not apply to PMTiles, which holds no addresses"),
            ("auto", "--format auto does not apply to PMTiles"), ("url", "has no scheme"),
            ("inside", "--changes 'OUT/list' is inside the output"), ("input", "which is an input"),
            ("same", "--changes and --depfile cannot be one file"),
            ("quality", "--quality does not apply to PNG"),
            ("level", "--png-level does not apply to JPEG; see --jpeg-level"),
            ("JPEG level", "--jpeg-level does not apply to PNG; see --png-level"),
            ("lossless", "--lossless does not apply to PNG, which is always lossless"),
            ("colours", "--palette 1 is not between 2 and 256"),
        ].some(9))
    func refused(what: String, words: String) throws {
        var request = site.request()
        func to(_ output: String) { request.output.path = site.path(output) }
        switch what {
        case "none": request.output.path = ""
        case "image": to("plan.png")
        case "kml":
            to("out.pmtiles")
            request.output.docKML = .overlay
        case "template":
            to("out.mbtiles")
            request.output.template = "{z}-{x}-{y}.{ext}"
        case "scheme":
            to("out.pmtiles")
            request.output.scheme = .tms
        case "address":
            to("out.pmtiles")
            request.output.url = "https://example.org/a"
        case "auto":
            to("out.pmtiles")
            request.pyramid.encoding.format = .auto
        case "url": request.output.url = "example.org"
        case "inside": request.output.changes = site.path("out/list")
        case "input": request.output.depfile = site.path("plan.png")
        case "same": (request.output.changes, request.output.depfile) = (site.path("a"), site.path("a"))
        case "quality": request.pyramid.encoding.quality = 50
        case "level":
            request.pyramid.encoding = TileEncoding(.jpeg)
            request.pyramid.encoding.pngLevel = .small
        case "JPEG level": request.pyramid.encoding.jpegLevel = .small
        case "lossless": request.pyramid.encoding.lossless = true
        default: request.pyramid.encoding.palette = 1
        }
        expectRefusal(.usage, words.replacing("OUT", with: site.path("out"))) { try TilesetBuild(request) }
        #expect(!site.has("out"))
    }

    @Test("The dependencies are written for make, and the changes into a list")
    func lists() async throws {
        var request = site.request("out/")
        (request.output.depfile, request.output.changes) = (site.path("d"), site.path("c"))
        _ = try await TilesetBuild(request).run()
        #expect(try site.text("d").hasPrefix(site.path("out") + "/tilejson.json: \\\n"))
        #expect(try site.text("d").contains(site.path("plan.png")))
        let count = try TilesetBuild(site.request()).plan.tileCount
        #expect(try site.text("c").split(separator: "\n").count >= count)
        request.output.path = site.path("out.pmtiles")
        _ = try await TilesetBuild(request).run()
        #expect(try site.text("d").hasPrefix(site.path("out.pmtiles") + ": \\\n"))
    }

    /// A picture in degrees shows rows of Mercator. The shift of its middle follows from the formula of the
    /// slippy map.
    @Test("The warning about a tall image states the true shift in pixels")
    func tallOverlay() async throws {
        try site.draw("plan.png", width: 100, height: 400)
        var request = site.request(zoom: 2...2)
        let box = BoundingBox(minX: 0, minY: 0, maxX: 20, maxY: 66.513260)
        request.images[0].position = PositionRequest(.bounds(box))
        request.output.docKML = .overlay
        let log = Log()
        _ = try await TilesetBuild(request).run { log.add($0) }
        // The northern edge is row 256 of 1024, the equator 512: whole pixels of zoom 2.
        let sine = sin(66.513260 / 2 * .pi / 180)
        let middle = (0.5 - Foundation.log((1 + sine) / (1 - sine)) / (4 * .pi)) * 1024
        let shift = abs(middle - 384)
        #expect(log.warnings.count == 1)
        let words = "up to \((shift * 10).rounded() / 10) pixels off"
        #expect(log.warnings[0].contains(words), "\(log.warnings)")
        #expect(site.has("out/doc.kml"))
    }

    @Test("An image that changes while its picture is drawn is not published")
    func changedImage() async throws {
        var request = site.request(zoom: 16...16)
        request.output.docKML = .overlay
        let build = try TilesetBuild(request)
        let failure = await #expect(throws: Failure.self) {
            try await build.run { event in
                guard case .ended = event else { return }
                // The same pixels, written again.
                try? site.draw("plan.png", width: 300, height: 200)
            }
        }
        #expect(failure?.message.contains("it changed while it was read") == true)
        #expect(!site.has("out/tilejson.json"))
    }

    @Test(
        "A limit on residuals holds, is exceeded, or does not apply",
        arguments: [
            ("good", nil), ("bad", "--max-residual allows 1.00 m"),
            ("bounds", "--max-residual does not apply to this position (bounds)"),
            ("spline", "cannot check this tps fit: it meets all points"),
        ])
    func residuals(what: String, words: String?) throws {
        var request = site.request()
        request.maxResidual = 1
        let wrong = Site.points { Point(x: $0 == 4 ? 3e-4 : 0, y: 0) }
        let position: PositionRequest? =
            switch what {
            case "good": PositionRequest(.controlPoints(Site.points()))
            case "bad": PositionRequest(.controlPoints(wrong))
            case "spline": PositionRequest(.controlPoints(Array(wrong.prefix(3))), transform: .tps)
            default: nil
            }
        request.images[0] = site.image(at: position)
        guard let words else {
            #expect(throws: Never.self) { try TilesetBuild(request) }
            return
        }
        expectRefusal(what == "bad" ? .checkFailed : .usage, words) { try TilesetBuild(request) }
    }

    /// The pixels of a tile, decoded.
    private func pixels(of tile: EncodedTile) throws -> [UInt8] {
        try site.write(tile.bytes, to: "tile.png")
        let source = try ImageFile.open(ImageReference(site.path("tile.png")), options: ReadOptions())
        let stride = 256 * source.info.pixelFormat.bytesPerPixel
        var pixels = [UInt8](repeating: 0, count: 256 * stride)
        try pixels.withUnsafeMutableBytes { pixels in
            guard let first = pixels.baseAddress else { return }
            try source.readRows(256, into: first, stride: stride)
        }
        return pixels
    }

    @Test(
        "A TIFF with overviews is read smaller, even if it is cropped", .long,
        .needs("gdal_translate", "gdaladdo"))
    func overviews() async throws {
        // Neither edge is a multiple of the factors.
        try site.draw("plan.png", width: 1002, height: 701)
        for (program, arguments) in [
            ("gdal_translate", ["-q", "-co", "TILED=YES", site.path("plan.png"), site.path("plan.tif")]),
            ("gdaladdo", ["-q", "-r", "average", site.path("plan.tif"), "2", "4", "8"]),
        ] {
            let outcome = try Tool.run(program, arguments)
            try #require(outcome.status == 0, "\(outcome.errors)")
        }
        let crop = PixelWindow(columns: 101..<1001, rows: 33..<700)
        func plan(_ name: String) throws -> TilesetPlan {
            var image = site.image(name)
            image.crop = crop
            let request = PyramidRequest(zoom: ZoomRange(zoom: 13))
            return try TilesetPlan(images: [PlacedImage(image)], request: request)
        }
        let (whole, reduced) = try (plan("plan.png"), plan("plan.tif"))
        #expect(whole.reductionFactors == [1] && reduced.reductionFactors[0] > 1)
        #expect(whole.limits == reduced.limits)
        let limits = try #require(whole.limits.first)
        let (tiles, others) = try await (whole.onDemand.tiles(in: limits), reduced.onDemand.tiles(in: limits))
        #expect(tiles.map(\.coordinate) == others.map(\.coordinate) && !tiles.isEmpty)
        for (tile, other) in zip(tiles, others) {
            let decoded = try [tile, other].map { try pixels(of: $0) }
            let worst = zip(decoded[0], decoded[1]).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
            #expect(worst < 24)
        }
    }

    @Test("A picture is drawn at a zoom at which it has no more than 2048 pixels")
    func smallOverlay() async throws {
        // 300 pixels of zoom 17 are some 2200 at zoom 20.
        var request = site.request(zoom: 20...20)
        request.output.docKML = .overlay
        _ = try await TilesetBuild(request).run()
        let text = try site.text("out/doc.kml")
        let name = try #require(text.firstMatch(of: /<href>([^<]*)<\/href>/)?.1)
        let header = try site.bytes("out/\(name)").prefix(24)
        let width = header[16..<20].reduce(0) { $0 << 8 | Int($1) }
        // 0.003 degrees at zoom 19, whole pixels.
        let expected = 0.003 / (360.0 / 256 / Double(1 << 19))
        #expect(abs(Double(width) - expected) < 2)
    }
}
