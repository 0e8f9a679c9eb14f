package import Platform

/// A node of a YAML document, with its position in the text.
package struct YAMLNode: Sendable {
    /// The kinds of nodes, with their values.
    package enum Content: Sendable {
        /// A scalar as written: `01` is not converted to a number, nor `no` to false.
        case scalar(String, isPlain: Bool)
        /// Nodes in their order.
        case sequence([YAMLNode])
        /// Pairs in the order of the text; no two have the same key.
        case mapping([Pair])
    }

    /// A key with its value.
    package struct Pair: Sendable {
        /// The key: a scalar.
        package var key: String
        /// The position of the key.
        package var mark: YAMLMark
        /// The value.
        package var value: YAMLNode
    }

    /// The kind and the value.
    package var content: Content
    /// The position of its beginning; for an alias, that of the anchor.
    package var mark: YAMLMark
    /// The number of nodes in it, including itself; nodes of aliases count each time.
    let count: Int

    /// The value of a key; nil if there is none, or if this is not a mapping.
    package subscript(key: String) -> YAMLNode? {
        guard case .mapping(let pairs) = content else { return nil }
        return pairs.first { $0.key == key }?.value
    }
}

extension YAMLNode {
    /// Parses a text with one document, in UTF-8.
    ///
    /// Keys are scalars, each only once in a mapping. `<<` merges the pairs of another mapping. Only tags of
    /// the YAML 1.2 core schema are allowed, and they have no effect. An alias takes no memory, since its
    /// nodes are shared.
    ///
    /// - Throws: `.badInput`, whose message begins with the line and the column.
    package init(parsing bytes: [UInt8]) throws(Failure) {
        var composer = try YAMLComposer(bytes)
        self = try composer.document()
    }
}

extension Failure {
    /// Makes the failure for an invalid text.
    init(yaml message: String, at mark: YAMLMark, remedy: String? = nil) {
        self.init(.badInput, "\(mark): \(message)", remedy: remedy)
    }
}

/// A position in a text, counted as in editors.
package struct YAMLMark: Hashable, Sendable {
    /// The line, from 1.
    package var line: Int
    /// The column, from 1, in Unicode scalars.
    package var column: Int

    /// The beginning.
    package static let start = YAMLMark(line: 1, column: 1)

    /// Makes a mark.
    package init(line: Int, column: Int) { (self.line, self.column) = (line, column) }

    /// The position after some bytes. UTF-8 continuation bytes do not count as columns.
    init(after bytes: some Sequence<UInt8>) {
        self = .start
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }
}

extension YAMLMark: CustomStringConvertible {
    /// The position as in compiler messages: `7:13`.
    package var description: String { "\(line):\(column)" }
}

/// Builds a tree from the events of a text.
struct YAMLComposer: ~Copyable {
    private let reader: YAMLEventReader
    private var anchors: [String: YAMLNode] = [:]
    /// Anchors whose nodes have not ended.
    private var open: Set<String> = []
    private var depth = 0
    private var count = 0

    // Far more than what people write, but still cheap to read.

    /// The deepest nesting of sequences and mappings.
    private static let deepest = 32
    /// The maximum number of nodes; nodes of aliases count each time.
    private static let mostNodes = 100_000

    /// Begins to read a text.
    init(_ bytes: [UInt8]) throws(Failure) { reader = try YAMLEventReader(bytes.withoutByteOrderMark) }

    /// Reads the only document of the text.
    mutating func document() throws(Failure) -> YAMLNode {
        _ = try reader.next()
        let start = try reader.next()
        guard case .documentStart = start.kind else {
            throw Failure(yaml: "there is no document in it", at: .start)
        }
        let root = try node(reader.next())
        _ = try reader.next()
        let end = try reader.next()
        guard case .streamEnd = end.kind else {
            throw Failure(
                yaml: "a second document begins here", at: end.mark,
                remedy: "write each document into its own file")
        }
        return root
    }

    /// The node that begins with an event.
    private mutating func node(_ event: YAMLEvent) throws(Failure) -> YAMLNode {
        if case .alias(let name) = event.kind { return try resolved(name, at: event.mark) }
        try checkTag(of: event)
        try add(1, at: event.mark)
        if let anchor = event.anchor {
            open.insert(anchor)
            // If an anchor is defined again, it refers to the later node.
            anchors[anchor] = nil
        }
        let node = try content(of: event)
        if let anchor = event.anchor {
            open.remove(anchor)
            anchors[anchor] = node
        }
        return node
    }

    private mutating func content(of event: YAMLEvent) throws(Failure) -> YAMLNode {
        if case .scalar(let text, let isPlain) = event.kind {
            if text.utf8.contains(0) { throw Failure(yaml: "there is a NUL in the string", at: event.mark) }
            return YAMLNode(content: .scalar(text, isPlain: isPlain), mark: event.mark, count: 1)
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else {
            throw Failure(
                yaml: "this is more than \(Self.deepest) levels deep", at: event.mark,
                remedy: "nest brackets or dashes less deeply")
        }
        if case .sequenceStart = event.kind { return try sequence(event.mark) }
        return try mapping(event.mark)
    }

    private mutating func sequence(_ mark: YAMLMark) throws(Failure) -> YAMLNode {
        var (items, count) = ([YAMLNode](), 1)
        while true {
            let event = try reader.next()
            if case .sequenceEnd = event.kind { break }
            let item = try node(event)
            items.append(item)
            count += item.count
        }
        return YAMLNode(content: .sequence(items), mark: mark, count: count)
    }

    private mutating func mapping(_ mark: YAMLMark) throws(Failure) -> YAMLNode {
        var (pairs, merged, count) = (YAMLPairs(), [YAMLNode](), 1)
        while true {
            let event = try reader.next()
            if case .mappingEnd = event.kind { break }
            let key = try node(event)
            guard case .scalar(let name, let isPlain) = key.content else {
                throw Failure(yaml: "a key must be a string", at: event.mark)
            }
            let value = try node(reader.next())
            count += key.count + value.count
            if name == "<<", isPlain {
                merged += try mappings(toMerge: value)
            } else if !pairs.add(YAMLNode.Pair(key: name, mark: event.mark, value: value)) {
                throw Failure(yaml: "the key '\(name.excerpt())' occurs twice", at: event.mark)
            }
        }
        for node in merged { pairs.addMissing(of: node) }
        return YAMLNode(content: .mapping(pairs.list), mark: mark, count: count)
    }

    /// The mappings to merge, from the value of `<<`.
    private func mappings(toMerge value: YAMLNode) throws(Failure) -> [YAMLNode] {
        switch value.content {
        case .mapping: return [value]
        case .sequence(let items):
            var found: [YAMLNode] = []
            for item in items { found += try mappings(toMerge: item) }
            return found
        case .scalar:
            throw Failure(
                yaml: "'<<' needs a mapping, but this is not a mapping", at: value.mark,
                remedy: "write <<: *NAME, with &NAME before a mapping")
        }
    }

    private mutating func resolved(_ name: String, at mark: YAMLMark) throws(Failure) -> YAMLNode {
        if let node = anchors[name] {
            try add(node.count, at: mark)
            return node
        }
        if open.contains(name) {
            throw Failure(yaml: "the alias '*\(name.excerpt())' is inside its own anchor", at: mark)
        }
        throw Failure(
            yaml: "there is no '&\(name.excerpt())' before the alias '*\(name.excerpt())'", at: mark,
            remedy: "quote a value that begins with *")
    }

    private mutating func add(_ nodes: Int, at mark: YAMLMark) throws(Failure) {
        count += nodes
        guard count <= Self.mostNodes else {
            throw Failure(
                yaml: "there are more than \(Self.mostNodes) values up to here, counting aliases",
                at: mark)
        }
    }

    /// Refuses wrong tags, and tags that would change the value.
    private func checkTag(of event: YAMLEvent) throws(Failure) {
        guard let tag = event.tag, tag != "!" else { return }
        let names =
            switch event.kind {
            case .sequenceStart: ["seq"]
            case .mappingStart: ["map"]
            default: ["str", "int", "float", "bool", "null"]
            }
        guard !names.contains(where: { tag == "tag:yaml.org,2002:\($0)" }) else { return }
        throw Failure(
            yaml: "the tag '\(tag.excerpt())' is not supported here", at: event.mark,
            remedy: "leave it out; quote a value that begins with !")
    }
}

/// The pairs of a mapping; each key occurs once.
private struct YAMLPairs {
    private(set) var list: [YAMLNode.Pair] = []
    private var keys: Set<String> = []

    /// - Returns: whether the key is new.
    mutating func add(_ pair: YAMLNode.Pair) -> Bool {
        guard keys.insert(pair.key).inserted else { return false }
        list.append(pair)
        return true
    }

    mutating func addMissing(of node: YAMLNode) {
        guard case .mapping(let pairs) = node.content else { return }
        for pair in pairs { _ = add(pair) }
    }
}

extension [UInt8] {
    /// The bytes without the byte order mark that some editors write.
    fileprivate var withoutByteOrderMark: [UInt8] {
        starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self
    }
}
