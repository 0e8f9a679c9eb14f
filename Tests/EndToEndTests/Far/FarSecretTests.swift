import Foundation
import TestSupport
import Testing

/// What is secret in addresses and in the environment is nowhere afterwards.
@Suite(.needs("gdal_translate", "python3"))
struct FarSecretTests {
    private static let query = "X-Amz-Expires=60&X-Amz-Signature=SECRETOFADDRESS"
    private static let environment = [
        "AWS_ACCESS_KEY_ID=AKIDOFTESTS", "AWS_SECRET_ACCESS_KEY=SECRETOFKEY",
        "AWS_SESSION_TOKEN=SECRETOFSESSION",
        "TILEWRIGHT_TIMEOUT=2",
    ]

    /// Expects that no file below the folder, or its name, tells a secret.
    private func expectNoSecret(in folder: URL, sourceLocation: SourceLocation = #_sourceLocation) throws {
        for (name, bytes) in try Snapshot(of: folder).contents {
            #expect(bytes.range(of: Data("SECRET".utf8)) == nil, "\(name)", sourceLocation: sourceLocation)
            #expect(!name.contains("SECRET"), sourceLocation: sourceLocation)
        }
    }

    @Test("A signed address and credentials are in no message and no file")
    func success() throws {
        let workshop = try Workshop()
        try FarImage.tiled.make(in: workshop)
        try FarImage.worldFile.make(in: workshop)
        try FileManager.default.createDirectory(at: workshop.file("made"), withIntermediateDirectories: true)
        let server = try FarServer(of: workshop.file("site"))
        for name in ["plan.tif", "plan.png"] {
            let source = server.url(name) + "?" + Self.query
            for arguments in [
                [
                    source, "-z", "14-18", "-o", "made/\(name)/", "--changes", "made/changes", "--depfile",
                    "made/d",
                    "--report", "made/report-\(name)",
                ],
                [source, "-z", "15-18", "-o", "made/\(name)/"],
                [source, "-z", "15-18", "-o", "made/\(name).pmtiles"],
                ["info", source], ["info", "--json", source], ["info", "made/\(name)/"],
                ["verify", "made/\(name)/"],
                ["viewer", "made/\(name)/", "--force"],
            ] {
                let outcome = try Program.succeed(arguments, environment: Self.environment, in: workshop.url)
                let text = outcome.output + outcome.errors
                #expect(!text.contains("SECRET"), "\(arguments): \(text)")
            }
            // A sidecar has another signature; who has none asks without.
            let requests = try server.requests()
            #expect(requests.contains { $0.path == "/\(name)?\(Self.query)" })
            #expect(
                requests.allSatisfy {
                    ["/plan.tif", "/plan.png"].contains($0.file) || !$0.path.contains("SECRET")
                })
        }
        try expectNoSecret(in: workshop.file("made"))
    }

    @Test("Every command reads a signed address, and looks for neighbours without the signature")
    func commands() throws {
        let workshop = try Workshop()
        try FarImage.tiled.make(in: workshop)
        let server = try FarServer(of: workshop.file("site"))
        let source = server.url("plan.tif") + "?" + Self.query
        for (near, far) in [
            (["tile", "site/plan.tif"], ["tile", source]),
            (["snapshot", "site/plan.tif"], ["snapshot", source]),
        ] {
            let rest = near[0] == "tile" ? ["17/66264/45561"] : []
            try Program.succeed(near + rest + ["-o", "near.png"], in: workshop.url)
            let outcome = try Program.succeed(far + rest + ["-o", "far.png"], in: workshop.url)
            #expect(!(outcome.output + outcome.errors).contains("SECRET"))
            #expect(
                try Data(contentsOf: workshop.file("far.png")) == Data(contentsOf: workshop.file("near.png")))
        }
        #expect(try server.requests().allSatisfy { $0.file == "/plan.tif" || !$0.path.contains("SECRET") })
    }

    @Test("Options take files of this machine: addresses are refused without what is secret in them")
    func options() throws {
        let workshop = try Workshop()
        try FarImage.worldFile.make(in: workshop)
        let server = try FarServer(of: workshop.file("site"))
        for (option, name) in [
            ("--world-file", "plan.pgw"), ("--gcps", "plan.points"), ("--cutline", "cut.geojson"),
            ("--kml", "plan.kml"),
        ] {
            let outcome = try Program.run(
                [
                    server.url("plan.png"), option, server.url(name) + "?" + Self.query, "-o", "out",
                    "--report", "report",
                ], in: workshop.url)
            #expect(outcome.status == 64, "\(option): \(outcome.errors)")
            #expect(!outcome.errors.contains("SECRET"), "\(option): \(outcome.errors)")
        }
        try expectNoSecret(in: workshop.url)
        for arguments in [
            ["split", "site/plan.png", "--shards", "2", "-o", "s3://plans/job"],
            ["snapshot", "site/plan.png", "-o", "s3://plans/view.png"],
            ["place", server.url("plan.png")],
        ] {
            let outcome = try Program.run(arguments, in: workshop.url)
            #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
            #expect(!workshop.has("s3:"))
        }
    }

    @Test("So are errors")
    func errors() throws {
        let workshop = try Workshop()
        let server = try FarServer(of: workshop.url)
        let closed = "http://127.0.0.1:1/plan.png"
        for address in [
            "none.png", "~status/403/plan.png", "~status/400/plan.png", "~garbage/plan.png", "~loop/plan.png",
            "~file/plan.png", "~away/plan.png", "~never/plan.png", "~secret/none.png",
        ].some(2).map(server.url) + [
            closed, "http://example.com/plan.png", "https://user:SECRET@127.0.0.1/plan.png",
        ] {
            let outcome = try Program.run(
                ["\(address)?\(Self.query)", "--bounds", Workshop.bounds, "-o", "out"],
                environment: Self.environment, in: workshop.url)
            #expect(outcome.status != 0 && outcome.errors.hasPrefix("error: "))
            #expect(!(outcome.output + outcome.errors).contains("SECRET"), "\(outcome.errors)")
        }
        #expect(!workshop.has("out"))
    }

    #if os(Linux)
        @Test("Programs that this one starts do not get the address", .needsRenderer)
        func children() throws {
            let workshop = try Workshop()
            try workshop.write(Data(Drawing.pdf(600, 400, pages: [Drawing.plan]).utf8), to: "plan.pdf")
            let server = try FarServer(of: workshop.url)
            let run = try ChildProcess(
                [
                    "/usr/bin/env", Program.path, "\(server.url("plan.pdf"))?\(Self.query)", "--bounds",
                    Workshop.bounds,
                    "-z", "17-21", "-o", "out",
                ], in: workshop.url)
            var seen = 0
            while run.isRunning {
                for child in Self.children(of: run.identifier) {
                    let words = try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)
                    let variables = try? String(contentsOfFile: "/proc/\(child)/environ", encoding: .utf8)
                    guard let words, words.contains("tilewright-render") else { continue }
                    seen += 1
                    #expect(!words.contains("SECRET") && variables?.contains("SECRET") != true)
                }
                usleep(1000)
            }
            #expect(run.wait() == 0)
            #expect(seen > 0)
        }

        private static func children(of parent: pid_t) -> [pid_t] {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(parent)/task")) ?? []
            return tasks.flatMap { task in
                let list = try? String(
                    contentsOfFile: "/proc/\(parent)/task/\(task)/children", encoding: .utf8)
                return (list ?? "").split(separator: " ").compactMap { pid_t($0) }
            }
        }
    #endif
}
