import CStorage
import Platform

/// The 128-bit XXH3 hash of some bytes: it finds equal contents without keeping them.
///
/// It protects against accidents, not against an attacker who searches for two files with the same hash.
package struct ContentHash: Hashable, Sendable, BitwiseCopyable {
    /// The first half as it is printed.
    var high: UInt64
    /// The second half.
    var low: UInt64
}

extension ContentHash {
    fileprivate init(_ hash: XXH128_hash_t) { self.init(high: hash.high64, low: hash.low64) }

    /// Hashes bytes: `XXH3_128bits`.
    package init(of bytes: UnsafeRawBufferPointer) {
        self.init(XXH3_128bits(bytes.baseAddress, bytes.count))
    }

    /// Hashes bytes.
    package init(of bytes: [UInt8]) {
        self = bytes.withUnsafeBytes { ContentHash(of: $0) }
    }

    /// Hashes the UTF-8 of a text.
    package init(of text: String) {
        self.init(of: Array(text.utf8))
    }

    /// Hashes a file that is read once, piece by piece. Of a file on another machine, the version is hashed
    /// if it has one, and nothing is read.
    ///
    /// - Parameters:
    ///   - pieceSize: the bytes of a piece; the last piece may have fewer.
    ///   - body: is called with each piece.
    /// - Throws: `.missingInput` if the file cannot be opened, `.inputOutput` if reading fails,
    ///   `.systemLimit`.
    package init(
        ofFile path: String, pieceSize: Int = standardPiece,
        lending body: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws {
        let file: FileDescriptor
        do throws(SystemError) {
            if let version = try FarFiles.open(path)?.version {
                self.init(of: "\(path) \(version)")
                return
            }
            file = try FileDescriptor(opening: path, flags: O_RDONLY)
        } catch { throw InputFile.unreadable(path, error) }
        do { self = try ContentHash(readingFrom: file, pieceSize: pieceSize, lending: body) } catch {
            throw error.cause ?? Failure(.inputOutput, "cannot read '\(path)': \(error.text)")
        }
    }

    /// The default size of a piece of a file: a piece is still in the L2 cache when it is hashed.
    package static let standardPiece = 1 << 17

    /// Hashes the rest of an open file, piece by piece.
    init(
        readingFrom file: borrowing FileDescriptor, pieceSize: Int = standardPiece,
        lending body: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(SystemError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 64)
        defer { buffer.deallocate() }
        var count = try file.read(into: buffer)
        if count < buffer.count {
            let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            self.init(of: piece)
            if count > 0 { body(piece) }
            return
        }
        let stream = HashStream()
        while count > 0 {
            let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            stream.update(piece)
            body(piece)
            count = try file.read(into: buffer)
        }
        self = stream.hash
    }

    /// The sixteen bytes, in the order of `hex`.
    package var bytes: [UInt8] {
        [high, low].flatMap { half in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
        }
    }

    /// Makes a hash from sixteen bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        func half(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: half(bytes.prefix(8)), low: half(bytes.dropFirst(8)))
    }

    /// Thirty-two hexadecimal digits, as `xxhsum -H2` prints them.
    package var hex: String { Self.digits(high) + Self.digits(low) }

    /// Reads the text of `hex`.
    package init?(hex: some StringProtocol) {
        guard hex.utf8.count == 32, let high = UInt64(hex.prefix(16), radix: 16),
            let low = UInt64(hex.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    private static func digits(_ half: UInt64) -> String {
        let text = String(half, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}

/// A hash of bytes that come in pieces: `XXH3_state_t`.
struct HashStream: ~Copyable {
    private let state: OpaquePointer

    /// Starts with no bytes.
    init() {
        // Traps if there is not enough memory.
        state = XXH3_createState()
        XXH3_128bits_reset(state)
    }

    deinit { XXH3_freeState(state) }

    /// Adds the next bytes.
    func update(_ bytes: UnsafeRawBufferPointer) {
        XXH3_128bits_update(state, bytes.baseAddress, bytes.count)
    }

    /// The hash of all bytes so far.
    var hash: ContentHash { ContentHash(XXH3_128bits_digest(state)) }
}

extension Directory {
    /// The hash of a file's contents.
    func hash(ofFile name: String) throws -> ContentHash {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
        return try trying("read '\(path(of: name))'", ContentHash(readingFrom: open(name, flags)))
    }
}

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
