import CCodec

/// The pixels of a TIFF directory as they are delivered: read by several tasks, and converted.
struct TIFFPixels: Sendable {
    private let readers: TIFFReaderPool
    private let conversion: ColorConversion?
    private let blockHeight: Int
    private let isTiled: Bool

    /// Takes over a reader whose form is what the conversion is for.
    init(_ reader: TIFFReader, conversion: ColorConversion?) {
        readers = TIFFReaderPool(reader)
        self.conversion = conversion
        blockHeight = Int(reader.header.block_height)
        isTiled = reader.header.is_tiled
    }

    /// Rows that are converted at a time where blocks are strips: a mask may be tiles, all of which
    /// are decoded anew for each part.
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

    /// Memory for the pixels of whole rows that are yet to be converted.
    func bytes(width: Int) -> Int {
        guard let conversion else { return 0 }
        return (isTiled ? blockHeight : Self.rowsOfStrips) * width * conversion.bytesPerInput
    }

    /// Reads and converts the rows of one row of blocks after the other.
    private func convert(
        columns: Range<Int>, rows: Range<Int>, into destination: UnsafeMutableRawPointer,
        stride: Int, by conversion: ColorConversion,
        reading read: (Range<Int>, UnsafeMutableRawPointer, Int) throws -> Void
    ) throws {
        let rowBytes = columns.count * conversion.bytesPerInput
        let pixels = UnsafeMutableRawBufferPointer.allocate(
            byteCount: rowBytes * min(rows.count, isTiled ? blockHeight : Self.rowsOfStrips),
            alignment: 1)
        defer { pixels.deallocate() }
        guard let address = pixels.baseAddress else { return }
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
