import Foundation
import TestSupport

/// A web server for a folder that sends ranges of files, and misbehaves on request.
final class RangeServer {
    private let process: ChildProcess
    /// Its address, without a slash at the end.
    let address: String

    /// Starts it, and waits until it listens.
    init(of directory: URL) throws {
        let output = try TemporaryDirectory()
        let script = SharedData.packageRoot.appending(path: "Tests/Clients/range_server.py").path
        process = try ChildProcess(
            [Python.path() ?? "python3", script, directory.path], in: directory, output: output.path("port"),
            errors: output.path("errors"))
        address = try "http://127.0.0.1:\(process.port(printedIn: output.url.appending(path: "port")))"
    }

    /// A file's address.
    func url(_ path: String) throws -> URL {
        guard let url = URL(string: "\(address)/\(path)") else { throw CocoaError(.fileReadInvalidFileName) }
        return url
    }

    /// Sets how it behaves from now on, and returns the number of requests since the last time.
    @discardableResult
    func behave(_ word: String) throws -> Int {
        Int(try String(contentsOf: url("!" + word), encoding: .utf8)) ?? -1
    }
}
