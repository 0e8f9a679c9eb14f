import Raster
import Testing

@testable import Pyramid

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a build does with the memory of its rings before and after they hold pixels.
@Suite("Ring memory") struct RingMemoryTests {
    private let rings: [MappedMemory]

    init() throws {
        rings = try [3 << 20, 5000, 1 << 20].map { try MappedMemory($0) }
    }

    @Test("rings are touched from end to end, a part at a time")
    func touching() {
        let parts = 3 + 1 + 1
        var memory = RingMemory(ofLevels: rings, touching: rings)
        var done = 0
        while let work = memory.startTouching() {
            let isAnother = memory.startTouching() != nil
            #expect(memory.isTouching && !isAnother)
            work()
            memory.finishTouching()
            done += 1
        }
        #expect(done == parts && !memory.isTouching)
        #expect(rings.map(\.residentPages) == rings.map(\.pages))
    }

    @Test("nothing is touched once pixels are written")
    func rendering() {
        var memory = RingMemory(ofLevels: rings, touching: rings)
        memory.startTouching()?()
        memory.finishTouching()
        memory.beginRendering()
        let isAnother = memory.startTouching() != nil
        #expect(!isAnother)
        // Large pages may be more.
        #expect((rings[0].pages / 3..<rings[0].pages).contains(rings[0].residentPages))
    }

    @Test("the memory of a level, and of no other, is freed when it is no longer needed")
    func freeing() {
        var memory = RingMemory(ofLevels: [nil] + rings, touching: [])
        for ring in rings { ring.touch(0..<ring.length) }
        memory.close(level: 0)
        let isFirst = memory.startFreeing() != nil
        memory.close(level: 1)
        memory.startFreeing()?()
        let isAnother = memory.startFreeing() != nil
        #expect(!isFirst && !isAnother && memory.isFreeing)
        memory.finishFreeing()
        #expect(!memory.isFreeing)
        #expect(rings.map(\.residentPages) == [0, rings[1].pages, rings[2].pages])
    }
}

extension MappedMemory {
    private var pageSize: Int { sysconf(Int32(_SC_PAGESIZE)) }

    fileprivate var pages: Int { (length + pageSize - 1) / pageSize }

    /// The pages that the system has given so far; mincore(2).
    fileprivate var residentPages: Int {
        var isResident = [UInt8](repeating: 0, count: pages)
        let status = mincore(start, length, &isResident)
        precondition(status == 0, "memory is there")
        return isResident.count { $0 & 1 != 0 }
    }
}
