import CCodec
import Raster
import Tiling

/// The pixels of a TIFF directory, converted as they are delivered. Several tasks may read them.
struct TIFFPixels: Sendable {
    private let readers: TIFFReaderPool
    private let conversion: ColorConversion?
    private let blockHeight: Int
    private let isTiled: Bool

    /// Takes over a reader whose pixels have the form that the conversion expects.
    init(_ reader: TIFFReader, conversion: ColorConversion?) {
        readers = TIFFReaderPool(reader)
        self.conversion = conversion
        blockHeight = Int(reader.header.block_height)
        isTiled = reader.header.is_tiled
    }

    /// Rows that are converted at a time if blocks are strips. Not fewer: a tiled mask is decoded anew
    /// for each part.
    private static let rowsOfStrips = 64

    /// Reads a part of the image.
    func read(
        columns: Range<Int>, rows: Range<Int>, into destination: UnsafeMutableRawPointer,
        stride: Int
    ) throws {
        try readers.withReader { reader in
            guard let conversion else {
                return try reader.read(
                    columns: columns, rows: rows, into: destination, stride: stride)
            }
            try convert(
                columns: columns, rows: rows, into: destination, stride: stride, by: conversion
            ) {
                try reader.read(columns: columns, rows: $0, into: $1, stride: $2)
            }
        }
    }

    /// Memory in bytes for the pixels of whole rows before their conversion.
    func bytes(width: Int) -> Int {
        guard let conversion else { return 0 }
        return (isTiled ? blockHeight : Self.rowsOfStrips) * width * conversion.bytesPerInput
    }

    /// Reads and converts one row of blocks after the other.
    private func convert(
        columns: Range<Int>, rows: Range<Int>, into destination: UnsafeMutableRawPointer,
        stride: Int, by conversion: ColorConversion,
        reading read: (Range<Int>, UnsafeMutableRawPointer, Int) throws -> Void
    ) throws {
        let rowBytes = columns.count * conversion.bytesPerInput
        let address = UnsafeMutableRawPointer.allocate(
            byteCount: rowBytes * min(rows.count, isTiled ? blockHeight : Self.rowsOfStrips),
            alignment: 1)
        defer { address.deallocate() }
        var first = rows.lowerBound
        while first < rows.upperBound {
            let part = first..<min(end(after: first), rows.upperBound)
            try read(part, address, rowBytes)
            for row in part {
                conversion.convert(
                    address + (row - first) * rowBytes, count: columns.count,
                    into: destination + (row - rows.lowerBound) * stride)
            }
            first = part.upperBound
        }
    }

    private func end(after row: Int) -> Int {
        isTiled ? (row / blockHeight + 1) * blockHeight : row + Self.rowsOfStrips
    }
}

/// The windows of a TIFF file whose blocks can be decoded in any order.
struct TIFFWindows: WindowReader {
    let blockSize: (width: Int, height: Int)
    private let pixels: TIFFPixels

    /// Makes a reader of windows of `pixels`.
    init(_ pixels: TIFFPixels, header: cc_tiff_header) {
        self.pixels = pixels
        blockSize = (Int(header.block_width), Int(header.block_height))
    }

    func read(
        _ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws {
        try pixels.read(
            columns: window.columns, rows: window.rows, into: destination, stride: stride)
    }
}
