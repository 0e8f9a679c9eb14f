import Tiling

/// A source whose pixels are those of another source, converted.
package final class ConvertedSource: RasterSource {
    /// The other source's description, with the conversion's pixel format.
    package let info: RasterInfo

    private let base: any RasterSource
    private let conversion: any PixelConversion
    private let line: UnsafeMutableRawBufferPointer

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

    deinit {
        line.deallocate()
    }

    /// Decodes the next rows; see `RasterSource`.
    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int)
        throws
    {
        guard let address = line.baseAddress else { return }
        for row in 0..<count {
            try base.readRows(1, into: address, stride: line.count)
            conversion.convert(address, count: info.width, into: destination + row * stride)
        }
    }

    /// The other source's windows, converted.
    package var windows: (any WindowReader)? {
        base.windows.map {
            ConvertedWindows(
                base: $0, format: base.info.pixelFormat, conversion: conversion)
        }
    }
}

private struct ConvertedWindows: WindowReader {
    let base: any WindowReader
    let format: PixelFormat
    let conversion: any PixelConversion

    var blockSize: (width: Int, height: Int) { base.blockSize }

    func read(
        _ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws {
        let rowBytes = window.width * format.bytesPerPixel
        let pixels = UnsafeMutableRawBufferPointer.allocate(
            byteCount: rowBytes * window.height, alignment: 1)
        defer { pixels.deallocate() }
        guard let address = pixels.baseAddress else { return }
        try base.read(window, into: address, stride: rowBytes)
        for row in 0..<window.height {
            conversion.convert(
                address + row * rowBytes, count: window.width, into: destination + row * stride)
        }
    }
}

/// A conversion of pixels from one format to another, pixel by pixel.
package protocol PixelConversion: Sendable {
    /// The format of the pixels that come out.
    var output: PixelFormat { get }

    /// Converts `count` adjacent pixels. Their memory must not overlap the result's.
    func convert(
        _ pixels: UnsafeRawPointer, count: Int, into result: UnsafeMutableRawPointer)
}
