@testable import Platform
import Foundation
import TestSupport
import Testing

@Suite struct ScratchFileTests {
    @Test("a scratch file keeps its bytes, and has no name")
    func readBack() throws {
        let directory = try TemporaryDirectory()
        let file = try FileDescriptor(scratchFileIn: directory.url.path)
        try file.write([1, 2, 3])
        try file.write([4, 5])
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: 1) } == 4)
        #expect(bytes == [2, 3, 4, 5, 0, 0, 0, 0])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).isEmpty)
    }

    @Test("a mapped scratch file is zero, can be written and outlives its handle")
    func mapped() throws {
        let directory = try TemporaryDirectory()
        let memory = try FileDescriptor(scratchFileIn: directory.url.path).map(length: 1 << 16)
        defer { munmap(memory, 1 << 16) }
        let bytes = UnsafeMutableRawBufferPointer(start: memory, count: 1 << 16)
        #expect(bytes.allSatisfy { $0 == 0 })
        bytes[65535] = 7
        #expect(bytes[65535] == 7)
    }

    @Test("the system's message says why no scratch file can be made")
    func missingDirectory() {
        #expect(throws: SystemError(code: ENOENT)) { _ = try FileDescriptor(scratchFileIn: "/none/at/all") }
        #expect(SystemError(code: ENOENT).text == "no such file or directory")
        let failure = SystemError(code: ENOSPC).failure("write 'a'")
        #expect(failure.message == "cannot write 'a': no space left on device")
    }

    @Test("too much space for a file is an error, not a signal later")
    func tooLong() throws {
        let directory = try TemporaryDirectory()
        let file = try FileDescriptor(scratchFileIn: directory.url.path)
        let error = #expect(throws: SystemError.self) { _ = try file.map(length: Int.max) }
        #expect([EFBIG, ENOSPC, EINVAL].contains(error?.code))
    }
}
