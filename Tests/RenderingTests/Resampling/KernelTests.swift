import Rendering
import Testing

@Suite struct KernelTests {
    // scipy and numpy: sinc(x) sinc(x / 3); Keys' polynomials with a = -1/2.
    static let values: [(ResamplingMethod, Double, Double)] = [
        (.bilinear, 0, 1), (.bilinear, 0.25, 0.75), (.bilinear, 1, 0), (.bilinear, 1.5, 0),
        (.cubic, 0, 1), (.cubic, 0.25, 0.8671875), (.cubic, 0.5, 0.5625), (.cubic, 0.75, 0.2265625),
        (.cubic, 1, 0), (.cubic, 1.25, -0.0703125), (.cubic, 1.5, -0.0625),
        (.cubic, 1.75, -0.0234375), (.cubic, 2, 0), (.cubic, 2.5, 0),
        (.lanczos, 0, 1), (.lanczos, 0.25, 0.8900670517104946), (.lanczos, 0.5, 0.6079271018540267),
        (.lanczos, 0.75, 0.27018982304623407), (.lanczos, 1, 0),
        (.lanczos, 1.25, -0.13287101836506404), (.lanczos, 1.5, -0.13509491152311703),
        (.lanczos, 1.75, -0.0677913359005429), (.lanczos, 2, 0),
        (.lanczos, 2.25, 0.03002109144958156), (.lanczos, 2.5, 0.024317084074161062),
        (.lanczos, 2.75, 0.007355926047194188), (.lanczos, 3, 0), (.lanczos, 7, 0),
    ]

    @Test("kernels have the values of the published formulas, on both sides", arguments: values)
    func weight(method: ResamplingMethod, distance: Double, weight: Double) throws {
        let kernel = try #require(Kernel(method))
        #expect(abs(kernel.weight(at: distance) - weight) < 1e-15)
        #expect(kernel.weight(at: -distance) == kernel.weight(at: distance))
    }

    @Test("methods that copy or average have no kernel")
    func none() {
        for method in [ResamplingMethod.nearest, .area, .mode] { #expect(Kernel(method) == nil) }
    }
}
