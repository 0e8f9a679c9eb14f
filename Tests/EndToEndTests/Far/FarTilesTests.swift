import Foundation
import TestSupport
import Testing

/// Tiles of images on a web server, against those of the same files on this machine.
@Suite(.needs("gdal_translate", "gdalwarp", "gdaladdo", "python3"))
struct FarTilesTests {
    @Test("Tiles and documents are byte for byte those of the local file", arguments: FarImage.allCases)
    func sameBytes(image: FarImage) throws {
        let workshop = try Workshop()
        try image.make(in: workshop)
        try Program.succeed(["site/\(image.name)", "-z", "14-18", "-o", "near/plan"], in: workshop.url)
        let near = try Snapshot(of: workshop.file("near/plan"))
        #expect(near.tiles.count > 5)
        for jobs in ["1", "4"] {
            let server = try FarServer(of: workshop.file("site"))
            try Program.succeed(
                [server.url(image.name), "-z", "14-18", "-o", "far\(jobs)/plan", "-j", jobs], in: workshop.url
            )
            let far = try Snapshot(of: workshop.file("far\(jobs)/plan"))
            #expect(far.differences(from: near).isEmpty)
            let requests = try server.requests(for: image.name)
            let size = try Data(contentsOf: workshop.file("site/\(image.name)")).count
            #expect(requests.repeatedBytes == 0 && requests.bytes <= size, "\(requests)")
        }
    }

    @Test(
        "Pages of documents are drawn from an address", .needsRenderer, arguments: ["plan.pdf", "plan.svg"])
    func pages(name: String) throws {
        let workshop = try Workshop()
        try FileManager.default.createDirectory(at: workshop.file("site"), withIntermediateDirectories: true)
        try workshop.write(
            Data(Drawing.pdf(600, 400, pages: [Drawing.plan]).utf8), to: "site/plan.pdf")
        try workshop.write(Data(Drawing.svg.utf8), to: "site/plan.svg")
        let options = ["--bounds", Workshop.bounds, "-z", "15-18", "-o"]
        try Program.succeed(["site/" + name] + options + ["near/plan"], in: workshop.url)
        let server = try FarServer(of: workshop.file("site"))
        try Program.succeed([server.url(name)] + options + ["far/plan"], in: workshop.url)
        let far = try Snapshot(of: workshop.file("far/plan"))
        #expect(
            try far.tiles.count > 5 && far.differences(from: Snapshot(of: workshop.file("near/plan"))).isEmpty
        )
        #expect(try server.requests(for: name).filter { $0.status < 300 }.count == 1)
    }

    @Test("Single tiles, archives and other commands take an address as they take a file")
    func otherCommands() throws {
        let workshop = try Workshop()
        try FarImage.tiled.make(in: workshop)
        let server = try FarServer(of: workshop.file("site"))
        for (folder, source) in [("near", "site/plan.tif"), ("far", server.url("plan.tif"))] {
            try FileManager.default.createDirectory(
                at: workshop.file(folder), withIntermediateDirectories: true)
            try Program.succeed(
                ["tile", source, "17/66264/45561", "-o", "\(folder)/tile.png"], in: workshop.url)
            try Program.succeed([source, "-z", "15-17", "-o", "\(folder)/plan.pmtiles"], in: workshop.url)
            try Program.succeed(["convert", "\(folder)/plan.pmtiles", "\(folder)/tree"], in: workshop.url)
            // Its metadata say which job made it, and of which file.
            try FileManager.default.removeItem(at: workshop.file("\(folder)/plan.pmtiles"))
            try Program.succeed(["snapshot", source, "-o", "\(folder)/view.png"], in: workshop.url)
            let info = try Program.succeed(["info", "--json", source], in: workshop.url)
            let report = try Report(info.output)
            #expect(report.image.width == 300 && report.position.bounds[0] == 2, "\(source)")
        }
        let near = try Snapshot(of: workshop.file("near"))
        #expect(
            try near.differences(from: Snapshot(of: workshop.file("far"))).isEmpty && near.tiles.count > 5)
    }

    @Test("Objects in a bucket are read with keys, and without", arguments: [true, false])
    func bucket(hasKeys: Bool) throws {
        let workshop = try Workshop()
        try FarImage.tiled.make(in: workshop)
        // An endpoint that is not a host of AWS has buckets as folders.
        let names = ["plan.tif", "a b+c~%C3%A9 \u{e9}.tif"]
        try FileManager.default.createDirectory(
            at: workshop.file("all/plans"), withIntermediateDirectories: true)
        for name in names {
            try FileManager.default.copyItem(
                at: workshop.file("site/plan.tif"), to: workshop.file("all/plans/\(name)"))
        }
        let server = try FarServer(of: workshop.file("all"), ["--s3"])
        try Program.succeed(["site/plan.tif", "-z", "15-18", "-o", "near"], in: workshop.url)
        let keys = ["AWS_ACCESS_KEY_ID=AKIDOFTESTS", "AWS_SECRET_ACCESS_KEY=SECRETOFKEY"]
        // No instance asks a service of the machine for a role.
        let environment = ["AWS_ENDPOINT_URL=\(server.address)", "HOME=/nonexistent"] + (hasKeys ? keys : [])
        for (index, name) in names.enumerated() {
            let outcome = try Program.succeed(
                ["s3://plans/\(name)", "-z", "15-18", "-o", "far\(index)"], environment: environment,
                in: workshop.url)
            #expect(!outcome.errors.contains("AKID"))
            let far = try Snapshot(of: workshop.file("far\(index)"))
            #expect(try far.tiles == Snapshot(of: workshop.file("near")).tiles)
            #expect(far.contents.values.allSatisfy { $0.range(of: Data("OFTESTS".utf8)) == nil })
        }
        let missing = try Program.run(
            ["s3://plans/none.tif", "-o", "out"], environment: environment, in: workshop.url)
        #expect(missing.status == 66 && missing.errors.contains("s3://plans/none.tif"), "\(missing.errors)")
    }

    @Test("Sheets at addresses and on this machine make one tileset")
    func severalSources() throws {
        let workshop = try Workshop()
        try FarImage.tiled.make(in: workshop)
        try FarImage.worldFile.make(in: workshop)
        let server = try FarServer(of: workshop.file("site"))
        let options = ["-z", "15-17", "-o"]
        try Program.succeed(["site/plan.tif", "site/plan.png"] + options + ["near/plan"], in: workshop.url)
        let far = [server.url("plan.tif"), server.url("plan.png")]
        try Program.succeed(far + options + ["far/plan"], in: workshop.url)
        try Program.succeed([far[0], "site/plan.png"] + options + ["mixed/plan"], in: workshop.url)
        let near = try Snapshot(of: workshop.file("near/plan"))
        for folder in ["far/plan", "mixed/plan"] {
            #expect(try Snapshot(of: workshop.file(folder)).differences(from: near).isEmpty, "\(folder)")
        }
    }
}
