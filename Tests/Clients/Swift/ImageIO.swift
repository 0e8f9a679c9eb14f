// swift-format-ignore-file
// The public names of ImageIO and Core Graphics that snippets use, after their references:
// https://developer.apple.com/documentation/imageio, https://developer.apple.com/documentation/coregraphics.
//
// Here a picture's file is a text: "GIF8", width, height and a letter for each pixel, row by row. Drawing takes
// the nearest pixel. Any PNG is a picture of four pixels. Core Graphics' names are here, too.

@_exported import Foundation

public typealias CFData = Data
public typealias CFMutableData = NSMutableData
public typealias CFString = String
public typealias CFDictionary = [String: Int]

public struct CGColorSpace: Sendable {
    public static let sRGB = "sRGB"
    public init?(name: CFString) {}
}

public enum CGImageAlphaInfo: UInt32 { case none, premultipliedLast }

public enum CGInterpolationQuality: Int32 { case `default`, none, low, high, medium }

public final class CGImage: Sendable {
    public let width: Int
    public let height: Int
    public let letters: [Character]

    /// For tests.
    public init?(text: String) {
        let words = text.split(separator: " ")
        guard words.count == 4, words[0] == "GIF8", let width = Int(words[1]), let height = Int(words[2]),
            words[3].count == width * height
        else { return nil }
        (self.width, self.height, letters) = (width, height, Array(words[3]))
    }

    /// For tests.
    public var text: String { "GIF8 \(width) \(height) \(String(letters))" }
}

public final class CGContext {
    public var interpolationQuality = CGInterpolationQuality.default
    private let width: Int
    private let height: Int
    private var letters: [Character]

    public init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
        space: CGColorSpace, bitmapInfo: UInt32
    ) {
        (self.width, self.height) = (width, height)
        letters = Array(repeating: ".", count: width * height)
    }

    /// Rows of the context count from the bottom, those of the picture from the top.
    public func draw(_ image: CGImage, in rect: CGRect) {
        for row in 0..<height {
            for column in 0..<width {
                let x = (Double(column) + 0.5 - rect.minX) / rect.width * Double(image.width)
                let y = (rect.maxY - (Double(height - row) - 0.5)) / rect.height * Double(image.height)
                guard x >= 0, y >= 0, x < Double(image.width), y < Double(image.height) else { continue }
                letters[row * width + column] = image.letters[Int(y) * image.width + Int(x)]
            }
        }
    }

    public func makeImage() -> CGImage? { CGImage(text: "GIF8 \(width) \(height) \(String(letters))") }
}

public final class CGImageSource {
    fileprivate let data: CFData
    fileprivate init(_ data: CFData) { self.data = data }
}

public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
    CGImageSource(data)
}

public func CGImageSourceCreateImageAtIndex(
    _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
) -> CGImage? {
    let isPNG = source.data.starts(with: [0x89, 0x50, 0x4E, 0x47])
    return CGImage(text: isPNG ? "GIF8 2 2 ####" : String(decoding: source.data, as: UTF8.self))
}

public final class CGImageDestination {
    fileprivate let data: CFMutableData
    fileprivate init(_ data: CFMutableData) { self.data = data }
}

public func CGImageDestinationCreateWithData(
    _ data: CFMutableData, _ type: CFString, _ count: Int, _ options: CFDictionary?
) -> CGImageDestination? {
    CGImageDestination(data)
}

public func CGImageDestinationAddImage(
    _ destination: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
) {
    destination.data.append(Data(image.text.utf8))
}

public func CGImageDestinationFinalize(_ destination: CGImageDestination) -> Bool { true }
