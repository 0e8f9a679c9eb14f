import Foundation
import TestSupport
import Testing

/// A building whose floors are made one by one, as tasks of an array, perhaps on several machines.
struct FloorArrayTests {
    private static let names = ["B2", "B1", "G", "1", "2", "3", "4", "5", "6"]

    /// A manifest of nine floors, and their plans.
    private static func tower() throws -> Workshop {
        let workshop = try Workshop()
        var floors: [String] = []
        for (index, name) in names.enumerated() {
            var plan = Picture.plan(width: 300, height: 200)
            plan.fill(10 * index..<10 * index + 30, 40..<160, (UInt8(25 * index), 120, 60, 255))
            try plan.write(to: workshop.path(name + ".png"))
            floors.append("  - {floor: \(name), ordinal: \(index - 2), image: \(name).png}")
        }
        let head = ["name: Tower", "output: tiles", "zoom: 14-18", "bounds: \(Workshop.bounds)", "floors:"]
        try workshop.write(Data((head + floors).map { $0 + "\n" }.joined().utf8), to: "tower.yaml")
        return workshop
    }

    @Test("Nine floors by themselves, then one run: as one run makes them", .long)
    func nineFloors() throws {
        let (alone, array) = try (Self.tower(), Self.tower())
        try Program.succeed(["tower.yaml"], in: alone.url)
        for name in Self.names.reversed() {
            try Program.succeed(["build", "tower.yaml", "--only", name], in: array.url)
        }
        let last = try Program.succeed(["tower.yaml"], in: array.url)
        #expect(last.errors.contains("0 tiles written"), "\(last.errors)")
        let (one, nine) = try (
            Snapshot(of: alone.file("tiles")).contents, Snapshot(of: array.file("tiles")).contents
        )
        let differences = Set(one.keys).union(nine.keys).filter { one[$0] != nine[$0] }
        #expect(differences.isEmpty, "\(differences.sorted().prefix(5))")
        #expect(one.count > 9 * 10)
    }
}
