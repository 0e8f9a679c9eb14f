import Codecs
import Platform
import Raster
import RenderProtocol
import Tiling

/// A small picture of one page of a PDF, of an SVG or of an image file, on white.
///
/// Its corners are those of the page, to within a pixel of the picture.
package struct SheetPicture: Sendable {
    /// Columns of the picture.
    package let width: Int
    /// Rows of the picture.
    package let height: Int
    /// Columns of the page at its standard resolution, in which `ImageRequest.crop` counts.
    package let fullWidth: Int
    /// Rows of the page at its standard resolution.
    package let fullHeight: Int
    /// The pixels: sRGB of 8 bits, red, green, blue and an alpha of 255, rows without gaps.
    package let rgba: [UInt8]

    private let isPhotograph: Bool

    /// The longest edge that can be asked for: a page is drawn in one piece.
    package static let longestEdge = 4096
    /// The least share of its opacity that a thin line keeps. With less, plans of hairlines fade from small
    /// pictures.
    private static let palestLine = 0.4

    /// Draws a page, or reads an image by the coarsest reduction that its file offers.
    ///
    /// A page is drawn at the picture's size by a renderer of its own, which ends with this call. An image is
    /// never enlarged, and reduced by whole numbers, so its picture may be smaller than asked for.
    ///
    /// - Parameters:
    ///   - request: the image, which is shown as its file stores it. Its crop is ignored.
    ///   - longestEdge: the longer edge of the picture in pixels, at most; 1 to `Self.longestEdge`.
    /// - Throws: a `Failure` if the image cannot be read; its `asksForPassword` is true if the document is
    ///   encrypted, and the password is missing or wrong. `CancellationError` if the task was cancelled.
    package init(of request: ImageRequest, longestEdge: Int) throws {
        precondition(1...Self.longestEdge ~= longestEdge, "a picture has an edge that can be drawn")
        let content = try ImageContent(of: request)
        if let page = content.drawn {
            self = try Self(drawing: page, longestEdge: longestEdge)
        } else {
            self = try Self(reading: content, of: request, longestEdge: longestEdge)
        }
    }

    /// Makes a picture from opaque pixels.
    ///
    /// - Parameter full: columns and rows of the page at its standard resolution.
    package init(
        rgba: [UInt8], width: Int, height: Int, full: (width: Int, height: Int),
        isPhotograph: Bool = false
    ) {
        precondition(width > 0 && height > 0 && rgba.count == 4 * width * height, "a picture has its pixels")
        (self.rgba, self.width, self.height) = (rgba, width, height)
        (fullWidth, fullHeight, self.isPhotograph) = (full.width, full.height, isPhotograph)
    }

    /// The picture as a PNG file.
    package func png() throws -> [UInt8] { try PNGImage.encode(rgba: rgba, width: width, height: height) }

    /// The picture as a file for a page: JPEG if the image is a photograph, else PNG.
    package func encoded() throws -> (bytes: [UInt8], mediaType: String) {
        guard isPhotograph else { return (try png(), "image/png") }
        let bytes = try rgba.withUnsafeBufferPointer {
            try JPEGImage.encode(rgba: $0, width: width, height: height, quality: 85)
        }
        return (bytes, "image/jpeg")
    }
}

// Pages

extension SheetPicture {
    fileprivate init(drawing page: PageImage, longestEdge: Int) throws {
        let full = page.info.window
        let share = min(1, Double(longestEdge) / Double(max(full.width, full.height)))
        let width = max(1, Int((Double(full.width) * share).rounded()))
        let height = max(1, Int((Double(full.height) * share).rounded()))
        var matrix = page.pointsFromPixels.inverse ?? .identity
        matrix.a *= Double(width) / Double(full.width)
        matrix.e *= Double(height) / Double(full.height)
        let window = PixelWindow(columns: 0..<width, rows: 0..<height)
        let style = PageStyle(zoomsOut: Int(max(0, -log2(share)).rounded()))
        let request = DrawRequest(
            window, by: matrix, clip: page.part(of: full), thinnestLine: style.thinnestLine,
            palestLine: max(Self.palestLine, style.palestLine), isOneOfMany: false, isAliased: false)
        let pixels = try page.drawing.draw(request)
        self.init(
            rgba: Self.rgba(of: pixels, count: width * height), width: width, height: height,
            full: (full.width, full.height))
    }

    /// The pixels of a drawing, which are multiplied by alpha, on white.
    private static func rgba(of drawn: PagePixels, count: Int) -> [UInt8] {
        guard drawn.form != .transparent else { return [UInt8](repeating: 255, count: 4 * count) }
        return [UInt8](unsafeUninitializedCapacity: 4 * count) { result, filled in
            drawn.payload.withUnsafeBufferPointer { pixels in
                var from = PagePixels.headerSize
                for to in stride(from: 0, to: 4 * count, by: 4) {
                    let white = 255 &- pixels[from &+ 3]
                    // A faulty renderer might send colours above alpha.
                    result[to] = pixels[from &+ 2] &+ min(white, 255 &- pixels[from &+ 2])
                    result[to &+ 1] = pixels[from &+ 1] &+ min(white, 255 &- pixels[from &+ 1])
                    result[to &+ 2] = pixels[from] &+ min(white, 255 &- pixels[from])
                    result[to &+ 3] = 255
                    if drawn.form == .all { from &+= 4 }
                }
            }
            filled = 4 * count
        }
    }
}

// Images

extension SheetPicture {
    fileprivate init(reading content: ImageContent, of request: ImageRequest, longestEdge: Int) throws {
        let options = try request.reading().options
        let limits = PixelLimits(BuildResources.standardMaxPixels, isAdjustable: false)
        let whole = try content.open(options: options, checkingSize: limits.check)
        let info = whole.info
        let (source, _) = try PlanPicture.smaller(whole, content, options, longestEdge)
        let longer = max(source.info.width, source.info.height)
        let boxed = BoxedSource(source, box: (longer + longestEdge - 1) / longestEdge)
        self.init(
            rgba: Self.onWhite(try PlanPicture.rgba(of: boxed), format: boxed.info.pixelFormat),
            width: boxed.info.width, height: boxed.info.height, full: (info.width, info.height),
            isPhotograph: info.isLossy && info.pixelFormat != .rgba8)
    }

    private static func onWhite(_ rgba: [UInt8], format: PixelFormat) -> [UInt8] {
        guard format == .rgba8 else { return rgba }
        var rgba = rgba
        rgba.withUnsafeMutableBufferPointer { pixels in
            for place in stride(from: 0, to: pixels.count, by: 4) where pixels[place &+ 3] != 255 {
                let alpha = Int(pixels[place &+ 3])
                for channel in place..<place &+ 3 {
                    pixels[channel] = UInt8(
                        (Int(pixels[channel]) &* alpha &+ 255 &* (255 &- alpha) &+ 127) / 255)
                }
                pixels[place &+ 3] = 255
            }
        }
        return rgba
    }
}
