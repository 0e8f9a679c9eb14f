import Platform
import Foundation
import TestSupport
import Testing
import TilewrightKit

/// A folder with manifests, and the files that they name.
struct ManifestSite {
    private let scratch: TemporaryDirectory

    /// Existing files. They are empty, since a manifest's reader does not open them.
    static let files = [
        "a.png", "b.png", "c.png", "ground.points", "a.pgw", "a.kml", "hull.geojson", "plans/b1.png",
        "plans/ground.png", "plans/first.png", "plans/first.points",
    ]

    init() throws {
        scratch = try TemporaryDirectory()
        for name in Self.files { try write("", to: name) }
    }

    /// The path of a file inside.
    func path(_ name: String) -> String { scratch.path(name) }

    /// Writes a file inside.
    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    /// Writes a file inside.
    func write(_ bytes: [UInt8], to name: String) throws {
        let url = scratch.url.appending(path: name)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Reads a manifest of one building.
    func building(_ text: String, _ name: String = "building.yaml") throws -> BuildingRequest {
        try write(text, to: name)
        guard case .building(let request) = try Manifest(contentsOf: path(name)) else {
            throw Failure(.checkFailed, "this is no building")
        }
        return request
    }

    /// Reads a manifest of several buildings.
    func campus(_ text: String) throws -> CampusRequest {
        try write(text, to: "campus.yaml")
        guard case .campus(let request) = try Manifest(contentsOf: path("campus.yaml")) else {
            throw Failure(.checkFailed, "this is no campus")
        }
        return request
    }

    /// The failure of reading a manifest; nil if there is none.
    func failure(of bytes: [UInt8]) throws -> Failure? {
        try write(bytes, to: "building.yaml")
        do { _ = try Manifest(contentsOf: path("building.yaml")) } catch { return error as? Failure }
        return nil
    }
}
