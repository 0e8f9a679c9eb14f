import Georeferencing
import Platform
import Publishing
import Tiling

#if canImport(Glibc)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A layer that a plan is aligned with: a tileset, an image with a position, or lines.
struct UnderlyingLayer {
    /// The layer for the page.
    let layer: PlacingPage.Part
    /// Its centre, if that is known without drawing.
    let middle: Point?
    /// Warnings for the user, a line each.
    private(set) var warnings: [String] = []

    /// Draws a layer, or reads its lines.
    ///
    /// - Parameters:
    ///   - input: a tileset in any container, a GeoJSON, KML or KMZ file, or an image with a position.
    ///   - longestEdge: the longest edge of a picture.
    ///   - maxTiles: the maximum number of tiles that a tileset may have.
    init(_ input: String, longestEdge: Int, maxTiles: Int) async throws {
        let name = JSONValue.string(input.fileName)
        if input.hasEnding(".geojson") || input.hasEnding(".json") {
            layer = PlacingPage.Part(.record(["name": name]), content: try Self.lines(input))
            middle = nil
            return
        }
        if !StoredTileset.isTileset(input), let lines = try KMLShapes(ifIn: input) {
            layer = PlacingPage.Part(.record(["name": name]), content: lines.geoJSON)
            middle = nil
            return
        }
        let content: MapContent =
            StoredTileset.isTileset(input)
            ? .tileset(try StoredTileset(input, maxTiles: maxTiles))
            : .image(try PlacedImage(ImageRequest(input)))
        let extent = try TilesetExtent(content)
        let window = MercatorWindow(of: extent, content, longestEdge: longestEdge)
        let snapshot = try Snapshot(of: [content], in: window.view)
        let picture = PlanPicture.address(of: try await snapshot.draw())
        middle = window.view.camera.target
        var points: [ControlPoint] = []
        if case .image = content {
            do { points = try Self.points(input) } catch {
                warnings.append("\(error); the page does not offer these points")
            }
        }
        let box = window.bounds
        layer = PlacingPage.Part(
            .record([
                "name": name, "picture": .string(picture),
                "bounds": .array([box.minX, box.minY, box.maxX, box.maxY].map(JSONValue.number)),
                "points": points.isEmpty ? nil : .array(points.map(JSONValue.init)),
            ]))
    }

    /// The points of an image that a plan laid over it may share: points that have real names and are
    /// switched on.
    private static func points(_ image: String) throws -> [ControlPoint] {
        let image = ImageRequest(image)
        return try QGISPoints.find(nextTo: image, info: image.fileInfo())?.points
            .filter { $0.isEnabled && $0.name.wholeMatch(of: /line [0-9]+/) == nil } ?? []
    }

    /// The most bytes of a GeoJSON file: more would make the page slow, and a plan can be aligned with less.
    private static let mostBytes = 32 << 20

    /// The text of a GeoJSON file that is JSON, so that the page can read it.
    private static func lines(_ path: String) throws -> String {
        let bytes = TextEncoding.utf8(try InputFile.bytes(of: path, atMost: mostBytes))
        let text = String(decoding: bytes, as: UTF8.self)
        do { _ = try JSONDecoder().decode(GeoJSONKind.self, from: Data(bytes)) } catch {
            throw Failure(
                .badInput, cannot: "read '\(path)'", "it is not GeoJSON",
                remedy: "a GeoJSON file holds an object with a 'type', in longitude and latitude")
        }
        return text
    }

    /// The member that every GeoJSON document has.
    private struct GeoJSONKind: Decodable { var type: String }
}

extension KMLShapes {
    /// The shapes as a GeoJSON document, so that the page can read them.
    fileprivate var geoJSON: String {
        let geometries = shapes.map { shape in
            let (type, coordinates): (String, JSONValue) =
                switch shape {
                case .point(let point): ("Point", JSONValue(point))
                case .line(let line): ("LineString", .array(line.map(JSONValue.init)))
                case .polygon(let rings):
                    ("Polygon", .array(rings.map { .array($0.map(JSONValue.init)) }))
                }
            return JSONValue.record(["type": .string(type), "coordinates": coordinates])
        }
        return JSONValue.record(["type": .string("GeometryCollection"), "geometries": .array(geometries)])
            .compact
    }
}

/// The whole pixels around tiles, at a zoom of Web Mercator.
private struct MercatorWindow {
    /// The view that shows the pixels, one per point.
    let view: CameraView
    /// The edges of the pixels in degrees.
    let bounds: BoundingBox

    /// Chooses the highest zoom that the content fills, and at which it has at most `longestEdge` pixels
    /// along an edge.
    init(of extent: TilesetExtent, _ content: MapContent, longestEdge: Int) {
        let box = extent.bounds.mapped(WebMercator.metres)
        // One pixel more on both sides, since edges are rounded outwards.
        let longest = max(box.width, box.height, 1e-3)
        let fitting = log2(Double(max(longestEdge - 2, 1)) * WebMercator.world / (256 * longest))
        // The camera counts zooms of 256 pixels.
        let extra = if case .tileset(let tileset) = content, tileset.metadata.tileSize == 512 { 1 } else { 0 }
        let zoom = min(fitting.rounded(.down), Double(extent.zooms.upperBound + extra))
        let metres = WebMercator.world / (256 * exp2(zoom))
        let (left, right) = ((box.minX / metres).rounded(.down), (box.maxX / metres).rounded(.up))
        let (bottom, top) = ((box.minY / metres).rounded(.down), (box.maxY / metres).rounded(.up))
        let (width, height) = (max(1, right - left), max(1, top - bottom))
        let middle = Point(x: (left + width / 2) * metres, y: (bottom + height / 2) * metres)
        let size = ViewSize(width: Int(width), height: Int(height)).unwrapped("a picture has pixels")
        view = CameraView(CameraPosition(target: WebMercator.lonLat(middle), zoom: zoom), size: size)
        bounds = BoundingBox(
            minX: left * metres, minY: bottom * metres, maxX: (left + width) * metres,
            maxY: (bottom + height) * metres
        ).mapped(WebMercator.lonLat)
    }
}

extension BoundingBox {
    /// The box with both ends mapped.
    fileprivate func mapped(_ map: (Point) -> Point) -> BoundingBox {
        let (low, high) = (map(Point(x: minX, y: minY)), map(Point(x: maxX, y: maxY)))
        return BoundingBox(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
    }
}
