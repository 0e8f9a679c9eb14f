import Testing
import Tiling

@Suite struct ReductionTests {
    @Test("reduced pixels hold the window, and points keep their places")
    func window() {
        let window = PixelWindow(columns: 101..<908, rows: 56..<961)
        let reduction = Reduction(of: window, by: 8)
        // 101 = 12 * 8 + 5 and 908 = 113 * 8 + 4; 56 = 7 * 8 and 961 = 120 * 8 + 1.
        #expect(reduction.reducedWindow == PixelWindow(columns: 12..<114, rows: 7..<121))
        #expect(reduction.reducedFromWindow(Point(x: 0, y: 0)) == Point(x: 0.625, y: 0))
        #expect(reduction.reducedFromWindow(Point(x: 807, y: 905)) == Point(x: 101.5, y: 113.125))
    }

    @Test("a reduction by one changes nothing")
    func one() {
        let window = PixelWindow(columns: 3..<5, rows: 7..<8)
        #expect(Reduction(of: window, by: 1).reducedWindow == window)
        #expect(Reduction(of: window, by: 1).reducedFromWindow == .identity)
    }
}
