import Platform

/// Where all floors of a building go: a folder, or archives side by side.
enum BuildingOutput {
    private static let placeholder = "{floor}"

    /// Reads the value of `output`.
    ///
    /// - Throws: `.usage` if floors would share an archive, or have folders of their own.
    static func path(_ value: ManifestValue) throws(Failure) -> String {
        let text = try folderText(value)
        let (parent, name) = text.splitAtLastSlash
        let isArchive = TilesetContainer(path: text).isArchive
        if isArchive, !name.contains(placeholder) {
            throw value.failure(
                "an archive holds one floor, and '\(text.excerpt())' is for all of them",
                remedy: "write {floor} into its name, as \"tiles/{floor}.pmtiles\"")
        }
        if text.contains(placeholder), !isArchive || parent?.contains(placeholder) == true {
            throw value.failure(
                "{floor} stands only in the names of archives, as \"tiles/{floor}.pmtiles\"",
                remedy: "name the folder of all floors, and write {floor} into 'template'")
        }
        return value.file.resolved(text)
    }

    /// Reads the value of `output` of a campus: a folder.
    static func folder(_ value: ManifestValue) throws(Failure) -> String {
        let text = try folderText(value)
        guard !TilesetContainer(path: text).isArchive, !text.contains(placeholder) else {
            throw value.failure(
                "the output of several buildings is a folder, and '\(text.excerpt())' is none",
                remedy: "it is for campus.json; each building says where its tiles go")
        }
        return value.file.resolved(text)
    }

    /// The output of a floor. `{floor}` counts in the name of an archive alone.
    static func path(_ path: String, floor: String) -> String {
        guard TilesetContainer(path: path).isArchive else { return path }
        let (parent, name) = path.splitAtLastSlash
        let filled = String(name).replacing(placeholder, with: floor)
        return parent.map { "\($0)/\(filled)" } ?? filled
    }

    /// The folder in which all of it lies.
    static func folder(of path: String) -> String {
        TilesetContainer(path: path).isArchive ? path.parentDirectory : path
    }

    /// A path that is not empty, without slashes at its end.
    private static func folderText(_ value: ManifestValue) throws(Failure) -> String {
        var text = Substring(try value.text())
        while text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") { text = text.dropLast() }
        if text.isEmpty { throw value.failure("'output' needs the name of a folder") }
        return String(text)
    }
}
