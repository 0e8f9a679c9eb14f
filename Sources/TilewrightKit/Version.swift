/// Which program this is.
package enum Version {
    /// The version, as `--version` prints it.
    package static let current = "0.1.0"
}
