import Foundation
import TestSupport
import Testing
import TilewrightKit

/// Floors with the same drawing frame share their control points.
struct SharedFitsTests {
    /// The CPU time of this thread, in seconds.
    private func time(_ body: () throws -> Void) rethrows -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
        }
        let start = now()
        try body()
        return now() - start
    }

    @Test("Control points that floors share are fitted once", .long)
    func once() throws {
        let site = try Site()
        try site.draw("plan.png", width: 300, height: 200) { column, row in column > row ? 0 : 255 }
        // A spline is fitted again without each of its points in turn, which takes a while.
        let lines = (0..<200).map { index in
            let (column, row) = (Double(index % 20) * 15, Double(index / 20) * 20)
            let east = 2 + column * 1e-5 + 1e-7 * Double(index * 37 % 11)
            return "\(east),\(48.002 - row * 1e-5),\(column),\(-row),1\n"
        }
        try site.write(("mapX,mapY,sourceX,sourceY,enable\n" + lines.joined()).utf8, to: "plan.points")
        let manifest = { (floors: Int) in
            let entries = (0..<floors).map { "  - {floor: \($0), image: plan.png}\n" }
            return "output: tiles\ngcps: plan.points\ntransform: tps\nfloors:\n" + entries.joined()
        }
        let times = try [1, 8].map { floors -> Double in
            try site.write(manifest(floors).utf8, to: "\(floors).yaml")
            let request = try Manifest(contentsOf: site.path("\(floors).yaml"))
            return time { #expect(FloorFits(request.floors).all.count == floors) }
        }
        // Alone, eight fits would take eight times as long as one.
        #expect(times[1] < 4 * times[0], "\(times)")
        let fits = try FloorFits(Manifest(contentsOf: site.path("8.yaml")).floors).all
        #expect(fits.allSatisfy { $0.fit?.residuals.count == 200 })
    }
}
