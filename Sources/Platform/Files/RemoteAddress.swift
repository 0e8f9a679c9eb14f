/// A name that is the address of something on another machine, as `s3://plans/ground.png`: to the system it would be a
/// file below a folder called `s3:`.
package struct RemoteAddress {
    private let path: String
    private let scheme: String

    /// Tells an address by its scheme (RFC 3986, 3.1); nil for other names.
    package init?(_ path: String) {
        guard let range = path.firstRange(of: "://") else { return nil }
        let scheme = path[..<range.lowerBound].lowercased()
        let isScheme =
            scheme.first.map { ("a"..."z").contains($0) } ?? false
            && scheme.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
            }
        guard isScheme else { return nil }
        (self.path, self.scheme) = (path, scheme)
    }

    /// The refusal to read it, with the command that copies it here.
    package var readingFailure: Failure {
        let way =
            switch scheme {
            case "file": "leave 'file://' out"
            case "s3": "copy it first, aws s3 cp \(word) ."
            case "gs": "copy it first, gcloud storage cp \(word) ."
            case "http", "https", "ftp": "copy it first, curl -O \(word)"
            default: "copy it first, and name the copy"
            }
        return Failure(.usage, cannot: "read '\(path)'", "it is an address, not a file", remedy: way)
    }

    /// The refusal to write tiles there, with the command that copies them.
    package var writingFailure: Failure {
        let way =
            switch scheme {
            case "file": "leave 'file://' out"
            case "s3": "build with -o tiles, then aws s3 sync tiles \(word)"
            case "gs": "build with -o tiles, then gcloud storage rsync --recursive tiles \(word)"
            default: "build with -o tiles, and copy that"
            }
        return Failure(
            .usage, cannot: "write to '\(path)'", "it is an address, not a folder or a file", remedy: way)
    }

    private var word: String { ShellWord.quoted(path) }
}
