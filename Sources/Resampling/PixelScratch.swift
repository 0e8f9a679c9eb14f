/// Deep pixels of one worker, which grow to what is asked for and are reused.
package final class PixelScratch {
    private var buffer: UnsafeMutableBufferPointer<Int16>

    /// Makes an empty scratch.
    package init() {
        buffer = .allocate(capacity: 0)
    }

    deinit {
        buffer.deallocate()
    }

    /// Bytes that it has grown to.
    var bytes: Int { buffer.count * MemoryLayout<Int16>.stride }

    /// Room for some pixels; their values are not defined.
    package func pixels(_ count: Int) -> DeepPixels {
        let needed = max(count * DeepPixel.channels, 1)
        if buffer.count < needed {
            buffer.deallocate()
            buffer = .allocate(capacity: needed)
            buffer.initialize(repeating: 0)
        }
        // An allocated buffer of at least one element has an address.
        return buffer.baseAddress.unsafelyUnwrapped
    }
}
