import Foundation
import Testing

extension Workshop {
    /// Splits a job, makes all shards and merges them into outputs.
    ///
    /// - Parameter arguments: sources and options of `build`.
    func merge(_ arguments: [String], shards: Int, to outputs: [String]) throws {
        try? FileManager.default.removeItem(at: file("job"))
        try Program.succeed(["split"] + arguments + ["--shards", "\(shards)", "-o", "job"], in: url)
        for index in (0..<shards).reversed() {
            try Program.succeed(["shard", "job", "\(index)", "-j", "\(1 + index % 3)"], in: url)
        }
        for output in outputs {
            try Program.succeed(["merge", "job", "-o", output, "--name", "Plan"], in: url)
        }
    }
}
