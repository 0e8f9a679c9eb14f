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

    @Test("The command that gets a grid is named, until the grid is there", .needs("projinfo"))
    func germany() throws {
        let workshop = try Workshop()
        let data = workshop.path("proj")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        let database = try #require(try Self.file("proj.db"))
        try FileManager.default.createSymbolicLink(atPath: "\(data)/proj.db", withDestinationPath: database)
        let options = ["--crs", "EPSG:31467", "--bounds", "3500000,5500000,3500300,5500200", "-o", "out"]
        func build() throws -> (warning: String, closing: String) {
            let lines = try Program.succeed(
                ["plan.png"] + options,
                environment: ["PROJ_DATA=\(data)", "PROJ_LIB=\(data)", "HOME=\(data)"], in: workshop.url
            ).errors.split(separator: "\n").map(String.init)
            return try (#require(lines.first { $0.contains("the shift") }), #require(lines.last))
        }
        // projinfo -s EPSG:31467 -t EPSG:4326 --grid-check none: DHDN to WGS 84 (2), 3 m, and (4), 1 m.
        let without = try build().warning
        #expect(
            without.hasSuffix(
                "is good to 3.0 m only; 'projsync --file de_adv_BETA2007.tif' gets a grid that makes it good to 1.0 m"
            ),
            "\(without)")
        guard let grid = try Self.file("de_adv_BETA2007.tif", "BETA2007.gsb") else { return }
        try FileManager.default.createSymbolicLink(
            atPath: "\(data)/de_adv_BETA2007.tif", withDestinationPath: grid)
        let with = try build()
        #expect(
            with.warning.hasSuffix(
                "is good to 1.0 m only; PROJ knows no grid here that makes it clearly better"))
        // The grid moves the image by a metre or two.
        #expect(!with.closing.hasPrefix("0 tiles written"), "\(with.closing)")
        #expect(try build().closing.hasPrefix("0 tiles written"))
    }
}
