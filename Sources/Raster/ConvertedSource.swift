import Tiling

/// A source whose pixels are those of another source, converted.
package final class ConvertedSource: RasterSource {
    /// The other source's description, with the conversion's pixel format.
    package let info: RasterInfo

    private let base: any RasterSource
    private let conversion: any PixelConversion
    private let line: UnsafeMutableRawPointer

    /// Makes a source.
    ///
    /// - Parameter info: the description of the result; its pixel format is the conversion's output.
    package init(
        _ base: any RasterSource, by conversion: some PixelConversion, info: RasterInfo
    ) {
        precondition(info.pixelFormat == conversion.output, "the description fits the conversion")
        self.base = base
        self.conversion = conversion
        self.info = info
        line = .allocate(
            byteCount: base.info.width * base.info.pixelFormat.bytesPerPixel, alignment: 1)
    }

    deinit { line.deallocate() }

    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int)
        throws
    {
        let rowBytes = base.info.width * base.info.pixelFormat.bytesPerPixel
        for row in 0..<count {
            try base.readRows(1, into: line, stride: rowBytes)
            conversion.convert(line, count: info.width, into: destination + row * stride)
        }
    }

    package func skipRows(_ count: Int) throws { try base.skipRows(count) }

    /// The other source's windows, converted.
    package var windows: (any WindowReader)? {
        base.windows.map {
            ConvertedWindows(base: $0, format: base.info.pixelFormat, conversion: conversion)
        }
    }

    /// Makes a source of another source with one of its colours made transparent.
    package convenience init(_ base: any RasterSource, nodata color: ColorKey) {
        var info = base.info
        info.pixelFormat = .rgba8
        // Once pixels are averaged, the colour can no longer be recognised.
        info.reductions = []
        self.init(
            base, by: NodataConversion(color, from: base.info.pixelFormat), info: info)
    }
}

private struct ConvertedWindows: WindowReader {
    let base: any WindowReader
    let format: PixelFormat
    let conversion: any PixelConversion

    var blockSize: (width: Int, height: Int) { base.blockSize }

    func expect(_ windows: () -> [PixelWindow]) { base.expect(windows) }

    func read(
        _ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws {
        let rowBytes = window.width * format.bytesPerPixel
        let pixels = UnsafeMutableRawPointer.allocate(
            byteCount: rowBytes * window.height, alignment: 1)
        defer { pixels.deallocate() }
        try base.read(window, into: pixels, stride: rowBytes)
        for row in 0..<window.height {
            conversion.convert(
                pixels + row * rowBytes, count: window.width, into: destination + row * stride)
        }
    }
}

/// A conversion of pixels from one format to another, pixel by pixel.
package protocol PixelConversion: Sendable {
    /// The format of the converted pixels.
    var output: PixelFormat { get }

    /// Converts `count` adjacent pixels. Their memory must not overlap the result's.
    func convert(
        _ pixels: UnsafeRawPointer, count: Int, into result: UnsafeMutableRawPointer)
}

/// Makes one colour transparent.
package struct NodataConversion: PixelConversion {
    /// RGBA; other pixels keep their colour.
    package let output = PixelFormat.rgba8

    private let input: PixelFormat
    private let color: ColorKey

    /// Makes a conversion of pixels of a format.
    package init(_ color: ColorKey, from input: PixelFormat) {
        self.color = color
        self.input = input
    }

    package func convert(
        _ pixels: UnsafeRawPointer, count: Int, into result: UnsafeMutableRawPointer
    ) {
        let size = input.bytesPerPixel
        for index in 0..<count { convert(pixels + index * size, into: result + index * 4) }
    }

    private func convert(_ pixel: UnsafeRawPointer, into result: UnsafeMutableRawPointer) {
        var isNodata = true
        for channel in 0..<3 {
            let value = pixel.load(fromByteOffset: input == .gray8 ? 0 : channel, as: UInt8.self)
            result.storeBytes(of: value, toByteOffset: channel, as: UInt8.self)
            let difference = abs(Int(value) - Int(color.channels[channel]))
            isNodata = isNodata && difference <= color.tolerance
        }
        let alpha = input == .rgba8 ? pixel.load(fromByteOffset: 3, as: UInt8.self) : 255
        result.storeBytes(of: isNodata ? 0 : alpha, toByteOffset: 3, as: UInt8.self)
    }
}
