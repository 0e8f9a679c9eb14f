import Platform

/// Builds a tree from the events of a text.
struct YAMLComposer {
    private let bytes: [UInt8]
    private let limits: YAMLLimits
    private var anchors: [String: YAMLNode] = [:]
    /// Anchors whose nodes have not ended.
    private var open: Set<String> = []
    private var depth = 0
    private var count = 0

    init(_ bytes: [UInt8], limits: YAMLLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Reads the only document of the text.
    mutating func document() throws(Failure) -> YAMLNode {
        let reader = try YAMLEventReader(bytes.withoutByteOrderMark)
        _ = try reader.next()
        let start = try reader.next()
        guard case .documentStart = start.kind else {
            throw Failure(yaml: "there is no document in it", at: .start)
        }
        let root = try node(reader.next(), from: reader)
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
    private mutating func node(
        _ event: YAMLEvent, from reader: borrowing YAMLEventReader
    ) throws(Failure) -> YAMLNode {
        if case .alias(let name) = event.kind { return try resolved(name, at: event.mark) }
        try checkTag(of: event)
        try add(1, at: event.mark)
        if let anchor = event.anchor {
            open.insert(anchor)
            // If an anchor is defined again, it refers to the later node.
            anchors[anchor] = nil
        }
        let node = try content(of: event, from: reader)
        if let anchor = event.anchor {
            open.remove(anchor)
            anchors[anchor] = node
        }
        return node
    }

    private mutating func content(
        of event: YAMLEvent, from reader: borrowing YAMLEventReader
    ) throws(Failure) -> YAMLNode {
        if case .scalar(let text, let isPlain) = event.kind {
            try checkText(text, at: event.mark)
            return YAMLNode(content: .scalar(text, isPlain: isPlain), mark: event.mark, count: 1)
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= limits.depth else {
            throw Failure(
                yaml: "this is more than \(limits.depth) levels deep", at: event.mark,
                remedy: "nest brackets or dashes less deeply")
        }
        if case .sequenceStart = event.kind { return try sequence(event.mark, from: reader) }
        return try mapping(event.mark, from: reader)
    }

    private mutating func sequence(
        _ mark: YAMLMark, from reader: borrowing YAMLEventReader
    ) throws(Failure) -> YAMLNode {
        var (items, count) = ([YAMLNode](), 1)
        while true {
            let event = try reader.next()
            if case .sequenceEnd = event.kind { break }
            let item = try node(event, from: reader)
            items.append(item)
            count += item.count
        }
        return YAMLNode(content: .sequence(items), mark: mark, count: count)
    }

    private mutating func mapping(
        _ mark: YAMLMark, from reader: borrowing YAMLEventReader
    ) throws(Failure) -> YAMLNode {
        var (pairs, merged, count) = (YAMLPairs(), [YAMLNode](), 1)
        while true {
            let event = try reader.next()
            if case .mappingEnd = event.kind { break }
            let key = try node(event, from: reader)
            guard case .scalar(let name, let isPlain) = key.content else {
                throw Failure(yaml: "a key must be a string", at: event.mark)
            }
            let value = try node(reader.next(), from: reader)
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
        guard count <= limits.nodes else {
            throw Failure(
                yaml: "there are more than \(limits.nodes) values up to here, counting aliases",
                at: mark)
        }
    }

    private func checkText(_ text: String, at mark: YAMLMark) throws(Failure) {
        guard text.utf8.contains(0) else { return }
        throw Failure(yaml: "there is a NUL in the string", at: mark)
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
