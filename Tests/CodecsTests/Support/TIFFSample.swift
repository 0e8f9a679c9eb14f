import Foundation
import Raster
import TestSupport
import Testing

/// A TIFF file that GDAL has written, or a script by hand, and the pixels that it stands for.
struct TIFFSample: CustomTestStringConvertible, Sendable {
    var name: String
    var path: String
    var width: Int
    var height: Int
    /// How far a sample may be off.
    var tolerance: Int
    var options: ReadOptions
    /// Whether the colour of transparent pixels does not matter.
    var ignoresBlanks: Bool
    var orientation: Orientation
    /// RGBA rows.
    var pixels: [UInt8]

    var testDescription: String { name }

    /// All samples; none without Python, its GDAL and numpy.
    static var all: [TIFFSample] { (try? written.get()) ?? [] }

    /// What the script wrote, or why it failed.
    static let written = Result { try load() }

    static func named(_ name: String) throws -> TIFFSample {
        guard let sample = all.first(where: { $0.name == name }) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return sample
    }

    /// Modules of Python that the script imports.
    static let modules = ["numpy", "osgeo.gdal"]

    private static let directory = try? TemporaryDirectory()

    /// The path of a file that the table does not list.
    static func path(_ name: String) throws -> String {
        _ = try written.get()
        guard let directory else { throw CocoaError(.fileNoSuchFile) }
        return directory.path(name + ".tif")
    }

    private struct ScriptError: Error {
        var errors: String
    }

    private static func load() throws -> [TIFFSample] {
        guard let python = Python.path(with: modules), let directory else { return [] }
        let script = SharedData.packageRoot
            .appending(path: "Tests/CodecsTests/Support/tiff_samples.py")
        let outcome = try Tool.run(python, [script.path, directory.url.path])
        // A GDAL that lacks one of the compressions, for example.
        guard outcome.status == 0 else { throw ScriptError(errors: outcome.errors) }
        let table = try String(contentsOfFile: directory.path("cases.tsv"), encoding: .utf8)
        return try table.split(separator: "\n").map { line in
            try TIFFSample(
                fields: line.split(separator: "\t", omittingEmptySubsequences: false), in: directory
            )
        }
    }

    private init(fields: [Substring], in directory: TemporaryDirectory) throws {
        name = String(fields[0])
        path = directory.path(name + ".tif")
        (width, height, tolerance) = (Int(fields[1]) ?? 0, Int(fields[2]) ?? 0, Int(fields[3]) ?? 0)
        options = ReadOptions()
        ignoresBlanks = fields[4] == "blank"
        orientation = .upright
        pixels = Array(try Data(contentsOf: directory.url.appending(path: name + ".rgba")))
        let parts = fields[4].split(separator: "=")
        let numbers = parts.last?.split(separator: ",").compactMap { Double($0) } ?? []
        if parts.first == "bands" { options.bands = numbers.map { Int($0) } }
        if parts.first == "range" { options.range = SampleRange(numbers[0]...numbers[1]) }
        if fields[5].hasPrefix("orientation=") {
            orientation = Orientation(rawValue: Int(fields[5].suffix(1)) ?? 0) ?? .upright
        }
    }

    /// How many samples of an image differ by more than allowed.
    func differences(_ rgba: [UInt8]) -> Int {
        precondition(rgba.count == pixels.count && pixels.count == 4 * width * height)
        return rgba.indices.count { index in
            if ignoresBlanks, pixels[index | 3] == 0, index % 4 != 3 { return false }
            return abs(Int(rgba[index]) - Int(pixels[index])) > tolerance
        }
    }
}
