import Foundation
import Platform
@testable import Stores
import TestSupport
import Testing

/// Files of a web server on this machine.
@Suite(.needsPython()) struct StoreReadingTests {
    private let server: TestServer
    private let store: Store

    init() throws {
        server = try TestServer()
        store = try TestServer.store()
    }

    @Test func opensInOneRequest() throws {
        let address = try server.address("size=1000/plan.tif?signature=secret")
        let opened = try #require(try store.open(address, first: 100))
        #expect(opened.head == Array(TestServer.content(100)))
        #expect(opened.version.size == 1000)
        #expect(opened.version.entityTag == "\"v1\"")
        #expect(opened.version.isKnown && opened.supportsRanges)
        #expect(try server.requests.map { $0["Range"] } == ["bytes=0-99"])
    }

    @Test func opensShortAndEmptyFiles() throws {
        let short = try #require(try store.open(try server.address("size=30/a"), first: 100))
        #expect(short.head == TestServer.content(30) && short.version.size == 30 && short.supportsRanges)
        let empty = try #require(try store.open(try server.address("size=0/a"), first: 100))
        #expect(empty.head.isEmpty && empty.version.size == 0)
    }

    @Test func opensWhereRangesAreIgnored() throws {
        let address = try server.address("size=3000000,whole/a")
        let opened = try #require(try store.open(address, first: 100))
        #expect(opened.head == TestServer.content(100))
        #expect(opened.version.size == 3_000_000 && !opened.supportsRanges)
        let chunked = try #require(
            try store.open(try server.address("size=3000,whole,chunked/a"), first: 100))
        #expect(chunked.head == TestServer.content(100) && chunked.version.size == -1)
        #expect(!chunked.version.isKnown && !chunked.supportsRanges)
    }

    @Test func readsRangesOnOneConnection() throws {
        let address = try server.address("size=100000/a")
        let version = try #require(try store.open(address, first: 10)).version
        let all = TestServer.content(100_000)
        for range in [0..<1, 99_999..<100_000, 500..<70_000, 0..<100_000, 5..<5] {
            #expect(try store.bytes(range, of: address, version) == Array(all[range]))
        }
        #expect(try server.requests.dropFirst().allSatisfy { $0["If-Match"] == "\"v1\"" })
    }

    @Test func missingFilesAreNil() throws {
        #expect(try store.open(try server.address("missing/a"), first: 10) == nil)
        #expect(try store.open(try server.address("fail=9:403/a"), first: 10, isOptional: true) == nil)
        expectFailure(.missingInput, "refuses access (403)") {
            try store.open(try server.address("fail=9:403/a?token=secret"), first: 10)
        }
        expectFailure(.missingInput, "not found") { try store.downloaded(try server.address("missing/a")) }
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504]) func repeats(status: Int) throws {
        let address = try server.address("size=50,fail=3:\(status)/a")
        #expect(try store.open(address, first: 50)?.head == TestServer.content(50))
        #expect(try server.requests.count == 4)
    }

    @Test func givesUpAfterFiveRepeats() throws {
        expectFailure(.inputOutput, "503, even after 5 repeats") {
            try store.open(try server.address("fail=99:503/a"), first: 10)
        }
        #expect(try server.requests.count == 6)
    }

    @Test func otherStatusesAreNotRepeated() throws {
        for status in [400, 405, 451, 501, 505] {
            #expect(throws: Failure.self) {
                try store.open(try server.address("fail=9:\(status)/a"), first: 10)
            }
        }
        #expect(try server.requests.count == 5)
    }

    @Test func waitsAsLongAsTheServerAsks() throws {
        let patient = try Store(Environment { _ in nil })
        let start = ContinuousClock.now
        _ = try patient.open(try server.address("fail=1:503:2/a"), first: 10)
        #expect((ContinuousClock.now - start).seconds > 1.9)
    }

    @Test func aBrokenRangeGoesOnWhereItBroke() throws {
        let address = try server.address("size=100000,cut=2/a")
        let version = StoredVersion(size: 100_000, entityTag: "\"v1\"")
        #expect(
            try store.bytes(0..<80_000, of: address, version) == Array(TestServer.content(100_000)[..<80_000])
        )
        let ranges = try server.requests.map { $0["Range"] }
        #expect(ranges == ["bytes=0-79999", "bytes=40000-79999", "bytes=60000-79999"])
    }

    @Test func aBrokenDownloadGoesOnWhereItBroke() throws {
        let (version, bytes) = try store.downloaded(try server.address("size=100000,cut=1/a"))
        #expect(bytes == TestServer.content(100_000) && version.size == 100_000)
        #expect(try server.requests.map { $0["Range"] } == [nil, "bytes=50000-"])
        #expect(try server.requests.last?["If-Range"] == "\"v1\"")
    }

    @Test func aDownloadWithoutVersionStartsAgain() throws {
        let (_, bytes) = try store.downloaded(try server.address("size=100000,cut=1,unversioned/a"))
        #expect(bytes == TestServer.content(100_000))
        #expect(try server.requests.map { $0["Range"] } == [nil, nil])
    }

    @Test func aDownloadWhoseFileChangesStartsAgain() throws {
        let (version, bytes) = try store.downloaded(try server.address("size=100000,cut=1,change=1/a"))
        #expect(bytes == TestServer.content(100_000) && version.entityTag == "\"v2\"")
    }

    @Test func downloadsOfUnknownLength() throws {
        let (version, bytes) = try store.downloaded(try server.address("size=5000,chunked/a"))
        #expect(bytes == TestServer.content(5000) && version.size == 5000)
        for option in ["chunked", "whole"] {
            expectFailure(.badInput, "at most 4.0 kB") {
                try store.downloaded(try server.address("size=5000,\(option)/a"), atMost: 4000)
            }
        }
    }

    @Test(arguments: ["", ",date"]) func changesAreNoticed(option: String) throws {
        let address = try server.address("size=1000,change=1\(option)/a")
        let version = try #require(try store.open(address, first: 10)).version
        expectFailure(.badInput, "it changed while it was read") {
            try store.bytes(0..<10, of: address, version)
        }
        #expect(try server.requests.count == 2)
    }

    @Test func anotherLengthIsAChange() throws {
        let version = StoredVersion(size: 999, lastModified: "Sat, 28 Nov 2026 10:00:00 GMT")
        expectFailure(.badInput, "it changed while it was read") {
            try store.bytes(0..<10, of: try server.address("size=1000,date/a"), version)
        }
    }

    @Test func redirectsAreFollowedAndRemembered() throws {
        let address = try server.address("redirect/5/size=1000/a")
        let version = try #require(try store.open(address, first: 10)).version
        #expect(try server.requests.count == 6)
        #expect(try store.bytes(10..<20, of: address, version) == Array(TestServer.content(20)[10...]))
        #expect(try server.requests.count == 7)
        expectFailure(.badInput, "redirects more than 5 times") {
            try store.open(try server.address("redirect/6/size=1000/a"), first: 10)
        }
    }

    @Test func anExpiredRedirectIsAskedForAgain() throws {
        // The first signed address works once; the next one, too.
        let address = try server.address("redirect/signed/size=1000/a")
        let version = try #require(try store.open(address, first: 10)).version
        let stale = try server.address("fail=1:403/a")
        #expect(stale.title != address.title)
        _ = try store.bytes(0..<10, of: address, version)
        let paths = try server.requests.compactMap { $0["path"] }
        #expect(
            paths == ["/redirect/signed/size=1000/a", "/size=1000/a?signature=1", "/size=1000/a?signature=1"])
    }

    @Test func aServerThatHangsEnds() throws {
        let hasty = try TestServer.store(["TILEWRIGHT_TIMEOUT": "1"])
        let start = ContinuousClock.now
        expectFailure(.inputOutput, "TILEWRIGHT_TIMEOUT") {
            try hasty.open(try server.address("hang/a"), first: 10)
        }
        #expect((ContinuousClock.now - start).seconds < 40)
    }

    @Test func nobodyListens() throws {
        let address = try #require(StoreAddress("http://127.0.0.1:1/plan.tif?signature=secret"))
        do {
            _ = try store.open(address, first: 10)
            Issue.record("no failure")
        } catch let failure as Failure {
            #expect(failure.kind == .inputOutput)
            #expect(failure.message.hasPrefix("cannot read 'http://127.0.0.1:1/plan.tif': cannot connect"))
            #expect(!"\(failure)".contains("secret"))
        }
    }

    @Test func cancellationEndsPauses() async throws {
        let address = try server.address("fail=99:503:30/a")
        let patient = try Store(Environment { _ in nil })
        let task = Task.detached { try patient.open(address, first: 10) }
        try await Task.sleep(for: .seconds(1))
        task.cancel()
        let start = ContinuousClock.now
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        // Each pause takes 30 s.
        #expect((ContinuousClock.now - start).seconds < 29)
    }

    @Test func manyThreadsReadAtOnce() throws {
        let address = try server.address("size=100000/a")
        let version = try #require(try store.open(address, first: 10)).version
        let all = TestServer.content(100_000)
        let store = store
        DispatchQueue.concurrentPerform(iterations: 200) { index in
            let range = index * 400..<index * 400 + 20_000
            #expect((try? store.bytes(range, of: address, version)) == Array(all[range]))
        }
    }

    @Test(.needs("openssl")) func certificatesAreChecked() throws {
        let folder = try TemporaryDirectory()
        let (certificate, key) = (folder.path("cert.pem"), folder.path("key.pem"))
        let outcome = try Tool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
                certificate,
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let server = try TestServer(certificate: (certificate, key))
        let address = try #require(StoreAddress("https://localhost:\(server.port)/size=100/a"))
        expectFailure(.inputOutput, "the certificate of the server is not trusted") {
            try store.open(address, first: 10)
        }
        let trusting = try TestServer.store(["SSL_CERT_FILE": certificate])
        #expect(try trusting.open(address, first: 10)?.head == TestServer.content(10))
        // The certificate is of another name.
        let other = try #require(StoreAddress("https://127.0.0.1:\(server.port)/size=100/a"))
        expectFailure(.inputOutput, "the certificate of the server is not trusted") {
            try trusting.open(other, first: 10)
        }
        // From https:, nothing leads to http:.
        let hex = "http://127.0.0.1:\(server.port)/".utf8.map { String($0, radix: 16) }.joined()
        let plain = try #require(StoreAddress("https://localhost:\(server.port)/redirect/to/\(hex)"))
        expectFailure(.badInput, "from https:// to http://") { try trusting.open(plain, first: 10) }
    }
}
