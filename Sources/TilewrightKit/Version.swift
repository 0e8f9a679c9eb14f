// Public values are defined in the modules below. They are re-exported, so that programs which import the
// library see them.

@_exported public import Codecs
@_exported public import Platform
@_exported public import Georeferencing
@_exported public import Publishing
@_exported public import Raster
@_exported public import Rendering
@_exported public import Tilesets
@_exported public import Tiling
import YAML

/// The identity of the program.
package enum Version {
    /// The version, as `--version` prints it.
    package static let current = "0.1.0"
}

/// The components of the program, to report faults and to compare two machines.
public struct ProgramDescription: Sendable {
    /// The version of the program.
    public let version: String

    /// The SIMD variants that this machine can run, the slowest first; the last one is used. All give the
    /// same bytes.
    public let kernels: [String]

    /// The C libraries without PROJ.
    public let libraries: [LibraryVersion]

    /// PROJ and its data; nil if it is not installed.
    public let proj: PROJData?

    /// Asks all libraries for their versions, and loads those that are usually loaded only when needed.
    public init() {
        version = Version.current
        kernels = Kernels.all.map(\.name)
        libraries =
            CodecLibraries.versions + GeoreferencingLibraries.versions + TilesetLibraries.versions
            + [PackedPixels.library, YAMLNode.library]
        proj = try? PROJData()
    }
}
