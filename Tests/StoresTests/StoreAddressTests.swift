import Platform
@testable import Stores
import Testing

struct StoreAddressTests {
    private func address(_ text: String) throws -> StoreAddress { try #require(StoreAddress(text)) }

    @Test func titlesHaveNoSecrets() throws {
        #expect(
            try address("HTTPS://Host/A/plan.tif?X-Amz-Signature=secret").title == "https://host/A/plan.tif")
        #expect(try address("https://user:secret@host/plan.tif#x").title == "https://host/plan.tif")
        #expect(try address("s3://bucket/a b.tif").title == "s3://bucket/a b.tif")
        #expect(try address("s3://bucket").title == "s3://bucket")
        #expect(try address("https://host?a=b").title == "https://host/")
        #expect(try address("https://host/a?b").hasQuery)
        #expect(try !address("https://host/a").hasQuery)
    }

    @Test(arguments: [
        "plan.tif", "file:///plan.tif", "ftp://host/a", "gs://bucket/a", "https:/host", "", "://", "s3:b",
    ])
    func otherTextsAreNoAddresses(text: String) {
        #expect(StoreAddress(text) == nil)
    }

    @Test(arguments: [
        "https://host", "https://host:8443/a%20b/c?d=e", "https://host/a b/ü.tif", "http://localhost/a",
        "http://127.0.0.1:80/a", "http://127.9.9.9/a", "http://[::1]:8080/a", "https://[2001:db8::1]/a",
        "https://xn--bcher-kva.example/a", "s3://bucket/plan.tif", "s3://my.bucket-1/a/b c/d",
        "s3://bucket", "s3://bucket/prefix/", "https://a_b.example/c", "https://host/a//b/../c",
    ])
    func goodAddressesPass(text: String) throws { try address(text).check() }

    @Test(arguments: [
        ("http://host/a", "https://"), ("http://127.0.0.1.host/a", "https://"),
        ("http://localhost.host/a", "https://"),
        ("http://[::2]/a", "https://"), ("http://127.1/a", "https://"), ("http://0127.0.0.1/a", "https://"),
        ("http://2130706433/a", "https://"), ("https://user@host/a", "user name"),
        ("https://u:p@host/a", "user name"),
        ("https://host/a#b", "#"), ("https:///a", "no host"), ("https://ho st/a", "host"),
        ("https://host:0/a", "host"),
        ("https://host:99999/a", "host"), ("https://host:/a", "host"), ("https://host:1:2/a", "host"),
        ("https://host\\@other/a", "user name"), ("https://host\\other/a", "host"),
        ("https://[::1/a", "host"),
        ("https://[::1]x/a", "host"), ("https://hö.example/a", "host"), ("https://ho%73t/a", "host"),
        ("https://host/a\nb", "control"), ("https://host/a\0b", "control"),
        ("https://host/a?b\rc", "control"),
        ("s3:///a", "no bucket"), ("s3://Bucket/a", "bucket"), ("s3://bu/a", "bucket"),
        ("s3://-bucket/a", "bucket"),
        ("s3://bucket-/a", "bucket"), ("s3://bu..cket/a", "bucket"), ("s3://bucket:80/a", "bucket"),
        ("s3://key@bucket/a", "user name"), ("s3://bucket/a?b", "?"), ("s3://bucket/a#b", "#"),
        ("s3://bucket/a//b", "empty part"), ("s3://bucket//b", "empty part"), ("s3://bucket/a/../b", "'..'"),
        ("s3://bucket/./b", "'.'"), ("s3://bucket/a\tb", "control"),
    ])
    func badAddressesAreRefused(text: String, part: String) throws {
        expectFailure(.usage, part) { try address(text).check() }
    }

    @Test func longAddressesAreRefused() throws {
        expectFailure(.usage, "too long") {
            try address("https://host/" + String(repeating: "a", count: 9000)).check()
        }
        expectFailure(.usage, "1024") {
            try address("s3://bucket/" + String(repeating: "a", count: 1025)).check()
        }
    }

    @Test func siblingsAreInTheSameFolder() throws {
        let plan = try address("https://host/a/plan%20b.tif?token=secret")
        #expect(plan.fileName == "plan%20b.tif")
        #expect(plan.sibling(named: "plan%20b.tfw").url == "https://host/a/plan%20b.tfw")
        #expect(try address("https://host").sibling(named: "b").url == "https://host/b")
        #expect(
            try address("s3://bucket/plan.tif").sibling(named: "plan.tfw").title == "s3://bucket/plan.tfw")
        #expect(try address("s3://bucket/a/plan.tif").sibling(named: "b").title == "s3://bucket/a/b")
    }

    @Test func addressesBelowAPrefix() throws {
        for prefix in ["s3://bucket/tiles", "s3://bucket/tiles/", "s3://bucket/tiles//"] {
            #expect(try address(prefix).appending("7/3/1.png").title == "s3://bucket/tiles/7/3/1.png")
            #expect(try address(prefix).appending("/7").title == "s3://bucket/tiles/7")
        }
        for prefix in ["s3://bucket", "s3://bucket/"] {
            #expect(try address(prefix).appending("a").title == "s3://bucket/a")
        }
        #expect(try address("https://host").appending("a").title == "https://host/a")
    }

    @Test func keysAreComparedByBytes() throws {
        // Canonically equivalent in Unicode, and two keys.
        #expect(try address("s3://bucket/\u{E9}") != address("s3://bucket/e\u{301}"))
        #expect(try address("https://HOST/a") == address("https://host/a"))
        #expect(try address("https://host/a?b") != address("https://host/a"))
    }

    /// The examples of RFC 3986, 5.4.
    @Test(arguments: [
        ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
        ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), (";x", "/b/c/;x"), ("", "/b/c/d;p?q"),
        (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"),
        ("../../g", "/g"), ("../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."),
        ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("./g/.", "/b/c/g/"), ("g/../h", "/b/c/h"),
    ])
    func referencesAreResolved(reference: String, path: String) throws {
        let base = try address("https://a/b/c/d;p?q")
        #expect(base.resolving(reference)?.url == "https://a" + path)
    }

    @Test func referencesToOtherHosts() throws {
        let base = try address("https://a/b/c/d;p?q")
        #expect(base.resolving("//g")?.url == "https://g/")
        #expect(base.resolving("https://g/h?i")?.url == "https://g/h?i")
        #expect(base.resolving("file:///etc/passwd") == nil)
        #expect(base.resolving("javascript:alert(1)") == nil)
    }

    @Test func bucketsAreHosts() throws {
        let settings = BucketSettings(region: "us-east-1")
        func url(_ text: String, _ settings: BucketSettings, region: String = "eu-west-1") throws -> String {
            settings.url(of: try address(text), region: region).url
        }
        #expect(
            try url("s3://bucket/a b+ü~", settings)
                == "https://bucket.s3.eu-west-1.amazonaws.com/a%20b%2B%C3%BC~")
        #expect(try url("s3://my.bucket/a", settings) == "https://s3.eu-west-1.amazonaws.com/my.bucket/a")
        #expect(
            try url("s3://bucket/a", settings, region: "cn-north-1")
                == "https://bucket.s3.cn-north-1.amazonaws.com.cn/a")
        for endpoint in ["https://minio.example:9000", "https://minio.example:9000/"] {
            let own = BucketSettings(region: "r", endpoint: try address(endpoint))
            #expect(try url("s3://bucket/a", own) == "https://minio.example:9000/bucket/a")
        }
        let below = BucketSettings(region: "r", endpoint: try address("https://host/store/"))
        #expect(try url("s3://bucket/a", below) == "https://host/store/bucket/a")
    }
}
