import Foundation
import TestSupport
import Testing

/// A JPEG that is read smaller than it is, against a PNG of the same pixels, which never is.
///
/// The image's edges are no multiples of a reduction, nor of a JPEG block's.
struct ReducedImageTests {
    /// Where the image lies, and what of it counts.
    enum Case: String, CaseIterable, CustomTestStringConvertible {
        case upright, cropped, oriented, turned
        var testDescription: String { rawValue }
    }

    private static let zoom = 15
    private static let size = 1003
    /// Pixels of the image along a pixel of a tile: half of them are two and more.
    private static let scale = 4.8

    private let scratch: TemporaryDirectory

    init() throws {
        scratch = try TemporaryDirectory()
        var plan = Picture.plan(width: Self.size, height: Self.size, hasPaper: true)
        // Opaque to its edges, as a JPEG is.
        for index in stride(from: 0, to: plan.rgba.count, by: 4) where plan.rgba[index + 3] == 0 {
            plan.rgba.replaceSubrange(index..<index + 4, with: [200, 220, 240, 255])
        }
        for tag in [UInt8(1), 6] {
            let file = try JPEGFile(plan).bytes(orientation: tag)
            try Data(file).write(to: URL(filePath: scratch.path("plan\(tag).jpg")))
            try Picture(contentsOf: scratch.path("plan\(tag).jpg"))
                .write(to: scratch.path("plan\(tag).png"), orientation: tag)
        }
    }

    /// A case's options.
    ///
    /// - Parameter shift: pixels of the zoom by which the image is moved.
    private func options(_ test: Case, shift: (x: Double, y: Double) = (0, 0)) -> [String] {
        let cell = World.cellSize(zoom: Self.zoom)
        let edge = Double(Self.size) * cell / Self.scale
        let (west, north) = (876_543.21 + shift.x * cell, 5_432_109.87 + shift.y * cell)
        let bounds = [
            "--crs", "EPSG:3857", "--bounds", "\(west),\(north - edge),\(west + edge),\(north)",
        ]
        switch test {
        case .upright, .oriented: return bounds
        case .cropped: return bounds + ["--crop", "101,53,807,902"]
        case .turned:
            let ground = cell / Self.scale * cos(48.2 * .pi / 180)
            let (column, row) = (-shift.x * Self.scale, -shift.y * Self.scale)
            return ["--anchor", "\(column),\(row),1.7,48.2", "--scale", "\(ground)"]
                + ["--bearing", "23"]
        }
    }

    private func image(_ test: Case, _ type: String) -> String {
        scratch.path("plan\(test == .oriented ? 6 : 1).\(type)")
    }

    private func mosaic(_ image: String, _ options: [String]) throws -> Mosaic {
        let tree = "\(UUID())"
        try Program.succeed(
            [image, "--zoom", "\(Self.zoom)", "-o", scratch.path(tree)] + options)
        return try Mosaic(of: scratch.url.appending(path: tree), zoom: Self.zoom)
    }

    private func reduction(_ image: String, _ options: [String]) throws -> Int {
        let outcome = try Program.succeed(
            ["info", "--json", image, "--zoom", "\(Self.zoom)"] + options)
        return try Report(outcome.output).image.reduction
    }

    @Test("It is as good as the whole image, and lies where that does", arguments: Case.allCases)
    func reductionCannotBeSeen(test: Case) throws {
        let (jpeg, png) = (image(test, "jpg"), image(test, "png"))
        #expect(try reduction(jpeg, options(test)) == 2)
        #expect(try reduction(png, options(test)) == 1)
        let reduced = try mosaic(jpeg, options(test))
        let whole = try mosaic(png, options(test))
        #expect(reduced.tiles == whole.tiles)
        let quality = reduced.picture.psnr(against: whole.picture)
        #expect(quality >= 45)
        #expect(reduced.picture.alphaError(against: whole.picture) <= 12)
        // The footprint is the same to a thousandth.
        let (area, exact) = (reduced.picture.alphaSum, whole.picture.alphaSum)
        #expect(abs(area / exact - 1) < 1e-3)
        // Were it off by more than 0.05 pixels, one of these would be nearer.
        for shift in [(0.1, 0.0), (-0.1, 0), (0, 0.1), (0, -0.1)] {
            let moved = try mosaic(png, options(test, shift: shift)).picture(like: reduced)
            #expect(reduced.picture.psnr(against: moved) < quality, "moved by \(shift)")
        }
    }

    @Test("An average of an upright image has the alpha of the whole image's")
    func averageHasExactEdges() throws {
        // Four reduced pixels to one of the zoom below.
        let options = options(.cropped) + ["--resampling", "area", "--zoom", "\(Self.zoom - 1)"]
        #expect(try reduction(image(.cropped, "jpg"), options) == 2)
        var trees: [Picture] = []
        for type in ["jpg", "png"] {
            try Program.succeed(
                [image(.cropped, type), "-o", scratch.path(type)] + options)
            let tree = scratch.url.appending(path: type)
            trees.append(try Mosaic(of: tree, zoom: Self.zoom - 1).picture)
        }
        #expect(trees[0].alphaError(against: trees[1]) == 0)
        #expect(trees[0].psnr(against: trees[1]) >= 45)
    }

    @Test(
        "Where true pixels are wanted, or nearly shown, all of them are read",
        arguments: [
            ["--resampling", "nearest"], ["--resampling", "mode"], ["--nodata", "255,255,255,8"],
            ["--resampling", "area"], ["--zoom", "16"],
        ])
    func wholeImageIsRead(extra: [String]) throws {
        #expect(try reduction(image(.upright, "jpg"), options(.upright) + extra) == 1)
    }
}

extension Picture {
    /// The sum of all alphas: the area that is covered.
    fileprivate var alphaSum: Double {
        stride(from: 3, to: rgba.count, by: 4).reduce(0) { $0 + Double(rgba[$1]) }
    }
}
