import Foundation
import Platform
@testable import Stores
import TestSupport
import Testing

/// Objects in the buckets of a server on this machine, which computes signatures with botocore.
@Suite(.needsPython("botocore")) struct BucketTests {
    private let server: TestServer
    private let keys = ["AWS_ACCESS_KEY_ID": "AKTEST", "AWS_SECRET_ACCESS_KEY": "SKTEST"]

    init() throws { server = try TestServer() }

    private func store(_ variables: [String: String]) throws -> Store {
        try TestServer.store(
            variables.merging(["AWS_ENDPOINT_URL": "http://127.0.0.1:\(server.port)"]) { a, _ in a })
    }

    private func address(_ text: String) throws -> StoreAddress { try #require(StoreAddress(text)) }

    @Test(arguments: [
        "plan.tif", "two words.tif", "a+b", "tilde~", "Größe/平面.png", "e\u{301}", "a=b&c;d,e", "(1)'!*$@:",
        "100%", "%20", "12/34/56.png", "[x]{y}|\\^`\"<>",
    ])
    func signaturesAreRight(key: String) throws {
        let store = try store(keys)
        let address = try address("s3://signed-bucket/\(key)")
        try address.check()
        #expect(try store.open(address, first: 10) == nil)
        let bytes = TestServer.content(5000)
        try store.put(bytes, at: address, .init(contentType: "image/png", cacheControl: "max-age=60, public"))
        let opened = try #require(try store.open(address, first: 100))
        #expect(opened.head == Array(bytes[..<100]) && opened.version.size == 5000 && opened.supportsRanges)
        #expect(try store.bytes(100..<3000, of: address, opened.version) == Array(bytes[100..<3000]))
        #expect(try store.downloaded(address).1 == bytes)
        #expect(try store.bytes(of: address, atMost: 5000) == bytes)
        try store.remove(address)
        try store.remove(address)
        #expect(try store.bytes(of: address, atMost: 5000) == nil)
    }

    @Test func filesAreSent() throws {
        let folder = try TemporaryDirectory()
        let bytes = TestServer.content(3_000_000)
        try Data(bytes).write(to: folder.url.appending(path: "tiles.pmtiles"))
        let store = try store(keys)
        let address = try address("s3://signed-bucket/tiles.pmtiles")
        let path = folder.path("tiles.pmtiles")
        try store.put(
            fileAt: path, size: bytes.count, at: address, .init(contentType: "application/vnd.pmtiles"))
        #expect(try store.downloaded(address).1 == bytes)
        #expect(try server.requests[0]["Content-Type"] == "application/vnd.pmtiles")
        expectFailure(.badInput, "it changed") {
            try store.put(fileAt: path, size: bytes.count + 1, at: address, .init(contentType: "a/b"))
        }
        try store.put([], at: address, .init(contentType: "text/plain"))
        #expect(try store.bytes(of: address, atMost: 10) == [])
    }

    @Test func publicBucketsNeedNoCredentials() throws {
        let store = try store([:])
        let address = try address("s3://open-bucket/a")
        try store.put([1, 2, 3], at: address, .init(contentType: "a/b"))
        #expect(try store.bytes(of: address, atMost: 10) == [1, 2, 3])
        #expect(try server.requests.allSatisfy { $0["Authorization"] == nil })
        expectFailure(.missingInput, "set AWS_ACCESS_KEY_ID") {
            try store.open(try self.address("s3://signed-bucket/a"), first: 10)
        }
        #expect(try store.open(try self.address("s3://signed-bucket/a"), first: 10, isOptional: true) == nil)
    }

    @Test func failuresOfWritingAreOfTheOutput() throws {
        let store = try store(["AWS_ACCESS_KEY_ID": "AKTEST", "AWS_SECRET_ACCESS_KEY": "WRONGSECRET"])
        do {
            try store.put([1], at: try address("s3://signed-bucket/a"), .init(contentType: "a/b"))
            Issue.record("no failure")
        } catch let failure as Failure {
            #expect(failure.kind == .outputRefused)
            #expect("\(failure)".contains("SignatureDoesNotMatch") && !"\(failure)".contains("WRONGSECRET"))
        }
        expectFailure(.outputRefused, "there is no such bucket") {
            try self.store(keys).put([1], at: try address("s3://gone-bucket/a"), .init(contentType: "a/b"))
        }
        expectFailure(.outputRefused, "there is no such bucket") {
            try self.store(keys).remove(try address("s3://gone-bucket/a"))
        }
        expectFailure(.usage, "Cache-Control") {
            try self.store(keys).put(
                [1], at: try address("s3://open-bucket/a"),
                .init(contentType: "a/b", cacheControl: "a\r\nX: y"))
        }
    }

    @Test func aWrongRegionIsCorrectedOnce() throws {
        let store = try store(keys)
        let address = try address("s3://far-bucket/a")
        try store.put([1, 2], at: address, .init(contentType: "a/b"))
        #expect(try store.bytes(of: address, atMost: 10) == [1, 2])
        #expect(try server.requests.count == 3)
    }

    @Test func temporaryKeysHaveATokenThatIsSigned() throws {
        let store = try store([
            "AWS_ACCESS_KEY_ID": "ASTEMPORARY", "AWS_SECRET_ACCESS_KEY": "SKTEMPORARY",
            "AWS_SESSION_TOKEN": "TOKEN",
        ])
        try store.put([1], at: try address("s3://signed-bucket/a"), .init(contentType: "a/b"))
    }

    @Test func webIdentitiesGetKeysOfTheirRole() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write("web.token\n", to: "token")
        let escaped = try folder.write("another\n", to: "other")
        let variables = [
            "AWS_ROLE_ARN": "arn:aws:iam::1:role/r",
            "AWS_ENDPOINT_URL_STS": "http://127.0.0.1:\(server.port)/", "HOME": folder.url.path,
        ]
        let store = try store(variables.merging(["AWS_WEB_IDENTITY_TOKEN_FILE": file]) { $1 })
        try store.put([1], at: try address("s3://signed-bucket/a"), .init(contentType: "a/b"))
        try store.put([1], at: try address("s3://signed-bucket/b"), .init(contentType: "a/b"))
        #expect(try server.requests.map { $0["method"] } == ["POST", "PUT", "PUT"])
        let other = try self.store(variables.merging(["AWS_WEB_IDENTITY_TOKEN_FILE": escaped]) { $1 })
        expectFailure(.missingInput, "cannot get the credentials of the web identity's role") {
            try other.open(try address("s3://signed-bucket/a"), first: 10)
        }
    }

    @Test func containersGetKeysOfTheirRole() throws {
        let folder = try TemporaryDirectory()
        let variables = [
            "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:\(server.port)/container",
            "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": try folder.write("Bearer container\n", to: "token"),
        ]
        try store(variables).put([1], at: try address("s3://signed-bucket/a"), .init(contentType: "a/b"))
        expectFailure(.usage, "AWS_CONTAINER_CREDENTIALS_FULL_URI") {
            try store(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://192.0.2.1/"]).open(
                try address("s3://signed-bucket/a"), first: 10)
        }
    }

    @Test func profilesHaveKeysRegionAndEndpoint() throws {
        let folder = try TemporaryDirectory()
        let variables = [
            "AWS_SHARED_CREDENTIALS_FILE": try folder.write(
                "[default]\naws_access_key_id = NONE\n[site]\naws_access_key_id=AKTEST\naws_secret_access_key = SKTEST\n",
                to: "credentials"),
            "AWS_CONFIG_FILE": try folder.write(
                "[profile site]\nregion = eu-central-1\nendpoint_url = http://127.0.0.1:\(server.port)\n",
                to: "config"),
            "AWS_PROFILE": "site",
        ]
        try TestServer.store(variables).put(
            [1], at: try address("s3://far-bucket/a"), .init(contentType: "a/b"))
        #expect(try server.requests.count == 1)
    }
}
