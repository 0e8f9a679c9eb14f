import Georeferencing
import Platform
import Raster
import RenderProtocol
import Rendering
import Tiling

/// A page of a document as a layer of a pyramid: the grid that it is drawn onto, and the grid's position.
struct PageLayer: Sendable {
    /// The layer.
    let layer: ImageLayer
    /// The pixels that are drawn.
    let grid: PageGrid

    /// The largest error of a position, in pixels, if a transform replaces a mapping. At the edge between a
    /// black and a white square, a pixel is then wrong by at most one level of 255.
    private static let tolerance = 1.0 / 512

    /// Edges of squares that are tried if the page's lines are bent on the grid. The smaller the squares, the
    /// more often the page is drawn.
    private static let bentSquares = [512, 256, 128]

    /// Pixels of a page in its own grid per pixel of the tiles: enough that resampling does not blur
    /// the page, but fewer than 2, with which zooms beyond the requested ones would be rendered.
    private static let oversampling = 1.9

    /// The fewest squares that a task draws: a renderer that switches to another zoom first interprets the
    /// whole page, which takes as long as several squares.
    private static let squaresPerTask = 16

    /// Plans how a page is drawn for tiles: directly onto the tiles' pixels if one transform for the whole
    /// page, or one for each square, is as exact as the mapping; else in the page's own grid, which is then
    /// resampled.
    ///
    /// - Parameters:
    ///   - window: the pixels of the page that count.
    ///   - mapping: the place of those pixels.
    init(_ image: PageImage, window: PixelWindow, mapping: ImageMapping, on matrix: TileMatrix) throws {
        let paper = PaperMapping(image, window: window, mapping: mapping)
        guard let target = try Target(mapping, on: matrix, squares: paper) else {
            self = Self(image, paper, resolvedTo: matrix.cellSize)
            return
        }
        grid = target.grid
        layer = Self.layer(
            image, on: grid, try ImageMapping(of: target.window, in: matrix).withOutline(mapping.outline))
    }

    /// The page in its own grid, for pixels in any direction with an edge of `cellSize` Mercator metres.
    init(_ image: PageImage, window: PixelWindow, mapping: ImageMapping, resolvedTo cellSize: Double) {
        self.init(image, PaperMapping(image, window: window, mapping: mapping), resolvedTo: cellSize)
    }

    private init(_ image: PageImage, _ paper: PaperMapping, resolvedTo cellSize: Double) {
        let mapping = paper.mapping
        let fewest = mapping.fewestPixels(inCell: cellSize)
        let pixels = fewest > 0 ? fewest : cellSize / mapping.mercatorCellSize
        let (width, height) = (
            mapping.columns.upperBound - mapping.columns.lowerBound,
            mapping.rows.upperBound - mapping.rows.lowerBound
        )
        let most = Double(RasterInfo.longestEdge) / max(width, height)
        let scale = min(Self.oversampling / pixels, most)
        let change = AffineTransform.scale(scale)
        grid = PageGrid(
            width: max(1, Int((width * scale).rounded(.up))),
            height: max(1, Int((height * scale).rounded(.up))),
            mapping: .whole(paper.imageFromPoints.followed(by: change)), clip: paper.clip)
        layer = Self.layer(image, on: grid, mapping.inPixels(change))
    }

    private static func layer(_ image: PageImage, on grid: PageGrid, _ mapping: ImageMapping) -> ImageLayer {
        var layer = ImageLayer(
            mapping: mapping, info: PageSource.info(image.info, on: grid),
            blockSize: (grid.square, grid.square))
        layer.blocksPerTask = squaresPerTask
        return layer
    }

    /// The transforms between points of a page and pixels of the image, and the mapping of these pixels.
    fileprivate struct PaperMapping {
        /// The part of the page that counts, in points.
        let clip: BoundingBox
        /// The place of its pixels.
        let mapping: ImageMapping
        /// Whether the page must not be turned while it is drawn.
        let staysUpright: Bool
        /// From pixels of the image to points.
        let pointsFromImage: AffineTransform
        /// From points to pixels of the image.
        let imageFromPoints: AffineTransform

        init(_ image: PageImage, window: PixelWindow, mapping: ImageMapping) {
            clip = image.part(of: window)
            staysUpright = image.drawing.page.staysUpright == true
            self.mapping = mapping
            let corner = AffineTransform.translation(
                x: Double(window.columns.lowerBound), y: Double(window.rows.lowerBound))
            pointsFromImage = corner.followed(by: image.pointsFromPixels)
            imageFromPoints = pointsFromImage.inverse.unwrapped("pixels of a page have a size")
        }
    }

    /// Pixels of tiles onto which a page is drawn.
    private struct Target {
        /// The pixels in the matrix, from the beginning of a square.
        let window: PixelWindow
        let grid: PageGrid

        /// - Returns: nil if squares would have to be too small.
        init?(_ mapping: ImageMapping, on matrix: TileMatrix, squares paper: PaperMapping) throws {
            let standard = PageGrid.standardSquare
            let (transform, error) = Self.whole(paper, on: matrix)
            // A page whose corners have no position has no transform, not even an approximate one.
            guard transform.inverse != nil, !(paper.staysUpright && transform.turns) else { return nil }
            if error <= PageLayer.tolerance {
                window = Self.window(of: mapping, on: matrix, square: standard)
                grid = PageGrid(
                    width: window.width, height: window.height,
                    mapping: .whole(transform.followed(by: .toFirstPixel(of: window))), clip: paper.clip)
                return
            }
            for size in PageLayer.bentSquares {
                let window = Self.window(of: mapping, on: matrix, square: size)
                let squares = SquareTransforms(
                    corner: Point(x: Double(window.columns.lowerBound), y: Double(window.rows.lowerBound)),
                    matrix: matrix, mapping: mapping, pointsFromImage: paper.pointsFromImage)
                guard squares.greatestError(in: window, square: size) <= PageLayer.tolerance else {
                    continue
                }
                self.window = window
                grid = PageGrid(
                    width: window.width, height: window.height, square: size,
                    mapping: .perSquare(
                        { squares.transform(of: $0) }, base: transform.followed(by: .toFirstPixel(of: window))
                    ), clip: paper.clip)
                return
            }
            return nil
        }

        /// The pixels that the page touches, from the beginning of a square.
        private static func window(
            of mapping: ImageMapping, on matrix: TileMatrix, square: Int
        ) -> PixelWindow {
            let box = BoundingBox(around: mapping.outline.map(matrix.pixel(ofMercator:)))
                .unwrapped("a mapping has an outline")
            func pixels(_ low: Double, _ high: Double) -> Range<Int> {
                let first = floorDivide(Int(low.rounded(.down)), square) * square
                return first..<max(first + 1, Int(high.rounded(.up)))
            }
            return PixelWindow(
                columns: pixels(box.minX, box.maxX),
                rows: pixels(max(0, box.minY), min(Double(matrix.pixelsPerEdge), box.maxY)))
        }

        /// The transform from points to pixels of the matrix, given by three corners of the page, and its
        /// error at other points, in pixels.
        private static func whole(
            _ paper: PaperMapping, on matrix: TileMatrix
        ) -> (transform: AffineTransform, error: Double) {
            let (clip, parts) = (paper.clip, 8)
            let points = clip.lattice(steps: parts)
            var places = points.map { paper.imageFromPoints($0) }
            paper.mapping.mercatorPoints(ofImage: &places)
            let pixels = places.map(matrix.pixel(ofMercator:))
            let (origin, right, down) = (pixels[0], pixels[parts], pixels[pixels.count - 1 - parts])
            let unit = AffineTransform(
                a: (right.x - origin.x) / clip.width, b: (down.x - origin.x) / clip.height, c: origin.x,
                d: (right.y - origin.y) / clip.width, e: (down.y - origin.y) / clip.height, f: origin.y)
            let transform = AffineTransform.translation(x: -clip.minX, y: -clip.minY).followed(by: unit)
            return (transform, points.map { transform($0) }.greatestDistance(to: pixels))
        }
    }
}

extension AffineTransform {
    /// Whether the transform visibly turns, shears or mirrors. The limit is above the angle by which
    /// converging meridians turn a building, but far below an angle that is visible.
    fileprivate var turns: Bool { max(abs(b), abs(d)) > 1e-3 * min(a, e) }

    /// The shift that moves a window's first pixel to (0, 0).
    fileprivate static func toFirstPixel(of window: PixelWindow) -> AffineTransform {
        .translation(x: -Double(window.columns.lowerBound), y: -Double(window.rows.lowerBound))
    }
}

/// Transforms from points of a page to pixels of squares of a tile matrix, each as exact as the mapping in
/// its square.
struct SquareTransforms: Sendable {
    /// The pixel of the matrix that is the first one of the grid.
    let corner: Point
    /// The matrix.
    let matrix: TileMatrix
    /// The place of the image's pixels.
    let mapping: ImageMapping
    /// From pixels of the image to points of the page.
    let pointsFromImage: AffineTransform

    /// The transform of a square: its sides are the means of the mapping's. Its centre is halfway between the
    /// mapping's centre and the mean of the corners, which halves the error of a bent side.
    func transform(of square: PixelWindow) -> AffineTransform {
        // Where the mapping ends, there is nothing to draw: this transform leads far off the page.
        fit(square).inverse ?? .translation(x: -1e9, y: -1e9)
    }

    /// The largest error, in pixels, of the transforms of some squares; infinite if a place has no point on
    /// the page.
    func greatestError(in window: PixelWindow, square size: Int) -> Double {
        let samples = 6
        func starts(_ count: Int) -> [Int] {
            let last = (count - 1) / size
            return Set((0...samples).map { last * $0 / samples }).sorted().map { $0 * size }
        }
        return starts(window.height).flatMap { row in
            starts(window.width).map { column in
                error(of: PixelWindow(columns: column..<column + size, rows: row..<row + size))
            }
        }.reduce(0, max)
    }

    /// From pixels of the grid to points of the page.
    private func fit(_ square: PixelWindow) -> AffineTransform {
        let points = points(square, parts: 2)
        let (width, height) = (Double(square.width), Double(square.height))
        let (topLeft, topRight, bottomLeft, bottomRight) = (points[0], points[2], points[6], points[8])
        let mean = (topLeft + topRight + bottomLeft + bottomRight) * 0.25
        let middle = (mean + points[4]) * 0.5
        let right = (topRight - topLeft + bottomRight - bottomLeft) * (0.5 / width)
        let down = (bottomLeft - topLeft + bottomRight - topRight) * (0.5 / height)
        let centre = AffineTransform.translation(
            x: -Double(square.columns.lowerBound) - width / 2, y: -Double(square.rows.lowerBound) - height / 2
        )
        return centre.followed(
            by: AffineTransform(a: right.x, b: down.x, c: middle.x, d: right.y, e: down.y, f: middle.y))
    }

    private func error(of square: PixelWindow) -> Double {
        let parts = 4
        guard let transform = fit(square).inverse else { return .infinity }
        return points(square, parts: parts).map { transform($0) }
            .greatestDistance(to: BoundingBox(square).lattice(steps: parts))
    }

    /// Places of a square, row by row, in points of the page.
    private func points(_ square: PixelWindow, parts: Int) -> [Point] {
        var points = BoundingBox(square).lattice(steps: parts).map { matrix.mercator(ofPixel: $0 + corner) }
        mapping.imagePoints(ofMercator: &points)
        return points.map { pointsFromImage($0) }
    }
}

extension [Point] {
    /// The largest distance to the other points, in their order; infinite if one is not a number.
    func greatestDistance(to others: [Point]) -> Double {
        zip(self, others).reduce(0) { most, pair in
            let distance = pair.0.distance(to: pair.1)
            return distance.isFinite ? Swift.max(most, distance) : .infinity
        }
    }
}
