internal import Raster

/// The memory of a build's rings and images: what of it is had from the system before it is needed, and given back before
/// the build ends. Plain state: it starts nothing itself.
///
/// Until the first rows of an image are decoded nothing can be rendered, and most jobs have nothing to do. That is the
/// time to touch rings that will be filled from end to end: the system clears each page when it is touched first, which
/// is 4 % of the processor time of photographs to JPEG. Giving memory back takes a quarter of that, and the builder, which
/// hands out all work, has none to spare.
struct RingMemory {
    /// Something that a job does with memory.
    typealias Work = @Sendable () -> Void

    /// Bytes that are touched at a time: half a millisecond's worth, which is how long the first rows may have to wait.
    private static let piece = 1 << 20

    /// Rings of which nothing was written yet.
    private var untouched: [MappedMemory]
    /// Bytes of the last of them that were touched.
    private var touched = 0
    private let ofLevels: [MappedMemory?]
    private var toFree: [Work] = []
    private var freeing = 0
    /// Whether a ring is being touched: it may not be written to.
    private(set) var isTouching = false

    /// - Parameters:
    ///   - levels: the ring of each level; nil if it has none.
    ///   - touching: those that will be filled from end to end.
    init(ofLevels levels: [MappedMemory?], touching untouched: [MappedMemory]) {
        ofLevels = levels
        self.untouched = untouched.reversed()
    }

    /// Whether memory is being freed.
    var isFreeing: Bool { freeing > 0 }

    /// Takes note that rings are being filled.
    mutating func beginRendering() { untouched = [] }

    /// The next part to touch, if any; the caller reports when it is done. One at a time, since the first rows wait
    /// for it.
    mutating func startTouching() -> Work? {
        guard !isTouching, let ring = untouched.last else { return nil }
        let part = touched..<min(ring.length, touched + Self.piece)
        touched = part.upperBound
        if touched == ring.length {
            untouched.removeLast()
            touched = 0
        }
        isTouching = true
        return { ring.touch(part) }
    }

    /// Takes note that a part is touched.
    mutating func finishTouching() { isTouching = false }

    /// Takes note of a level whose pixels nothing needs any more.
    mutating func close(level: Int) {
        if let ring = ofLevels[level] { toFree.append { ring.discard() } }
    }

    /// Takes note of an image that nothing needs any more.
    mutating func close(_ reader: LayerReader) { toFree.append { reader.close() } }

    /// The next memory to free, if any; the caller reports when it is done.
    mutating func startFreeing() -> Work? {
        guard let work = toFree.popLast() else { return nil }
        freeing += 1
        return work
    }

    /// Takes note that memory is freed.
    mutating func finishFreeing() { freeing -= 1 }
}
