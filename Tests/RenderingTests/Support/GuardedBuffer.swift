import Foundation

/// Memory for some elements between two pages that must not be touched: a kernel that reads or writes
/// one element too far traps.
final class GuardedBuffer<Element: BitwiseCopyable> {
    /// Which of the two pages the elements lie against.
    enum Placement: CaseIterable {
        case afterGuard, beforeGuard
    }

    let first: UnsafeMutablePointer<Element>
    let count: Int
    private let mapping: UnsafeMutableRawPointer
    private let length: Int

    init(_ elements: [Element], _ placement: Placement) throws {
        let page = Int(getpagesize())
        let bytes = elements.count * MemoryLayout<Element>.stride
        let inner = (bytes + page - 1) / page * page
        length = inner + 2 * page
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let pointer = mmap(nil, length, PROT_NONE, flags, -1, 0), pointer != MAP_FAILED else {
            throw CocoaError(.coderValueNotFound)
        }
        mapping = pointer
        if inner > 0 { mprotect(mapping + page, inner, PROT_READ | PROT_WRITE) }
        let offset = placement == .afterGuard ? page : page + inner - bytes
        first = (mapping + offset).bindMemory(to: Element.self, capacity: elements.count)
        first.initialize(from: elements, count: elements.count)
        count = elements.count
    }

    deinit {
        munmap(mapping, length)
    }

    var elements: [Element] { Array(UnsafeBufferPointer(start: first, count: count)) }
}
