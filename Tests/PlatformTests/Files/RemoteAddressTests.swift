import Platform
import Testing

@Suite struct RemoteAddressTests {
    @Test(
        "addresses are refused with the command that copies them",
        arguments: [
            (
                "s3://plans/a b.png", "aws s3 cp 's3://plans/a b.png' .",
                "tilewright publish tiles 's3://plans/a b.png'"
            ),
            (
                "gs://plans/a", "gcloud storage cp 'gs://plans/a' .",
                "gcloud storage rsync --recursive tiles 'gs://plans/a'"
            ),
            ("HTTPS://example.org/a", "curl -O 'HTTPS://example.org/a'", "build with -o tiles"),
            ("az+x.y-1://a", "give the name of the copy", "copy that"),
            ("file:///tmp/a", "leave 'file://' out", "leave 'file://' out"),
        ])
    func addresses(path: String, reading: String, writing: String) throws {
        let address = try #require(RemoteAddress(path))
        #expect(address.readingFailure.kind == .usage && address.writingFailure.kind == .usage)
        #expect(address.readingFailure.remedy?.contains(reading) == true, "\(address.readingFailure)")
        #expect(address.writingFailure.remedy?.contains(writing) == true, "\(address.writingFailure)")
        let failure = #expect(throws: Failure.self) { try InputFile.bytes(of: path, atMost: 10) }
        #expect(failure?.kind == .usage)
    }

    @Test(
        "other names are names of files",
        arguments: ["a.png", "s3:/a", "1a://b", "://a", "a/b://c", "ä://b", "C:\\a"])
    func files(path: String) { #expect(RemoteAddress(path) == nil) }
}
