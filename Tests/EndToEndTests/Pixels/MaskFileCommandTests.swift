import Foundation
import TestSupport
import Testing

/// A mask file next to an image, in tiles.
@Suite struct MaskFileCommandTests {
    private let workshop: Workshop

    /// `plan.png` without transparency, and a mask of its left half.
    init() throws {
        workshop = try Workshop(Picture(width: 300, height: 200, colour: (200, 30, 40, 255)))
        let mask = (0..<60000).map { UInt8($0 % 300 < 150 ? 255 : 0) }
        try workshop.write(TIFFBuilder(width: 300, height: 200, data: mask).bytes, to: "plan.png.msk")
    }

    @Test("what the mask leaves out is transparent, crops and jobs make no difference")
    func tiles() throws {
        let options = ["--resampling", "nearest", "--zoom", "17"]
        try workshop.build(options, to: "masked")
        // The same by a crop.
        try FileManager.default.removeItem(at: workshop.file("plan.png.msk"))
        try workshop.build(options + ["--crop", "0,0,150,200"], to: "cropped")
        #expect(
            try Snapshot(of: workshop.file("masked")).tiles == Snapshot(of: workshop.file("cropped")).tiles)
    }

    @Test("the mask is an input: another mask is another build, and is in the depfile")
    func inputs() throws {
        try workshop.build(["--depfile", "out.d"])
        #expect(try String(contentsOf: workshop.file("out.d"), encoding: .utf8).contains("plan.png.msk"))
        let again = try workshop.run(["plan.png", "--bounds", Workshop.bounds, "-o", "out"])
        #expect(again.errors.hasPrefix("0 tiles written"), "\(again.errors)")
        let mask = [UInt8](repeating: 255, count: 60000)
        try workshop.write(TIFFBuilder(width: 300, height: 200, data: mask).bytes, to: "plan.png.msk")
        let other = try workshop.run(["plan.png", "--bounds", Workshop.bounds, "-o", "out"])
        #expect(!other.errors.hasPrefix("0 tiles written"), "\(other.errors)")
    }

    @Test("a mask that does not fit stops the run with one line")
    func unfit() throws {
        try workshop.write(TIFFBuilder(width: 2, height: 2, data: [1, 1, 1, 1]).bytes, to: "plan.png.msk")
        let outcome = try workshop.run(["plan.png", "--bounds", Workshop.bounds, "-o", "out"])
        #expect(outcome.status == 65)
        #expect(
            outcome.errors == """
                error: cannot read the mask 'plan.png.msk': it has 2 x 2 pixels, but the image 300 x 200
                       create it again, or move it away if it is not the image's mask

                """, "\(outcome.errors)")
    }
}
