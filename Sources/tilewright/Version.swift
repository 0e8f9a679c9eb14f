/// Which program this is.
enum Version {
    /// The version, as `--version` prints it and as a tileset's fingerprint holds it.
    static let current = "0.1.0"
}
