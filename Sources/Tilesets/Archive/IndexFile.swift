internal import Platform

/// The index of several tilesets while they are written: locked by its name for the whole run, and replaced
/// at its end, if it changed.
package final class IndexFile: Sendable {
    /// The index of a building.
    package static let buildingName = "building.json"
    /// The index of several buildings.
    package static let campusName = "campus.json"
    /// The names of indexes, which no tile has.
    package static let names = [buildingName, campusName]

    /// The bytes that were there when the run began; nil if there were none.
    package let earlier: [UInt8]?

    /// Bytes: an index of thousands of floors has a hundredth of it.
    private static let largest = 64 << 20

    private let file: ArchiveFile

    /// Locks the name, and reads what is there.
    ///
    /// - Parameters:
    ///   - force: take the place of a file that is not ours.
    ///   - isOurs: whether bytes were written by this program.
    /// - Throws: `.outputRefused` if the file there is not ours or none can be made, `.busy` if another run
    ///   writes it.
    package init(_ path: String, force: Bool, isOurs: (_ bytes: [UInt8]) -> Bool) throws {
        file = try ArchiveFile(path, force: force, followsLink: false) { path in
            (try? Self.read(path)).flatMap { $0 }.map(isOurs) ?? false
        }
        do { earlier = try Self.read(path) } catch {
            file.discard()
            throw error
        }
    }

    /// The bytes of an index; nil if there is none, or no directory that it could be in.
    ///
    /// - Throws: `.missingInput` if its name is not a regular file's, `.badInput` if it is too large for an index.
    package static func read(_ path: String) throws -> [UInt8]? {
        let (parent, name) = path.splitPath
        if let found = FileStatus(at: parent), found.kind != .directory { return nil }
        return try Failure.ofInput { try Directory.open(parent)?.readFile(name, most: largest) }
    }

    /// Whether an index has to be written: it changed, and one that names nothing is not begun.
    package func isNews(_ bytes: [UInt8], isEmpty: Bool) -> Bool {
        bytes != earlier && !(isEmpty && earlier == nil)
    }

    /// Replaces the index, if it has to be written; the last call.
    ///
    /// - Parameters:
    ///   - bytes: the index.
    ///   - isEmpty: whether it names nothing.
    ///   - fsync: have it on the disk before this returns.
    /// - Returns: whether it was written.
    package func finish(_ bytes: [UInt8], isEmpty: Bool, fsync: Bool) throws -> Bool {
        guard isNews(bytes, isEmpty: isEmpty) else {
            file.discard()
            return false
        }
        do {
            let temporary = try file.temporary()
            do throws(SystemError) { try temporary.file.write(bytes) } catch {
                throw error.failure("write '\(temporary.path)'")
            }
            try file.commit(fsync: fsync)
        } catch {
            file.discard()
            throw error
        }
        return true
    }

    /// Removes the index; the last call.
    package func remove() throws { try file.removeOld() }

    /// Leaves the index as it was; the last call, unless `finish` was called.
    package func discard() { file.discard() }
}
