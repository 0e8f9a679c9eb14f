package import Platform
import Raster
import Tilesets

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A request to build a tileset: the images, the pyramid, the output and the resources.
public struct BuildRequest: Sendable {
    /// The images, each over the ones before it. If there are several, their files must have positions.
    public var images: [ImageRequest]
    /// The pyramid to build.
    public var pyramid: PyramidRequest
    /// The output of the tiles.
    public var output: OutputRequest
    /// The resources that may be used.
    public var resources = BuildResources()
    /// The largest allowed residual of a control point, in metres on the ground: with a larger one, the build
    /// fails. Nil for no limit.
    public var maxResidual: Double?
    /// Files that named the images; they count as inputs, too.
    public var lists: [String] = []

    /// Asks for the tiles of some images.
    public init(_ images: [ImageRequest], pyramid: PyramidRequest = PyramidRequest(), output: OutputRequest) {
        self.images = images
        self.pyramid = pyramid
        self.output = output
    }

    /// Asks for the tiles of one image.
    public init(_ image: ImageRequest, pyramid: PyramidRequest = PyramidRequest(), output: OutputRequest) {
        self.init([image], pyramid: pyramid, output: output)
    }
}

/// The resources of a build. The bytes of tiles do not depend on them.
public struct BuildResources: Hashable, Sendable {
    /// The maximum number of units of work at a time, 1 to 1024; nil for one per core.
    public var jobs: Int?
    /// Bytes of memory for pixels; further pixels go to a scratch file.
    public var memory = 1 << 30
    /// The folder for scratch files; nil for the folder of the output, or the working folder without an
    /// output.
    public var scratchDirectory: String?
    /// The maximum number of tiles of a plan, and of a finished tileset that is read. Plans and tilesets with
    /// more are refused.
    public var maxTiles = Self.standardMaxTiles
    /// The maximum number of pixels that are read or rendered. A plan with more is refused.
    public var maxPixels = Self.standardMaxPixels

    /// The default limit of tiles that are made or read.
    public static let standardMaxTiles = ReadingBudget.standardTiles

    /// The number of plans that share the memory for pixels, since they are rendered at the same time, such
    /// as those of a server's tiles.
    var sharers = 1

    /// The default limit of pixels that are read or rendered.
    public static let standardMaxPixels = 20_000_000_000

    /// Takes the resources of the machine, up to the limits above.
    public init() {}

    /// Units of work at a time.
    package var effectiveJobs: Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }

    /// Bytes for pixels: those of `memory`, but at most the limit of a container or a service manager, less
    /// the larger of two: a quarter, for file pages that wait to be written to the disk, or the program's own
    /// memory.
    func memoryBudget(in group: CgroupMemory) -> Int {
        guard let bound = group.memory else { return memory }
        return max(1, min(memory, bound / 4 * 3, bound - Self.baseBytes))
    }

    /// Bytes for the pixels of images: half of the budget if there are documents, since renderers have the
    /// other half.
    func pixelMemory(of images: [PlacedImage], in group: CgroupMemory = .own) -> Int {
        let all = memoryBudget(in: group) / sharers
        return max(1, images.contains { $0.drawn != nil } ? all / 2 : all)
    }

    /// The limits of renderers of documents.
    var rendererLimits: RendererLimits {
        var limits = RendererLimits()
        (limits.memory, limits.jobs) = (memoryBudget(in: .own) / 2, max(effectiveJobs, sharers))
        return limits
    }

    /// The memory of the program without pixels: itself, its libraries, and small objects of all kinds.
    package static let baseBytes = 32 << 20

    /// Refuses a plan of more tiles.
    ///
    /// - Throws: `.usage`.
    func checkTiles(_ count: Int) throws(Failure) {
        guard count > maxTiles else { return }
        throw Failure(
            .usage, "this would make \(count) tiles, but --max-tiles allows \(Count(maxTiles))",
            remedy: "ask for a lower --zoom, or raise --max-tiles")
    }

    /// Refuses numbers that are out of range.
    ///
    /// - Throws: `.usage`.
    package func check() throws(Failure) {
        if let jobs, !(1...1024 ~= jobs) {
            throw Failure(.usage, "--jobs \(jobs) is not between 1 and 1024")
        }
        for (name, value) in [
            ("--memory", memory), ("--max-tiles", maxTiles), ("--max-pixels", maxPixels),
        ] where value < 1 {
            throw Failure(.usage, "\(name) must be at least 1")
        }
    }
}
