import Foundation
import Raster
import TestSupport
import Testing
import Tiling
@testable import Rendering

@Suite struct MemoryPlanTests {
    /// An image at the scale of zoom 20, of any size.
    private static func plan(_ width: Int, _ height: Int, degrees: Double = 0) throws -> PyramidPlan {
        let matrix = TileMatrix(zoom: 20, tileSize: 256)
        let mapping =
            if degrees == 0 {
                try Placement.pixels(
                    matrix, x: 1e6...1e6 + Double(width), y: 1e6...1e6 + Double(height),
                    width: width, height: height)
            } else {
                try Placement.turned(
                    matrix, around: Point(x: 1e6, y: 1e6), degrees: degrees, scale: 1,
                    width: width, height: height)
            }
        return try PyramidPlan(
            mapping, width: width, height: height, zooms: 12...20, resampling: .lanczos)
    }

    private static func builder(
        _ width: Int, _ height: Int, degrees: Double = 0, memory: Int = 1 << 40
    ) throws -> PyramidBuilder {
        PyramidBuilder(
            .images { _ in preconditionFailure("nothing is built") },
            plan: try plan(width, height, degrees: degrees),
            resources: PyramidResources(jobs: 2, memory: memory, scratchDirectory: "/tmp"))
    }

    @Test("bands are no larger than the plan says, for any width")
    func bandSizes() throws {
        for width in [1, 7, 8, 63, 64, 255, 256, 257, 1000, 4099] {
            let window = PixelWindow(columns: 5..<5 + width, rows: 0..<3)
            let band = try RowBand(
                rowBytes: width * DeepPixel.bytes, marginBytes: LevelBand.margin * DeepPixel.bytes,
                capacity: 3)
            #expect(band.stride * 3 <= LevelBand.bytes(width: window.width, capacity: 3))
            for format in [PixelFormat.gray8, .rgb8, .rgba8] {
                let rowBytes = width * format.bytesPerPixel
                let band = try RowBand(rowBytes: rowBytes, marginBytes: 0, capacity: 3)
                #expect(band.stride <= rowBytes + SourceMemory.rowPadding)
            }
        }
    }

    @Test("memory grows with the width of an upright image; only its weights grow with the height")
    func growth() throws {
        let base = try Self.builder(2000, 5_000).residentBytes
        // 16 bytes a row, and 2 for each of 8 taps; and rings of narrow zooms, which have less than 512 rows in the
        // lower image: 8 bytes for each of up to 125 pixels and of those in the margins.
        let narrowRings = (4...8).reduce(0) { $0 + LevelBand.bytes(width: 2000 >> $1, capacity: 512) }
        #expect(try Self.builder(2000, 50_000).residentBytes < base + 45_000 * 32 + narrowRings)
        let wide = try Self.builder(8000, 5_000).residentBytes
        #expect(wide > 2 * base && wide < 4 * base)
        // A turned image needs most of its rows at once.
        let turned = try Self.builder(2000, 5_000, degrees: 30).residentBytes
        #expect(turned > base + 2000 * 4 * 1000)
    }

    @Test("the documented formula holds: 512 rows of each zoom below the finest, and 600 of the source")
    func formula() throws {
        let width = 10_000
        let resources = PyramidResources(jobs: 2, memory: 1 << 40, scratchDirectory: "/tmp")
        let jobBytes = JobMemory.bytes(try Self.plan(width, 20_000), resources)
        let bytes = try Self.builder(width, 20_000).residentBytes - 2 * jobBytes
        let levels = 0.55 * Double(width) * 1024 * 8
        #expect(Double(bytes) < levels + 700 * Double(width) * 4)
    }

    @Test("a job takes memory for its unit, its tile and its encoder, and little else")
    func jobs() throws {
        let plan = try Self.plan(10_000, 20_000)
        var resources = PyramidResources(jobs: 2, memory: 1 << 40, scratchDirectory: "/tmp")
        let bytes = JobMemory.bytes(plan, resources)
        let columns = plan.columnsOfUnit(resources)
        // 64 rows of pixels that are halved, and four tiles of as many columns.
        let pixels = LevelBand.bytes(width: columns, capacity: 64) + columns * 256 * 4
        #expect(bytes > pixels && bytes < pixels + (2 << 20))
        resources.encoderBytes = 3 << 20
        #expect(JobMemory.bytes(plan, resources) == bytes + (3 << 20))
        #expect(JobMemory.bytes(try Self.plan(10_000, 20_000, degrees: 30), resources) < 12 << 20)
    }

    @Test("bands that do not fit the budget go to scratch files, and the total stays the same")
    func spilling() throws {
        let roomy = try Self.builder(3000, 9000, degrees: 20)
        #expect(roomy.scratchBytes == 0)
        let budget = roomy.residentBytes / 2
        let tight = try Self.builder(3000, 9000, degrees: 20, memory: budget)
        #expect(tight.residentBytes <= budget)
        #expect(tight.scratchBytes + tight.residentBytes == roomy.residentBytes)
        let none = try Self.builder(3000, 9000, memory: 0)
        #expect(none.scratchBytes > 0 && none.residentBytes < 40 << 20)
    }
}
