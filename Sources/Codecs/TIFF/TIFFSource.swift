import CCodec
import Platform
package import Raster
import Tiling

/// A page of a TIFF file as rows or windows of pixels, of any layout, sample type and compression that
/// libtiff reads.
///
/// Samples of up to 8 bits keep the range of their type, as do unsigned samples with an ICC profile.
/// Others are scaled from the range that is given, or else from the range of the data, which takes a
/// pass over the file. Colours become sRGB by the profile. Blocks that the file leaves out are nodata.
package final class TIFFSource: RasterSource {
    package let info: RasterInfo
    package let windows: (any WindowReader)?

    private let pixels: TIFFPixels
    private let isTiled: Bool
    /// The next row to be read.
    private var row = 0
    /// The last decoded row of tiles, kept if reading stopped within it, and the rows that it holds.
    private var band: [UInt8] = []
    private var bandRows = 0..<0

    /// Opens a file, reads its directories, and finds the range of its data if that is needed.
    ///
    /// - Parameter check: called before the data is read, because a few bytes can hold any number of pixels.
    package init(
        _ reference: ImageReference, options: ReadOptions = ReadOptions(),
        checkingSize check: SizeCheck = { _, _ in }
    ) throws {
        let title = reference.title
        let directories = try TIFFDirectories(reference)
        let image = try TIFFReader(
            TIFFFile(reference.path, reads: reference.reads), offset: directories.main.offset, title: title)
        try check(Int(image.header.width), Int(image.header.height))
        if let mask = directories.mask { try image.setMask(mask) }
        var form = try TIFFForm(
            image.header, GDALMetadata(image.text(tag: GDALMetadata.tag)), hasMask: directories.mask != nil,
            options: options, title: title)
        let (range, warning) = try Self.range(of: image, form: &form, options: options, title: title)
        try image.set(form.form)
        // Overviews are checked on unconverted pixels.
        let reader =
            options.reduction == 1
            ? image
            : try Self.overview(options, of: image, in: directories, form: form, reference)
        let header = reader.header
        try reader.set(form.unconverted)
        pixels = TIFFPixels(reader, conversion: form.fileColors.conversion)
        isTiled = header.is_tiled
        var info = RasterInfo(
            width: Int(header.width), height: Int(header.height), pixelFormat: form.pixelFormat,
            summary: header.summary(
                form.form, hasMask: directories.mask != nil, page: reference.page,
                of: directories.pageCount),
            orientation: Orientation(rawValue: Int(header.orientation)) ?? .upright,
            decoderBytes: Self.decoderBytes(header, form.pixelFormat))
        info.fileBands = Int(header.samples)
        info.decoderBytes += pixels.bytes(width: info.width)
        info.decoderBytesPerTask = header.readerBytes + pixels.bytes(width: info.width)
        info.mostTasks = TIFFReaderPool.mostReaders(of: header)
        info.add(form.fileColors)
        info.fileTags = FileTags(image)
        info.pageCount = directories.pageCount
        // The camera's position is in the first directory.
        info.photoPlace = reference.page == 1 ? EXIFBlock(tiff: reference.path)?.place : nil
        info.resolution = Resolution(
            across: image.header.pixels_per_inch.0, down: image.header.pixels_per_inch.1)
        info.sampleRange = range
        if let warning { info.warnings.append(warning) }
        if form.form.color == CC_TIFF_PALETTE { info.decoding = "maps of 8 bits" }
        if form.form.is_premultiplied, image.header.bits > 8 {
            info.decoding = "alpha divided before rounding"
        }
        // Palette codes cannot be averaged, and without windows overviews cannot be checked.
        if options.reduction == 1, form.form.color != CC_TIFF_PALETTE, Self.hasWindows(header) {
            info.reductions = directories.overviews.map(\.factor)
                .filter { $0 <= TIFFOverviewCheck.largestFactor }
            info.reductionsCoverEdges = true
        }
        self.info = info
        windows = Self.hasWindows(header) ? pixels : nil
    }

    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int)
        throws
    {
        let end = row + count
        while row < end {
            let place = destination + (count - (end - row)) * stride
            row +=
                try isTiled
                ? readTiles(row..<end, into: place, stride: stride)
                : readStrips(row..<end, into: place, stride: stride)
        }
    }

    private func readStrips(
        _ rows: Range<Int>, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws -> Int {
        try pixels.read(
            PixelWindow(columns: 0..<info.width, rows: rows), into: destination, stride: stride)
        return rows.count
    }

    /// Reads as many of the rows as are in one row of tiles, and returns their number.
    private func readTiles(
        _ rows: Range<Int>, into destination: UnsafeMutableRawPointer, stride: Int
    ) throws -> Int {
        let first = rows.lowerBound
        let blockHeight = pixels.blockSize.height
        let top = first / blockHeight * blockHeight
        let tileRows = top..<min(top + blockHeight, info.height)
        if tileRows.lowerBound == first, tileRows.upperBound <= rows.upperBound {
            return try readStrips(tileRows, into: destination, stride: stride)
        }
        let rowBytes = info.width * info.pixelFormat.bytesPerPixel
        if bandRows != tileRows { try fillBand(tileRows, rowBytes: rowBytes) }
        let wanted = first..<min(tileRows.upperBound, rows.upperBound)
        band.withAddress { band in
            for row in wanted {
                (destination + (row - first) * stride).copyMemory(
                    from: band + (row - top) * rowBytes, byteCount: rowBytes)
            }
        }
        return wanted.count
    }

    private func fillBand(_ rows: Range<Int>, rowBytes: Int) throws {
        bandRows = 0..<0
        if band.isEmpty { band = [UInt8](repeating: 0, count: rowBytes * pixels.blockSize.height) }
        _ = try band.withAddress { try readStrips(rows, into: $0, stride: rowBytes) }
        bandRows = rows
    }

    /// Opens the overview of the wanted factor, with pixels of the image's form.
    ///
    /// - Throws: also if the overview is not made of averages.
    private static func overview(
        _ options: ReadOptions, of image: TIFFReader, in directories: TIFFDirectories,
        form: TIFFForm, _ reference: ImageReference
    ) throws -> TIFFReader {
        let title = reference.title
        let unfit = Failure(
            .badInput, "cannot read \(title): it has no averaged overview reduced \(options.reduction) times")
        guard let overview = directories.overviews.first(where: { $0.factor == options.reduction })
        else { throw unfit }
        let reader = try TIFFReader(
            TIFFFile(overview.path, reads: reference.reads), offset: overview.offset, title: title)
        if let mask = overview.mask { try reader.setMask(mask) }
        try reader.set(form.form)
        let check = TIFFOverviewCheck(
            full: image, overview: reader, factor: overview.factor, format: form.pixelFormat)
        guard !reader.header.is_sequential, try check.isAverage() else { throw unfit }
        return reader
    }

    /// The values that become 0 and 255, nil if they are the ends of the sample type's range; and a warning
    /// about them.
    private static func range(
        of reader: TIFFReader, form: inout TIFFForm, options: ReadOptions, title: String
    ) throws -> (ClosedRange<Double>?, Warning?) {
        if form.needsDataRange {
            try reader.set(form.form)
            let found = try TIFFSampleRange(reader, scale: form.scale, countsAll: options.range != nil)
            let range = try options.range.map { try found.values($0, title: title) } ?? found.whole
            form.setRange(range)
            return (range, options.range == nil ? found.sliver.map { Warning(sliver: $0, title) } : nil)
        }
        let range = options.range?.values ?? form.scale.values(of: form.typeRange)
        return (form.scale == .identity && range == form.typeRange ? nil : range, nil)
    }

    /// Whether parts can be read in any order at little cost: strips must be small, since a whole strip
    /// is decoded for a few of its rows.
    private static func hasWindows(_ header: cc_tiff_header) -> Bool {
        if header.is_tiled { return true }
        if header.is_sequential { return false }
        return header.block_bytes <= (4 << 20) || header.block_height <= 512
    }

    /// Memory in bytes for a reader and a row of tiles.
    private static func decoderBytes(_ header: cc_tiff_header, _ format: PixelFormat) -> Int {
        let rows = header.is_tiled ? Int(header.block_height) : 0
        return header.readerBytes + rows * Int(header.width) * format.bytesPerPixel
    }
}

extension Warning {
    /// Nearly all samples become a few levels of gray.
    fileprivate init(sliver: (values: ClosedRange<Double>, share: Double), _ title: String) {
        let percent = max(1, (100 * sliver.share).rounded(.up))
        let ends = [sliver.values.lowerBound, sliver.values.upperBound].map(\.shortText)
        self.init(
            "sliver",
            "\(title): 98% of its samples (\(ends[0]) to \(ends[1])) fill only \(Int(percent))% of "
                + "the range from black to white; '--rescale 1%,99%' spreads these values over it")
    }
}

extension FileTags {
    /// The tags of GeoTIFF (OGC 19-008r4) and of RPC (50844) that hold numbers, and the tag that holds text.
    private static let passedOn = (numbers: [33550, 33922, 34264, 34735, 34736, 50844], text: 34737)
    private static let resolutionUnit = 296

    /// Reads the tags of a directory.
    fileprivate init(_ reader: TIFFReader) {
        var numbers = Self.passedOn.numbers.map { ($0, reader.numbers(tag: UInt32($0))) }
        numbers.append((Self.resolutionUnit, [Double(reader.header.resolution_unit)]))
        self.init(
            numbers: Dictionary(uniqueKeysWithValues: numbers),
            texts: [Self.passedOn.text: reader.text(tag: UInt32(Self.passedOn.text)) ?? ""])
    }
}

extension cc_tiff_header {
    /// A description of a page of a file for people: `TIFF, 8-bit RGB, tiles of 256 x 256, Deflate`.
    fileprivate func summary(_ form: cc_tiff_form, hasMask: Bool, page: Int, of pages: Int) -> String {
        [
            is_big ? "BigTIFF" : "TIFF",
            sampleName + (form.alpha >= 0 ? " with alpha" : "") + (hasMask ? " with mask" : ""),
            bands(form),
            is_tiled ? "tiles of \(block_width) x \(block_height)" : nil,
            compressionName,
            pages > 1 ? page == 1 ? "the first of \(pages) pages" : "page \(page) of \(pages)" : nil,
        ].compactMap { $0 }.joined(separator: ", ")
    }

    private var sampleName: String {
        let kind =
            switch kind {
            case CC_TIFF_SIGNED: "signed "
            case CC_TIFF_FLOAT: "float "
            default: ""
            }
        let color =
            switch photometric {
            case 2: "RGB"
            case 3: "palette"
            case 5: "CMYK"
            case 6: "YCbCr"
            case 8...10: "CIELAB"
            default: "gray"
            }
        return "\(bits)-bit \(kind)\(color)"
    }

    /// Which bands are read, if some are left out or their order differs.
    private func bands(_ form: cc_tiff_form) -> String? {
        if is_converted || form.color == CC_TIFF_PALETTE { return nil }
        let all = [form.bands.0, form.bands.1, form.bands.2, form.bands.3].map { Int($0) + 1 }
        let count = form.color == CC_TIFF_CMYK ? 4 : [CC_TIFF_RGB, CC_TIFF_LAB].contains(form.color) ? 3 : 1
        let taken = all.prefix(count) + (form.alpha >= 0 ? [Int(form.alpha) + 1] : [])
        if Array(taken) == Array(1...Int(samples)) { return nil }
        let list = taken.map(String.init).joined(separator: ", ")
        return (taken.count == 1 ? "band " : "bands ") + "\(list) of \(samples)"
    }

    private var compressionName: String? {
        switch compression {
        case 1: nil
        case 2, 3, 4, 32771: "CCITT"
        case 5: "LZW"
        case 6, 7: "JPEG"
        case 8, 32946: "Deflate"
        case 32773: "PackBits"
        case 34887: "LERC"
        case 34925: "LZMA"
        case 50000: "ZSTD"
        case 50001: "WebP"
        default: "compression \(compression)"
        }
    }
}
