import Georeferencing
import Codecs
import Raster
import Foundation
import Rendering
import Testing
import TestSupport
@testable import TilewrightKit
import Tiling
import Tilesets

/// Options that make a tileset new, and options that do not.
struct JobFingerprintTests {
    private let site: Site

    init() throws { site = try Site() }

    /// A request for the tiles of the example's ground floor.
    private func plan(_ change: (inout ImageRequest, inout PyramidRequest) -> Void = { _, _ in }) throws
        -> TilesetPlan
    {
        let example = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Examples/ground.png").standardized.path
        var image = ImageRequest(example)
        var pyramid = PyramidRequest(zoom: ZoomRange(16...17))
        change(&image, &pyramid)
        return try TilesetPlan(images: [PlacedImage(image)], request: pyramid)
    }

    @Test("a quality of 85 is the default")
    func quality() throws {
        let open = try plan { $1.encoding = TileEncoding(.jpeg) }
        let said = try plan { $1.encoding = TileEncoding(.jpeg, quality: 85) }
        let other = try plan { $1.encoding = TileEncoding(.jpeg, quality: 84) }
        #expect(try JobFingerprint(open).hash == JobFingerprint(said).hash)
        #expect(try JobFingerprint(open).hash != JobFingerprint(other).hash)
    }

    @Test("options without effect on pixels do not count")
    func prose() throws {
        var planned = try plan()
        let before = try JobFingerprint(planned).hash
        let words = ["warning", "name", "summary", "PNG", "position comes"]
        for field in try JobFingerprint(planned).fields {
            for word in words { #expect(!field.contains(word), "\(field)") }
        }
        planned = try plan { $1.encoding.pngLevel = .standard }
        #expect(try JobFingerprint(planned).hash == before)
    }

    @Test("each option that changes pixels counts")
    func changes() throws {
        let plans = try [
            plan(), plan { $1.tileSize = .double }, plan { $1.zoom = ZoomRange(16...18) },
            plan { $1.resampling = .cubic }, plan { $1.overviewResampling = .cubic },
            plan { $1.empty = .write }, plan { $1.background = .white },
            plan { $1.encoding.palette = 16 }, plan { $1.encoding.pngLevel = .small },
            plan { $1.encoding = TileEncoding(.jpeg) },
            plan {
                $1.encoding = TileEncoding(.jpeg)
                $1.encoding.jpegLevel = .small
            },
            plan { $1.encoding = TileEncoding(.webp) },
            plan {
                $1.encoding = TileEncoding(.webp)
                $1.encoding.lossless = true
            },
            plan { image, _ in image.crop = PixelWindow(columns: 0..<200, rows: 0..<200) },
            plan { image, _ in image.keepColors = true },
            plan { image, _ in image.paper = ColorKey(red: 255, green: 255, blue: 255) },
            plan { image, _ in image.paper = ColorKey(red: 255, green: 255, blue: 255, tolerance: 9) },
            plan { image, _ in
                image.position.source = .corners([
                    Point(x: 8, y: 47), Point(x: 8.001, y: 47), Point(x: 8.001, y: 46.999),
                ])
            },
        ]
        let hashes = try plans.map { try JobFingerprint($0).hash }
        #expect(Set(hashes).count == hashes.count)
    }

    @Test("the content of a cutline counts, not its name")
    func cutlines() throws {
        func write(_ east: Double, to name: String) throws -> String {
            let ring = "[[1,48],[\(east),48],[\(east),49],[1,49],[1,48]]"
            try Data(#"{"type":"Polygon","coordinates":[\#(ring)]}"#.utf8).write(
                to: URL(filePath: site.path(name)))
            return site.path(name)
        }
        let names = try [
            write(1.73, to: "a.geojson"), write(1.73, to: "b.geojson"), write(1.7301, to: "c.json"),
        ]
        let hashes = try names.map { name in try JobFingerprint(plan { $1.cutline = name }).hash }
        #expect(hashes[0] == hashes[1] && hashes[0] != hashes[2])
        #expect(try hashes[0] != JobFingerprint(plan()).hash)
    }

    @Test("each corner of a projective position counts, and each point of a curved one")
    func positions() throws {
        func hash(_ source: PositionRequest.Source, _ model: TransformModel? = nil) throws -> ContentHash {
            let image = site.image(at: PositionRequest(source, transform: model))
            return try JobFingerprint(TilesetPlan(images: [PlacedImage(image)])).hash
        }
        var bent = Site.corners
        bent[2].x += 1e-4
        #expect(try hash(.corners(bent)) == hash(.corners(bent)))
        #expect(try hash(.corners(bent)) != hash(.corners(Site.corners)))
        var other = bent
        other[2].x += 1e-9
        #expect(try hash(.corners(bent)) != hash(.corners(other)))
        for model in [TransformModel.polynomial2, .tps] {
            let moved = Site.points { Point(x: $0 == 3 ? 1e-9 : 0, y: 0) }
            #expect(
                try hash(.controlPoints(Site.points()), model) != hash(.controlPoints(moved), model))
        }
    }
}
