import Foundation
import TestSupport

/// A store with the bucket `plans`, which watches what a client could see.
final class BucketServer {
    /// An object: the SHA-256 of its bytes, its type and its Cache-Control.
    typealias Objects = [String: [String]]

    /// The secret key of `environment`.
    static let secret = "a-secret-that-nothing-may-show"

    private let process: ChildProcess
    private let address: String

    /// Starts it, and waits until it listens.
    ///
    /// - Parameter moto: whether the store is moto's S3.
    init(moto: Bool = false) throws {
        let output = try TemporaryDirectory()
        let script = SharedData.packageRoot.appending(
            path: "Tests/EndToEndTests/Support/Buckets/bucket_server.py")
        let python = Python.path(with: moto ? ["moto.server"] : []) ?? "python3"
        process = try ChildProcess(
            [python, script.path] + (moto ? ["--moto"] : []), output: output.path("port"),
            errors: output.path("errors"))
        address = try "http://127.0.0.1:\(process.port(printedIn: output.url.appending(path: "port")))"
    }

    /// The variables with which the program finds it.
    var environment: [String] {
        [
            "AWS_ENDPOINT_URL=\(address)", "AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=AKIDEXAMPLE",
            "AWS_SECRET_ACCESS_KEY=\(Self.secret)", "AWS_SESSION_TOKEN=\(Self.secret)-token",
        ]
    }

    private func ask(_ word: String) throws -> Data {
        guard let url = URL(string: "\(address)/!\(word)") else { throw CocoaError(.fileReadInvalidFileName) }
        return try Data(contentsOf: url)
    }

    private func lines(_ word: String) throws -> [String] {
        String(decoding: try ask(word), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The requests since the last call, such as `PUT /plans/tower/tilejson.json`.
    func takeRequests() throws -> [String] { try lines("requests") }

    /// Tiles that a TileJSON has named at any moment and that were not there.
    func faults() throws -> [String] { try lines("faults") }

    /// All objects below a prefix.
    func objects(below prefix: String = "") throws -> Objects {
        let all = try JSONDecoder().decode(Objects.self, from: ask("objects"))
        let inside = all.filter { $0.key.hasPrefix(prefix) }
        return Dictionary(
            uniqueKeysWithValues: inside.map { (String($0.key.dropFirst(prefix.count)), $0.value) })
    }

    /// Removes all objects.
    func clear() throws { _ = try ask("clear") }

    /// From now on, answers with 403, or no longer.
    func refuse(_ refuses: Bool) throws { _ = try ask(refuses ? "refuse" : "accept") }
}
