/// Memory that grows to what is asked for and is used again: fresh memory costs more than most that is done in it.
struct Scratch<Element: BitwiseCopyable>: ~Copyable {
    private var buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: 0)

    deinit { buffer.deallocate() }

    /// Bytes that it has grown to.
    var bytes: Int { buffer.count * MemoryLayout<Element>.stride }

    /// Room for some elements, until more are asked for; their values are not defined.
    mutating func room(_ count: Int) -> UnsafeMutablePointer<Element> {
        let needed = max(count, 1)
        if buffer.count < needed {
            // Twice as much as before, so that little memory is touched for the first time.
            let capacity = max(needed, 2 * buffer.count)
            buffer.deallocate()
            buffer = .allocate(capacity: capacity)
        }
        // A buffer of at least one element has an address.
        return buffer.baseAddress.unsafelyUnwrapped
    }
}
