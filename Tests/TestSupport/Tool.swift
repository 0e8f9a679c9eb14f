package import Foundation

/// Another program that a test compares with or runs.
package enum Tool {
    /// The result of a program.
    package struct Outcome {
        /// The exit status.
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
        let process = Process()
        guard let path = executable.contains("/") ? executable : path(executable) else {
            throw Missing(name: executable)
        }
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = directory
        let scratch = try TemporaryDirectory()
        // Files rather than pipes: a full pipe would block the program.
        let inputPath = try scratch.write(input, to: "input")
        process.standardInput = FileHandle(forReadingAtPath: inputPath)
        let (outputURL, errorsURL) = (
            URL(filePath: try scratch.write("", to: "output")),
            URL(filePath: try scratch.write("", to: "errors"))
        )
        process.standardOutput = try FileHandle(forWritingTo: outputURL)
        process.standardError = try FileHandle(forWritingTo: errorsURL)
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: outputURL), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errorsURL), as: UTF8.self))
    }
}
