import Platform
import Tilesets

/// The shards of an earlier job, of which those are taken over that a new job would make again.
struct EarlierShards: Sendable {
    private let folder: String
    private let job: ShardJob

    /// Names a job.
    init?(_ folder: String, _ job: ShardJob?) {
        guard let job else { return nil }
        (self.folder, self.job) = (folder, job)
    }

    /// Copies shards into the folder of another job.
    ///
    /// - Parameter budget: how many tiles a shard may have.
    /// - Returns: the numbers of those that are there then.
    func copy(to other: String, of job: ShardJob, _ budget: ReadingBudget) throws -> [Int] {
        guard let source = try Directory.open(folder.path(of: ShardJob.shardFolder)),
            let target = try Directory.open(other.path(of: ShardJob.shardFolder))
        else { return [] }
        // A palette is chosen anew.
        if job.needsSurvey { return [] }
        return try job.shards.indices.filter { index in
            let identity = try job.identity(index)
            guard self.job.shards.indices.contains(index), try self.job.identity(index) == identity else {
                return false
            }
            do { _ = try ShardReader(identity, in: source, budget: budget) } catch is ShardReader.Fault {
                return false
            }
            if !OutputFile.areSame(folder, other) {
                try source.copyFile(identity.fileName, to: target)
            }
            return true
        }
    }
}
