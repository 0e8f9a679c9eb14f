import Codecs
import Platform
import Tilesets

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Files that a worker reads: whether they are those that the job was split for.
struct SourceCheck {
    /// Is told what is read of files that are not hashed whole.
    let reads: FileReads
    private let inParts: [ShardJob.Source]

    /// Looks at the size of each file, and hashes those that every worker reads whole.
    ///
    /// - Throws: `.missingInput`, or `.badInput` that names the file.
    init(_ sources: [ShardJob.Source]) throws {
        for source in sources {
            guard try Self.size(of: source.path) == source.size else { throw Self.difference(source) }
            if source.parts == nil { try Self.checkWhole(source) }
        }
        inParts = sources.filter { $0.parts != nil }
        reads = FileReads(of: Dictionary(inParts.map { ($0.path, $0.size) }) { first, _ in first })
    }

    /// Refuses a job that has a file read which is not one of its sources, or is not as large as it says: before anything
    /// of it is opened.
    ///
    /// - Parameter indices: the numbers of the images that are read.
    /// - Throws: `.missingInput`, or `.badInput` that names the file.
    static func checkNames(of job: ShardJob, images indices: [Int]) throws {
        try checkNames(job.pyramid.files, among: job.sources)
        for image in indices.map({ job.images[$0] }) {
            try checkNames(image.request.namedFiles, among: image.sources)
            // A password is in no list of digests.
            _ = try InputFile.first(of: [image.request.passwordFile].compactMap(\.self))
        }
        for source in job.sources(ofImages: indices) where try size(of: source.path) != source.size {
            throw difference(source)
        }
    }

    private static func checkNames(_ names: [String], among sources: [ShardJob.Source]) throws {
        let known = Set(sources.map(\.path))
        guard let other = names.first(where: { !known.contains($0) }) else { return }
        throw Failure.refusingJob(
            "it names '\(other)', which is not one of its sources", remedy: "do not work on it")
    }

    /// Looks at the parts of the others that were read.
    ///
    /// - Throws: as when they are hashed whole.
    func checkWhatWasRead() throws {
        for source in inParts {
            guard let parts = reads.parts(of: source.path) else {
                try Self.checkWhole(source)
                continue
            }
            try Self.check(source, parts)
        }
    }

    /// The bytes of a file.
    ///
    /// - Throws: `.missingInput` if it cannot be opened, `.badInput` if it is something else, such as a pipe.
    static func size(of path: String) throws -> Int {
        do throws(SystemError) {
            return try FileDescriptor(reading: path).status().size
        } catch {
            throw InputFile.unreadable(path, error.code)
        }
    }

    private static func check(_ source: ShardJob.Source, _ parts: [Int]) throws {
        let size = ShardJob.Source.partHashSize
        guard let hashes = source.parts.flatMap({ Data(base64Encoded: $0) }).map(Array.init) else {
            throw difference(source)
        }
        let file: FileDescriptor
        do throws(SystemError) { file = try FileDescriptor(reading: source.path) } catch {
            throw InputFile.unreadable(source.path, error.code)
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FileReads.partSize, alignment: 64)
        defer { buffer.deallocate() }
        for part in parts {
            let count: Int
            do throws(SystemError) { count = try file.read(into: buffer, at: part * buffer.count) } catch {
                throw error.failure("read '\(source.path)'")
            }
            let found = ShardJob.Source.hash(ofPart: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            let place = part * size..<(part + 1) * size
            guard place.upperBound <= hashes.count, found == hashes[place] else { throw difference(source) }
        }
    }

    private static func checkWhole(_ source: ShardJob.Source) throws {
        guard try ContentHash(ofFile: source.path).hex == source.digest else { throw difference(source) }
    }

    private static func difference(_ source: ShardJob.Source) -> Failure {
        .refusingJob(
            "'\(source.path)' is not the file that the job was split for",
            remedy: "copy it from where the job was split")
    }
}
