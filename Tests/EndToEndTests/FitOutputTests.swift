import Foundation
import TestSupport
import Testing

/// What `fit -o` writes, and what it never writes over.
struct FitOutputTests {
    private static let points = [
        "--gcp", "0,0,2,48.002", "--gcp", "300,0,2.003,48.002", "--gcp", "0,200,2,48",
    ]

    @Test(
        "A name that no world file has is refused",
        arguments: ["plan.png", "plan.prj", "fitted", "fitted.txt", "my.new/fitted"])
    func foreignName(name: String) throws {
        let workshop = try Workshop()
        let before = try Snapshot(of: workshop.url)
        let outcome = try workshop.run(["fit", "plan.png", "-o", name] + Self.points)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: cannot write '\(name)': that is no name"))
        #expect(try Snapshot(of: workshop.url) == before)
    }

    @Test(
        "A world file gets its .prj",
        arguments: [("a.pgw", "a.prj"), ("a.JGW", "a.prj"), ("a.b.wld", "a.b.prj")])
    func pair(name: String, projection: String) throws {
        let workshop = try Workshop()
        let outcome = try workshop.run(["fit", "plan.png", "-o", name] + Self.points)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(workshop.has(name))
        #expect(workshop.has(projection))
    }
}
