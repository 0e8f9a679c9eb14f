/// An element of a `ContentTable`, which is identified by the hash of its bytes.
protocol HashedContent: Sendable {
    /// The hash of the bytes.
    var hash: ContentHash { get }
}

/// Different contents in the order in which they were added, found by their hashes. Their numbers are in a
/// hash table with linear probing, which has at least one and a half times as many slots as contents.
///
/// The table takes 6 to 12 bytes for each content, a fifth of a dictionary, since it does not store the
/// hashes.
struct ContentTable<Content: HashedContent>: Sendable {
    /// The contents by their numbers.
    private(set) var contents: [Content] = []

    private var slots = [UInt32](repeating: free, count: 1024)

    private static var free: UInt32 { .max }

    /// Finds a content, or adds it with the next number.
    ///
    /// - Parameter found: changes a content that already exists.
    /// - Returns: its number, from 0, and whether it is new.
    @discardableResult
    mutating func insert(
        _ content: Content, orUpdate found: (inout Content) -> Void = { _ in }
    ) -> (number: Int, isNew: Bool) {
        if 3 * (contents.count + 1) > 2 * slots.count { grow() }
        let slot = slot(of: content.hash)
        if slots[slot] != Self.free {
            let number = Int(slots[slot])
            found(&contents[number])
            return (number, false)
        }
        slots[slot] = UInt32(contents.count)
        contents.append(content)
        return (contents.count - 1, true)
    }

    private mutating func grow() {
        slots = [UInt32](repeating: Self.free, count: 2 * slots.count)
        for (number, content) in contents.enumerated() { slots[slot(of: content.hash)] = UInt32(number) }
    }

    private func slot(of hash: ContentHash) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash.low) & mask
        while slots[slot] != Self.free, contents[Int(slots[slot])].hash != hash { slot = (slot + 1) & mask }
        return slot
    }

    /// Frees the hash table; afterwards, the contents can only be read.
    mutating func close() { slots = [] }

    /// Frees everything; the last call.
    mutating func removeAll() { (contents, slots) = ([], []) }
}

extension ContentHash: HashedContent {
    /// The hash itself.
    package var hash: ContentHash { self }
}

/// A set of contents, by their hashes; it takes about 30 bytes of memory for each.
package struct ContentSet: Sendable {
    private var table = ContentTable<ContentHash>()

    /// Starts with no contents.
    package init() {}

    /// Adds a content.
    ///
    /// - Returns: its number, counted from 0 in the order of adding, and whether it is new.
    package mutating func insert(_ hash: ContentHash) -> (number: Int, isNew: Bool) { table.insert(hash) }
}

extension Int {
    /// The sum, or the largest integer if the sum overflows: a damaged file can claim any number.
    package func addingSaturated(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// The product of two numbers that are not negative, or the largest integer if it overflows.
    func multipliedSaturated(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
