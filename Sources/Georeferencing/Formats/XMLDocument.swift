import CExpat
import Platform

/// A small XML document, read by Expat into a tree.
enum XMLDocument {
    /// Reads a document.
    ///
    /// Entities of its own, by which a few bytes can become gigabytes, are refused: the kinds of
    /// files read here have none. Nothing outside the document is ever read.
    ///
    /// - Throws: a `Failure` of kind `badInput` whose message is the reason alone.
    static func parse(_ bytes: [UInt8]) throws -> XMLElement {
        guard let parser = XML_ParserCreate(nil) else {
            throw Failure(.systemLimit, "there is no memory for the XML parser")
        }
        defer { XML_ParserFree(parser) }
        let tree = XMLTree()
        let state = XMLParserState(parser: parser, tree: tree)
        return try withExtendedLifetime(state) {
            XML_SetUserData(parser, Unmanaged.passUnretained(state).toOpaque())
            setHandlers(of: parser)
            // Some programs leave empty lines in front of the declaration, which must come first.
            let isGap = { (byte: UInt8) in [9, 10, 13, 32].contains(byte) }
            let start = bytes.prefix(while: isGap).count
            let status = bytes.withUnsafeBytes { buffer in
                let text = buffer.baseAddress.map {
                    ($0 + start).assumingMemoryBound(to: CChar.self)
                }
                return XML_Parse(parser, text, Int32(buffer.count - start), 1)
            }
            if let refusal = tree.refusal { throw Failure(.badInput, refusal) }
            guard status == XML_STATUS_OK, let root = tree.root else { throw failure(of: parser) }
            return root
        }
    }

    private static func failure(of parser: XML_Parser) -> Failure {
        let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
        return Failure(
            .badInput,
            "line \(XML_GetCurrentLineNumber(parser)) is not XML: \(words ?? "no reason is known")")
    }

    private static func setHandlers(of parser: XML_Parser) {
        XML_SetElementHandler(
            parser,
            { state, name, attributes in
                XMLParserState.of(state) { $0.begin(name, attributes) }
            }, { state, _ in XMLParserState.of(state) { $0.tree.end() } })
        XML_SetCharacterDataHandler(parser) { state, text, count in
            XMLParserState.of(state) { $0.add(text, Int(count)) }
        }
        XML_SetEntityDeclHandler(parser) { state, _, _, _, _, _, _, _, _ in
            XMLParserState.of(state) { $0.refuse("it defines entities, which are not read") }
        }
        XML_SetUnknownEncodingHandler(
            parser, { _, name, encoding in XMLParserState.describe(name, encoding) }, nil)
    }
}

/// What the callbacks of a parser work on.
private final class XMLParserState {
    let parser: XML_Parser
    let tree: XMLTree

    init(parser: XML_Parser, tree: XMLTree) {
        self.parser = parser
        self.tree = tree
    }

    static func of(_ pointer: UnsafeMutableRawPointer?, _ body: (XMLParserState) -> Void) {
        guard let pointer else { return }
        body(Unmanaged<XMLParserState>.fromOpaque(pointer).takeUnretainedValue())
    }

    func begin(
        _ name: UnsafePointer<CChar>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        guard let name else { return }
        var values: [String: String] = [:]
        var next = attributes
        while let pair = next, let key = pair[0], let value = pair[1] {
            values[XMLParserState.localName(key)] = String(cString: value)
            next = pair + 2
        }
        tree.begin(XMLParserState.localName(name), values)
        stopIfRefused()
    }

    func add(_ text: UnsafePointer<CChar>?, _ count: Int) {
        let bytes = UnsafeRawBufferPointer(start: text, count: count)
        tree.add(String(decoding: bytes, as: UTF8.self))
    }

    func refuse(_ reason: String) {
        tree.refuse(reason)
        stopIfRefused()
    }

    private func stopIfRefused() {
        if tree.refusal != nil { XML_StopParser(parser, 0) }
    }

    /// The name behind a namespace's prefix.
    private static func localName(_ name: UnsafePointer<CChar>) -> String {
        let name = String(cString: name)
        return name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }

    /// Takes encodings of one byte per character for Latin 1, which Expat knows itself: what counts in
    /// these files is ASCII in all of them.
    static func describe(
        _ name: UnsafePointer<CChar>?, _ encoding: UnsafeMutablePointer<XML_Encoding>?
    ) -> Int32 {
        guard let name, let encoding else { return Int32(XML_STATUS_ERROR.rawValue) }
        let text = String(cString: name).lowercased()
        let families = ["windows-125", "cp125", "iso-8859-", "iso8859-", "latin"]
        guard families.contains(where: text.hasPrefix) else {
            return Int32(XML_STATUS_ERROR.rawValue)
        }
        withUnsafeMutableBytes(of: &encoding.pointee.map) { map in
            for (index, value) in map.bindMemory(to: Int32.self).indices.enumerated() {
                map.storeBytes(of: Int32(index), toByteOffset: 4 * value, as: Int32.self)
            }
        }
        return Int32(XML_STATUS_OK.rawValue)
    }
}
