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

    /// All samples; none where Python, its GDAL and numpy are not there.
    static let all: [TIFFSample] = (try? load()) ?? []

    /// Whether there are samples: the condition of the tests that read them.
    static var arePresent: Bool { !all.isEmpty }

    static func named(_ name: String) throws -> TIFFSample {
        guard let sample = all.first(where: { $0.name == name }) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return sample
    }

    /// A Python that has GDAL and numpy.
    static let python: String? = [Tool.path("python3"), "/usr/bin/python3"].compactMap { $0 }.first {
        (try? Tool.run($0, ["-c", "import numpy; from osgeo import gdal"]).status) == 0
    }

    private static let directory = try? TemporaryDirectory()

    /// The path of a file that the table does not list.
    static func path(_ name: String) throws -> String {
        guard let directory, arePresent else { throw CocoaError(.fileNoSuchFile) }
        return directory.path(name + ".tif")
    }

    private static func load() throws -> [TIFFSample] {
        guard let python, let directory else { return [] }
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "tiff_samples.py")
        let outcome = try Tool.run(python, [script.path, directory.url.path])
        guard outcome.status == 0 else {
            // A GDAL that lacks one of the compressions, for example.
            print("left out the TIFF files of tiff_samples.py: \(outcome.errors)")
            return []
        }
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
        if parts.first == "range" { options.range = numbers[0]...numbers[1] }
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
