package import Foundation

/// Another program that a test compares with or runs.
package enum Tool {
    /// The result of a program.
    package struct Outcome {
        /// The exit status, or minus the number of the signal that ended it.
        package var status: Int32
        /// Standard output, as text.
        package var output: String
        /// Standard error, as text.
        package var errors: String
    }

    /// A program that is not installed.
    package struct Missing: Error {
        package var name: String
    }

    /// The path of a program on the PATH, or nil. Tests declare the programs that they need (`needs`).
    package static func path(_ name: String) -> String? {
        let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return directories.map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs a program to its end, with text for its standard input.
    ///
    /// - Parameter executable: its path, or its name on the PATH.
    package static func run(
        _ executable: String, _ arguments: [String], input: String = "", in directory: URL? = nil
    ) throws -> Outcome {
        guard let path = executable.contains("/") ? executable : path(executable) else {
            throw Missing(name: executable)
        }
        let scratch = try TemporaryDirectory()
        // Files rather than pipes: a full pipe would block the program.
        let inputPath = try scratch.write(input, to: "input")
        let (output, errors) = (scratch.path("output"), scratch.path("errors"))
        let process = try ChildProcess(
            [path] + arguments, in: directory, input: inputPath, output: output, errors: errors)
        return Outcome(
            status: process.wait(),
            output: String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: URL(filePath: errors)), as: UTF8.self))
    }
}
