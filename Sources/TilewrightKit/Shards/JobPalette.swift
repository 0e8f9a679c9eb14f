import Platform
import Palettes
import Tilesets

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The palette of a job: what `merge --survey` makes of the surveys of all shards, and what the tiles are made with.
struct JobPalette: Codable, Hashable {
    /// The name of its file in the job's folder.
    static let fileName = "palette.json"

    /// Bytes: 256 colours take a hundredth of it.
    private static let largest = 1 << 20

    /// The digest of the job that it was chosen for.
    let job: String
    /// Its colours: red, green, blue, alpha; nil if the tiles have no more than asked for.
    let colors: [[Int]]?

    /// Keeps a palette.
    init(_ palette: Palette?, of job: ShardJob) throws {
        self.job = ContentHash(of: try job.json).hex
        colors = palette?.colors.map { [$0.red, $0.green, $0.blue, $0.alpha] }
    }

    /// Reads the palette of a job.
    ///
    /// - Throws: `.missingInput` if there is none, `.badInput` if it is not one, or another job's.
    init(of job: ShardJob, in folder: String) throws {
        let path = folder.path(of: Self.fileName)
        let remedy =
            "run 'tilewright shard --survey' for each shard, then tilewright merge \(ShellWord.quoted(folder)) --survey"
        guard let bytes = try Failure.ofInput({ try WholeFile.found(path, atMost: Self.largest) }) else {
            throw Failure(
                .missingInput, cannot: "make tiles of '\(folder)'", "its palette is not chosen yet",
                remedy: remedy)
        }
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
            read.colors?.allSatisfy({ $0.count == 4 && $0.allSatisfy { 0...255 ~= $0 } }) ?? true,
            read.colors.map({ 1...256 ~= $0.count }) ?? true,
            read.job == ContentHash(of: try job.json).hex
        else {
            throw Failure(
                .badInput, cannot: "read '\(path)'", "it is damaged, or of another job", remedy: remedy)
        }
        self = read
    }

    /// The colours that pixels are rounded to; nil if they stay.
    var palette: Palette? { colors.map { Palette($0.map { RGBA($0[0], $0[1], $0[2], $0[3]) }) } }

    /// Writes the file.
    func write(to folder: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try WholeFile.write(
            Array(encoder.encode(self)) + Array("\n".utf8), to: folder.path(of: Self.fileName), isTyped: false
        )
    }
}
