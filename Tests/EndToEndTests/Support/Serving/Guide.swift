import Foundation
import TestSupport
import Testing

/// The program that guides through a building, and a window that shows it.
struct Guide {
    /// The program.
    let server: TileServer
    /// The name of the window.
    let window: String

    /// Starts it in a workshop, without a browser.
    init(
        _ plans: [String] = [], in workshop: Workshop, window: String = "first",
        listen: String? = "127.0.0.1:0",
        environment: [String] = [], options: [String] = ["--no-browser"]
    ) throws {
        server = try TileServer(
            options + plans, in: workshop.url, listen: listen, environment: environment, command: "open")
        self.window = window
    }

    /// Another window of the same program.
    init(_ server: TileServer, window: String) { (self.server, self.window) = (server, window) }

    /// Sends a body, from the program's own page unless something else is given.
    func post(
        _ path: String, body: String, origin: String? = "", type: String? = "application/json",
        host: String? = nil, method: String = "POST"
    ) throws -> HTTPAnswer {
        var fields = ["Content-Length: \(body.utf8.count)"]
        if let origin { fields.append("Origin: \(origin.isEmpty ? server.address : origin)") }
        if let type { fields.append("Content-Type: \(type)") }
        return try server.ask("/\(path)", method: method, host: host, fields, body: body)
    }

    /// What the page of this window sends.
    func body(_ content: [String: Any] = [:]) throws -> String {
        let all = content.merging(["window": window]) { $1 }
        return String(decoding: try JSONSerialization.data(withJSONObject: all), as: UTF8.self)
    }

    /// Sends what the page of this window sends.
    @discardableResult
    func post(_ path: String, _ content: [String: Any] = [:]) throws -> HTTPAnswer {
        try post(path, body: body(content))
    }

    /// A document, as JSON.
    func json(_ path: String) throws -> [String: Any] {
        let answer = try server.ask("/\(path)")
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
    }

    /// What the first step shows.
    func state() throws -> [String: Any] { try json("state.json") }

    /// Makes pages the floors 0, 1, …, by their names in addresses.
    @discardableResult
    func choose(_ pages: [String], revision: String? = nil) throws -> HTTPAnswer {
        try choose(pages.enumerated().map { ["id": $1, "floor": "\($0)"] }, revision: revision)
    }

    /// Makes pages floors; a floor has the keys `id` and `floor`, and others of the page.
    func choose(_ floors: [[String: Any]], revision: String? = nil) throws -> HTTPAnswer {
        let standard: [String: Any] = ["label": "", "ordinal": 0, "isDefault": false]
        let floors = floors.enumerated().map { number, floor in
            floor.merging(standard.merging(["ordinal": number]) { $1 }) { own, _ in own }
        }
        let revision = try revision ?? state()["revision"] as? String ?? ""
        return try post("pages", ["revision": revision, "floors": floors])
    }

    /// Saves the position of a floor, at the top of the manifest unless it is its own.
    @discardableResult
    func place(_ floor: String, isOwn: Bool = false) throws -> HTTPAnswer {
        let points = ([SavedRows.header] + SavedRows.rows).joined(separator: "\n") + "\n"
        return try post(
            "position",
            ["floor": floor, "isOwn": isOwn, "text": points, "transform": "affine", "draft": "{}"])
    }

    /// Builds, and waits for the end.
    func build() throws -> [String: Any] {
        let answer = try post("build")
        #expect(answer.status == 200, "\(answer.text)")
        while true {
            let progress = try json("progress.json")
            if progress["state"] as? String != "running" { return progress }
            usleep(10_000)
        }
    }
}
