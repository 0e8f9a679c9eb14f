internal import Tiling
internal import Tilesets

/// Where a building or a campus lies, and the camera that shows all of it.
struct IndexExtent {
    /// Degrees; the east is beyond 180 across the antimeridian. Nil if there is nothing.
    let box: BoundingBox?

    /// The extent of what lies in some boxes.
    init(_ boxes: [BoundingBox]) {
        box = boxes.dropFirst().reduce(boxes.first) { $0?.union($1) }
    }

    /// `bounds` and `camera`; nothing if there is nothing.
    var members: [JSONValue.Member] {
        guard let box else { return [] }
        return [.init("bounds", Self.value(box)), .init("camera", camera(box))]
    }

    /// West, south, east, north.
    static func value(_ box: BoundingBox) -> JSONValue {
        let edges = [
            PublishedDegrees(roundingDown: box.minX), PublishedDegrees(roundingDown: box.minY),
            PublishedDegrees(roundingUp: box.maxX), PublishedDegrees(roundingUp: box.maxY),
        ]
        return .array(edges.map(JSONValue.degrees))
    }

    /// The camera that shows all of it on a phone held upright, from straight above.
    private func camera(_ box: BoundingBox) -> JSONValue {
        let camera = CameraView.overview(of: box).camera
        let target = [camera.target.x, camera.target.y].map {
            JSONValue.degrees(PublishedDegrees(roundingDown: $0))
        }
        return .object([.init("target", .array(target)), .init("zoom", .number(camera.zoom))])
    }
}
