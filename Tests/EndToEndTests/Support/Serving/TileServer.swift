import Foundation
import TestSupport
import Testing

/// The program that serves, while it runs.
final class TileServer {
    private let process: ChildProcess
    private let log: URL
    /// The port that it got.
    let port: Int

    /// Starts it in a directory, on a port of its own, and waits until it listens.
    ///
    /// - Parameters:
    ///   - listen: the address; nil for the program's own choice.
    ///   - environment: variables, as `NAME=VALUE`.
    ///   - command: `serve`, or `open`.
    init(
        _ arguments: [String], in directory: URL, listen: String? = "127.0.0.1:0",
        environment: [String] = [], command: String = "serve"
    ) throws {
        log = directory.appending(path: "serve-\(UUID()).log")
        process = try ChildProcess(
            ["/usr/bin/env"] + environment + [Program.path, command]
                + (listen.map { ["--listen", $0] } ?? []) + arguments,
            in: directory, errors: log.path)
        var port: Int?
        while process.isRunning, port == nil {
            port = Self.port(in: try String(contentsOf: log, encoding: .utf8))
            usleep(2000)
        }
        guard let port else {
            throw CocoaError(.executableLoad, userInfo: ["log": try String(contentsOf: log, encoding: .utf8)])
        }
        self.port = port
    }

    private static func port(in log: String) -> Int? {
        let lines = log.split(separator: "\n")
        guard log.hasSuffix("\n"),
            let line = lines.last(where: { $0.hasPrefix("listening on ") || $0.hasPrefix("open http://") })
        else { return nil }
        return line.split(separator: ":").last.flatMap { Int($0.prefix(while: \.isNumber)) }
    }

    /// Its address, without a slash at the end.
    var address: String { "http://127.0.0.1:\(port)" }

    /// What it has said.
    func said() throws -> String { try String(contentsOf: log, encoding: .utf8) }

    /// The most memory that it had, in KiB.
    func mostMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.identifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? .max
    }

    /// What a request is, without its end.
    func request(_ path: String, _ fields: [String] = [], method: String = "GET") -> String {
        (["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + fields).joined(separator: "\r\n")
            + "\r\n\r\n"
    }

    /// Sends a signal, and waits for the end.
    ///
    /// - Returns: the exit status, or minus the number of the signal that ended it.
    func end(with signal: Int32 = SIGTERM) -> Int32 { process.end(with: signal) }

    /// Asks for something on a connection of its own.
    func ask(
        _ path: String, method: String = "GET", host: String? = nil, _ fields: [String] = [],
        body: String = ""
    ) throws -> HTTPAnswer {
        let connection = try Connection(port: port)
        let host = host ?? "127.0.0.1:\(port)"
        let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)"] + fields + ["Connection: close"]
        try connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
        return try connection.answer(isToHead: method == "HEAD")
    }
}

/// An answer over HTTP.
struct HTTPAnswer {
    /// The status.
    let status: Int
    /// The fields, by their names in small letters.
    let fields: [String: String]
    /// The body.
    let body: Data

    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}

extension Trait where Self == ConditionTrait {
    /// Tests that need the server.
    static var needsServer: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["TILEWRIGHT_SERVE"] == "1",
            "no server: make test WITH=companions builds it")
    }
}
