import Platform
import YAML

/// The text of a manifest, as a tree, and what an error says of it.
struct ManifestFile: Sendable {
    /// Some ten thousand floors; people write a few kilobytes.
    private static let largest = 1 << 20

    /// The file.
    let path: String
    /// All that it says.
    let root: YAMLNode

    /// Reads a file.
    ///
    /// - Throws: `.missingInput` if it is not there, `.badInput` if it is not YAML.
    init(_ path: String) throws {
        self.path = path
        let bytes = try InputFile.bytes(of: path, atMost: Self.largest)
        do throws(Failure) { root = try YAMLNode(parsing: bytes) } catch {
            guard error.kind == .badInput else { throw error.inAttempt("read '\(path)'") }
            throw Failure(error.kind, "\(path):\(error.message)", remedy: error.remedy)
        }
    }

    /// The failure of something in it.
    func failure(
        _ message: String, at mark: YAMLMark, remedy: String? = nil, kind: Failure.Kind = .usage
    ) -> Failure {
        Failure(kind, "\(path):\(mark): \(message)", remedy: remedy)
    }

    /// What a path in it leads to from the working folder.
    func resolved(_ text: String) -> String {
        let folder = path.splitAtLastSlash.parent
        guard let folder, !text.hasPrefix("/") else { return text }
        return "\(folder)/\(text)"
    }

    /// The pairs of a mapping.
    ///
    /// - Parameter thing: what has to be one, as the error names it.
    func pairs(of node: YAMLNode, as thing: String) throws(Failure) -> [YAMLNode.Pair] {
        if case .mapping(let pairs) = node.content { return pairs }
        throw failure(
            "\(thing) is a mapping of keys, and this is \(node.kindName)", at: node.mark,
            remedy: "write KEY: VALUE, with a blank behind the colon")
    }

    /// What the pairs of a mapping say, each by a key that is known there.
    ///
    /// - Parameters:
    ///   - thing: what the mapping is, as the error names it.
    ///   - level: which keys there are.
    /// - Throws: `.usage` for any other key, and for values that are wrong in themselves.
    func settings(
        of node: YAMLNode, as thing: String, at level: ManifestKey.Level
    ) throws -> [ManifestSetting] {
        try pairs(of: node, as: thing).map { pair in
            guard let key = ManifestKey.named(pair.key, at: level) else {
                let refusal = ManifestKey.refusal(of: pair.key, at: level)
                throw failure(refusal.message, at: pair.mark, remedy: refusal.remedy)
            }
            let value = ManifestValue(file: self, key: pair.key, node: pair.value)
            return ManifestSetting(key: key, value: value, change: try key.change(value))
        }
    }
}

/// A key with its value.
struct ManifestSetting: Sendable {
    let key: ManifestKey
    let value: ManifestValue
    /// What the value, which has been read, changes.
    let change: ManifestKey.Change
}

extension [ManifestSetting] {
    /// The value of a key.
    subscript(name: String) -> ManifestValue? { first { $0.key.name == name }?.value }
}

extension YAMLNode {
    /// What people call it.
    var kindName: String {
        switch content {
        case .scalar(let text, let isPlain): isPlain && text.isEmpty ? "empty" : "a text"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}
