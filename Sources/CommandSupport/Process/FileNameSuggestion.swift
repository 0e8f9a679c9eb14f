import Codecs
import Platform

/// The file that was probably meant by a name that no file has.
package enum FileNameSuggestion {
    /// The nearest name in the same folder, with that folder as it was written; nil if none is near, or the
    /// folder cannot be listed.
    ///
    /// A name without an ending stands for a file that has one, of an image rather than of anything else.
    package static func of(_ path: String) -> String? {
        let folder = path.parentDirectory
        guard let names = try? Directory.open(folder)?.names() else { return nil }
        let name = path.fileName
        let seen = names.filter { !$0.hasPrefix(".") }.sorted()
        let whole = seen.filter { $0.fileStem == name }
        let image = whole.first { file in
            ImageFormats.extensions.contains { file.lowercased().hasSuffix(".\($0)") }
        }
        guard let near = image ?? whole.first ?? NearestWord.of(name, among: seen) else { return nil }
        return path.contains("/") ? folder.path(of: near) : near
    }
}
