import Foundation
import Raster
import TestSupport
import Testing
import Tiling
@testable import Rendering

/// Drawings without their sheets. What is expected is the same drawing rasterised over another ground.
struct LiftedSourceTests {
    static let white = ColorKey(red: 255, green: 255, blue: 255)
    static let cream = ColorKey(red: 244, green: 236, blue: 214)

    /// What decibels the worst of three grounds has: black, white, magenta.
    private func worst(_ drawing: Drawing, _ lifted: any RasterSource) throws -> Double {
        let pixels = try lifted.pixels()
        let grounds: [Drawing.Ink] = [[0, 0, 0], [255, 255, 255], [255, 0, 255]]
        return grounds.map { ground in
            let truth = drawing.pixels(over: ground)
            var sum = 0.0
            for index in truth.indices {
                let pixel = index / 3 * 4
                let alpha = Double(pixels[pixel + 3]) / 255
                let seen = Double(pixels[pixel + index % 3]) * alpha + ground[index % 3] * (1 - alpha)
                sum += (seen - Double(truth[index])) * (seen - Double(truth[index]))
            }
            return 10 * log10(255 * 255 * Double(truth.count) / sum)
        }.min() ?? 0
    }

    private func sheet(_ drawing: Drawing, on paper: ColorKey, block: Int = 0) -> Samples {
        Samples(
            .rgb8, width: drawing.width, drawing.pixels(over: paper.channels.map(Double.init)), block: block)
    }

    @Test("A lifted drawing looks right on any other ground", .long, arguments: [white, cream])
    func plan(paper: ColorKey) throws {
        let plan = Drawing.plan()
        let decibels = try worst(plan, LiftedSource(sheet(plan, on: paper), paper: paper))
        #expect(decibels > 40, "\(decibels) dB")
        // One colour made transparent leaves rims.
        let color = ColorKey(
            red: paper.channels[0], green: paper.channels[1], blue: paper.channels[2], tolerance: 0)
        let rimmed = try worst(plan, ConvertedSource(sheet(plan, on: paper), nodata: color))
        #expect(rimmed < 25, "\(rimmed) dB")
    }

    @Test(
        "Lines of half a pixel have the colour of their ink, although no pixel shows it", .long,
        arguments: [white, cream])
    func hairlines(paper: ColorKey) throws {
        let lines = Drawing.hairlines()
        let decibels = try worst(lines, LiftedSource(sheet(lines, on: paper), paper: paper))
        #expect(decibels > 32, "\(decibels) dB")
    }

    @Test("Over black, nothing is lighter than the drawing's inks")
    func noRims() throws {
        var drawing = Drawing(width: 80, height: 60)
        for index in 0..<8 {
            let x = 6 + Double(index) * 9
            drawing.line(
                Point(x: x, y: 5.3), Point(x: x + Double(index), y: 54.1), width: 2.6, [70, 40, 60])
        }
        let pixels = try LiftedSource(sheet(drawing, on: Self.white), paper: Self.white).pixels()
        for pixel in stride(from: 0, to: pixels.count, by: 4) {
            let seen = pixels[pixel..<pixel + 3].map { Int($0) * Int(pixels[pixel + 3]) / 255 }
            #expect(seen[0] <= 74 && seen[1] <= 44 && seen[2] <= 64, "\(seen)")
        }
    }

    @Test("Fills, even pale ones, are opaque up to their edges, and the sheet is transparent")
    func fills() throws {
        var samples = [UInt8](repeating: 255, count: 40 * 30 * 3)
        for row in 5..<25 {
            for column in 8..<30 {
                let isPale = column < 19
                for channel in 0..<3 { samples[(row * 40 + column) * 3 + channel] = isPale ? 251 : 12 }
            }
        }
        let pixels = try LiftedSource(Samples(.rgb8, width: 40, samples), paper: Self.white).pixels()
        for row in 0..<30 {
            for column in 0..<40 {
                let isInk = 5..<25 ~= row && 8..<30 ~= column
                #expect(pixels[(row * 40 + column) * 4 + 3] == (isInk ? 255 : 0), "\(column) \(row)")
                let color = Array(pixels[(row * 40 + column) * 4..<(row * 40 + column) * 4 + 3])
                #expect(color == Array(samples[(row * 40 + column) * 3..<(row * 40 + column) * 3 + 3]))
            }
        }
    }

    @Test(
        "The noise of a scan is removed with the paper, and ink stays", .long, arguments: [UInt64(1), 2, 3])
    func noise(seed: UInt64) throws {
        let plan = Drawing.plan()
        var state = seed
        let noisy = plan.pixels(over: [246, 244, 240]).map { sample in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(clamping: Int(sample) + Int(state >> 33 % 9) - 4)
        }
        let paper = ColorKey(red: 246, green: 244, blue: 240, tolerance: 5)
        let lifted = LiftedSource(Samples(.rgb8, width: plan.width, noisy), paper: paper)
        // The pale fills that the tolerance takes for paper are left out.
        let pixels = try lifted.pixels()
        let empty = plan.pixels(over: [246, 244, 240])
        for pixel in 0..<plan.width * plan.height
        where empty[pixel * 3..<pixel * 3 + 3].elementsEqual([246, 244, 240]) {
            #expect(pixels[pixel * 4 + 3] == 0, "pixel \(pixel)")
        }
        // Of what covers more than half of a pixel, as much stays; but not at some corners between inks.
        let black = plan.pixels(over: [0, 0, 0])
        let dark = (0..<plan.width * plan.height).filter { empty[$0 * 3] < 100 }
        let isOff = dark.filter { pixel in
            let covered = 255 - 255 * (Int(empty[pixel * 3]) - Int(black[pixel * 3])) / 246
            return abs(Int(pixels[pixel * 4 + 3]) - covered) > 20
        }
        #expect(dark.count > 5000 && isOff.count < dark.count / 100, "\(isOff.count) of \(dark.count)")
    }

    @Test("Gray and RGBA are lifted like RGB, and transparent pixels stay transparent")
    func formats() throws {
        var drawing = Drawing(width: 50, height: 40)
        drawing.line(Point(x: 4, y: 5), Point(x: 44, y: 33), width: 2.4, [40, 40, 40])
        let rgb = drawing.pixels(over: [255, 255, 255])
        let gray = (0..<2000).map { rgb[$0 * 3] }
        var rgba = (0..<2000).flatMap { (pixel: Int) -> [UInt8] in rgb[pixel * 3..<pixel * 3 + 3] + [255] }
        let expected = try LiftedSource(Samples(.rgb8, width: 50, rgb), paper: Self.white).pixels()
        #expect(try LiftedSource(Samples(.gray8, width: 50, gray), paper: Self.white).pixels() == expected)
        #expect(try LiftedSource(Samples(.rgba8, width: 50, rgba), paper: Self.white).pixels() == expected)
        for pixel in 0..<200 { rgba[pixel * 4 + 3] = 0 }
        let pixels = try LiftedSource(Samples(.rgba8, width: 50, rgba), paper: Self.white).pixels()
        #expect((0..<200).allSatisfy { pixels[$0 * 4 + 3] == 0 })
    }

    @Test("Pixels are the same however the rows and windows are cut", .long)
    func cuts() throws {
        let plan = Drawing.plan()
        let whole = try LiftedSource(sheet(plan, on: Self.white), paper: Self.white).pixels()
        for count in [1, 7, 64, 200] {
            let source = LiftedSource(sheet(plan, on: Self.white), paper: Self.white)
            #expect(try source.pixels(rowsAtOnce: count) == whole, "\(count) rows at once")
        }
        let source = LiftedSource(sheet(plan, on: Self.white, block: 60), paper: Self.white)
        let windows = try #require(source.windows)
        #expect(windows.blockSize == (540, 540))
        for (width, height) in [(320, 1), (1, 260), (37, 41), (100, 90)] {
            #expect(try pixels(of: windows, width: width, height: height) == whole, "\(width) x \(height)")
        }
    }

    /// All pixels of the plan, by windows of a size.
    private func pixels(of windows: any WindowReader, width: Int, height: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 7, count: 320 * 260 * 4)
        try bytes.withUnsafeMutableBytes { bytes in
            let start = try #require(bytes.baseAddress)
            for row in stride(from: 0, to: 260, by: height) {
                for column in stride(from: 0, to: 320, by: width) {
                    try windows.read(
                        PixelWindow(
                            columns: column..<min(320, column + width), rows: row..<min(260, row + height)),
                        into: start + (row * 320 + column) * 4, stride: 320 * 4)
                }
            }
        }
        return bytes
    }

    @Test("Nothing beyond the stated radius has an effect", .long, arguments: [true, false])
    func radius(hasHairlines: Bool) throws {
        let drawing = hasHairlines ? Drawing.hairlines() : Drawing.plan()
        let before = sheet(drawing, on: Self.white).samples
        let (width, radius) = (drawing.width, LiftedSource.radius)
        let whole = try LiftedSource(Samples(.rgb8, width: width, before), paper: Self.white).pixels()
        for (left, top) in [(100, 60), (140, 130), (57, 200)] {
            var changed = before
            for row in 0..<drawing.height {
                for column in 0..<width {
                    let isNear = abs(row - top) <= radius + 4 && abs(column - left) <= radius + 4
                    if isNear { continue }
                    for channel in 0..<3 {
                        changed[(row * width + column) * 3 + channel] = UInt8((row * 7 + column * 13) % 256)
                    }
                }
            }
            let after = try LiftedSource(Samples(.rgb8, width: width, changed), paper: Self.white).pixels()
            for row in top - 4...top + 4 {
                let first = (row * width + left - 4) * 4
                #expect(after[first..<first + 36] == whole[first..<first + 36], "\(left) \(row)")
            }
        }
    }
}
