import CKernels
import Testing

/// Deep pixels over others: red, green, blue and alpha, of which 16320 is opaque.
@Suite struct CompositeTests {
    private func laid(_ above: [Int16], over below: [Int16]) -> [Int16] {
        var result = below
        cr_lay_over(above, &result, 1)
        return result
    }

    @Test("an opaque pixel hides what is below, and a transparent one does not")
    func ends() {
        let below: [Int16] = [1000, 2000, 3000, 16_320]
        #expect(laid([10, 20, 30, 16_320], over: below) == [10, 20, 30, 16_320])
        #expect(laid([0, 0, 0, 0], over: below) == below)
    }

    @Test("with half of the alpha, half of the pixel below is visible")
    func half() {
        let result = laid([4000, 0, 100, 8160], over: [1000, 2000, 3000, 16_320])
        #expect(result == [4500, 1000, 1600, 16_320])
    }

    @Test("sums beyond 16 bits, as from kernels that overshoot, are clamped")
    func saturated() {
        let sums = laid([.max, .min, 0, 0], over: [.max, .min, 5, 16_320])
        #expect(sums == [.max, .min, 5, 16_320])
    }
}
