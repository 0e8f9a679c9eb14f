import CExpat
import Platform

/// A small XML document, read by Expat into a tree.
enum XMLDocument {
    /// Reads a document.
    ///
    /// Entity definitions, by which a few bytes can become gigabytes, are refused: the kinds of files read
    /// here have none. Nothing outside the document is ever read.
    ///
    /// - Throws: a `Failure` of kind `badInput` whose message is the reason alone.
    static func parse(_ bytes: [UInt8]) throws -> XMLElement {
        guard let parser = XML_ParserCreate(nil) else {
            throw Failure(.systemLimit, "there is not enough memory for the XML parser")
        }
        defer { XML_ParserFree(parser) }
        let tree = XMLTree(parser: parser)
        return try withExtendedLifetime(tree) {
            XML_SetUserData(parser, Unmanaged.passUnretained(tree).toOpaque())
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
            "line \(XML_GetCurrentLineNumber(parser)) is not XML: \(words ?? "unknown reason")")
    }

    private static func setHandlers(of parser: XML_Parser) {
        XML_SetElementHandler(
            parser, { tree, name, attributes in XMLTree.of(tree) { $0.begin(name, attributes) } },
            { tree, _ in XMLTree.of(tree) { $0.end() } })
        XML_SetCharacterDataHandler(parser) { tree, text, count in
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
            XMLTree.of(tree) { $0.add(String(decoding: bytes, as: UTF8.self)) }
        }
        XML_SetEntityDeclHandler(parser) { tree, _, _, _, _, _, _, _, _ in
            XMLTree.of(tree) { $0.refuse("it defines entities, which are not supported") }
        }
        XML_SetUnknownEncodingHandler(
            parser, { _, name, encoding in XMLDocument.describe(name, encoding) }, nil)
    }

    /// Reads encodings of one byte per character as Latin 1, which Expat supports: the relevant text in these
    /// files is ASCII, which is the same in all these encodings.
    private static func describe(
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

/// An element of an XML document. Names have no namespace prefix: the files read here differ in prefixes, or
/// use undeclared ones.
final class XMLElement {
    /// The name.
    let name: String
    /// The attributes by name.
    let attributes: [String: String]
    /// The child elements in their order.
    fileprivate(set) var children: [XMLElement] = []
    /// The text directly inside, including CDATA sections, joined.
    fileprivate(set) var text = ""

    init(name: String, attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
    }

    /// The first child with a name.
    subscript(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    /// The children with a name.
    func children(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The text without white space around it.
    var trimmedText: String { text.trimmed() }

    /// This element and all elements below it that have a name, in document order.
    func descendants(_ name: String) -> [XMLElement] {
        (self.name == name ? [self] : []) + children.flatMap { $0.descendants(name) }
    }
}

/// The document that a parser is building, for its callbacks.
private final class XMLTree {
    /// The outermost element, once it has begun.
    private(set) var root: XMLElement?
    /// Why the document is refused; nil if it is not.
    private(set) var refusal: String?

    private let parser: XML_Parser
    private var open: [XMLElement] = []
    private var count = 0

    /// Much deeper than any document of the kinds read here.
    private static let deepest = 100
    /// The most elements: they take some hundred MB of memory.
    private static let most = 1_000_000

    init(parser: XML_Parser) { self.parser = parser }

    static func of(_ pointer: UnsafeMutableRawPointer?, _ body: (XMLTree) -> Void) {
        guard let pointer else { return }
        body(Unmanaged<XMLTree>.fromOpaque(pointer).takeUnretainedValue())
    }

    /// Begins an element; refuses documents with too many elements or too deep nesting.
    func begin(
        _ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) {
        guard let name else { return }
        var values: [String: String] = [:]
        var next = attributes
        while let pair = next, let key = pair[0], let value = pair[1] {
            values[Self.localName(key)] = String(cString: value)
            next = pair + 2
        }
        count += 1
        guard open.count < Self.deepest else { return refuse("its elements are nested too deeply") }
        guard count <= Self.most else { return refuse("it has too many elements") }
        let element = XMLElement(name: Self.localName(name), attributes: values)
        open.last?.children.append(element)
        if open.isEmpty { root = element }
        open.append(element)
    }

    /// Ends the innermost element.
    func end() { _ = open.popLast() }

    /// Adds text to the innermost element.
    func add(_ text: String) { open.last?.text += text }

    /// Refuses the document.
    func refuse(_ reason: String) {
        refusal = refusal ?? reason
        XML_StopParser(parser, 0)
    }

    /// The name after a namespace prefix.
    private static func localName(_ name: UnsafePointer<CChar>) -> String {
        let name = String(cString: name)
        return name.lastIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
    }
}
