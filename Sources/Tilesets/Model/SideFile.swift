/// A small file that stands beside the tiles, such as `tilejson.json`.
package struct SideFile: Hashable, Sendable {
    /// The file's name inside the tileset's directory.
    package var name: String
    /// The file's contents.
    package var bytes: [UInt8]

    /// Makes a side file.
    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
