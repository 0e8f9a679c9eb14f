import Platform

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The place of a report: a file, or standard output.
struct ReportFile {
    /// The path; `-` for standard output.
    let path: String

    /// The path for standard output.
    static let standardOutput = "-"

    /// Reports are small, except for lists of faults.
    private static let largest = 1 << 26

    /// Whether the report is a result on standard output.
    var isStandardOutput: Bool { [Self.standardOutput, "/dev/stdout"].contains(path) }

    /// The folder that marks a folder of tiles as the program's own.
    private static let markName = ".tilewright"

    /// Refuses to replace a file that is not a report: it may be an input. Also refuses a place among tiles.
    /// Some errors come before it is known what the inputs and outputs are.
    ///
    /// - Throws: `.outputRefused`, `.usage`.
    func check() throws {
        if path == Self.standardOutput { return }
        try OutputFile.checkPlace(path)
        if WholeFile.isStream(path) { return }
        let folders = CanonicalPath(path).components.dropLast()
        for count in 0...folders.count {
            let folder = "/" + folders.prefix(count).joined(separator: "/")
            if OutputFile.isDirectory(folder.path(of: Self.markName)) { try check(isOutside: folder) }
        }
        let path = try WholeFile.followingLink(path)
        guard let bytes = try WholeFile.found(path, atMost: Self.largest), !bytes.isEmpty else { return }
        struct Earlier: Decodable { let version, status: Int, outputs: [Part], seconds: Double }
        struct Part: Decodable { let path: String }
        if (try? JSONDecoder().decode(Earlier.self, from: Data(bytes))) != nil { return }
        throw Failure(
            .outputRefused, cannot: "write '\(path)'", "the file there is not a report",
            remedy: "remove it, or name another file for --report")
    }

    /// Refuses a place inside an output.
    ///
    /// - Throws: `.usage`.
    func check(isOutside output: String) throws(Failure) {
        guard path != Self.standardOutput, OutputFile.isInside(path, output) else { return }
        throw Failure(
            .usage, "--report '\(path)' is inside the output", remedy: "choose a path outside '\(output)'")
    }

    /// Refuses a file that the run writes, too.
    ///
    /// - Throws: `.usage`.
    func check(isNot list: String) throws(Failure) {
        let other = ReportFile(path: list)
        guard isStandardOutput ? other.isStandardOutput : OutputFile.areSame(path, list) else { return }
        throw Failure(
            .usage, "--report and another list of the run cannot go to '\(list)' both",
            remedy: "choose another file for --report")
    }

    /// Writes the report, whole or not at all.
    func write(_ report: RunReport) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(report), as: UTF8.self)
        if path == Self.standardOutput { return try Console.result(json: text) }
        // A run that took long may have come across a file that was not there when it began.
        try check()
        try OutputFile.write((text.printableJSON + "\n").utf8, to: path)
    }
}
