import Foundation
import TestSupport
import Testing

/// A position that mirrors the plan is warned of: all its text would be unreadable.
struct MirroredPlanTests {
    private func warnings(_ options: [String], in workshop: Workshop) throws -> String {
        let arguments = ["info", "plan.png"] + options
        return try Program.succeed(arguments, in: workshop.url).errors
    }

    @Test(
        "A world file whose rows run north is warned of",
        arguments: [
            ("1e-5 0 0 -1e-5 2 48", false), ("1e-5 0 0 1e-5 2 48", true),
            ("-1e-5 0 0 1e-5 2 48", false), ("0 1e-5 1e-5 0 2 48", false),
        ])
    func worldFile(numbers: String, isMirrored: Bool) throws {
        let workshop = try Workshop()
        try workshop.write(numbers.replacing(" ", with: "\n").utf8, to: "plan.wld")
        let text = try warnings(["--crs", "EPSG:4326"], in: workshop)
        #expect(text.contains("the world file 'plan.wld' mirrors the image") == isMirrored)
    }

    @Test("Control points with latitude first are reported")
    func latitudeFirst() throws {
        let points = [
            // Pixels of 0.74 m each way, at latitude 48: 223 m by 149 m.
            "--gcp", "0,0,48.00134,2", "--gcp", "300,0,48.00134,2.003", "--gcp", "0,200,48,2",
        ]
        let text = try warnings(points, in: Workshop())
        #expect(text.contains("longitude and latitude are probably swapped in all control points"))
        #expect(text.contains("write the longitude first"))
    }
}
