import Foundation
import Platform
@testable import Stores
import Synchronization
import TestSupport
import Testing

/// Keys, and the files that have them.
struct CredentialTests {
    private func profile(_ variables: [String: String]) throws -> Profile? {
        try Profile(Environment { variables[$0] })
    }

    private func chain(_ variables: [String: String]) throws -> CredentialChain {
        let environment = Environment { variables[$0] }
        let profile = try Profile(environment)
        return CredentialChain(
            environment: environment, profile: profile, settings: try BucketSettings(environment, profile),
            transfers: Transfers(certificates: nil, seconds: 1))
    }

    @Test func sectionsOfFiles() {
        let text = """
            # comment
            ; comment
            outside = 1
            [default]\r
            aws_access_key_id = A\r
            Region=eu-central-1
            s3 =
              region = nested
            [profile  two words]
            aws_secret_access_key = a=b/c+d==
            [broken
            key = value
            """
        let sections = Profile.sections(of: text)
        #expect(sections["default"] == ["aws_access_key_id": "A", "region": "eu-central-1", "s3": ""])
        #expect(sections["profile two words"] == ["aws_secret_access_key": "a=b/c+d=="])
        #expect(sections.count == 2)
    }

    @Test func garbageInFilesIsHarmless() {
        var generator = SplitMix(seed: 7)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
                Array("[]=\n\r #;ab\0\u{FF}".utf8).randomElement(using: &generator) ?? 0
            }
            _ = Profile.sections(of: String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test func theEnvironmentComesFirst() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(
            "[default]\naws_access_key_id=B\naws_secret_access_key=C\n", to: "credentials")
        let files = ["AWS_SHARED_CREDENTIALS_FILE": file, "HOME": folder.url.path]
        #expect(try chain(files).load() == Credentials(key: "B", secret: "C"))
        let keys = ["AWS_ACCESS_KEY_ID": "D", "AWS_SECRET_ACCESS_KEY": "E", "AWS_SESSION_TOKEN": "F"]
        #expect(
            try chain(files.merging(keys) { $1 }).load() == Credentials(key: "D", secret: "E", token: "F"))
        #expect(try chain([:]).load() == nil)
    }

    @Test func filesOfTheHomeFolder() throws {
        let folder = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: ".aws"), withIntermediateDirectories: true)
        _ = try folder.write("[default]\naws_access_key_id=A\naws_secret_access_key=B\n", to: ".aws/config")
        #expect(try chain(["HOME": folder.url.path]).load() == Credentials(key: "A", secret: "B"))
        // The file of credentials counts for more.
        _ = try folder.write("[default]\naws_access_key_id=C\n", to: ".aws/credentials")
        #expect(try chain(["HOME": folder.url.path]).load() == Credentials(key: "C", secret: "B"))
    }

    @Test func profilesThatDoNotWork() throws {
        let folder = try TemporaryDirectory()
        let config = try folder.write(
            "[profile a]\nsso_session = s\n[profile b]\nregion = x/../y\n", to: "config")
        let variables = ["AWS_CONFIG_FILE": config]
        expectFailure(.usage, "no such profile") { try profile(["AWS_PROFILE": "none"]) }
        expectFailure(.usage, "export-credentials") {
            try chain(variables.merging(["AWS_PROFILE": "a"]) { $1 }).load()
        }
        expectFailure(.usage, "the region") { try chain(variables.merging(["AWS_PROFILE": "b"]) { $1 }) }
        expectFailure(.missingInput, "nothing-here") { try profile(["AWS_CONFIG_FILE": "/nothing-here"]) }
    }

    @Test(arguments: ["a\nX: y", "a b", "a\u{7F}", "ä", String(repeating: "a", count: 20_000)])
    func valuesWithControlCharactersAreRefused(value: String) throws {
        for name in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"] {
            var keys = ["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "B", "AWS_SESSION_TOKEN": "C"]
            keys[name] = value
            do {
                _ = try chain(keys).load()
                Issue.record("no failure")
            } catch let failure as Failure {
                #expect(failure.kind == .usage && !"\(failure)".contains(value))
            }
        }
        expectFailure(.usage, "AWS_SECRET_ACCESS_KEY is not set") {
            try chain(["AWS_ACCESS_KEY_ID": "A"]).load()
        }
        expectFailure(.usage) {
            try chain(["AWS_ACCESS_KEY_ID": "A:B", "AWS_SECRET_ACCESS_KEY": "C"]).load()
        }
    }

    @Test(arguments: ["http://host", "s3://bucket", "minio", "https://host/?a", "https://u:p@host"])
    func endpointsAreChecked(text: String) throws {
        expectFailure(.usage, "AWS_ENDPOINT_URL") { try chain(["AWS_ENDPOINT_URL": text]) }
    }

    @Test func keysAreRenewedBeforeTheyExpire() throws {
        let (clock, loads) = (Counter(1000), Counter(0))
        let source = CredentialSource(now: { clock.value }) {
            loads.value += 1
            if loads.value > 2 { throw Failure(.inputOutput, "gone") }
            return Credentials(key: "\(loads.value)", secret: "s", expiry: clock.value + 3600)
        }
        #expect(try source.current()?.key == "1")
        clock.value = 4000
        #expect(try source.current()?.key == "1")
        clock.value = 4500
        #expect(try source.current()?.key == "2")
        // The server fails: the old ones are used as long as they last.
        clock.value = 8000
        #expect(try source.current()?.key == "2")
        clock.value = 8200
        #expect(throws: Failure.self) { try source.current() }
    }

    private final class Counter: Sendable {
        private let number: Mutex<Int>
        init(_ value: Int) { number = Mutex(value) }
        var value: Int {
            get { number.withLock { $0 } }
            set { number.withLock { $0 = newValue } }
        }
    }

    @Test func times() {
        #expect(CredentialChain.seconds("1970-01-01T00:00:00Z") == 0)
        #expect(CredentialChain.seconds("2026-11-29T12:34:56Z") == 1_795_955_696)
        #expect(CredentialChain.seconds("2026-11-29T12:34:56.789Z") == 1_795_955_696)
        for text in [
            "", "2026-11-29", "2026-13-29T12:34:56Z", "2026-11-29T12:34:56+01:00", "aaaa-bb-ccTdd:ee:ffZ",
        ] {
            #expect(CredentialChain.seconds(text) == nil)
        }
    }
}
