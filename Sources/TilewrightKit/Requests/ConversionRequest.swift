import Platform
import Tilesets
public import Tiling

/// A tileset that is to be copied into another container, without encoding its tiles again.
public struct ConversionRequest: Hashable, Sendable {
    /// The tileset: a folder or an archive.
    public var input: String
    /// Where the copy goes: a folder, or a file that ends in `.mbtiles` or `.pmtiles`.
    public var output: String
    /// The floor to take, of a folder that has several.
    public var floor: String?
    /// How rows count in a folder without a TileJSON, or in MBTiles; nil if that can be seen.
    public var inScheme: TileScheme?
    /// The names of files in a folder; nil for `{z}/{x}/{y}.{ext}`.
    public var template: String?
    /// Whether row 0 of a folder is in the north or in the south; nil for the north.
    public var scheme: TileScheme?
    /// Where a folder will be found on the web; makes TileJSON's addresses absolute.
    public var url: String?
    /// What is said of the copy, in place of what the tileset says.
    public var labels = TilesetLabels()
    /// The most tiles that the tileset may have.
    public var maxTiles = BuildResources.standardMaxTiles
    /// Whether an output is taken over that this program did not make.
    public var force = false
    /// Whether everything is on the disk before success is reported.
    public var fsync = false

    /// Asks for a copy.
    public init(_ input: String, to output: String) {
        self.input = input
        self.output = output
    }

    /// Refuses what contradicts itself.
    ///
    /// - Throws: `.usage`.
    package func check() throws {
        if let url { try WebAddress.checkBase(url) }
        try TilesetContainer.checkName(output)
        try TilesetContainer(path: output).check(template: template, scheme: scheme, url: url)
    }
}
