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

        /// The highest zoom at which half of the image's pixels are enough.
        var zoom: Int { self == .cropped ? 13 : 14 }
    }

    private static let cubic = ["--resampling", "cubic"]
    private static let size = 1003
    /// Pixels of the image along a pixel of a tile of zoom 15.
    private static let scale = 4.8
    private static let cell = World.cellSize(zoom: 15)

    private let scratch: TemporaryDirectory

    init() throws { scratch = try TemporaryDirectory() }

    /// Writes a case's image as `plan.jpg`, and its pixels as `plan.png`.
    private func draw(_ test: Case) throws {
        var plan = Picture.plan(width: Self.size, height: Self.size, hasPaper: true)
        // Opaque to its edges, as a JPEG is.
        for index in stride(from: 0, to: plan.rgba.count, by: 4) where plan.rgba[index + 3] == 0 {
            plan.rgba.replaceSubrange(index..<index + 4, with: [200, 220, 240, 255])
        }
        let tag: UInt8 = test == .oriented ? 6 : 1
        try Data(JPEGFile(plan).bytes(orientation: tag)).write(to: URL(filePath: jpeg))
        try Picture(contentsOf: jpeg).write(to: png, orientation: tag)
    }

    private var jpeg: String { scratch.path("plan.jpg") }
    private var png: String { scratch.path("plan.png") }

    /// A case's options.
    ///
    /// - Parameter shift: pixels of the zoom by which the image is moved.
    private func options(_ test: Case, shift: (x: Double, y: Double) = (0, 0)) -> [String] {
        let tileCell = World.cellSize(zoom: test.zoom)
        let edge = Double(Self.size) * Self.cell / Self.scale
        let (west, north) = (876_543.21 + shift.x * tileCell, 5_432_109.87 + shift.y * tileCell)
        let bounds = [
            "--crs", "EPSG:3857", "--bounds", "\(west),\(north - edge),\(west + edge),\(north)",
        ]
        switch test {
        case .upright, .oriented: return bounds
        case .cropped: return bounds + ["--crop", "101,53,807,902"]
        case .turned:
            let ground = Self.cell / Self.scale * cos(48.2 * .pi / 180)
            let (column, row) = (-shift.x * Self.scale, -shift.y * Self.scale)
            return ["--anchor", "\(column),\(row),1.7,48.2", "--scale", "\(ground)"]
                + ["--bearing", "23"]
        }
    }

    private func mosaic(_ image: String, zoom: Int, _ options: [String]) throws -> Mosaic {
        let tree = "\(UUID())"
        try Program.succeed([image, "--zoom", "\(zoom)", "-o", scratch.path(tree)] + options)
        return try Mosaic(of: scratch.url.appending(path: tree), zoom: zoom)
    }

    private func reduction(_ image: String, zoom: Int, _ options: [String]) throws -> Int {
        let outcome = try Program.succeed(["info", "--json", image, "--zoom", "\(zoom)"] + options)
        return try Report(outcome.output).image.reduction
    }

    @Test("It is as good as the whole image, and in the same place", .long, arguments: Case.allCases)
    func reductionCannotBeSeen(test: Case) throws {
        try draw(test)
        let (zoom, options) = (test.zoom, options(test) + Self.cubic)
        #expect(try reduction(jpeg, zoom: zoom, options) == 2)
        #expect(try reduction(jpeg, zoom: zoom + 1, options) == 1)
        #expect(try reduction(png, zoom: zoom, options) == 1)
        let reduced = try mosaic(jpeg, zoom: zoom, options)
        let whole = try mosaic(png, zoom: zoom, options)
        #expect(reduced.tiles == whole.tiles)
        let quality = reduced.picture.psnr(against: whole.picture)
        #expect(quality >= 45)
        #expect(reduced.picture.alphaError(against: whole.picture) <= 12)
        // The footprint is the same to a thousandth.
        let (area, exact) = (reduced.picture.alphaSum, whole.picture.alphaSum)
        #expect(abs(area / exact - 1) < 1e-3)
        // Were it off by more than 0.05 pixels, one of these would be nearer.
        for shift in [(0.1, 0.0), (-0.1, 0), (0, 0.1), (0, -0.1)] {
            let moved = try mosaic(png, zoom: zoom, self.options(test, shift: shift) + Self.cubic)
                .picture(like: reduced)
            #expect(reduced.picture.psnr(against: moved) < quality, "moved by \(shift)")
        }
    }

    @Test("An average of an upright image has the whole image's alpha", arguments: [0, 1].some(1))
    func averageHasExactEdges(isCropped: Int) throws {
        let test = isCropped == 1 ? Case.cropped : .upright
        let zoom = test.zoom
        try draw(test)
        let options = options(test) + ["--resampling", "area"]
        #expect(try reduction(jpeg, zoom: zoom, options) == 2)
        let reduced = try mosaic(jpeg, zoom: zoom, options).picture
        let whole = try mosaic(png, zoom: zoom, options).picture
        #expect(reduced.alphaError(against: whole) == 0)
        #expect(reduced.psnr(against: whole) >= 45)
    }

    @Test("What was cut off leaves no line along the edge of a crop")
    func croppedFrameIsNotSeen() throws {
        var sheet = Picture(width: Self.size, height: Self.size, colour: (0, 0, 0, 255))
        sheet.fill(101..<908, 53..<955, (255, 255, 255, 255))
        try Data(JPEGFile(sheet).bytes).write(to: URL(filePath: jpeg))
        let (zoom, options) = (Case.cropped.zoom, options(.cropped))
        #expect(try reduction(jpeg, zoom: zoom, options) == 2)
        let tiles = try mosaic(jpeg, zoom: zoom, options).picture
        for row in 0..<tiles.height {
            for column in 0..<tiles.width where tiles[column, row].alpha > 0 {
                #expect(tiles.darkness(column, row) <= 12)
            }
        }
    }

    @Test("All pixels are read if exact or nearly full-size pixels are needed", .long)
    func wholeImageIsRead() throws {
        try draw(.upright)
        for extra in [
            ["--resampling", "nearest"], ["--resampling", "mode"], ["--nodata", "255,255,255,8"],
            ["--crop", "101,53,807,902"],
        ] {
            #expect(try reduction(jpeg, zoom: 14, options(.upright) + extra) == 1, "\(extra)")
        }
    }
}

extension Picture {
    /// The sum of all alphas: the area that is covered.
    fileprivate var alphaSum: Double {
        stride(from: 3, to: rgba.count, by: 4).reduce(0) { $0 + Double(rgba[$1]) }
    }
}
