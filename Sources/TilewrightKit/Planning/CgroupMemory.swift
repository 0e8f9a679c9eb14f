internal import Platform

/// The group of processes to which a container or a service manager grants memory; cgroups(7).
package struct CgroupMemory {
    /// Bytes that the processes of the group may have in memory together, nil if nobody says.
    package let memory: Int?

    /// The group of this process.
    package static let own = CgroupMemory(
        memberships: lines(of: "/proc/self/cgroup"), root: "/sys/fs/cgroup")

    /// Looks for the smallest bound of a group and of those that it belongs to.
    ///
    /// - Parameters:
    ///   - memberships: lines of `/proc/self/cgroup`: `0::/a/b`, or `4:memory:/a/b` of version 1.
    ///   - root: where the groups are mounted. In a container the names below it may be others than
    ///     the lines say; its own bounds stand at the root then.
    package init(memberships: [String], root: String) {
        memory = memberships.flatMap { Self.files(of: $0, root: root) }
            .compactMap { Self.lines(of: $0).first.flatMap { Int($0) } }
            // Version 1 says of no bound that it is the largest number of whole pages.
            .filter { $0 < 1 << 60 }.min()
    }

    /// The files with bounds of a group and those around it.
    private static func files(of line: String, root: String) -> [String] {
        let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3 else { return [] }
        let (folder, name): (String, String)
        if fields[0] == "0" {
            (folder, name) = (root, "memory.max")
        } else if fields[1].split(separator: ",").contains("memory") {
            (folder, name) = ("\(root)/memory", "memory.limit_in_bytes")
        } else {
            return []
        }
        let steps = fields[2].split(separator: "/")
        return (0...steps.count).map { count in
            ([folder] + steps.prefix(count).map(String.init) + [name]).joined(separator: "/")
        }
    }

    /// The lines of a small file; none if it cannot be read.
    private static func lines(of path: String) -> [String] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&text, 1, text.count, file)
        return String(decoding: text.prefix(count), as: UTF8.self).split(separator: "\n")
            .map(String.init)
    }
}
