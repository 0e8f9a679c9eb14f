import Testing
import Tiling

@Suite struct ReductionTests {
    @Test("reduced pixels contain the window, and points keep their places")
    func window() {
        let window = PixelWindow(columns: 101..<908, rows: 56..<961)
        let reduction = Reduction(of: window, by: 8)
        // 101 = 12 * 8 + 5 and 908 = 113 * 8 + 4; 56 = 7 * 8 and 961 = 120 * 8 + 1.
        #expect(reduction.reducedWindow == PixelWindow(columns: 12..<114, rows: 7..<121))
        #expect(reduction.reducedFromWindow(Point(x: 0, y: 0)) == Point(x: 0.625, y: 0))
        #expect(reduction.reducedFromWindow(Point(x: 807, y: 905)) == Point(x: 101.5, y: 113.125))
    }

    @Test("a reduced image that covers the image has its corners")
    func covering() {
        // 9 x 6 pixels are read as 5 x 3: 1.8 by 2 are one.
        let whole = PixelWindow(columns: 0..<9, rows: 0..<6)
        let all = Reduction(of: whole, from: (9, 6), to: (5, 3))
        #expect(all.reducedWindow == PixelWindow(columns: 0..<5, rows: 0..<3))
        #expect(all.reducedFromWindow(Point(x: 9, y: 6)) == Point(x: 5, y: 3))
        let part = Reduction(
            of: PixelWindow(columns: 4..<7, rows: 1..<3), from: (9, 6), to: (5, 3))
        // Column 4 begins at 20/9, column 7 at 35/9; row 1 at 1/2, row 3 at 3/2.
        #expect(part.reducedWindow == PixelWindow(columns: 2..<4, rows: 0..<2))
        let corner = part.reducedFromWindow(Point(x: 0, y: 0))
        #expect(abs(corner.x - 2.0 / 9) < 1e-15 && corner.y == 0.5)
    }

    @Test("a reduction by one changes nothing")
    func one() {
        let window = PixelWindow(columns: 3..<5, rows: 7..<8)
        #expect(Reduction(of: window, by: 1).reducedWindow == window)
        #expect(Reduction(of: window, by: 1).reducedFromWindow == .identity)
    }
}
