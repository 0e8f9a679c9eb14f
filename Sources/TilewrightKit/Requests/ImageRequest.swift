import Codecs
import Platform
public import Raster
import Tilesets
public import Tiling

/// An image, the part of it that counts, and its position. A property that is nil is like an option that is
/// left out.
public struct ImageRequest: Hashable, Codable, Sendable {
    /// The file: PNG, JPEG, TIFF, HEIC, AVIF or WebP; a KMZ with such an image as ground overlay; a PDF or SVG,
    /// whose pages the companion `tilewright-render` draws; or a CAD drawing, DXF or DWG, whose page the
    /// companion `tilewright-cad` makes. Or its address, `https://` or `s3://`.
    public var path: String { didSet { path = FarSources.name(path) } }
    /// The page of a PDF or TIFF, or the ground overlay of a KMZ, counted from 1; nil for the first page, or
    /// for the only overlay of a KMZ.
    public var page: Int?
    /// The layout of a CAD drawing; nil for its model space.
    public var layout: String?
    /// The layers of a PDF or CAD drawing that are shown, by name; nil for those that the document shows or
    /// plots.
    public var layers: [String]?
    /// A file whose first line is the password of an encrypted PDF.
    public var passwordFile: String?
    /// The position.
    public var position: PositionRequest
    /// The pixels that count, in the orientation of the position; nil for all. A crop does not move the
    /// image.
    public var crop: PixelWindow?
    /// A colour, in sRGB, that becomes transparent before any filter; nil for that of the file.
    public var nodata: ColorKey?
    /// The colour, in sRGB, of the paper that a drawing is lifted off, before any filter: its pixels become
    /// transparent, and edges between it and ink become ink with partial alpha.
    public var paper: ColorKey?
    /// The bands to read, counted from 1: one for gray or three for colour, and one more for alpha; nil for
    /// the order of the file.
    public var bands: [Int]?
    /// The sample values that become black and white; nil for the type's range up to 8 bits, and for the
    /// range of the data above 8 bits.
    public var rescale: SampleRange?
    /// Whether the file's numbers are read as sRGB, ignoring its colour profile.
    public var keepColors = false
    /// Whether a CAD drawing is shown on a dark background, so that what is white on CAD's black screen stays
    /// white; nil for no.
    public var isOnDark: Bool?

    /// Asks for a whole image. By default, its position is in its file or in a file next to it.
    public init(_ path: String, at position: PositionRequest = PositionRequest()) {
        self.path = FarSources.name(path)
        self.position = position
    }

    /// The same request for tiles with a background: a CAD drawing looks different on a dark one.
    package func on(_ background: RGBColor?) -> ImageRequest {
        guard let background, background.isDark else { return self }
        var request = self
        request.isOnDark = true
        return request
    }

    /// The page, counted from 1.
    package var pageNumber: Int { page ?? 1 }

    /// Its name in messages: `'scan.tif'`, `page 2 of 'scan.tif'`.
    package var title: String { pageNumber == 1 ? "'\(path)'" : "page \(pageNumber) of '\(path)'" }

    /// Its name in lists: `scan.tif`, `scan.tif, page 2`.
    package var listName: String { pageNumber == 1 ? path : "\(path), page \(pageNumber)" }

    /// The name of its file without the ending. The number of a page after the first is appended.
    ///
    /// - Parameter separator: the text between the two.
    package func stem(_ separator: String) -> String {
        pageNumber == 1 ? fileStem : "\(fileStem)\(separator)\(pageNumber)"
    }

    /// The name of its file; that of an address, as it reads.
    private var fileStem: String {
        guard FarFiles.isAddress(path) else { return path.fileStem }
        let name = TilesetMetadata.unescaped(path.fileStem)
        return ContainedPath(name)?.isName == true ? name : path.fileStem
    }

    /// The same request for several images.
    ///
    /// - Throws: `.usage` if there are several images, but an option is for one.
    package func repeated(for paths: [String]) throws(Failure) -> [ImageRequest] {
        let name = position.source.optionName ?? (crop == nil ? nil : "--crop")
        if paths.count > 1, let name {
            throw Failure(
                .usage, "\(name) is for one image, but there are \(paths.count)",
                remedy: position.source == .files
                    ? "cut the images first, or build each into its own OUTPUT"
                    : "put a world file, .points or another sidecar next to each of them")
        }
        var requests: [ImageRequest] = []
        for path in paths {
            var request = self
            request.path = path
            try request.checkScale()
            requests.append(request)
        }
        return requests
    }

    /// Refuses a scale that means nothing for the image, and an anchor without one.
    ///
    /// - Throws: `.usage`.
    package func checkScale() throws(Failure) { try position.checkScale(ofCAD: isCAD) }

    /// Whether the file is a CAD drawing. Of a file on another machine that was not opened yet, its name tells.
    private var isCAD: Bool {
        if let format = ImageFile.pageFormat(of: path) { return format.isCAD }
        return FarFiles.isAddress(path) && [".dxf", ".dwg"].contains { path.hasEnding($0) }
    }
}

extension ImageRequest {
    /// Reads the number of a page.
    package static func page(parsing text: String) throws -> Int {
        guard let page = Int(text), page >= 1 else {
            throw Failure(.usage, "'\(text)' is not a page: pages are counted from 1")
        }
        return page
    }

    /// Reads the names of layers, separated by commas.
    package static func layers(parsing text: String) throws -> [String] {
        let names = text.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
        if names.isEmpty { throw Failure(.usage, "'\(text)' names no layer") }
        return names
    }

    /// Reads the bands, separated by commas.
    package static func bands(parsing text: String) throws -> [Int] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0.trimmed) }
        guard numbers.count == parts.count, 1...4 ~= numbers.count,
            numbers.allSatisfy({ 1...65535 ~= $0 })
        else {
            throw Failure(
                .usage, "the bands '\(text)' are not one to four band numbers, counted from 1",
                remedy: "3,2,1 reads the third band as red; 1 makes gray, and 1,2,3,4 ends with alpha")
        }
        return numbers
    }

    /// Reads the sample values of black and white, `MIN,MAX`, or percentages, `2%,98%`.
    package static func range(parsing text: String) throws -> SampleRange {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed) }
        let numbers = try NumberList.parse(
            parts.map { $0.hasSuffix("%") ? String($0.dropLast()) : $0 }.joined(separator: ","),
            names: ["MIN", "MAX"])
        let ends = zip(parts, numbers).map { $0.hasSuffix("%") ? SampleRange.End.percent($1) : .value($1) }
        let range = SampleRange(ends[0], ends[1])
        try check(range)
        return range
    }

    /// Refuses equal or infinite sample values of black and white, and percentages beyond 0 to 100.
    ///
    /// - Throws: `.usage`.
    static func check(_ range: SampleRange) throws(Failure) {
        switch (range.black, range.white) {
        case (.value(let black), .value(let white)):
            if black < white, black.isFinite, white.isFinite { return }
        case (.percent(let black), .percent(let white)):
            if black < white, black >= 0, white <= 100 { return }
        case (.value(let value), .percent(let percent)), (.percent(let percent), .value(let value)):
            if value.isFinite, (0...100).contains(percent) { return }
        }
        throw Failure(
            .usage, "the range '\(range.text)' is empty: MIN is not below MAX",
            remedy:
                "give the value of black first, such as 200,3000, or percentages of the samples from 0 to "
                + "100, such as 2%,98%")
    }
}

extension SampleRange {
    /// The range as options write it.
    fileprivate var text: String {
        [black, white].map { end in
            switch end {
            case .value(let value): value.shortText
            case .percent(let percent): "\(percent.shortText)%"
            }
        }.joined(separator: ",")
    }
}
