import Foundation
import Platform
@testable import Stores
import TestSupport
import Testing

/// A server on this machine, which runs as long as this object: a script of `Support`.
final class TestServer: @unchecked Sendable {
    let port: Int
    private let scratch = try? TemporaryDirectory()
    private let process: ChildProcess
    private let log: String

    /// The program itself: a script that looks for it takes longer than all else.
    private static let python: String = {
        let modules = Python.path(with: ["botocore"]) == nil ? [] : ["botocore"]
        let output = try? Python.run("import sys; print(sys.executable)", with: modules).output
        return output?.split(separator: "\n").first.map(String.init) ?? "/usr/bin/python3"
    }()

    static func script(_ name: String) -> String {
        SharedData.packageRoot.appending(path: "Tests/StoresTests/Support/\(name)").path
    }

    /// Starts it.
    ///
    /// - Parameter certificate: the files of its certificate and key, for TLS.
    init(_ name: String = "store_server.py", certificate: (String, String)? = nil) throws {
        let folder = try #require(scratch)
        log = folder.path("log")
        let output = folder.path("port")
        process = try ChildProcess(
            [Self.python, Self.script(name), log] + (certificate.map { [$0.0, $0.1] } ?? []), output: output,
            errors: folder.path("errors"))
        var text = ""
        let start = ContinuousClock.now
        while !text.hasSuffix("\n"), ContinuousClock.now - start < .seconds(30) {
            usleep(20_000)
            text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        }
        port = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    func address(_ path: String) throws -> StoreAddress {
        try #require(StoreAddress("http://127.0.0.1:\(port)/\(path)"))
    }

    /// The requests so far.
    var requests: [[String: String]] {
        get throws {
            let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            return try lines.map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return try #require(object as? [String: Any]).mapValues { "\($0)" }
            }
        }
    }

    /// The bytes of a file of the server.
    static func content(_ size: Int) -> [UInt8] { (0..<size).map { UInt8(($0 * 7 + $0 / 256) % 256) } }

    /// A store that repeats without long pauses.
    static func store(_ variables: [String: String] = [:]) throws -> Store {
        try Store(Environment { variables[$0] }, pauses: 0.02)
    }
}

extension Store {
    /// A range as an array.
    func bytes(_ range: Range<Int>, of address: StoreAddress, _ version: StoredVersion) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: range.count)
        try bytes.withUnsafeMutableBytes { try read(range, of: address, version: version, into: $0) }
        return bytes
    }

    /// A download as an array.
    func downloaded(_ address: StoreAddress, atMost most: Int = 1 << 30) throws -> (StoredVersion, [UInt8]) {
        let scratch = try TemporaryDirectory()
        let file = try FileDescriptor(scratchFileIn: scratch.url.path)
        let version = try download(address, atMost: most, to: file)
        return (version, try file.readBytes(at: 0, count: try file.status().size))
    }
}

/// Expects a failure of a kind whose text has a part.
func expectFailure<Result>(
    _ kind: Failure.Kind, _ part: String = "", sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Result
) {
    do {
        let result = try body()
        Issue.record("no failure: \(result)", sourceLocation: sourceLocation)
    } catch let failure as Failure {
        #expect(failure.kind == kind, "\(failure)", sourceLocation: sourceLocation)
        #expect(part.isEmpty || "\(failure)".contains(part), "\(failure)", sourceLocation: sourceLocation)
    } catch { Issue.record("\(error)", sourceLocation: sourceLocation) }
}
