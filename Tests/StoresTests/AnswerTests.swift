@testable import Stores
import Testing

/// Header lines, and what they must say.
struct AnswerTests {
    @Test func theLastStatusCounts() throws {
        let lines = [
            "HTTP/1.1 103 Early Hints", "ETag: \"early\"", "", "HTTP/1.1 206 Partial Content",
            "etag: \"late\"",
            "Content-Length:  5 ",
        ]
        let answer = Answer(lines: lines)
        #expect(answer.status == 206 && answer.isComplete && !answer.isDamaged)
        #expect(try answer.tag == "\"late\"")
        #expect(try answer.length == 5)
    }

    @Test func trailersDoNotCount() throws {
        var answer = Answer(lines: ["HTTP/1.1 200 OK", "Content-Length: 5"])
        answer.take("Content-Length: 6".utf8[...])
        #expect(try answer.length == 5)
    }

    @Test(arguments: ["-1", "+5", "5.0", "5 5", "0x5", "", "99999999999999999999", "５"])
    func lengthsThatAreNone(text: String) {
        #expect(throws: Trouble.self) {
            try Answer(lines: ["HTTP/1.1 200 OK", "Content-Length: \(text)"]).length
        }
    }

    @Test(arguments: [
        ("bytes 0-99/1000", 0, 100, 1000), ("BYTES 5-5/6", 5, 6, 6), ("bytes */0", 0, 0, 0),
    ])
    func ranges(text: String, start: Int, end: Int, total: Int) throws {
        let range = try #require(ContentRange(text))
        #expect(range.range == start..<end && range.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-99", "bytes 0-99/*", "bytes 99-0/1000", "bytes 0-1000/1000", "bytes -99/1000",
        "bytes 0-/1000", "bytes=0-99/1000", "bytes 0-99/1000/1000", "items 0-99/1000", "bytes 0-99/-1",
        "bytes 0-18446744073709551616/18446744073709551617", "bytes 0--99/1000", "bytes 0-99/1000 x",
    ])
    func rangesThatAreNone(text: String) { #expect(ContentRange(text) == nil) }

    @Test(
        arguments: [
            ("\"a\"", "\"a\""), ("W/\"a\"", nil), ("a", nil), ("\"a", nil), ("\"", nil), ("\"a b\"", nil),
            ("", nil),
            ("\"\"", "\"\""),
        ] as [(String, String?)])
    func onlyStrongTagsAreKept(text: String, tag: String?) throws {
        let answer = Answer(lines: ["HTTP/1.1 200 OK", "ETag: \(text)"])
        #expect(try answer.version(size: 1).entityTag == tag)
    }

    @Test func versionsThatAgree() throws {
        let (tag, date) = ("\"a\"", "Sat, 28 Nov 2026 10:00:00 GMT")
        let version = StoredVersion(size: 10, entityTag: tag, lastModified: date)
        func agrees(_ version: StoredVersion, _ lines: [String], size: Int = 10) -> Bool {
            let answer = Answer(lines: ["HTTP/1.1 206 P"] + lines)
            return (try? answer.check(isOf: version, size: size)) != nil
        }
        #expect(agrees(version, ["ETag: \"a\""]) && agrees(version, ["ETag: W/\"a\""]) && agrees(version, []))
        #expect(!agrees(version, ["ETag: \"b\""]) && !agrees(version, ["ETag: \"a\""], size: 11))
        let dated = StoredVersion(size: 10, lastModified: date)
        #expect(agrees(dated, ["Last-Modified: \(date)"]))
        #expect(!agrees(dated, ["Last-Modified: Sat, 28 Nov 2026 10:00:01 GMT"]))
        #expect(version.text == "10 \"a\"" && dated.text == "10 \(date)")
        #expect(!StoredVersion(size: 10).isKnown && !StoredVersion(size: -1, entityTag: tag).isKnown)
    }

    @Test func pausesGrow() {
        #expect((0..<5).map { Retries.pause(before: $0, jitter: 1) } == [0.2, 0.4, 0.8, 1.6, 3.2])
        #expect(Answer(lines: ["HTTP/1.1 503 N", "Retry-After: 7"]).retryAfter == 7)
        #expect(Answer(lines: ["HTTP/1.1 503 N", "Retry-After: 7000"]).retryAfter == 30)
        #expect(
            Answer(lines: ["HTTP/1.1 503 N", "Retry-After: Sat, 28 Nov 2026 10:00:00 GMT"]).retryAfter == nil)
    }
}
