/// A copy from one buffer to another, as a measure of memory bandwidth.
final class Copy {
    private let source: UnsafeMutableRawBufferPointer
    private let result: UnsafeMutableRawBufferPointer

    init(bytes: Int) {
        source = .allocate(byteCount: bytes, alignment: 64)
        result = .allocate(byteCount: bytes, alignment: 64)
        source.initializeMemory(as: UInt8.self, repeating: 1)
        result.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        source.deallocate()
        result.deallocate()
    }

    func run() { result.copyMemory(from: UnsafeRawBufferPointer(source)) }
}
