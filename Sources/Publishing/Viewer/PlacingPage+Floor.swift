package import Tiling

extension PlacingPage {
    /// The image that is to be placed.
    package struct Plan: Sendable {
        /// The path by which the command line names it.
        package var path: String
        /// Its name without a folder.
        package var name: String
        /// The page of its file, counted from 1.
        package var page = 1
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

    /// A floor of a building, or an image alone.
    package struct Floor: Sendable {
        /// The image; nil if it cannot be placed.
        package var plan: Plan?
        /// Why it cannot be placed.
        package var problem: String?
        /// What a manifest says of it; nil for an image alone.
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
        /// What people read.
        package var label: String
        /// Its place among the floors, 0 for the ground floor.
        package var ordinal: Int
        /// The building's name if there are several.
        package var building: String?
        /// The file in which the floor stands.
        package var manifest: String
        /// The image as that file names it.
        package var image: String
        /// Where its points go; nil if it cannot be placed.
        package var points: PointsEntry?
        /// Where they go if the floor is given a position of its own; nil if it has one.
        package var ownPoints: PointsEntry?
        /// Whether it can be chosen; else it only lies under those that can.
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

    /// A file of points of a manifest. Floors with the same one share their position.
    package struct PointsEntry: Hashable, Sendable {
        /// The path as the manifest would name it.
        package var path: String
        /// What a browser saves it as.
        package var download: String
        /// Whether a build finds it without a word more in the manifest.
        package var isFound: Bool
        /// Whether its `gcps` belongs to the top of the building.
        package var isAtTop: Bool
        /// Whether something else says there where the image lies, and has to go.
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
        var members: [JSONValue.Member] = []
        if let plan { members.append(.init("plan", plan.json)) }
        if let problem { members.append(.init("problem", .string(problem))) }
        if let entry { members += entry.members }
        return .object(members)
    }
}

extension PlacingPage.Entry {
    fileprivate var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("floor", .string(floor)), .init("label", .string(label)),
            .init("ordinal", .integer(ordinal)),
            .init("manifest", .string(manifest)), .init("image", .string(image)),
            .init("isOffered", .boolean(isOffered)),
        ]
        if let points { members.append(.init("points", points.json)) }
        if let building { members.append(.init("building", .string(building))) }
        if let ownPoints { members.append(.init("ownPoints", ownPoints.json)) }
        return members
    }
}

extension PlacingPage.PointsEntry {
    fileprivate var json: JSONValue {
        .object([
            .init("path", .string(path)), .init("download", .string(download)),
            .init("isFound", .boolean(isFound)), .init("isAtTop", .boolean(isAtTop)),
            .init("replaces", .boolean(replaces)),
        ])
    }
}

extension PlacingPage.Plan {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("path", .string(path)), .init("name", .string(name)),
            .init("width", .integer(width)), .init("height", .integer(height)),
            .init("turn", .integer(turn)), .init("isTagged", .boolean(isTagged)),
            .init("scale", scale.json), .init("points", .array(points.map(\.json))),
        ]
        if let corners { members.append(.init("corners", .array(corners.map(\.json)))) }
        if page > 1 { members.append(.init("page", .integer(page))) }
        if let pointsSize { members.append(.init("pointsSize", .string(pointsSize))) }
        if let model { members.append(.init("model", .string(model))) }
        return .object(members)
    }
}

extension PlacingPage.PlannedPoint {
    /// The point by names.
    var json: JSONValue {
        .object([
            .init("pixel", pixel.json), .init("place", lonLat.json), .init("name", .string(name)),
            .init("enabled", .integer(isEnabled ? 1 : 0)),
        ])
    }
}
