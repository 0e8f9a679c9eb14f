import CPublishing
package import Tiling

/// A page in which a plan, or the floors of a building, are placed on the map by hand.
package struct PlacingPage: Sendable {
    /// A picture in the page.
    package struct Picture: Sendable {
        /// `image/png` or `image/jpeg`.
        let mediaType: String
        /// The file's bytes in base 64.
        let base64: String

        /// Uses a file.
        package init(mediaType: String, base64: String) {
            (self.mediaType, self.base64) = (mediaType, base64)
        }

        /// The picture's bytes in the page.
        package var byteCount: Int { base64.utf8.count }

        /// The picture as an address.
        package var url: String { "data:\(mediaType);base64,\(base64)" }
    }

    /// A layer under the plan, to align with.
    package struct Layer: Sendable {
        /// The contents of a layer.
        package enum Content: Sendable {
            /// A picture that is linear in Web Mercator, and its edges in degrees.
            case picture(Picture, BoundingBox)
            /// A GeoJSON document that is known to be JSON.
            case lines(String)
        }

        let name: String
        let content: Content
        let points: [PlannedPoint]

        /// Describes a layer.
        ///
        /// - Parameter points: points that the plan may share, such as lifts and stairs.
        package init(name: String, _ content: Content, points: [PlannedPoint] = []) {
            (self.name, self.content, self.points) = (name, content, points)
        }
    }

    /// The map under all layers.
    package enum Background: Hashable, Sendable {
        /// The map of OpenStreetMap.
        case openStreetMap
        /// An address with `{z}`, `{x}` and `{y}`.
        case tiles(String)
        /// None: nothing is requested.
        case none
    }

    private let title: String
    private let source: String
    private let floors: [Floor]
    private let near: Point?
    private let layers: [Layer]
    private let background: Background
    private let library: MapLibrary
    private let savingAddress: String?

    /// Describes a page.
    ///
    /// - Parameters:
    ///   - title: the name of the image or the building.
    ///   - source: the path by which the command line names it: an image, or a manifest.
    ///   - floors: from the lowest to the highest; an image alone is the only one, without an entry.
    ///   - near: the place that the map shows first, in degrees, if no plan has a position.
    ///   - layers: the layers, later over earlier.
    ///   - savingAddress: the address to which the page sends points; nil if the browser saves them.
    package init(
        _ title: String, source: String, floors: [Floor], near: Point?, layers: [Layer],
        background: Background, library: MapLibrary, savingAddress: String? = nil
    ) {
        (self.title, self.source, self.floors) = (title, source, floors)
        (self.near, self.layers) = (near, layers)
        (self.background, self.library) = (background, library)
        self.savingAddress = savingAddress
    }

    /// Whether an address of tiles contains all three placeholders.
    package static func isAddress(_ address: String) -> Bool {
        ["{z}", "{x}", "{y}"].allSatisfy(address.contains)
    }

    /// The page in UTF-8.
    package var html: [UInt8] {
        let title = Page.escaped(title)
        let lines = layers.enumerated().compactMap { index, layer -> String? in
            guard case .lines(let text) = layer.content else { return nil }
            return "<script type=\"application/json\" id=\"lines-\(index)\">\(Page.inert(text))</script>"
        }
        return Page.html(
            .placing, heading: PageWords.english("place.heading", name: title), library: library,
            words: ["page", "place"], style: place_css,
            body: SourceTemplate(place_html).lines(["TITLE": [title]]),
            data: Page.data("data", data) + lines + pictures, script: place_js)
    }

    /// Separate elements, which a browser reads only when needed. Base 64 cannot end a script.
    private var pictures: [String] {
        floors.enumerated().compactMap { index, floor in
            floor.plan.map {
                "<script type=\"text/plain\" id=\"picture-\(index)\">\($0.picture.url)</script>"
            }
        }
    }

    private var data: [JSONValue.Member] {
        let basemap: String? =
            switch background {
            case .openStreetMap: nil
            case .tiles(let address): address
            case .none: ""
            }
        return JSONValue.members([
            "source": .string(source), "floors": .array(floors.map(\.json)),
            "layers": .array(layers.map(\.json)), "saveTo": savingAddress.map(JSONValue.string),
            "near": near?.json, "basemap": basemap.map(JSONValue.string),
        ])
    }
}

extension PlacingPage.Layer {
    fileprivate var json: JSONValue {
        var members = [JSONValue.Member("name", .string(name))]
        if case .picture(let picture, let box) = content {
            members += JSONValue.members([
                "picture": .string(picture.url),
                "bounds": .array([box.minX, box.minY, box.maxX, box.maxY].map(JSONValue.number)),
            ])
        }
        if !points.isEmpty { members.append(.init("points", .array(points.map(\.json)))) }
        return .object(members)
    }
}

extension Point {
    /// A list of both.
    var json: JSONValue { .array([.number(x), .number(y)]) }
}

extension PlacingPage {
    /// The image that is to be placed.
    package struct Plan: Sendable {
        /// The path by which the command line names it.
        package var path: String
        /// The file's name without a folder.
        package var name: String
        /// The page of its file, counted from 1.
        package var page = 1
        /// Columns of the image as it is stored.
        package var width: Int
        /// Rows of the image as it is stored.
        package var height: Int
        /// The clockwise turn in degrees that makes it upright.
        package var turn: Int
        /// Whether it has an orientation tag, so that coordinates in the upright image differ.
        package var isTagged: Bool
        /// A reduced picture of it.
        package var picture: Picture
        /// Pixels of the image per pixel of the picture, along both axes.
        package var scale: Point
        /// The longitudes and latitudes of the corners, clockwise from the top left; nil without a position.
        package var corners: [Point]?
        /// The existing control points.
        package var points: [PlannedPoint]
        /// The size of the image on which they were set, if known: `1936x1474`.
        package var pointsSize: String?
        /// The name of the family of transforms that is fitted to the points, if one was chosen.
        package var model: String?

        /// Describes an image.
        package init(
            path: String, name: String, width: Int, height: Int, turn: Int, isTagged: Bool,
            picture: Picture, scale: Point,
            corners: [Point]?, points: [PlannedPoint], pointsSize: String?
        ) {
            (self.path, self.name, self.width, self.height) = (path, name, width, height)
            (self.turn, self.isTagged, self.picture, self.scale) = (turn, isTagged, picture, scale)
            (self.corners, self.points, self.pointsSize) = (corners, points, pointsSize)
        }
    }

    /// A control point.
    package struct PlannedPoint: Sendable {
        let pixel: Point
        /// Longitude and latitude in degrees.
        package let lonLat: Point
        let name: String
        /// Whether it takes part in the fit.
        package let isEnabled: Bool

        /// Describes a point: a pixel of the image as it is stored, and degrees.
        package init(pixel: Point, lonLat: Point, name: String, isEnabled: Bool) {
            (self.pixel, self.lonLat, self.name, self.isEnabled) = (pixel, lonLat, name, isEnabled)
        }
    }

    /// A floor of a building, or a single image.
    package struct Floor: Sendable {
        /// The image; nil if it cannot be placed.
        package var plan: Plan?
        /// The reason why it cannot be placed.
        package var problem: String?
        /// Its entry in a manifest; nil for a single image.
        package var entry: Entry?

        /// Describes a floor.
        package init(plan: Plan?, problem: String? = nil, entry: Entry? = nil) {
            (self.plan, self.problem, self.entry) = (plan, problem, entry)
        }
    }

    /// A floor of a manifest.
    package struct Entry: Sendable {
        /// Its name.
        package var floor: String
        /// The name for people.
        package var label: String
        /// Its position in the order of floors, 0 for the ground floor.
        package var ordinal: Int
        /// The building's name if there are several.
        package var building: String?
        /// The file that defines the floor.
        package var manifest: String
        /// The image as that file names it.
        package var image: String
        /// The file for its points; nil if it cannot be placed.
        package var points: PointsEntry?
        /// The file for its points if the floor gets its own position; nil if it already has one.
        package var ownPoints: PointsEntry?
        /// Whether it can be chosen; otherwise it is only shown under other floors.
        package var isOffered: Bool

        /// Describes a floor.
        package init(
            floor: String, label: String, ordinal: Int, building: String?, manifest: String,
            image: String, points: PointsEntry?, ownPoints: PointsEntry?, isOffered: Bool
        ) {
            (self.floor, self.label, self.ordinal) = (floor, label, ordinal)
            self.building = building
            (self.manifest, self.image) = (manifest, image)
            (self.points, self.ownPoints, self.isOffered) = (points, ownPoints, isOffered)
        }
    }

    /// A file of points of a manifest. Floors with the same file share their position.
    package struct PointsEntry: Hashable, Sendable {
        /// The path as written in the manifest.
        package var path: String
        /// The name under which a browser saves it.
        package var download: String
        /// Whether a build finds it without an entry in the manifest.
        package var isFound: Bool
        /// Whether its `gcps` belongs at the top of the manifest, not in the entry of a floor.
        package var isAtTop: Bool
        /// Whether the manifest has another position for the image, which must be removed.
        package var replaces: Bool

        /// Describes a file.
        package init(path: String, download: String, isFound: Bool, isAtTop: Bool, replaces: Bool) {
            (self.path, self.download) = (path, download)
            (self.isFound, self.isAtTop, self.replaces) = (isFound, isAtTop, replaces)
        }
    }
}

extension PlacingPage.Floor {
    /// The floor without its picture.
    var json: JSONValue {
        let members = JSONValue.members(["plan": plan?.json, "problem": problem.map(JSONValue.string)])
        return .object(members + (entry?.members ?? []))
    }
}

extension PlacingPage.Entry {
    fileprivate var members: [JSONValue.Member] {
        JSONValue.members([
            "floor": .string(floor), "label": .string(label), "ordinal": .integer(ordinal),
            "manifest": .string(manifest), "image": .string(image), "isOffered": .boolean(isOffered),
            "points": points?.json, "building": building.map(JSONValue.string), "ownPoints": ownPoints?.json,
        ])
    }
}

extension PlacingPage.PointsEntry {
    fileprivate var json: JSONValue {
        JSONValue.record([
            "path": .string(path), "download": .string(download), "isFound": .boolean(isFound),
            "isAtTop": .boolean(isAtTop), "replaces": .boolean(replaces),
        ])
    }
}

extension PlacingPage.Plan {
    fileprivate var json: JSONValue {
        JSONValue.record([
            "path": .string(path), "name": .string(name), "width": .integer(width),
            "height": .integer(height),
            "turn": .integer(turn), "isTagged": .boolean(isTagged), "scale": scale.json,
            "points": .array(points.map(\.json)), "corners": corners.map { .array($0.map(\.json)) },
            "page": page > 1 ? .integer(page) : nil, "pointsSize": pointsSize.map(JSONValue.string),
            "model": model.map(JSONValue.string),
        ])
    }
}

extension PlacingPage.PlannedPoint {
    /// The point by names.
    var json: JSONValue {
        JSONValue.record([
            "pixel": pixel.json, "place": lonLat.json, "name": .string(name),
            "enabled": .integer(isEnabled ? 1 : 0),
        ])
    }
}
