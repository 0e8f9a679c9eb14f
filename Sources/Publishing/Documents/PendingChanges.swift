package import Platform

/// The changes that no cache knows yet: those of all runs since someone took the list away.
package struct PendingChanges: Hashable, Sendable {
    private var kinds: [String: AddressChange.Kind] = [:]

    /// An empty list.
    package init() {}

    /// Reads a list: lines in any order, of which later ones are later changes.
    ///
    /// - Throws: `.badInput` if it is not such a list, or its end is missing.
    package init(reading bytes: [UInt8], from path: String) throws(Failure) {
        func damage(_ why: String) -> Failure {
            Failure(
                .badInput, cannot: "add to '\(path)'", why,
                remedy: "look at it, then move it away; or name another file for --pending")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw damage("it is not a list of changes")
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.dropLast().enumerated() {
            guard let change = AddressChange(line: line) else {
                throw damage("its line \(index + 1) is not added, changed or removed, and an address")
            }
            add(change)
        }
        guard lines.last?.isEmpty != false else { throw damage("its last line has no end") }
    }

    /// What the list says of an address; nil for nothing.
    package subscript(address: String) -> AddressChange.Kind? {
        get { kinds[address] }
        set { kinds[address] = newValue }
    }

    /// Adds a change that has happened.
    package mutating func add(_ change: AddressChange) {
        kinds[change.address] = Self.kind(kinds[change.address], then: change.kind)
    }

    /// Two changes as one; nil for none.
    package static func kind(
        _ earlier: AddressChange.Kind?, then next: AddressChange.Kind
    ) -> AddressChange.Kind? {
        switch (earlier, next) {
        case (.added, .removed): nil
        case (.added, _): .added
        case (.removed, .added), (.changed, .added): .changed
        // A run that was killed may not have told that the file is there again.
        case (.removed, .changed): .changed
        case (_, let next): next
        }
    }

    /// What to say of a change that may yet not happen: a cache that looks at the address itself is right
    /// whether the run is killed before the change or after it. A file that will be removed is still there.
    package static func kind(
        _ earlier: AddressChange.Kind?, thenMaybe next: AddressChange.Kind
    ) -> AddressChange.Kind {
        next == .removed ? (earlier == .added ? .added : .changed) : kind(earlier, then: next) ?? .changed
    }

    /// The list in UTF-8: tiles, then the documents that describe them, then removals, each by their
    /// addresses.
    package var bytes: [UInt8] {
        let sorted = kinds.map { (rank: Self.rank($0.key, $0.value), address: $0.key, kind: $0.value) }
            .sorted { ($0.rank, $0.address) < ($1.rank, $1.address) }
        var bytes: [UInt8] = []
        for entry in sorted { bytes += "\(entry.kind.rawValue) \(entry.address)\n".utf8 }
        return bytes
    }

    private static func rank(_ address: String, _ kind: AddressChange.Kind) -> Int {
        if kind == .removed { return 4 }
        let name = address.fileName
        if name == CampusIndex.fileName { return 3 }
        if name == BuildingIndex.fileName { return 2 }
        return [".json", ".xml", ".kml"].contains(where: name.hasSuffix) ? 1 : 0
    }
}
