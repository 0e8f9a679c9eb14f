import Foundation
import TestSupport
import Testing

/// A web server's copy behind a cache, kept right by rsync and by the lists of changes.
@Suite(.long, .needs("nginx", "rsync", "curl"))
struct PurgeTests {
    private let site: Workshop

    init() throws {
        site = try Workshop()
        try site.drawFloors()
    }

    private func write(_ floors: [String], output: String) throws {
        let head = "name: House\noutput: \(output)\nzoom: 15-18\nbounds: \(Workshop.bounds)\nfloors:\n"
        let lines = floors.map { "  - \($0)\n" }.joined()
        try site.write((head + lines).utf8, to: "\(output).yaml")
    }

    private func tool(_ name: String, _ arguments: [String]) throws {
        let outcome = try Tool.run(name, arguments, in: site.url)
        try #require(outcome.status == 0, "\(name): \(outcome.errors)")
    }

    private func copyToServer() throws {
        // A test runs twice within a second, so that times are compared to the nanosecond.
        try tool(
            "rsync",
            ["-a", "--modify-window=-1", "--exclude=/.tilewright", "--delete-after", "tiles/", "copy/"])
    }

    /// The files that a web server has.
    private func files(_ folder: String) throws -> [String: Data] {
        try Snapshot(of: site.file(folder)).contents.filter { !$0.key.hasPrefix(".tilewright") }
    }

    /// Runs nginx: a server of the copy, and a cache in front of it that keeps what it has seen, also that
    /// something is missing. A request with a header `Purge` brings one address up to date.
    private func withCache(_ body: () throws -> Void) throws {
        let folder = site.url.path
        let user = getuid() == 0 ? "user root;" : ""
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "\($0)_temp_path \(folder)/temporary-\($0);"
        }
        let text = """
            daemon off; \(user) pid \(folder)/nginx.pid; error_log \(folder)/error.log; events {}
            http {
                access_log off; \(temporary.joined(separator: " "))
                proxy_cache_path \(folder)/cache keys_zone=tiles:1m;
                server { listen unix:\(folder)/origin.sock; root \(folder)/copy; }
                server {
                    listen unix:\(folder)/front.sock;
                    location / {
                        proxy_pass http://unix:\(folder)/origin.sock;
                        proxy_cache tiles; proxy_cache_key $uri; proxy_cache_valid 200 404 1h;
                        proxy_cache_bypass $http_purge;
                    }
                }
            }

            """
        try site.write(text.utf8, to: "nginx.conf")
        let server = try ChildProcess(
            [try #require(Tool.path("nginx"))] + [
                "-p", folder, "-c", "\(folder)/nginx.conf", "-e", "\(folder)/error.log",
            ])
        defer { _ = server.end(with: SIGTERM) }
        while server.isRunning, !site.has("nginx.pid") { usleep(5000) }
        try body()
    }

    /// What the cache answers to some addresses; nil if nothing is there.
    private func fetch(_ addresses: some Collection<String>, purging: Bool = false) throws -> [String: Data?]
    {
        var lines = ["unix-socket = \(site.path("front.sock"))"]
        if purging { lines.append("header = \"Purge: 1\"") }
        for (index, address) in addresses.enumerated() {
            lines.append("url = \"http://server/\(address)\"")
            lines.append("output = \"\(site.path("answer-\(index)"))\"")
        }
        lines.append("write-out = \"%{http_code}\\n\"")
        try site.write(lines.joined(separator: "\n").utf8, to: "curl")
        let outcome = try Tool.run("curl", ["-s", "-K", site.path("curl")])
        let statuses = outcome.output.split(separator: "\n")
        try #require(statuses.count == addresses.count, "\(outcome.errors)")
        return try zip(addresses, statuses).enumerated().reduce(into: [:]) { answers, answer in
            let (index, (address, status)) = answer
            let data = try Data(contentsOf: site.file("answer-\(index)"))
            try #require(status == "200" || status == "404", "\(address): \(status)")
            answers[address] = .some(status == "200" ? data : nil)
        }
    }

    @Test("After a floor is removed and another changes, the cache serves the same as a fresh build")
    func purge() throws {
        let floors = [
            "{floor: B1, ordinal: -1, image: b1.png}", "{floor: 0, image: 0.png}",
            "{floor: \"1 A\", ordinal: 1, image: 1.png}",
        ]
        try write(floors, output: "tiles")
        try Program.succeed(["tiles.yaml"], in: site.url)
        try copyToServer()
        let before = try files("tiles")

        try withCache {
            func address(_ path: String) throws -> String {
                try #require(path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed))
            }
            // What an app has asked for, and what it will ask for and is not there yet.
            let later = before.keys.filter { $0.hasPrefix("B1/") }.map { "3" + $0.dropFirst(2) }
            let first = try fetch(before.keys.map(address) + later.map(address))
            #expect(try before.allSatisfy { try first[address($0.key)] == $0.value })

            try Picture.plan(width: 360, height: 200).write(to: site.path("1.png"))
            let next = floors.dropFirst() + ["{floor: 3, image: b1.png}"]
            for output in ["tiles", "fresh"] { try write(Array(next), output: output) }
            try Program.succeed(["tiles.yaml", "--changes", "list"], in: site.url)
            try Program.succeed(["fresh.yaml"], in: site.url)
            // The index names its manifest.
            var fresh = try files("fresh")
            fresh["building.json"] = try files("tiles")["building.json"]
            try copyToServer()
            #expect(try files("copy") == fresh)

            let all = Set(before.keys).union(fresh.keys).union(later)
            func isFresh(_ answers: [String: Data?]) throws -> Bool {
                try all.allSatisfy { path in try answers[address(path)] == .some(fresh[path]) }
            }
            #expect(try !isFresh(fetch(all.map(address))), "a cache that forgets tests nothing")
            let list = try String(contentsOf: site.file("list"), encoding: .utf8)
            let stale = list.split(separator: "\n").map { String($0.drop { $0 != " " }.dropFirst()) }
            _ = try fetch(stale, purging: true)
            #expect(try isFresh(fetch(all.map(address))))
            #expect(stale.contains("building.json") && stale.contains { $0.hasPrefix("1%20A/") })
        }
    }
}
