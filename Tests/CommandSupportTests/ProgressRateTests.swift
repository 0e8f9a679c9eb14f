import Testing

@testable import CommandSupport

/// How fast a run goes, and how long it takes.
struct ProgressRateTests {
    /// What is known after reports, one each tenth of a second.
    private func rate(seconds: Double, _ done: (Double) -> Double) -> ProgressRate {
        var rate = ProgressRate()
        for tenth in 0...Int(seconds * 10) {
            let seconds = Double(tenth) / 10
            rate.note(Int(done(seconds)), after: seconds)
        }
        return rate
    }

    @Test("The remaining time of a steady run is unknown in the first second, then known")
    func steady() throws {
        let early = rate(seconds: 0.9) { $0 * 100 }
        #expect(early.perSecond == nil && early.left(of: 1000) == nil)
        for seconds in [1.5, 5, 30] {
            let later = rate(seconds: seconds) { $0 * 20 }
            #expect(abs(try #require(later.perSecond) - 20) < 1)
            #expect(abs(try #require(later.left(of: 1000)) - (1000 - seconds * 20) / 20) < 2)
        }
    }

    @Test("A run that becomes much slower has no remaining time until it is steady again")
    func slower() throws {
        // What the last run left is found at once; then ten tiles a second.
        let done = { (seconds: Double) in seconds < 1 ? seconds * 1000 : 1000 + (seconds - 1) * 10 }
        #expect(rate(seconds: 4, done).left(of: 2000) == nil)
        let later = rate(seconds: 15, done)
        #expect(abs(try #require(later.perSecond) - 10) < 1)
        #expect(abs(try #require(later.left(of: 2000)) - 86) < 5)
    }

    @Test("A stalled run has no remaining time")
    func still() {
        let rate = rate(seconds: 20) { _ in 7 }
        #expect(rate.perSecond == 0 && rate.left(of: 10) == nil)
    }
}
