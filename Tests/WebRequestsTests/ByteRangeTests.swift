import Testing
import WebRequests

/// The examples of RFC 9110, section 14.1.2, for a file of 10 000 bytes, and what else a client may send.
@Suite struct ByteRangeTests {
    @Test(
        "parts of a file",
        arguments: [
            ("bytes=0-499", 0..<500), ("bytes=500-999", 500..<1000), ("bytes=-500", 9500..<10_000),
            ("bytes=9500-", 9500..<10_000), ("bytes=9999-9999", 9999..<10_000), ("Bytes=0-0", 0..<1),
            ("bytes=9000-99999", 9000..<10_000), ("bytes=-99999", 0..<10_000),
            ("bytes=0-18446744073709551615", 0..<10_000),
        ])
    func part(field: String, range: Range<Int>) {
        #expect(ByteRange(field, size: 10_000) == .part(range))
    }

    @Test(
        "a range beyond the file is unsatisfiable",
        arguments: ["bytes=10000-", "bytes=10000-10001", "bytes=-0", "bytes=18446744073709551616-"])
    func unsatisfiable(field: String) {
        #expect(ByteRange(field, size: 10_000) == .unsatisfiable)
    }

    @Test("every range of an empty file is unsatisfiable")
    func empty() {
        #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
        #expect(ByteRange("bytes=-1", size: 0) == .unsatisfiable)
    }

    @Test(
        "an invalid range, or several ranges, are ignored",
        arguments: [
            "", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "bytes=0-1,5-6", "lines=0-1",
            "bytes=+1-2",
            "bytes=0x0-1", "bytes= 0-1", "bytes=0-" + String(repeating: "9", count: 100),
        ])
    func whole(field: String) {
        #expect(ByteRange(field, size: 10_000) == .whole)
    }
}
