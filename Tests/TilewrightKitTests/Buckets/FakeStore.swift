import Foundation
import Platform
import Synchronization
import TilewrightKit

/// A bucket in memory, which counts requests and can end a run at any of them.
final class FakeStore: ObjectStore {
    struct Object: Hashable {
        var bytes: [UInt8]
        var headers: ObjectHeaders
    }

    /// A request, as `put 15/1/2.png`.
    typealias Request = String

    /// A run was killed.
    struct Killed: Error {}

    private struct State {
        var objects: [String: Object] = [:]
        var requests: [Request] = []
        var killAt: Int?
        var isDoneBefore = false
        var faults: [String] = []
        var delay: UInt32 = 0
    }

    private let state = Mutex(State())

    /// All objects.
    var objects: [String: Object] {
        get { state.withLock(\.objects) }
        set { state.withLock { $0.objects = newValue } }
    }

    /// What a watcher saw after one of the requests and should not have.
    var faults: [String] { state.withLock(\.faults) }

    /// The requests since the last call.
    func takeRequests() -> [Request] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// From now on, the run is killed at a request, counted from 0, and at all after it.
    ///
    /// - Parameter isDoneBefore: whether the store does what that request says.
    func kill(at number: Int?, isDoneBefore: Bool = false) {
        state.withLock { state in
            (state.killAt, state.isDoneBefore, state.requests) = (number, isDoneBefore, [])
        }
    }

    /// From now on, each request takes a time, in microseconds.
    func slow(by delay: UInt32) { state.withLock { $0.delay = delay } }

    private func request<Result>(_ request: Request, _ body: (inout [String: Object]) -> Result) throws
        -> Result
    {
        usleep(state.withLock(\.delay))
        return try state.withLock { state in
            state.requests.append(request)
            let number = state.requests.count - 1
            if let last = state.killAt, number > last || number == last && !state.isDoneBefore {
                throw Killed()
            }
            let result = body(&state.objects)
            if !request.hasPrefix("get") { state.faults += Self.missingTiles(in: state.objects) }
            if number == state.killAt { throw Killed() }
            return result
        }
    }

    /// The tiles that a TileJSON names and that are not there.
    private static func missingTiles(in objects: [String: Object]) -> [String] {
        struct TileJSON: Decodable {
            struct Limits: Decodable {
                var tileMatrix: String
                var minTileRow, maxTileRow, minTileCol, maxTileCol: Int
            }
            var tiles: [String]
            var tileMatrixSetLimits: [Limits]
        }
        var missing: [String] = []
        for (key, object) in objects where key.hasSuffix(".json") && key.contains("tilejson") {
            guard let document = try? JSONDecoder().decode(TileJSON.self, from: Data(object.bytes)) else {
                missing.append("\(key) cannot be read")
                continue
            }
            let folder = key.split(separator: "/").dropLast().map { $0 + "/" }.joined()
            for limits in document.tileMatrixSetLimits {
                for row in limits.minTileRow...limits.maxTileRow {
                    for column in limits.minTileCol...limits.maxTileCol {
                        let path = document.tiles[0].replacingOccurrences(of: "{z}", with: limits.tileMatrix)
                            .replacingOccurrences(of: "{x}", with: "\(column)")
                            .replacingOccurrences(of: "{y}", with: "\(row)")
                        if objects[folder + path] == nil { missing.append("\(key) names \(path)") }
                    }
                }
            }
        }
        return missing
    }

    func title(of key: String) -> String { "s3://bucket/\(key)" }

    func bytes(of key: String, atMost most: Int) throws -> [UInt8]? {
        try request("get \(key)") { $0[key]?.bytes }
    }

    func head(of key: String, count: Int) throws -> [UInt8]? {
        try request("get \(key)") { $0[key].map { Array($0.bytes.prefix(count)) } }
    }

    func put(_ bytes: [UInt8], at key: String, _ headers: ObjectHeaders) throws {
        try request("put \(key)") { $0[key] = Object(bytes: bytes, headers: headers) }
    }

    func put(fileAt path: String, size: Int, at key: String, _ headers: ObjectHeaders) throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        if bytes.count != size { throw Killed() }
        try put(bytes, at: key, headers)
    }

    func remove(_ key: String) throws { try request("remove \(key)") { $0[key] = nil } }
}
