/// How buildings are built. The bytes of tiles do not depend on it.
public struct BuildingOptions: Sendable {
    /// The names of the floors to build, in whatever building, or `BUILDING/FLOOR`; nil for all. Others stay as they are, and none
    /// is removed.
    public var only: [String]?
    /// What may be used of the machine, by all floors together.
    public var resources = BuildResources()
    /// Whether floors go into a folder, or take the place of files, that this program did not make.
    public var force = false
    /// Whether everything is on the disk before success is reported.
    public var fsync = false
    /// A file for the addresses of tiles and documents that the run adds, changes and removes.
    public var changes: String?
    /// A file for a Makefile fragment: the indexes depend on the manifests, the images and the files beside
    /// them.
    public var depfile: String?

    /// Builds all floors with what the machine has.
    public init() {}
}
