import CCodec
import Dispatch
import Platform
import Raster
import Synchronization
import Tiling

/// The handle of `cc_tiff_open`: one directory of a TIFF file.
///
/// Unchecked and not safe to share: `TIFFReaderPool` gives a reader to one task at a time, and the
/// handle is not bound to a thread.
final class TIFFReader: @unchecked Sendable {
    /// What the directory's tags say.
    let header: cc_tiff_header
    private let handle: OpaquePointer
    private let title: String
    private let file: TIFFFile
    /// The file of the mask, if there is one.
    private var maskFile: TIFFFile?

    /// Opens the directory at an offset of `TIFFDirectories`.
    init(_ file: TIFFFile, offset: UInt64, title: String) throws {
        var header = cc_tiff_header()
        handle = try file.reporting {
            try opened("cannot read \(title)") {
                cc_tiff_open(file.path, offset, file.log?.handle, &$0, &header, &$1)
            }
        }
        self.file = file
        self.title = title
        self.header = header
    }

    /// Opens the same directory once more, with the same form and mask. No other task may use the
    /// reader meanwhile.
    init(duplicating other: TIFFReader) throws {
        handle = try other.file.reporting {
            try opened("cannot read \(other.title)") { cc_tiff_duplicate(other.handle, &$0, &$1) }
        }
        title = other.title
        (file, maskFile) = (other.file, other.maskFile)
        header = other.header
    }

    deinit { cc_tiff_close(handle) }

    /// Sets the form of the pixels; `cc_tiff_set_form`.
    func set(_ form: cc_tiff_form) throws {
        var (form, message) = (form, cc_message())
        try cc_tiff_set_form(handle, &form, &message).check("cannot read \(title)", message)
    }

    /// Takes transparency from another directory; `cc_tiff_set_mask`.
    func setMask(_ mask: TIFFDirectories.Mask) throws {
        var message = cc_message()
        let title = mask.path.map { "the mask '\($0)'" } ?? title
        let own = try mask.path.map { try TIFFFile($0) }
        let maskFile = own ?? file
        try maskFile.reporting {
            try cc_tiff_set_mask(
                handle, own?.path, own?.log?.handle, mask.offset, UInt32(mask.opaque), &message
            ).check("cannot read \(title)", message)
        }
        self.maskFile = maskFile
    }

    /// Decodes a part of the image; `cc_tiff_read`.
    func read(
        columns: Range<Int>, rows: Range<Int>, into pixels: UnsafeMutableRawPointer, stride: Int
    ) throws {
        var task = cc_tiff_task(columns, rows)
        task.pixels = pixels.assumingMemoryBound(to: UInt8.self)
        task.stride = stride
        try run(&task)
    }

    /// Surveys all samples of some rows; `cc_tiff_read`.
    func look(at rows: Range<Int>, _ survey: inout cc_tiff_survey) throws {
        try withUnsafeMutablePointer(to: &survey) {
            var task = cc_tiff_task(0..<Int(header.width), rows)
            task.survey = $0
            try run(&task)
        }
    }

    private func run(_ task: inout cc_tiff_task) throws {
        var message = cc_message()
        try fetch(task)
        try file.reporting {
            try cc_tiff_read(handle, &task, &message).check("cannot read \(title)", message)
        }
    }

    /// Fetches the blocks of a part, if the file is on another machine.
    private func fetch(_ task: cc_tiff_task) throws {
        if let far = file.far { try far.fetch(file.reporting { stored(task, ofMask: false) }) }
        if let far = maskFile?.far { try far.fetch(stored(task, ofMask: true)) }
    }

    /// Blocks that are looked up before they are fetched ahead: the tables of a large file are fetched, too.
    private static let blocksAtOnce = 512

    /// Says which parts will be read, in this order; see `WindowReader`.
    func expect(_ windows: () -> [PixelWindow]) {
        guard file.far != nil || maskFile?.far != nil else { return }
        var seen: Set<SIMD2<Int>> = []
        var (blocks, ofMask): ([Range<Int>], [Range<Int>]) = ([], [])
        func pass() {
            file.far?.expect(blocks)
            maskFile?.far?.expect(ofMask)
            (blocks, ofMask) = ([], [])
        }
        for window in windows() {
            for block in blocksTouched(by: window)
            where seen.insert(SIMD2(block.columns.lowerBound, block.rows.lowerBound)).inserted {
                let task = cc_tiff_task(block.columns, block.rows)
                blocks += stored(task, ofMask: false)
                if maskFile != nil { ofMask += stored(task, ofMask: true) }
                if blocks.count + ofMask.count >= Self.blocksAtOnce { pass() }
            }
        }
        pass()
    }

    /// The blocks that a window touches, row by row of blocks.
    private func blocksTouched(by window: PixelWindow) -> [PixelWindow] {
        let (width, height) = (Int(header.block_width), Int(header.block_height))
        func starts(_ range: Range<Int>, _ size: Int) -> StrideTo<Int> {
            stride(from: range.lowerBound / size * size, to: range.upperBound, by: size)
        }
        if window.isEmpty { return [] }
        return starts(window.rows, height).flatMap { row in
            starts(window.columns, width).map { column in
                PixelWindow(
                    columns: column..<min(column + width, Int(header.width)),
                    rows: row..<min(row + height, Int(header.height)))
            }
        }
    }

    /// The bytes in the file of the blocks of a part.
    private func stored(_ task: cc_tiff_task, ofMask: Bool) -> [Range<Int>] {
        var task = task
        let count = cc_tiff_stored(handle, &task, ofMask, nil, 0)
        let ranges = [cc_byte_range](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = min(count, cc_tiff_stored(handle, &task, ofMask, buffer.baseAddress, count))
        }
        return ranges.compactMap { range in
            // libtiff reads no larger block either.
            guard range.count <= CC_LARGEST_BLOCK, let start = Int(exactly: range.offset),
                case let count = Int(range.count),
                case let (end, isBeyond) = start.addingReportingOverflow(count), !isBeyond
            else { return nil }
            return start..<end
        }
    }

    /// The numbers of a tag, at most 2^20; empty if it is missing.
    func numbers(tag: UInt32) -> [Double] {
        let count = min(cc_tiff_numbers(handle, tag, nil, 0), 1 << 20)
        return [Double](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = min(count, cc_tiff_numbers(handle, tag, buffer.baseAddress, count))
        }
    }

    /// The text of a tag up to its NUL; nil if it is missing.
    func text(tag: UInt32) -> String? {
        var size = 0
        guard let bytes = cc_tiff_text(handle, tag, &size) else { return nil }
        return UnsafeRawBufferPointer(start: bytes, count: size).withMemoryRebound(to: UInt8.self) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

extension cc_tiff_task {
    /// A part of an image, whose use has yet to be set.
    fileprivate init(_ columns: Range<Int>, _ rows: Range<Int>) {
        self.init()
        (column, row) = (UInt32(columns.lowerBound), UInt32(rows.lowerBound))
        (width, height) = (UInt32(columns.count), UInt32(rows.count))
    }
}

/// Readers of one directory, one for each task that reads at the same time, within a limit of memory.
final class TIFFReaderPool: Sendable {
    private struct State {
        /// The reader that all others are duplicates of; used under the lock only.
        let original: TIFFReader
        var idle: [TIFFReader]
    }

    private let state: Mutex<State>
    private let free: DispatchSemaphore

    /// Makes a pool of a reader and its duplicates.
    init(_ original: TIFFReader) {
        state = Mutex(State(original: original, idle: []))
        free = DispatchSemaphore(value: Self.mostReaders(of: original.header))
    }

    /// The maximum number of bytes that all readers' blocks take, unless one reader alone takes more. The
    /// file chooses the size of its blocks, so cores times that size would have no limit.
    private static let mostBytes = 256 << 20

    /// The most readers of a directory.
    static func mostReaders(of header: cc_tiff_header) -> Int {
        max(1, mostBytes / max(1, header.readerBytes))
    }

    /// Calls `body` with a reader, and waits until one is free. Readers keep their last decoded block.
    func withReader<Result>(_ body: (TIFFReader) throws -> Result) throws -> Result {
        free.wait()
        defer { free.signal() }
        let reader = try state.withLock { state in
            try state.idle.popLast() ?? TIFFReader(duplicating: state.original)
        }
        defer { state.withLock { $0.idle.append(reader) } }
        return try body(reader)
    }
}

extension cc_tiff_header {
    /// Memory of a reader in bytes: a block, compressed and decoded. A strip that is read row by row is
    /// never decoded whole.
    var readerBytes: Int {
        Int(stored_bytes) * (is_planar ? Int(samples) : 1) + (is_sequential ? 0 : Int(block_bytes))
    }
}

/// The pixels of a TIFF directory, converted as they are delivered. Several tasks may read them.
struct TIFFPixels: WindowReader {
    let blockSize: (width: Int, height: Int)
    private let readers: TIFFReaderPool
    private let conversion: ColorConversion?
    private let isTiled: Bool

    /// Takes a reader whose pixels have the form that the conversion expects.
    init(_ reader: TIFFReader, conversion: ColorConversion?) {
        readers = TIFFReaderPool(reader)
        self.conversion = conversion
        blockSize = (Int(reader.header.block_width), Int(reader.header.block_height))
        isTiled = reader.header.is_tiled
    }

    /// Rows that are converted at a time if blocks are strips. Not fewer: a tiled mask is decoded again
    /// for each part.
    private static let rowsOfStrips = 64

    func read(_ window: PixelWindow, into destination: UnsafeMutableRawPointer, stride: Int) throws {
        try readers.withReader { reader in
            guard let conversion else {
                return try reader.read(
                    columns: window.columns, rows: window.rows, into: destination, stride: stride)
            }
            try convert(window, of: reader, into: destination, stride: stride, by: conversion)
        }
    }

    func expect(_ windows: () -> [PixelWindow]) { try? readers.withReader { $0.expect(windows) } }

    /// Memory in bytes for the pixels of whole rows before their conversion.
    func bytes(width: Int) -> Int {
        guard let conversion else { return 0 }
        return (isTiled ? blockSize.height : Self.rowsOfStrips) * width * conversion.bytesPerInput
    }

    /// Reads and converts one row of blocks after the other.
    private func convert(
        _ window: PixelWindow, of reader: TIFFReader, into destination: UnsafeMutableRawPointer,
        stride: Int, by conversion: ColorConversion
    ) throws {
        let (columns, rows) = (window.columns, window.rows)
        let rowBytes = columns.count * conversion.bytesPerInput
        let address = UnsafeMutableRawPointer.allocate(
            byteCount: rowBytes * min(rows.count, isTiled ? blockSize.height : Self.rowsOfStrips),
            alignment: 1)
        defer { address.deallocate() }
        var first = rows.lowerBound
        while first < rows.upperBound {
            let part = first..<min(end(after: first), rows.upperBound)
            try reader.read(columns: columns, rows: part, into: address, stride: rowBytes)
            for row in part {
                conversion.convert(
                    address + (row - first) * rowBytes, count: columns.count,
                    into: destination + (row - rows.lowerBound) * stride)
            }
            first = part.upperBound
        }
    }

    private func end(after row: Int) -> Int {
        isTiled ? (row / blockSize.height + 1) * blockSize.height : row + Self.rowsOfStrips
    }
}
