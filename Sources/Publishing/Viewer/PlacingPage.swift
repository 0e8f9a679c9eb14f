package import Tiling

/// A page in which a plan is laid on the map by hand.
package struct PlacingPage: Sendable {
    /// A picture that is a part of the page.
    package struct Picture: Sendable {
        /// `image/png` or `image/jpeg`.
        let mediaType: String
        /// The file's bytes in base 64.
        let base64: String

        /// Takes a file.
        package init(mediaType: String, base64: String) {
            (self.mediaType, self.base64) = (mediaType, base64)
        }
    }

    /// The image that is to be placed.
    package struct Plan: Sendable {
        /// The path by which the command line names it.
        package var path: String
        /// Its name without a folder.
        package var name: String
        /// Columns of the image as it is stored.
        package var width: Int
        /// Rows of the image as it is stored.
        package var height: Int
        /// By how many degrees clockwise it is turned to be seen upright.
        package var turn: Int
        /// Whether it has an orientation tag, so that numbers read off an upright image are others.
        package var isTagged: Bool
        /// A reduced picture of it.
        package var picture: Picture
        /// Pixels of the image per pixel of the picture, along both axes.
        package var scale: Point
        /// The longitudes and latitudes of the corners from the top left on, clockwise, if something says
        /// where the image lies.
        package var corners: [Point]?
        /// The control points that are there already.
        package var points: [PlannedPoint]
        /// The size of the image that they were set on, if it is known: `1936x1474`.
        package var pointsSize: String?

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

    /// What lies under the plan, to align with.
    package struct Layer: Sendable {
        /// What the page shows.
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
        /// - Parameter points: those that the plan may share, such as lifts and stairs.
        package init(name: String, _ content: Content, points: [PlannedPoint] = []) {
            (self.name, self.content, self.points) = (name, content, points)
        }
    }

    /// The map under everything.
    package enum Background: Hashable, Sendable {
        /// The one of OpenStreetMap.
        case openStreetMap
        /// An address with `{z}`, `{x}` and `{y}`.
        case tiles(String)
        /// None: nothing is asked for.
        case none
    }

    private let plan: Plan
    private let near: Point?
    private let layers: [Layer]
    private let background: Background
    private let library: MapLibrary

    /// Describes a page.
    ///
    /// - Parameters:
    ///   - near: where the map begins, in degrees, if the plan's position does not say it.
    ///   - layers: the later over the earlier.
    package init(
        _ plan: Plan, near: Point?, layers: [Layer], background: Background, library: MapLibrary
    ) {
        (self.plan, self.near, self.layers) = (plan, near, layers)
        (self.background, self.library) = (background, library)
    }

    /// Whether an address of tiles names all three numbers.
    package static func isAddress(_ address: String) -> Bool {
        ["{z}", "{x}", "{y}"].allSatisfy(address.contains)
    }

    /// The page in UTF-8.
    package var html: [UInt8] {
        let title = Page.escaped(plan.name)
        let values: SourceTemplate.Values = [
            "TITLE": [title],
            "SCRIPT": [script],
            "DATA": [Page.json([.init("plan", plan.json)] + settings)],
            "LINES": layers.enumerated().compactMap { index, layer in
                guard case .lines(let text) = layer.content else { return nil }
                return "<script type=\"application/json\" id=\"lines-\(index)\">\(Page.inert(text))</script>"
            },
        ]
        return Page.html(
            .placing, heading: "Place \(title)", library: library,
            styles: Page.text(PackageResources.page_css, PackageResources.place_css),
            body: (PackageResources.place_html, values))
    }

    /// The script: what begins it stands in the last file.
    private var script: String {
        Page.text(
            PackageResources.page_js, PackageResources.fit_js, PackageResources.faults_js,
            PackageResources.points_js, PackageResources.cutline_js, PackageResources.panes_js,
            PackageResources.state_js, PackageResources.marks_js, PackageResources.pairs_js,
            PackageResources.known_js, PackageResources.cutting_js, PackageResources.outlines_js,
            PackageResources.laying_js, PackageResources.saving_js, PackageResources.place_js)
    }

    private var settings: [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("layers", .array(layers.map(\.json)))]
        if let near { members.append(.init("near", near.json)) }
        switch background {
        case .openStreetMap: break
        case .tiles(let address): members.append(.init("basemap", .string(address)))
        case .none: members.append(.init("basemap", .string("")))
        }
        return members
    }
}

extension PlacingPage.Plan {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("path", .string(path)), .init("name", .string(name)),
            .init("width", .integer(width)), .init("height", .integer(height)),
            .init("turn", .integer(turn)), .init("isTagged", .integer(isTagged ? 1 : 0)),
            .init("scale", scale.json),
            .init("picture", .string(picture.url)), .init("points", .array(points.map(\.json))),
        ]
        if let corners { members.append(.init("corners", .array(corners.map(\.json)))) }
        if let pointsSize { members.append(.init("pointsSize", .string(pointsSize))) }
        return .object(members)
    }
}

extension PlacingPage.PlannedPoint {
    fileprivate var json: JSONValue {
        .object([
            .init("pixel", pixel.json), .init("place", lonLat.json), .init("name", .string(name)),
            .init("enabled", .integer(isEnabled ? 1 : 0)),
        ])
    }
}

extension PlacingPage.Layer {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [.init("name", .string(name))]
        if case .picture(let picture, let box) = content {
            members += [
                .init("picture", .string(picture.url)),
                .init("bounds", .array([box.minX, box.minY, box.maxX, box.maxY].map { .number($0) })),
            ]
        }
        if !points.isEmpty { members.append(.init("points", .array(points.map(\.json)))) }
        return .object(members)
    }
}

extension PlacingPage.Picture {
    fileprivate var url: String { "data:\(mediaType);base64,\(base64)" }
}

extension Point {
    fileprivate var json: JSONValue { .array([.number(x), .number(y)]) }
}
