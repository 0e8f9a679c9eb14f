import Foundation
import TestSupport
import Testing

/// What far images leave on this machine, and what they are refused.
@Suite(.needs("gdal_translate", "python3"))
struct FarMachineTests {
    /// A workshop with a folder for scratch files, and a server of noise that takes some seconds.
    private func slowSite() throws -> (workshop: Workshop, server: FarServer) {
        let workshop = try Workshop()
        try workshop.makeNoise(width: 1500, height: 1000)
        try workshop.copyPlan(to: "site/plan.png")
        try FileManager.default.createDirectory(
            at: workshop.file("scratch"), withIntermediateDirectories: false)
        return (workshop, try FarServer(of: workshop.file("site"), ["--mbit", "20"]))
    }

    @Test("Scratch files are gone after a run, and after one that failed")
    func scratch() throws {
        let (workshop, server) = try slowSite()
        for (name, status) in [("noise.tif", 0), ("plan.png", 0), ("none.tif", 66)] as [(String, Int32)] {
            let outcome = try workshop.run([
                server.url(name), "--bounds", Workshop.bounds, "-z", "17", "-o", "out-\(name)/", "--tmpdir",
                "scratch",
            ])
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path("scratch")).isEmpty)
        }
    }

    @Test(
        "They are gone after a kill, too; and the next run completes the build",
        arguments: [SIGKILL, SIGTERM])
    func killed(signal: Int32) throws {
        let (workshop, server) = try slowSite()
        let arguments = [
            server.url("noise.tif"), "-z", "17-18", "-o", workshop.path("out"), "--tmpdir",
            workshop.path("scratch"),
        ]
        let run = try RunningProgram(arguments)
        let hasBegun = try run.wait { try server.hasLogged("noise.tif", atLeast: 3) }
        #expect(hasBegun, "the run ended before it could be stopped")
        let status = run.end(with: signal)
        #expect(status == (signal == SIGKILL ? -SIGKILL : 143))
        #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.path("scratch")).isEmpty)
        #expect(!workshop.has("out/tilejson.json"))
        try Program.succeed(arguments)
        try Program.succeed(["site/noise.tif", "-z", "17-18", "-o", "near"], in: workshop.url)
        #expect(
            try Snapshot(of: workshop.file("out")).tiles == Snapshot(of: workshop.file("near")).tiles)
    }

    @Test(
        "Addresses that are not fetched are refused before anything is asked",
        arguments: [
            "http://example.com/plan.tif", "http://127.0.0.1.example.com/plan.tif",
            "http://10.0.0.1/plan.tif",
            "http://169.254.169.254/latest/meta-data", "https://user:word@127.0.0.1/plan.tif",
            "https://127.0.0.1/plan.tif#part", "https:///plan.tif", "https://", "s3://", "s3://bucket",
            "s3://bucket/", "s3://Bad_Bucket/plan.tif", "s3://bucket/../plan.tif",
            "s3://bucket/plan.tif?versionId=1",
            "https://127.0.0.1:99999/plan.tif", "https://a b/plan.tif",
        ])
    func refused(address: String) throws {
        let workshop = try Workshop()
        let outcome = try workshop.run([address, "--bounds", Workshop.bounds, "-o", "out"])
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("error: ") && outcome.errors.split(separator: "\n").count <= 2)
        #expect(!outcome.errors.contains("connect"))
        #expect(!workshop.has("out"))
    }

    @Test(
        "Other schemes are names of files, as ever",
        arguments: ["ftp://127.0.0.1/plan.tif", "file:///plan.tif"])
    func otherSchemes(address: String) throws {
        let workshop = try Workshop()
        let outcome = try workshop.run([address, "--bounds", Workshop.bounds, "-o", "out"])
        #expect([64, 66].contains(outcome.status), "\(outcome.errors)")
    }

    @Test("A server with a certificate that is not trusted is refused", .needs("openssl"))
    func certificates() throws {
        let workshop = try Workshop()
        for (name, host) in [("right", "IP:127.0.0.1"), ("other", "DNS:example.com")] {
            try workshop.tool(
                "openssl",
                [
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=tests",
                    "-addext",
                    "subjectAltName=\(host)", "-keyout", "\(name).key", "-out", "\(name).pem",
                ])
        }
        func run(_ name: String, trusting authority: String?) throws -> Tool.Outcome {
            let server = try FarServer(
                of: workshop.url,
                ["--tls", "\(workshop.path(name + ".pem")),\(workshop.path(name + ".key"))"])
            let trust = authority.map { ["SSL_CERT_FILE=\(workshop.path($0 + ".pem"))"] } ?? ["HOME=/"]
            return try Program.run(
                [server.url("plan.png"), "--bounds", Workshop.bounds, "-o", "out-\(name)"],
                environment: trust,
                in: workshop.url)
        }
        for (name, authority) in [("right", nil), ("right", "other"), ("other", "other")]
            as [(String, String?)]
        {
            let outcome = try run(name, trusting: authority)
            #expect(outcome.status == 74 && outcome.errors.contains("certificate"), "\(outcome.errors)")
        }
        let outcome = try run("right", trusting: "right")
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    #if os(Linux)
        @Test("libcurl is loaded for far images alone")
        func loadedLate() throws {
            let workshop = try Workshop()
            let server = try FarServer(of: workshop.url)
            for (name, source) in [("near", "plan.png"), ("far", server.url("plan.png"))] {
                try Program.succeed(
                    [source, "--bounds", Workshop.bounds, "-o", "out-\(name)"],
                    environment: ["LD_DEBUG=libs", "LD_DEBUG_OUTPUT=\(workshop.path("loaded-\(name)"))"],
                    in: workshop.url)
                let reports = try FileManager.default.contentsOfDirectory(atPath: workshop.url.path)
                    .filter { $0.hasPrefix("loaded-\(name).") }
                    .map { String(decoding: try Data(contentsOf: workshop.file($0)), as: UTF8.self) }
                #expect(!reports.isEmpty)
                #expect(reports.contains { $0.contains("libcurl") } == (name == "far"))
            }
        }
    #endif
}

extension FarServer {
    /// Whether there were so many requests for a file, without waiting for answers that are under way.
    func hasLogged(_ name: String, atLeast count: Int) throws -> Bool {
        try finishedRequests().count { $0.file == "/" + name } >= count
    }
}
