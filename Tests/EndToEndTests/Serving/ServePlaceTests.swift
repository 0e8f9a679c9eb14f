import Foundation
import TestSupport
import Testing

/// The page in which a plan is placed on the map, saving through the server that gave it.
@Suite(.needsServer) struct ServePlaceTests {
    private let workshop: Workshop

    init() throws { workshop = try Workshop() }

    private var points: String { ([SavedRows.header] + SavedRows.rows).joined(separator: "\n") + "\n" }

    /// What the page sends.
    private func body(_ name: String, _ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(["name": name, "text": text]), as: UTF8.self)
    }

    private func save(
        _ body: String, to path: String, of server: TileServer, origin: String? = nil,
        type: String = "application/json"
    ) throws -> HTTPAnswer {
        let fields = [
            "Content-Length: \(body.utf8.count)", "Content-Type: \(type)",
            "Origin: \(origin ?? server.address)",
        ]
        return try server.ask(path, method: "POST", fields, body: body)
    }

    @Test("a plan without a position is served when its points were saved")
    func image() throws {
        let server = try TileServer(["plan.png", "--place"], in: workshop.url)
        #expect(try server.said().contains("warning: cannot place 'plan.png': it has no position"))
        #expect(try server.ask("/plan.json").status == 500)
        let link =
            "<a href=\"plan/place\" data-phrase=\"links.lay\" data-name=\"plan.png\">Place plan.png on the map</a>"
        #expect(try server.ask("/").text.contains(link))
        let page = try server.ask("/plan/place")
        #expect(page.status == 200)
        #expect(page.text.contains("\"saveTo\": \"points\""))
        #expect(page.fields["x-frame-options"] == "DENY")
        #expect(page.fields["access-control-allow-origin"] == nil)

        let answer = try save(body("plan.png.points", points), to: "/plan/points", of: server)
        #expect(answer.status == 200, "\(answer.text)")
        let told = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
        #expect(told?["saved"] as? String == "plan.png.points")
        #expect(try String(contentsOf: workshop.file("plan.png.points"), encoding: .utf8) == points)
        #expect(try server.ask("/plan.json").status == 200)
        #expect(try server.ask("/").text.contains("plan/{z}/{x}/{y}.png"))
    }

    @Test("points of a manifest's floor go where the manifest finds them")
    func manifest() throws {
        let text = """
            output: tiles
            floors:
              - {floor: 1, ordinal: 1, image: plan.png, gcps: first.points}
            """
        try workshop.write(text.utf8, to: "house.yaml")
        try workshop.write(points.utf8, to: "first.points")
        let server = try TileServer(["house.yaml", "--place"], in: workshop.url)
        let page = try server.ask("/place").text
        let name = try #require(page.firstMatch(of: /"download": "([^"]+)"/)?.1)
        let changed = points.replacing(",a,", with: ",corner,")
        let answer = try save(body(String(name), changed), to: "/points", of: server)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try String(contentsOf: workshop.file("first.points"), encoding: .utf8) == changed)
        let unknown = try save(body("other.points", changed), to: "/points", of: server)
        #expect(unknown.status == 200 || unknown.status == 409)
    }

    @Test("only the server's own page saves, and nothing but points")
    func refused() throws {
        let server = try TileServer(["plan.png", "--place"], in: workshop.url)
        let good = try body("plan.png.points", points)
        for origin in [
            "http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:\(server.port)",
        ] {
            #expect(try save(good, to: "/plan/points", of: server, origin: origin).status == 403, "\(origin)")
        }
        #expect(try save(good, to: "/plan/points", of: server, type: "text/plain").status == 403)
        #expect(try server.ask("/plan/points", method: "POST", ["Content-Length: 0"]).status == 403)
        #expect(try save("points", to: "/plan/points", of: server).status == 400)
        #expect(try save(good, to: "/other/points", of: server).status == 405)
        let damaged = try save(body("plan.png.points", "mapX"), to: "/plan/points", of: server)
        #expect(damaged.status == 409)
        let long = try save(
            body("plan.png.points", String(repeating: " ", count: 200_000)), to: "/plan/points", of: server)
        #expect(long.status == 413)
        let elsewhere = try save(body("../../evil.points", points), to: "/plan/points", of: server)
        #expect(elsewhere.status == 200)
        #expect(workshop.has("plan.png.points"))

        try workshop.write("mapX,mapY,pixelX,pixelY\n1,2,3,4\n".utf8, to: "plan.png.points")
        let others = try save(good, to: "/plan/points", of: server)
        #expect(others.status == 409)
        #expect(others.text.contains("were not saved by a page of 'tilewright place': move it away"))
    }

    @Test("a client that waits for status 100 gets it, or is refused at once")
    func expectation() throws {
        let server = try TileServer(["plan.png", "--place"], in: workshop.url)
        let good = try body("plan.png.points", points)
        func fields(_ origin: String? = nil, length: Int? = nil) -> [String] {
            [
                "Content-Length: \(length ?? good.utf8.count)", "Content-Type: application/json",
                "Origin: \(origin ?? server.address)", "Expect: 100-continue",
            ]
        }
        let connection = try Connection(port: server.port)
        // It is asked when what came before is answered.
        try connection.send(
            server.request("/plan/place")
                + server.request("/plan/points", fields(), method: "POST"))
        #expect(try connection.answer().status == 200)
        #expect(try connection.answer().status == 100)
        try connection.send(good)
        #expect(try connection.answer().status == 200)
        #expect(workshop.has("plan.png.points"))
        // A body that comes unasked is taken.
        try connection.send(server.request("/plan/points", fields(), method: "POST") + good)
        let first = try connection.answer()
        #expect(try first.status == 200 || (try first.status == 100 && connection.answer().status == 200))

        for (path, fields, status) in [
            ("/plan/points", fields("http://evil.example"), 403),
            ("/plan/points", fields(length: 1 << 20), 413), ("/other/points", fields(), 405),
            ("/plan/points", fields() + ["Host: evil.example"], 400),
        ] {
            let refused = try Connection(port: server.port)
            try refused.send(server.request(path, fields, method: "POST"))
            #expect(try refused.answer().status == status, "\(path) \(fields)")
            #expect(refused.isAtEnd())
        }
        let plain = try Connection(port: server.port)
        try plain.send(server.request("/plan/place", ["Expect: 100-continue"]))
        #expect(try plain.answer().status == 200)
    }

    @Test("without --place there is no such page, and nothing is saved")
    func notAllowed() throws {
        let server = try TileServer(["plan.png", "--bounds", Workshop.bounds], in: workshop.url)
        #expect(try server.ask("/plan/place").status == 404)
        #expect(try save(body("plan.png.points", points), to: "/plan/points", of: server).status == 413)
        #expect(!workshop.has("plan.png.points"))
    }
}
