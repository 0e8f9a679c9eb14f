import CCodec
import Platform
import Raster
import Tiling

/// An image whose transparent pixels a file beside it names.
final class MaskedSource: RasterSource {
    let info: RasterInfo
    let windows: (any WindowReader)?

    private let base: any RasterSource
    private let mask: TIFFReader
    /// The next row to be read.
    private var row = 0
    /// Rows of the mask that were decoded together, and which those are.
    private var band: [UInt8]
    private var bandRows = 0..<0
    private var line: [UInt8]

    /// Masks an image, which is read from its first row on.
    ///
    /// - Throws: a `Failure` if the mask does not fit the image, or cannot be read.
    init(_ base: any RasterSource, by file: MaskFile) throws {
        let (width, height) = (base.info.width, base.info.height)
        try file.check(width: UInt32(width), height: UInt32(height))
        mask = try file.open()
        self.base = base
        band = [UInt8](repeating: 0, count: width * Self.bandHeight(mask.header))
        line = [UInt8](repeating: 0, count: width * base.info.pixelFormat.bytesPerPixel)
        var info = base.info
        info.summary += ", with mask"
        info.fileBands = info.fileBands ?? info.pixelFormat.bytesPerPixel
        info.pixelFormat = .rgba8
        // A smaller image would hold colours of what is masked.
        info.reductions = []
        info.decoderBytes += mask.header.readerBytes + band.count + line.count
        info.decoderBytesPerTask += mask.header.readerBytes
        self.info = info
        let duplicate = try TIFFReader(duplicating: mask)
        // Strips that are read row by row have no windows.
        let parts = mask.header.is_sequential ? nil : base.windows
        windows = parts.map {
            MaskedWindows(base: $0, format: base.info.pixelFormat, mask: TIFFReaderPool(duplicate))
        }
    }

    func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        for index in 0..<count {
            try line.withUnsafeMutableBytes {
                try base.readRows(1, into: $0.baseAddress.unwrapped("a row has pixels"), stride: $0.count)
            }
            if !bandRows.contains(row) { try fillBand() }
            let first = (row - bandRows.lowerBound) * info.width
            Masking.mask(
                line, base.info.pixelFormat, by: band[first..<first + info.width],
                into: destination + index * stride)
            row += 1
        }
    }

    /// A tile of a mask is not decoded anew for each row.
    private func fillBand() throws {
        let height = Self.bandHeight(mask.header)
        let top = row / height * height
        bandRows = 0..<0
        let rows = top..<min(top + height, info.height)
        try band.withUnsafeMutableBytes {
            try mask.read(
                columns: 0..<info.width, rows: rows, into: $0.baseAddress.unwrapped("a band has pixels"),
                stride: info.width)
        }
        bandRows = rows
    }

    private static func bandHeight(_ header: cc_tiff_header) -> Int {
        header.is_tiled ? min(Int(header.block_height), Int(header.height)) : 1
    }
}

private struct MaskedWindows: WindowReader {
    let base: any WindowReader
    let format: PixelFormat
    let mask: TIFFReaderPool

    var blockSize: (width: Int, height: Int) { base.blockSize }

    func read(
        _ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws {
        let rowBytes = window.width * format.bytesPerPixel
        var pixels = [UInt8](repeating: 0, count: rowBytes * window.height)
        var alpha = [UInt8](repeating: 0, count: window.width * window.height)
        try pixels.withUnsafeMutableBytes {
            try base.read(window, into: $0.baseAddress.unwrapped("a window has pixels"), stride: rowBytes)
        }
        try alpha.withUnsafeMutableBytes { alpha in
            let address = alpha.baseAddress.unwrapped("a window has pixels")
            try mask.withReader {
                try $0.read(
                    columns: window.columns, rows: window.rows, into: address, stride: window.width)
            }
        }
        for row in 0..<window.height {
            Masking.mask(
                Array(pixels[row * rowBytes..<(row + 1) * rowBytes]), format,
                by: alpha[row * window.width..<(row + 1) * window.width], into: destination + row * stride)
        }
    }
}

private enum Masking {
    /// Makes RGBA of a row; alpha is at most the mask's.
    static func mask(
        _ pixels: [UInt8], _ format: PixelFormat, by alpha: ArraySlice<UInt8>,
        into result: UnsafeMutableRawPointer
    ) {
        let (size, result) = (format.bytesPerPixel, result.assumingMemoryBound(to: UInt8.self))
        let (green, blue) = size == 1 ? (0, 0) : (1, 2)
        pixels.withUnsafeBufferPointer { pixels in
            alpha.withUnsafeBufferPointer { alpha in
                for index in alpha.indices {
                    let (from, to) = (index * size, index * 4)
                    (result[to], result[to + 1], result[to + 2]) = (
                        pixels[from], pixels[from + green], pixels[from + blue]
                    )
                    result[to + 3] = size == 4 ? min(pixels[from + 3], alpha[index]) : alpha[index]
                }
            }
        }
    }
}
