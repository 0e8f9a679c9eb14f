import Foundation
import TestSupport
import Testing

/// What the server answers to what, over real connections.
@Suite(.needsServer) struct ServeCommandTests {
    private let workshop: Workshop
    /// The tile in the middle of the plan at zoom 17.
    private let middle = "17/66264/45437"

    init() throws { workshop = try Workshop() }

    private func serve(_ arguments: String...) throws -> TileServer {
        try TileServer(arguments, in: workshop.url)
    }

    private func json(_ answer: HTTPAnswer) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
    }

    /// The address of some tile of a tileset that is in a folder.
    private func someTile(of output: URL) throws -> String {
        let names = try Snapshot(of: output).tiles.keys.sorted()
        return try #require(names.last)
    }

    @Test("a tile has its type, a strong tag and an origin of *; a client that has it gets 304")
    func tile() throws {
        let output = try workshop.build()
        let name = try someTile(of: output), file = try Data(contentsOf: output.appending(path: name))
        let server = try serve("out")
        let answer = try server.ask("/out/\(name)")
        #expect(answer.status == 200)
        #expect(answer.body == file)
        #expect(answer.fields["content-type"] == "image/png")
        #expect(answer.fields["content-length"] == String(file.count))
        #expect(answer.fields["cache-control"] == "no-cache")
        #expect(answer.fields["access-control-allow-origin"] == "*")
        #expect(answer.fields["x-content-type-options"] == "nosniff")
        let tag = try #require(answer.fields["etag"])
        #expect(tag.wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
        #expect(
            try #require(answer.fields["date"])
                .wholeMatch(of: /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil)

        let known = try server.ask("/out/\(name)", ["If-None-Match: \"x\", \(tag)"])
        #expect(known.status == 304)
        #expect(known.body.isEmpty)
        #expect(known.fields["etag"] == tag)
        #expect(known.fields["content-length"] == nil)
        #expect(try server.ask("/out/\(name)", ["If-None-Match: \"x\""]).status == 200)

        let head = try server.ask("/out/\(name)", method: "HEAD")
        #expect(head.status == 200)
        #expect(head.fields["content-length"] == String(file.count))
        #expect(head.fields["etag"] == tag)
    }

    @Test("a connection serves one request after the other, also if they are sent at once")
    func pipelined() throws {
        let output = try workshop.build()
        let name = try someTile(of: output), file = try Data(contentsOf: output.appending(path: name))
        let server = try serve("out")
        let connection = try Connection(port: server.port)
        let request = "GET /out/\(name) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
        try connection.send(String(repeating: request, count: 100))
        for _ in 0..<100 { #expect(try connection.answer().body == file) }
        try connection.send("GET / HTTP/1.0\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
        #expect(try connection.answer().status == 200)
        #expect(connection.isAtEnd())

        // As `nc` does.
        let brief = try Connection(port: server.port)
        try brief.send(request)
        brief.finishSending()
        #expect(try brief.answer().body == file)
        #expect(brief.isAtEnd())
    }

    @Test(
        "a missing tile is not found, empty or transparent; other addresses are never found",
        arguments: ([(nil, 404), ("404", 404), ("204", 204), ("transparent", 200)] as [(String?, Int)]).some(
            1))
    func missing(choice: String?, status: Int) throws {
        try workshop.build(["--tile-size", "512", "--format", "webp"])
        let arguments = ["out"] + (choice.map { ["--missing", $0] } ?? [])
        let server = try TileServer(arguments, in: workshop.url)
        let answer = try server.ask("/out/17/0/0.webp")
        #expect(answer.status == status)
        #expect(answer.fields["access-control-allow-origin"] == "*")
        if status == 200 {
            #expect(answer.fields["content-type"] == "image/png")
            try answer.body.write(to: workshop.file("empty.png"))
            let picture = try Picture(contentsOf: workshop.path("empty.png"))
            #expect(picture.width == 512 && picture.height == 512)
            #expect(picture.rgba.allSatisfy { $0 == 0 })
        }
        for path in [
            "/out/17/0/0.png", "/other/17/0/0.webp", "/out/31/0/0.webp", "/out", "/out.mbtiles",
            "/favicon.ico",
        ] {
            #expect(try server.ask(path).status == 404, "\(path)")
        }
    }

    @Test("TileJSON has the addresses by which it was asked")
    func tileJSON() throws {
        let output = try workshop.build(["--attribution", "© House"])
        try Program.succeed(["convert", "out", "first floor.mbtiles"], in: workshop.url)
        let server = try serve("out", "first floor.mbtiles", "--allow-host", "plans.example")
        let answer = try server.ask("/out.json")
        #expect(answer.fields["content-type"] == "application/json")
        #expect(answer.fields["access-control-allow-origin"] == "*")
        var served = try json(answer)
        #expect(served["tiles"] as? [String] == ["http://127.0.0.1:\(server.port)/out/{z}/{x}/{y}.png"])
        var built = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: output.appending(path: "tilejson.json")))
                as? [String: Any])
        (served["tiles"], built["tiles"]) = (nil, nil)
        #expect(NSDictionary(dictionary: served) == NSDictionary(dictionary: built))

        let other = try json(server.ask("/first%20floor.json", host: "plans.example:99"))
        #expect(other["tiles"] as? [String] == ["http://plans.example:99/first%20floor/{z}/{x}/{y}.png"])
        let name = try someTile(of: output)
        #expect(
            try server.ask("/first%20floor/\(name)").body == Data(contentsOf: output.appending(path: name)))
    }

    @Test("an archive is read by ranges, and stays one state")
    func ranges() throws {
        try workshop.build(to: "plan.pmtiles")
        let file = try Data(contentsOf: workshop.file("plan.pmtiles"))
        let server = try serve("plan.pmtiles")
        let whole = try server.ask("/plan.pmtiles")
        #expect(whole.body == file)
        #expect(whole.fields["accept-ranges"] == "bytes")
        #expect(whole.fields["access-control-expose-headers"]?.contains("content-range") == true)
        let tag = try #require(whole.fields["etag"])
        let part = try server.ask("/plan.pmtiles", ["Range: bytes=10-19"])
        #expect(part.status == 206)
        #expect(part.body == file[10..<20])
        #expect(part.fields["content-range"] == "bytes 10-19/\(file.count)")
        #expect(try server.ask("/plan.pmtiles", ["Range: bytes=-7"]).body == file.suffix(7))
        let beyond = try server.ask("/plan.pmtiles", ["Range: bytes=\(file.count)-"])
        #expect(beyond.status == 416)
        #expect(beyond.fields["content-range"] == "bytes */\(file.count)")
        #expect(try server.ask("/plan.pmtiles", ["Range: bytes=0-9", "If-Range: \(tag)"]).status == 206)
        #expect(try server.ask("/plan.pmtiles", ["Range: bytes=0-9", "If-Range: \"x\""]).status == 200)
        #expect(try server.ask("/plan.pmtiles", ["If-None-Match: \(tag)"]).status == 304)
        let head = try server.ask("/plan.pmtiles", method: "HEAD", ["Range: bytes=0-9"])
        #expect(head.status == 200 && head.fields["content-length"] == String(file.count))

        // Another one in its place.
        try workshop.build(["--tile-size", "512"], to: "plan.pmtiles")
        let new = try Data(contentsOf: workshop.file("plan.pmtiles"))
        #expect(new != file)
        let replaced = try server.ask("/plan.pmtiles", ["Range: bytes=0-9", "If-Range: \(tag)"])
        #expect(replaced.status == 200 && replaced.body == new)
    }

    @Test(
        "conditions are checked in the order of the RFC, for all requests",
        arguments: ["/out/", "/out.json", "/plan.pmtiles", "/"].some(1))
    func conditions(path: String) throws {
        let output = try workshop.build()
        try workshop.build(to: "plan.pmtiles")
        let path = path == "/out/" ? "/out/\(try someTile(of: output))" : path
        let server = try serve("out", "plan.pmtiles")
        let tag = try #require(server.ask(path).fields["etag"])
        func status(_ fields: String..., method: String = "GET") throws -> Int {
            try server.ask(path, method: method, fields).status
        }
        for stale in ["If-Match: \"x\"", "If-Match: W/\(tag)", "If-Match: \"x\", W/\(tag)"] {
            #expect(try status(stale) == 412, "\(stale)")
            #expect(try status(stale, method: "HEAD") == 412, "\(stale)")
            #expect(try status(stale, "Range: bytes=0-9") == 412, "\(stale)")
            // What is refused is not compared with what the client knows.
            #expect(try status(stale, "If-None-Match: \(tag)") == 412, "\(stale)")
        }
        let refused = try server.ask(path, ["If-Match: \"x\""])
        #expect(refused.fields["access-control-allow-origin"] == "*")
        for good in ["If-Match: \(tag)", "If-Match: \"x\", \(tag)", "If-Match: *"] {
            #expect(try status(good) == 200, "\(good)")
            #expect(try status(good, "If-None-Match: \(tag)") == 304, "\(good)")
            #expect(try status(good, "If-None-Match: \"x\"") == 200, "\(good)")
        }
        #expect(try status("If-Match: \"x\"", "If-Match: \(tag)") == 200)
        // Nothing here has a time.
        let past = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(try status("If-Unmodified-Since: \(past)") == 200)
        #expect(try status("If-None-Match: \"x\"", "If-Modified-Since: \(past)") == 200)
        if path.hasSuffix(".pmtiles") {
            #expect(try status("If-Match: \(tag)", "Range: bytes=0-9", "If-Range: \(tag)") == 206)
            #expect(try status("If-Match: \(tag)", "Range: bytes=0-9", "If-Range: \"x\"") == 200)
        }
        #expect(try server.ask("/none.json", ["If-Match: \"x\""]).status == 404)
    }

    @Test("an image's tiles are those of a build, also one that is saved meanwhile")
    func image() throws {
        let output = try workshop.build()
        let server = try serve("plan.png", "--bounds", Workshop.bounds)
        for (name, bytes) in try Snapshot(of: output).tiles {
            #expect(try server.ask("/plan/\(name)").body == bytes, "\(name)")
        }
        let name = try someTile(of: output)
        let before = try server.ask("/plan/\(name)")
        try Picture.plan(width: 200, height: 300).write(to: workshop.path("plan.png"))
        let after = try server.ask("/plan/\(name)", ["If-None-Match: \(before.fields["etag"] ?? "")"])
        #expect(after.status == 200 && after.body != before.body)
        try Data("no image".utf8).write(to: workshop.file("plan.png"))
        let broken = try server.ask("/plan/\(name)")
        #expect(broken.status == 500)
        #expect(!broken.text.contains("plan.png"))
        #expect(try server.said().contains("warning: cannot read 'plan.png'"))
    }

    @Test("other pages may read tiles, TileJSON and archives; more if they are named")
    func origins() throws {
        try workshop.build()
        try workshop.write(Workshop.house(zoom: "15-16").utf8, to: "house.yaml")
        for name in ["1", "b1", "0"] where !workshop.has("\(name).png") {
            try workshop.plan.write(to: workshop.path("\(name).png"))
        }
        let open = try serve("out", "house.yaml")
        #expect(try open.ask("/").fields["access-control-allow-origin"] == nil)
        #expect(try open.ask("/").fields["x-frame-options"] == "DENY")
        #expect(try open.ask("/building.json").status == 200)
        #expect(try open.ask("/building.json").fields["access-control-allow-origin"] == nil)
        let asked = try open.ask(
            "/out.json", method: "OPTIONS",
            ["Origin: https://a.example", "Access-Control-Request-Method: GET"])
        #expect(asked.status == 204)
        #expect(asked.fields["access-control-allow-methods"] == "GET, HEAD, OPTIONS")
        #expect(asked.fields["access-control-allow-headers"]?.contains("range") == true)

        #expect(try open.ask("/nothing.json").fields["access-control-allow-origin"] == "*")
        let narrow = try serve("out", "house.yaml", "--origin", "https://a.example")
        for path in ["/out.json", "/building.json"] {
            let answer = try narrow.ask(path)
            #expect(answer.fields["access-control-allow-origin"] == "https://a.example")
            #expect(answer.fields["vary"] == "origin")
        }
        #expect(try narrow.ask("/").fields["access-control-allow-origin"] == nil)
    }

    @Test("requests for other host names are refused, and requests change nothing")
    func refused() throws {
        try workshop.build()
        let server = try serve("out")
        for host in ["evil.example", "127.0.0.1:1", "localhost", "127.0.0.1.evil.example:\(server.port)"] {
            let answer = try server.ask("/out.json", host: host)
            #expect(answer.status == 421, "\(host)")
            #expect(answer.text.contains("--allow-host"))
        }
        for host in [
            "", "a@127.0.0.1:\(server.port)", "127.0.0.1:\(server.port)\r\nHost: 127.0.0.1:\(server.port)",
        ] {
            #expect(try server.ask("/out.json", host: host).status == 400, "\(host)")
        }
        for method in ["POST", "PUT", "DELETE", "PATCH"] {
            let answer = try server.ask("/out.json", method: method)
            #expect(answer.status == 405)
            #expect(answer.fields["allow"] == "GET, HEAD, OPTIONS")
        }
        let body = try server.ask("/out.json", ["Content-Length: 5"], body: "hello")
        #expect(body.status == 413)
        #expect(
            try server.ask("http://127.0.0.1:\(server.port)/out.json", host: "evil.example").status == 200)
        #expect(try server.ask("http://evil.example/out.json").status == 421)
    }

    @Test("SIGTERM ends it with the status of an interruption, though clients are connected")
    func ends() throws {
        try workshop.build()
        let server = try serve("out")
        let connections = try (0..<64).map { _ in try Connection(port: server.port) }
        for connection in connections {
            try connection.send("GET /out.json HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
        }
        for connection in connections { #expect(try connection.answer().status == 200) }
        #expect(server.end(with: SIGTERM) == 143)
        #expect(connections.allSatisfy { $0.isAtEnd() })
        #expect(try serve("out").end(with: SIGINT) == 130)
    }

    @Test("inputs that cannot be served end the server at once, with their status", .long)
    func statuses() throws {
        try workshop.build()
        func outcome(_ arguments: String...) throws -> (status: Int32, errors: String) {
            let outcome = try workshop.run(["serve"] + arguments)
            return (outcome.status, outcome.errors)
        }
        #expect(try outcome("nothing.pmtiles").status == 66)
        #expect(try outcome("plan.png").status == 65)
        #expect(try outcome("out", "a=out", "a=plan.png").status == 64)
        #expect(
            try outcome("out", "--crop", "0,0,1,1").errors.contains("--crop is for images, but no image")
        )
        #expect(try outcome("out", "--listen", "8080").status == 64)
        #expect(try outcome("out", "--origin", "a.example/b").status == 64)
        #expect(try outcome("out", "--allow-host", "a b").status == 64)
        #expect(try outcome("plan.png", "--bounds", Workshop.bounds, "--palette", "8").status == 64)
        #expect(try outcome("plan.png", "--bounds", Workshop.bounds, "--scheme", "tms").status == 64)
        let server = try serve("out")
        let taken = try outcome("out", "--listen", "127.0.0.1:\(server.port)")
        #expect(taken.status == 73)
        #expect(taken.errors.contains("cannot listen on 127.0.0.1:\(server.port): address already in use"))
        #expect(try outcome("out", "--listen", "192.0.2.1:0").status == 73)
    }

    @Test("without its companion the program says how to get it")
    func companion() throws {
        let copy = workshop.path("tilewright")
        try Program.copy(to: copy)
        let outcome = try Tool.run("/usr/bin/env", ["PATH=/nowhere", copy, "serve", "out"], in: workshop.url)
        #expect(outcome.status == 66)
        #expect(outcome.errors.contains("'make companions' builds it"))
    }
}
