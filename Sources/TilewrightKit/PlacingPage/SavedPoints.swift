import Platform
public import Georeferencing
import Raster
import Tiling

/// Control points that the page of `place` has saved, to be written next to the image.
public struct SavedPoints: Sendable {
    /// The path of their file, which every command finds: `plan.png.points`.
    public let path: String
    /// The fit of the points.
    public let fit: ControlPointFit
    /// Warnings for the user, a line each.
    public private(set) var warnings: [String] = []

    /// Advice on the key that the manifest needs so that a build finds the points, such as
    /// `gcps: plans/first.png.points`; nil if a build finds them without it.
    public private(set) var advice: String?

    private let text: String
    private let image: ImageRequest
    /// The floors with this position, if they belong to a manifest.
    private let floors: [FloorPoints]

    /// Reads points, and checks the size of their image, their names, and their fit.
    ///
    /// - Parameters:
    ///   - file: the file that was saved.
    ///   - name: its name in messages.
    ///   - image: the image that they belong to.
    /// - Throws: a `Failure`: `missingInput` or `badInput` if something cannot be read or does not agree.
    public init(readFrom file: String, named name: String? = nil, for image: ImageRequest) throws {
        try self.init(Self.text(of: file, named: name), named: name ?? file, for: image)
    }

    /// Checks the text of a file that was saved.
    ///
    /// - Parameter name: its name in messages.
    package init(_ text: String, named name: String, for image: ImageRequest) throws {
        try self.init(text, named: name, for: image, to: .nextTo(image), of: [])
    }

    /// Reads points of a floor of a manifest, and checks them in the same way. They go to the file that the
    /// manifest names, or next to the image.
    ///
    /// - Parameters:
    ///   - file: the file that the page of `place` has saved.
    ///   - name: its name there; nil for the name of the file.
    ///   - manifest: the manifest with the floor.
    ///   - floor: the floor, as `Manifest.floor(_:)` takes it; nil for the floor that the page of `place` has
    ///     put into the file's name.
    /// - Throws: a `Failure`: `usage` if it is not clear which floor is meant; else as above.
    public init(
        readFrom file: String, named name: String? = nil, for manifest: Manifest, floor: String? = nil
    ) throws {
        let text = try Self.text(of: file, named: name)
        try self.init(text, named: name, by: file, for: manifest, floor: floor)
    }

    /// Checks the text of a file that was saved for a floor of a manifest.
    ///
    /// - Parameter file: the name that the page gave to the file, which contains the floor's name.
    package init(
        _ text: String, named name: String? = nil, by file: String, for manifest: Manifest,
        floor: String? = nil
    ) throws {
        let floors = try FloorPoints.floors(of: manifest).meant(by: file, floor: floor, of: manifest)
        // In the page, only floors of one size share a position.
        let fitting = floors.first { floor in
            (try? floor.image.fileInfo())
                .map { text.contains(",\($0.width)x\($0.height)") } ?? false
        }
        let target = fitting ?? floors[0]
        try self.init(text, named: name ?? file, for: target.image, to: target.home, of: floors)
    }

    private init(
        _ text: String, named name: String, for image: ImageRequest, to home: PointsHome,
        of floors: [FloorPoints]
    ) throws {
        (self.text, self.image, self.floors, path) = (text, image, floors, home.path)
        let info = try image.fileInfo()
        let saved = try QGISPoints(
            parsing: text, path: name, crs: nil, width: info.width, height: info.height)
        let isFound = home.isFound(for: image, info: info)
        do {
            try Self.check(saved, width: info.width, height: info.height)
            // The manifest's model counts only if the manifest need not change.
            fit = try ControlPointFit(
                saved.points, model: isFound ? image.position.transform : nil, width: info.width,
                height: info.height)
        } catch let failure as Failure {
            throw failure.inAttempt("take the points '\(name)' for \(image.title)")
        }
        if let error = fit.error { warnings.append("\(error.message); \(error.remedy)") }
        if let floor = floors.first, !isFound {
            let place = home.isAtTop ? "at the top" : "at the \(floor.floor.name)"
            advice =
                "write 'gcps: \(floor.written(path))' \(place) of '\(floor.manifest)'"
                + (floor.replaces(at: home)
                    ? ", and remove its position there, including crs and transform" : "")
        }
    }

    /// The names of the floors that the points place, if they belong to a manifest.
    public var floorNames: [FloorName] { floors.map(\.floor.name) }

    private static let ending = ".points"

    /// Writes the file, whole or not at all.
    ///
    /// - Parameter force: overwrite points that another program saved.
    /// - Throws: a `Failure`: `outputRefused` if there are such points, or no file can be made;
    ///   `inputOutput` if writing fails.
    public mutating func write(force: Bool = false) throws {
        if FileStatus(at: path) != nil, try !WholeFile.followingLink(path).hasEnding(Self.ending) {
            throw Failure(
                .outputRefused, cannot: "write '\(path)'", "it is a link to a file of another kind",
                remedy: "remove the link")
        }
        if !force, let old = try OutputFile.text(of: path), old != text, !Self.isOurs(old) {
            throw Failure(
                .outputRefused, cannot: "write '\(path)'",
                "the points there were not saved by a page of 'tilewright place'",
                remedy: "move them away, or add --force to overwrite them")
        }
        try OutputFile.write(text.utf8, to: path, isTyped: false)
        // Tags of the image, or a file that takes precedence, may hold another position.
        if floors.isEmpty, let placed = try? PlacedImage(image), placed.fit == nil {
            warnings.append(
                "\(image.title) has its own position, which takes precedence: \(placed.positionSource); "
                    + "build with --gcps '\(path)'")
        }
    }

    private static func text(of file: String, named name: String?) throws -> String {
        guard let bytes = try WholeFile.read(file) else {
            throw Failure(.missingInput, "cannot read '\(name ?? file)': there is no such file")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func check(_ saved: QGISPoints, width: Int, height: Int) throws {
        if let size = saved.imageSize, size != "\(width)x\(height)" {
            throw Failure(
                .badInput, "they were set on an image of \(size) pixels, but this one has \(width)x\(height)",
                remedy: "load them into the page of 'tilewright place', and save them again")
        }
        var names: Set<String> = []
        for point in saved.points where !names.insert(point.name).inserted {
            throw Failure(
                .badInput, "two points are called '\(point.name)'", remedy: "give each its own name")
        }
    }

    private static func isOurs(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).prefix(3).contains { $0.hasSuffix(",name,imageSize") }
    }
}
