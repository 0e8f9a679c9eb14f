import Codecs
import Platform
import Raster

/// The images of a build, each placed.
public struct PlacedImages: Sendable {
    /// At least one, each over the ones before it.
    public let all: [PlacedImage]

    /// Looks at the files of images, and finds where each lies.
    ///
    /// - Parameters:
    ///   - requests: at least one.
    ///   - resources: an image with more pixels than they allow is refused; images that are in archives are copied into
    ///     the folder for scratch files, or else into the system's, for as long as they are used; renderers of documents
    ///     share the memory.
    /// - Throws: a `Failure`, as `PlacedImage` does.
    public init(_ requests: [ImageRequest], resources: BuildResources = BuildResources()) throws {
        try self.init(requests, resources: resources, fits: SharedFits())
    }

    /// The same, with the fits of other images, which may have the same points.
    ///
    /// - Parameter reads: is told which parts of files are read.
    init(
        _ requests: [ImageRequest], resources: BuildResources, fits: SharedFits = SharedFits(),
        reads: FileReads? = nil
    ) throws {
        if requests.isEmpty {
            throw Failure(.usage, "there is no image to make tiles of", remedy: "name at least one")
        }
        let limits = PixelLimits(resources.maxPixels, isAdjustable: true)
        let images = try requests.map {
            try PlacedImage($0, limits: limits, resources: resources, fits: fits, reads: reads)
        }
        all = Self.scaledAlike(images)
    }

    /// What is not an error, and what the user should know, each line once.
    public var warnings: [Warning] {
        all.flatMap(\.warnings).reduce(into: []) { warnings, warning in
            if !warnings.contains(warning) { warnings.append(warning) }
        }
    }

    /// Sheets of one survey must not differ in brightness because their data do: all take the range
    /// of all.
    private static func scaledAlike(_ images: [PlacedImage]) -> [PlacedImage] {
        let ranges = images.filter(\.isScaledByData).compactMap(\.fileInfo.sampleRange)
        guard ranges.count > 1, let low = ranges.map(\.lowerBound).min(),
            let high = ranges.map(\.upperBound).max()
        else { return images }
        return images.map { $0.isScaledByData ? $0.scaled(to: low...high) : $0 }
    }
}

extension PlacedImage {
    /// Whether its data decide what becomes black and white.
    fileprivate var isScaledByData: Bool { request.rescale?.values == nil && fileInfo.sampleRange != nil }
}
