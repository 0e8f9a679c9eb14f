import CYAML
package import Platform

/// Reads the events of a text one after another: a wrapper of `yaml_parser_t`.
///
/// It owns the parser and the bytes that it reads.
struct YAMLEventReader: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Begins to read.
    ///
    /// - Throws: `.systemLimit` if there is not enough memory.
    init(_ text: [UInt8]) throws(Failure) {
        parser = try Self.makeParser()
        // The parser does not accept a null pointer, even for an empty text.
        bytes = .allocate(capacity: text.count + 1)
        _ = bytes.initialize(from: text)
        yaml_parser_set_input_string(parser, bytes.baseAddress, text.count)
        // Without this, it would also accept UTF-16.
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    }

    private static func makeParser() throws(Failure) -> UnsafeMutablePointer<yaml_parser_t> {
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        if yaml_parser_initialize(parser) == 1 { return parser }
        parser.deallocate()
        throw noMemory
    }

    private static var noMemory: Failure {
        Failure(.systemLimit, "there is not enough memory for the YAML parser")
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        bytes.deallocate()
    }

    /// The next event; `yaml_parser_parse`.
    ///
    /// - Throws: `.badInput` if the text is not YAML.
    func next() throws(Failure) -> YAMLEvent {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { yaml_event_delete(&event) }
        return YAMLEvent(event)
    }

    /// The parser's error as a failure.
    private var failure: Failure {
        let state = parser.pointee
        let reason = state.problem.map { String(cString: $0) } ?? "the reason is unknown"
        switch state.error {
        case YAML_MEMORY_ERROR: return Self.noMemory
        case YAML_READER_ERROR:
            let mark = YAMLMark(after: bytes.prefix(state.problem_offset))
            return Failure(yaml: "this is not plain text in UTF-8: \(reason)", at: mark)
        default:
            // If something has no end, the message gives the line of its beginning, unless it is the same
            // line.
            let (mark, start) = (YAMLMark(state.problem_mark), YAMLMark(state.context_mark))
            let context = state.context.map { String(cString: $0) + " of line \(start.line), " }
            let isElsewhere = state.context != nil && start.line != mark.line
            return Failure(yaml: "this is not YAML: \(isElsewhere ? context ?? "" : "")\(reason)", at: mark)
        }
    }
}

/// An event of the parser.
struct YAMLEvent {
    /// The kinds of events that matter.
    enum Kind {
        case scalar(String, isPlain: Bool)
        case sequenceStart
        case mappingStart
        case sequenceEnd
        case mappingEnd
        case alias(String)
        case documentStart
        case streamEnd
        /// The beginning of the text, or the end of a document.
        case other
    }

    /// The kind of event.
    var kind: Kind
    /// The position of its beginning.
    var mark: YAMLMark
    /// The name of the node for aliases.
    var anchor: String?
    /// The tag, with its handle resolved; nil if there is none.
    var tag: String?

    fileprivate init(_ event: yaml_event_t) {
        mark = YAMLMark(event.start_mark)
        switch event.type {
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            kind = .scalar(
                String(decoding: bytes, as: UTF8.self), isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
            (anchor, tag) = (Self.text(scalar.anchor), Self.text(scalar.tag))
        case YAML_SEQUENCE_START_EVENT:
            let start = event.data.sequence_start
            (kind, anchor, tag) = (.sequenceStart, Self.text(start.anchor), Self.text(start.tag))
        case YAML_MAPPING_START_EVENT:
            let start = event.data.mapping_start
            (kind, anchor, tag) = (.mappingStart, Self.text(start.anchor), Self.text(start.tag))
        case YAML_ALIAS_EVENT: kind = .alias(Self.text(event.data.alias.anchor) ?? "")
        case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
        case YAML_MAPPING_END_EVENT: kind = .mappingEnd
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        case YAML_STREAM_END_EVENT: kind = .streamEnd
        default: kind = .other
        }
    }

    private static func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        bytes.map { String(cString: $0) }
    }
}

extension YAMLMark {
    /// libyaml counts from 0.
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
    }
}

extension YAMLNode {
    /// The library that parses the text.
    package static var library: LibraryVersion {
        LibraryVersion("libyaml", String(cString: yaml_get_version_string()))
    }
}
