import Foundation
import TestSupport
import Testing

/// What is said of a datum shift before and after its grid is there.
struct DatumGridTests {
    /// A folder of PROJ that has one of these files.
    private static func file(_ names: String...) throws -> String? {
        let folders = try Tool.run("projinfo", ["--searchpaths"]).output.split(separator: "\n").map(
            String.init)
        return folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
            .first(where: FileManager.default.fileExists(atPath:))
    }

    private static func grid() throws -> String? {
        try file("de_adv_BETA2007.tif", "BETA2007.gsb")
    }

    /// A folder for PROJ with its database and no grids.
    private static func bareData(in workshop: Workshop) throws -> String {
        let data = workshop.path("proj")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        let database = try #require(try file("proj.db"))
        try FileManager.default.createSymbolicLink(atPath: "\(data)/proj.db", withDestinationPath: database)
        return data
    }

    private static func build(
        in workshop: Workshop, data: String
    ) throws -> (warning: String, closing: String) {
        let options = ["--crs", "EPSG:31467", "--bounds", "3500000,5500000,3500300,5500200", "-o", "out"]
        let lines = try Program.succeed(
            ["plan.png"] + options,
            environment: ["PROJ_DATA=\(data)", "PROJ_LIB=\(data)", "HOME=\(data)"], in: workshop.url
        ).errors.split(separator: "\n").map(String.init)
        return try (#require(lines.first { $0.contains("the shift") }), #require(lines.last))
    }

    @Test("The command that gets a grid is named if the grid is missing", .needs("projinfo"))
    func missing() throws {
        let workshop = try Workshop()
        // projinfo -s EPSG:31467 -t EPSG:4326 --grid-check none: DHDN to WGS 84 (2), 3 m, and (4), 1 m.
        let without = try Self.build(in: workshop, data: Self.bareData(in: workshop)).warning
        #expect(
            without.hasSuffix(
                "is accurate only to 3.0 m; 'projsync --file de_adv_BETA2007.tif' gets a grid that makes it accurate to 1.0 m"
            ),
            "\(without)")
    }

    @Test(
        "A grid that comes later moves the image", .needs("projinfo"),
        .enabled(if: (try? grid()) != nil, "PROJ's grid of Germany is not here"))
    func there() throws {
        let workshop = try Workshop()
        let data = try Self.bareData(in: workshop)
        _ = try Self.build(in: workshop, data: data)
        let grid = try #require(try Self.grid())
        try FileManager.default.createSymbolicLink(
            atPath: "\(data)/de_adv_BETA2007.tif", withDestinationPath: grid)
        let with = try Self.build(in: workshop, data: data)
        #expect(
            with.warning.hasSuffix(
                "is accurate only to 1.0 m; "
                    + "PROJ knows no grid for this area that would make it clearly better"))
        // The grid moves the image by a metre or two.
        #expect(!with.closing.hasPrefix("0 tiles written"), "\(with.closing)")
        #expect(try Self.build(in: workshop, data: data).closing.hasPrefix("0 tiles written"))
    }
}
