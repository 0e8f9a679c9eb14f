import Georeferencing
import Raster
import Rendering
import Tiling

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Ways to place an image that the tests share.
enum Placement {
    /// Edges in degrees.
    static func degrees(
        _ west: Double, _ south: Double, _ east: Double, _ north: Double, width: Int = 1000,
        height: Int = 1000
    ) throws -> ImageMapping {
        let box = BoundingBox(minX: west, minY: south, maxX: east, maxY: north)
        return try ImageMapping(
            .bounds(box, crs: .wgs84, width: width, height: height), width: width, height: height)
    }

    /// A window of a tile matrix, whole pixels or not.
    static func pixels(
        _ matrix: TileMatrix, x: ClosedRange<Double>, y: ClosedRange<Double>, width: Int,
        height: Int
    ) throws -> ImageMapping {
        let (first, last) = (
            matrix.mercator(ofPixel: Point(x: x.lowerBound, y: y.upperBound)),
            matrix.mercator(ofPixel: Point(x: x.upperBound, y: y.lowerBound))
        )
        let box = BoundingBox(minX: first.x, minY: first.y, maxX: last.x, maxY: last.y)
        return try ImageMapping(
            .bounds(box, crs: .webMercator, width: width, height: height), width: width,
            height: height)
    }

    /// Turned by degrees around a pixel of a tile matrix, `scale` pixels of the matrix per pixel.
    static func turned(
        _ matrix: TileMatrix, around center: Point, degrees: Double, scale: Double, width: Int,
        height: Int
    ) throws -> ImageMapping {
        let pixel = matrix.cellSize * scale
        let (c, s) = (cos(degrees * .pi / 180) * pixel, sin(degrees * .pi / 180) * pixel)
        let origin = matrix.mercator(ofPixel: center)
        let toMercator = AffineTransform.translation(x: -Double(width) / 2, y: -Double(height) / 2)
            .followed(by: AffineTransform(a: c, b: s, c: origin.x, d: s, e: -c, f: origin.y))
        return try ImageMapping(
            Georeference(crs: .webMercator, pixelToCRS: .affine(toMercator)), width: width,
            height: height)
    }
}

extension PyramidPlan {
    /// A plan with the options that matter to a test.
    init(
        _ mapping: ImageMapping, width: Int = 1000, height: Int = 1000, zooms: ClosedRange<Int>,
        tileSize: Int = 256, resampling: ResamplingMethod = .area,
        overviews: ResamplingMethod? = nil
    ) throws {
        let info = RasterInfo(width: width, height: height, pixelFormat: .rgba8, summary: "a test")
        try self.init(
            layers: [ImageLayer(mapping: mapping, info: info)],
            options: PyramidOptions(
                zooms: zooms, tileSize: tileSize, resampling: resampling,
                overviewResampling: overviews ?? resampling))
    }

    /// The addresses of all tiles that the footprint touches, each as often as the plan names it.
    var tiles: [TileCoordinate] {
        levels.filter(\.isWritten).flatMap { level in
            level.tileRows.flatMap { row in
                level.tileColumns(inRow: row).joined().map {
                    TileCoordinate(zoom: level.matrix.zoom, column: $0, row: row)
                }
            }
        }
    }
}
