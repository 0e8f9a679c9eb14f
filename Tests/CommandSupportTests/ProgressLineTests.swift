import Testing

@testable import CommandSupport

/// The line that says how far a run has got.
struct ProgressLineTests {
    private static let line = ProgressLine("tiles", done: 1234, total: 5678, rate: 98.4, left: 45.2)

    @Test("A narrow terminal gets a shorter line")
    func forms() {
        let forms = [100, 79, 60, 40, 33, 20, 12, 6, 5, 0].map { Self.line.text(columns: $0) }
        #expect(
            forms == [
                "tiles [######------------------------]   21 %  1234 of 5678  98/s  46 s left",
                "tiles [####-------------------]   21 %  1234 of 5678  98/s  46 s left",
                "tiles   21 %  1234 of 5678  98/s  46 s left", "tiles   21 %  1234 of 5678  46 s left",
                "tiles   21 %  46 s left", " 21 %  46 s left", " 21 %", " 21 %", "", "",
            ])
    }

    @Test("No terminal is too narrow, and none gets a line that reaches its last column", arguments: 0...200)
    func widths(columns: Int) {
        for phase in ["tiles", "reading colours", "checking tiles"] {
            for done in [0, 1, 99_999, 4_000_000] {
                let line = ProgressLine(phase, done: done, total: 4_000_000, rate: 0.01, left: 359_999)
                #expect(line.text(columns: columns).count < max(1, columns))
            }
        }
    }

    @Test("The bar keeps its length, whatever is known and however much is done")
    func barKeepsLength() {
        for columns in [60, 70, 80, 132] {
            let bars = [(0, nil, nil), (7, 0.2, nil), (98, 1234, 11.0), (100, 9999, nil)].map {
                (done: Int, rate: Double?, left: Double?) in
                ProgressLine("tiles", done: done, total: 100, rate: rate, left: left)
                    .text(columns: columns).filter { "#-".contains($0) }.count
            }
            #expect(Set(bars).count == 1, "\(columns): \(bars)")
        }
    }

    @Test("An estimate that is exceeded is not more than all")
    func exceeded() {
        #expect(ProgressLine("tiles", done: 12, total: 10).text(columns: 40) == "tiles  100 %  12 of 10")
        #expect(ProgressLine("tiles", done: 0, total: 0).text(columns: 40) == "tiles    0 %  0 of 0")
    }

    @Test(
        "Times and rates are in units that are easy to read",
        arguments: [
            (89.0, "89 s left"), (90, "2 min left"), (3600, "60 min left"), (5400, "1 h 30 min left"),
            (359_999, "100 h 0 min left"),
        ])
    func times(seconds: Double, text: String) {
        let line = ProgressLine("tiles", done: 1, total: 2, left: seconds)
        #expect(line.plain == "tiles: 50 %, 1 of 2, \(text)")
    }

    @Test(arguments: [(0.1, "6/min"), (2.34, "2.3/s"), (12.3, "12/s")])
    func rates(rate: Double, text: String) {
        #expect(ProgressLine("tiles", done: 1, total: 2, rate: rate).plain == "tiles: 50 %, 1 of 2, \(text)")
    }
}
