/// A tileset that is to be built: images, what to build of them, where it goes and how to run.
public struct BuildRequest: Sendable {
    /// The images, each over the ones before it. Several bring their positions along.
    public var images: [ImageRequest]
    /// What to build.
    public var pyramid: PyramidRequest
    /// Where the tiles go.
    public var output: OutputRequest
    /// What may be used of the machine.
    public var resources = BuildResources()
    /// A control point that is farther from its place, in metres on the ground, makes the build fail; nil
    /// for no limit.
    public var maxResidual: Double?
    /// Files that named the images: inputs too, for what depends on all inputs.
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
