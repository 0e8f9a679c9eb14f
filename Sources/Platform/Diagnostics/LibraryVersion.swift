/// A library that the program calls, and its version.
public struct LibraryVersion: Sendable, Equatable {
    /// The name that its project gives it.
    public let name: String

    /// Its version as its project writes it; nil if the library is not installed, which is so only for one that is
    /// loaded when it is first needed.
    public let version: String?

    /// Whether the version is the one that the program was compiled with, because the library does not say its own.
    public let isOfHeaders: Bool

    /// Describes a library.
    package init(_ name: String, _ version: String?, isOfHeaders: Bool = false) {
        self.name = name
        self.version = version
        self.isOfHeaders = isOfHeaders
    }
}
