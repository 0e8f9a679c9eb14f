import Platform
import Georeferencing
import TilewrightKit

/// What `--version --verbose` prints: the version, kernels, libraries, data, companions.
struct VersionReport {
    private let rows: [(name: String, text: String)]

    /// The report of a program, or nil if the command line does not ask for it.
    ///
    /// - Parameters:
    ///   - words: the command line behind the program's name.
    ///   - program: the program's name.
    init?(_ words: [String], of program: String) {
        guard words.sorted() == ["--verbose", "--version"] else { return nil }
        let description = ProgramDescription()
        rows =
            [(program, description.version), ("kernels", Self.text(of: description.kernels))]
            + description.libraries.map { ($0.name, Self.text(of: $0)) }
            + Self.lines(of: description.proj)
            + ["tilewright-serve", "tilewright-render"].filter { $0 != program }.map { name in
                (name, CompanionProgram(named: name)?.path ?? "not installed")
            }
    }

    /// A line for each thing, aligned.
    var lines: [String] {
        let width = (rows.map(\.name.count).max() ?? 0) + 2
        return rows.map { $0.name.aligned(left: width) + $0.text }
    }

    private static func text(of kernels: [String]) -> String {
        let others = kernels.dropLast()
        let last = kernels.last ?? ""
        return others.isEmpty ? last : "\(last) (this machine also runs \(others.joined(separator: ", ")))"
    }

    private static func text(of library: LibraryVersion) -> String {
        guard let version = library.version else { return "not installed" }
        return library.isOfHeaders ? "\(version), when the program was compiled" : version
    }

    private static func lines(of proj: PROJData?) -> [(name: String, text: String)] {
        guard let proj else { return [("PROJ", "not installed")] }
        let edition = [proj.version, proj.date].compactMap(\.self).joined(separator: " of ")
        return [
            ("PROJ", proj.library),
            ("PROJ's data", proj.database + (edition.isEmpty ? "" : ", EPSG \(edition)")),
        ]
            + proj.folders.map { folder in
                ("PROJ's grids", "\(folder.gridCount) in \(folder.path)")
            }
    }
}
