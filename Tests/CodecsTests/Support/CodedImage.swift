import Codecs
import Foundation
import Raster
import TestSupport
import Testing

/// Pictures that other programs encode and decode, in a folder of their own.
struct CodedImage {
    let directory: TemporaryDirectory
    let width: Int
    let height: Int

    /// Makes an empty folder. The default size is odd, and no multiple of a block.
    init(width: Int = 151, height: Int = 97) throws {
        directory = try TemporaryDirectory()
        (self.width, self.height) = (width, height)
    }

    func path(_ name: String) -> String { directory.path(name) }

    /// Runs a program in the folder, and expects that it succeeds.
    func run(_ program: String, _ arguments: [String]) throws {
        let outcome = try Tool.run(program, arguments, in: directory.url)
        try #require(outcome.status == 0, "\(program): \(outcome.errors)\(outcome.output)")
    }

    /// Writes a picture of slopes and edges in all colours as a PNG file.
    ///
    /// - Parameters:
    ///   - samples: 1 is gray, 3 is RGB, 4 has alpha.
    ///   - depth: 8 or 16.
    func write(_ name: String, samples: Int = 3, depth: UInt8 = 8, alpha: ClosedRange<Int> = 0...255)
        throws
    {
        let colorType: UInt8 = samples == 1 ? 0 : samples == 3 ? 2 : 6
        var png = PNGBuilder(width: width, height: height, depth: depth, colorType: colorType)
        png.finish(
            rows: (0..<height).map { y in
                [0]
                    + (0..<width).flatMap { x in
                        (0..<samples).flatMap { sample(x, y, $0, alpha: alpha, depth: depth) }
                    }
            })
        try Data(png.bytes).write(to: directory.url.appending(path: name))
    }

    private func sample(_ x: Int, _ y: Int, _ index: Int, alpha: ClosedRange<Int>, depth: UInt8)
        -> [UInt8]
    {
        let slopes = [x * 255 / width, y * 255 / height, (x + 2 * y) % 256]
        let isBar = (x / 20 + y / 16) % 4 == 0
        let value =
            index == 3
            ? alpha.lowerBound + (x + y) * (alpha.upperBound - alpha.lowerBound) / (width + height)
            : isBar ? 255 - slopes[index] / 2 : slopes[index]
        return depth == 8 ? [UInt8(value)] : [UInt8(value), UInt8((x * 7 + y * 13) & 0xFF)]
    }

    /// Reads a file of the folder with the reader under test.
    func read(_ name: String, _ options: ReadOptions = ReadOptions()) throws -> DecodedImage {
        try ImageFile.open(path: path(name), options: options).readAll(atATime: 7)
    }

    /// Decodes a file by another program into a PNG file, and reads that.
    func decode(_ name: String, by program: String, _ options: [String] = []) throws -> DecodedImage {
        try run(program, options + [name, "decoded.png"])
        return try read("decoded.png", ReadOptions(keepsColors: true))
    }
}

/// Compares pixels of two images of one form.
///
/// - Returns: the largest difference of a sample, and the ratio of signal to noise in dB.
func difference(_ a: [UInt8], _ b: [UInt8]) -> (most: Int, decibels: Double) {
    guard a.count == b.count else { return (256, 0) }
    var (most, squares) = (0, 0)
    for index in a.indices {
        let error = abs(Int(a[index]) - Int(b[index]))
        most = max(most, error)
        squares += error * error
    }
    let mean = Double(squares) / Double(max(a.count, 1))
    return (most, mean == 0 ? .infinity : 10 * log10(255 * 255 / mean))
}
