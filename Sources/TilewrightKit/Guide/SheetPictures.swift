import Codecs
import Platform
import Raster
import Synchronization
import Tiling

/// The pictures of a project's pages, as files for browsers. The last ones are kept. Safe to share.
package final class SheetPictures: Sendable {
    private struct Key: Equatable {
        let image: ImageRequest
        let edge: Int
        let stamp: FileStamp?
    }

    private struct State {
        var kept: [(key: Key, bytes: [UInt8], type: String)] = []
        /// The frames that were found, with the state of the file when it was read.
        var frames: [ImageRequest: (frame: PixelWindow?, stamp: FileStamp?)] = [:]
    }

    /// The most bytes that are kept: hundreds of thumbnails, and the large pictures of some floors.
    private static let mostBytes = 64 << 20

    /// Pictures with a longer edge take hundreds of megabytes while they are made: they are made one by one.
    private static let longEdge = 1600
    private let longOnes = FairSemaphore(1)

    private let state = Mutex(State())

    package init() {}

    /// A picture of a page.
    ///
    /// - Parameters:
    ///   - image: the page. What its crop leaves out is transparent.
    ///   - edge: the longer edge in pixels, at most.
    /// - Throws: a `Failure` if it cannot be read; `CancellationError` if the task was cancelled.
    package func picture(of image: ImageRequest, edge: Int) async throws -> (
        bytes: [UInt8], mediaType: String
    ) {
        let edge = min(max(edge, 1), SheetPicture.longestEdge)
        let key = Key(image: image, edge: edge, stamp: FileStamp(image.path))
        if let kept = state.withLock({ $0.kept.first { $0.key == key } }) { return (kept.bytes, kept.type) }
        let (bytes, type) = try await (edge > Self.longEdge ? longOnes : nil).with {
            let picture = try SheetPicture(of: image, longestEdge: edge)
            return try image.crop.map { (try picture.png(within: $0), "image/png") } ?? picture.encoded()
        }
        state.withLock { state in
            state.kept.append((key, bytes, type))
            while state.kept.reduce(0, { $0 + $1.bytes.count }) > Self.mostBytes { state.kept.removeFirst() }
        }
        return (bytes, type)
    }

    /// The longer edge of a picture that lines and letters can be told apart in.
    private static let frameEdge = 1200

    /// The part of a page that the guide proposes for a floor, in pixels of the page; nil for the whole page.
    ///
    /// - Throws: as above.
    package func frame(of image: ImageRequest) throws -> PixelWindow? {
        let stamp = FileStamp(image.path)
        if let known = state.withLock({ $0.frames[image] }), known.stamp == stamp { return known.frame }
        let frame = SheetFrame.proposed(for: try SheetPicture(of: image, longestEdge: Self.frameEdge))
        state.withLock { $0.frames[image] = (frame, stamp) }
        return frame
    }
}

extension SheetPicture {
    /// The picture as a PNG file, transparent outside a part of the page.
    fileprivate func png(within crop: PixelWindow) throws -> [UInt8] {
        var rgba = rgba
        let across = Double(fullWidth) / Double(width), down = Double(fullHeight) / Double(height)
        for row in 0..<height {
            let isRow = crop.rows.contains(Int((Double(row) + 0.5) * down))
            for column in 0..<width {
                let isInside = isRow && crop.columns.contains(Int((Double(column) + 0.5) * across))
                if !isInside { rgba[4 * (row * width + column) + 3] = 0 }
            }
        }
        return try PNGImage.encode(rgba: rgba, width: width, height: height)
    }
}
