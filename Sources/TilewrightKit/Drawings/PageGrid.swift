import RenderProtocol
package import Tiling

/// The pixels that a page is drawn onto: how many there are, and where each lies on the page.
package struct PageGrid: Sendable {
    /// How places of the page become places of the grid.
    package enum Mapping: Sendable {
        /// One transform for all of it, from points of the page to pixels.
        case whole(AffineTransform)
        /// A transform for each square, where lines of the page are bent on the grid, and one that is about right for
        /// all of it.
        case perSquare(@Sendable (PixelWindow) throws -> AffineTransform, base: AffineTransform)
    }

    /// The number of columns.
    package let width: Int
    /// The number of rows.
    package let height: Int
    /// The edge of the squares in which the page is drawn: the first begins at the first pixel.
    package let square: Int
    /// How places of the page become places of the grid.
    package let mapping: Mapping
    /// The part of the page that counts, in points.
    package let clip: BoundingBox

    /// The edge of squares of 512 x 512 pixels: a row of them, of a sheet of 12 000 pixels, is 25 MB, and a renderer
    /// that keeps what the page draws gains nothing from larger ones.
    package static let standardSquare = 512

    /// Describes a grid.
    package init(
        width: Int, height: Int, square: Int = Self.standardSquare, mapping: Mapping, clip: BoundingBox
    ) {
        (self.width, self.height, self.square) = (width, height, square)
        (self.mapping, self.clip) = (mapping, clip)
    }

    /// All pixels.
    var window: PixelWindow { PixelWindow(columns: 0..<width, rows: 0..<height) }

    /// The request for a square.
    func request(_ square: PixelWindow, style: PageStyle) throws -> DrawRequest {
        let (matrix, base) =
            switch mapping {
            case .whole(let matrix): (matrix, matrix)
            case .perSquare(let matrix, let base): (try matrix(square), base)
            }
        return DrawRequest(
            square, by: matrix, base: base, clip: clip, thinnestLine: style.thinnestLine,
            palestLine: style.palestLine, isOneOfMany: true,
            isAliased: style.isAliased)
    }
}

/// How lines and edges are drawn.
package struct PageStyle: Hashable, Sendable {
    /// The least width of a line in pixels: thinner ones are drawn as wide, and paler.
    package var thinnestLine = 1.0
    /// What a line keeps of its opacity at least, however thin it is.
    package var palestLine: Double
    /// Whether pixels are either of a shape or not, and never mixtures.
    package var isAliased: Bool

    /// What a hairline keeps of its opacity with each zoom further out. Half of it, as in halved pictures, leaves
    /// nothing to see after six zooms; all of it makes hatches black. On hatches of eight pitches from 0.35 to 4 mm,
    /// drawn six zooms out, a hairline of 0.6 stands out twice as much as a halved one; hatches are up to two and a half
    /// times as dark, and without moire.
    private static let shareKeptPerZoom = 0.6

    /// Describes the style of a zoom.
    ///
    /// - Parameter zoomsOut: how far it lies below the maximum zoom, at which each line is at least a pixel.
    package init(zoomsOut: Int = 0, isAliased: Bool = false) {
        palestLine = (0..<zoomsOut).reduce(1) { share, _ in share * Self.shareKeptPerZoom }
        self.isAliased = isAliased
    }
}
