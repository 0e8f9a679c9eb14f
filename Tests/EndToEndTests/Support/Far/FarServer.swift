import Foundation
import TestSupport

/// A web server for a folder that sends ranges of files, is as slow as it is told to be, and fails on request.
///
/// Its options and its special addresses are those of `range_server.py`.
final class FarServer {
    /// A request, as the server has answered it.
    struct Request: Decodable {
        var method, path: String
        var range: String?
        var status, bytes, connection: Int
        var fault: String?

        /// The path without its query.
        var file: String { String(path.prefix { $0 != "?" }) }

        /// The bytes of the file that it asked for; nil if it did not ask for a range.
        var bounds: Range<Int>? {
            let numbers = range?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
            guard let numbers, numbers.count == 2, numbers[0] <= numbers[1] else { return nil }
            return numbers[0]..<numbers[1] + 1
        }
    }

    private let process: ChildProcess
    private let output: TemporaryDirectory
    /// Its address, without a slash at the end.
    let address: String

    /// Starts it, and waits until it listens.
    ///
    /// - Parameter options: of `range_server.py`.
    init(of directory: URL, _ options: [String] = []) throws {
        output = try TemporaryDirectory()
        let script = SharedData.packageRoot
            .appending(path: "Tests/EndToEndTests/Support/Far/range_server.py").path
        let log = try output.write("", to: "log")
        process = try ChildProcess(
            [Python.path() ?? "python3", script, directory.path, "--log", log] + options,
            output: output.path("port"), errors: output.path("errors"))
        let port = try process.port(printedIn: output.url.appending(path: "port"))
        address = "\(options.contains("--tls") ? "https" : "http")://127.0.0.1:\(port)"
    }

    /// A file's address.
    func url(_ path: String) -> String { "\(address)/\(path)" }

    /// All requests so far, after the answers that are under way have ended.
    func requests() throws -> [Request] {
        if address.hasPrefix("http:"), let settle = URL(string: url("~settle")) {
            _ = try String(contentsOf: settle, encoding: .utf8)
        }
        return try finishedRequests()
    }

    /// Those whose answers have ended.
    func finishedRequests() throws -> [Request] {
        try String(contentsOf: output.url.appending(path: "log"), encoding: .utf8).split(separator: "\n")
            .map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) }
    }

    /// Those for a file, whether it exists or not.
    func requests(for name: String) throws -> [Request] {
        try requests().filter { $0.file == "/" + name }
    }
}

extension [FarServer.Request] {
    /// The bytes that were sent for them.
    var bytes: Int { reduce(0) { $0 + $1.bytes } }

    /// Bytes of the file that more than one of them asked for.
    var repeatedBytes: Int {
        var (end, repeated) = (0, 0)
        for bounds in compactMap(\.bounds).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            repeated += Swift.max(0, Swift.min(end, bounds.upperBound) - bounds.lowerBound)
            end = Swift.max(end, bounds.upperBound)
        }
        return repeated
    }
}
