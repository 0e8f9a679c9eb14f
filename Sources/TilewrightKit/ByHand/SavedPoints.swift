import Diagnostics
import Files
public import Georeferencing
import Raster
import Tiling

/// Control points that the page of `place` has saved, on their way to the image's side.
public struct SavedPoints: Sendable {
    /// Where they go: `plan.png.points`, where every command finds them.
    public let path: String
    /// The fit that the commands make of them.
    public let fit: ControlPointFit
    /// What is not an error, and what the user should know: a line each.
    public private(set) var warnings: [String] = []

    private let text: String
    private let image: String

    /// Reads and checks points: the size of the image that they were set on, their names, and whether they
    /// make a fit.
    ///
    /// - Parameters:
    ///   - file: the file that was saved.
    ///   - name: what messages call it.
    ///   - image: the image that they belong to.
    /// - Throws: a `Failure`: `missingInput` or `badInput` if something cannot be read or does not agree.
    public init(readFrom file: String, named name: String? = nil, for image: String) throws {
        guard let bytes = try WholeFile.read(file) else {
            throw Failure(.missingInput, "cannot read '\(name ?? file)': there is no such file")
        }
        let name = name ?? file
        text = String(decoding: bytes, as: UTF8.self)
        self.image = image
        path = image + ".points"
        let info = try ImageRequest(image).fileInfo(maxPixels: BuildResources.standardMaxPixels)
        let saved = try QGISPoints(
            parsing: text, path: name, crs: nil, width: info.width, height: info.height)
        do {
            try Self.check(saved, width: info.width, height: info.height)
            fit = try ControlPointFit(saved.points, width: info.width, height: info.height)
        } catch let failure as Failure {
            throw failure.inAttempt("take the points '\(name)' for '\(image)'")
        }
        if let error = fit.error { warnings.append("\(error.message); \(error.remedy)") }
    }

    /// Writes the file beside the image, whole or not at all.
    ///
    /// - Parameter force: write over points that another program saved.
    /// - Throws: a `Failure`: `outputRefused` if there are such points, or no file can be made;
    ///   `inputOutput` if writing fails.
    public mutating func write(force: Bool = false) throws {
        if !force, let old = try OutputFile.text(of: path), old != text, !Self.isOurs(old) {
            throw Failure(
                .outputRefused, cannot: "write '\(path)'",
                "the points there were not saved by a page of 'tilewright place'",
                remedy: "move them away, or add --force to write over them")
        }
        try OutputFile.write(text.utf8, to: path)
        // Tags of the image or a file that comes first may say something else.
        if let placed = try? PlacedImage(ImageRequest(image)) {
            if placed.fit == nil {
                warnings.append(
                    "'\(image)' has a position of its own, which comes first: \(placed.positionSource); "
                        + "build with --gcps '\(path)'")
            }
        }
    }

    private static func check(_ saved: QGISPoints, width: Int, height: Int) throws {
        if let size = saved.imageSize, size != "\(width)x\(height)" {
            throw Failure(
                .badInput, "they were set on an image of \(size) pixels, and this one has \(width)x\(height)",
                remedy: "open them in the page of 'tilewright place', which keeps them, and save them again")
        }
        var names: Set<String> = []
        for point in saved.points where !names.insert(point.name).inserted {
            throw Failure(
                .badInput, "two points are called '\(point.name)'", remedy: "give each a name of its own")
        }
    }

    private static func isOurs(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).prefix(3).contains { $0.hasSuffix(",name,imageSize") }
    }
}
