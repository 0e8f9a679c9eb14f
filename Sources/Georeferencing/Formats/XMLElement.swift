/// An element of an XML document. Names are without the prefixes of their namespaces: files that are
/// read here differ in prefixes, or have some that they do not declare.
final class XMLElement {
    /// The name.
    let name: String
    /// The attributes by name.
    let attributes: [String: String]
    /// The elements inside, in their order.
    fileprivate(set) var children: [XMLElement] = []
    /// The text directly inside and the text of CDATA sections, in one.
    fileprivate(set) var text = ""

    init(name: String, attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
    }

    /// The first child of a name.
    subscript(_ name: String) -> XMLElement? { children.first { $0.name == name } }

    /// The children of a name.
    func children(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

    /// The text without white space around it.
    var trimmedText: String {
        let head = text.drop(while: \.isWhitespace)
        return String(head.dropLast(head.reversed().prefix(while: \.isWhitespace).count))
    }

    /// All elements of a name below this one and itself, in the order of the document.
    func descendants(_ name: String) -> [XMLElement] {
        (self.name == name ? [self] : []) + children.flatMap { $0.descendants(name) }
    }
}

/// The document that a parser is building.
final class XMLTree {
    /// The outermost element, once it has begun.
    private(set) var root: XMLElement?
    /// Why the document is refused, if it is.
    private(set) var refusal: String?

    private var open: [XMLElement] = []
    private var count = 0

    /// Far deeper than any document of the kinds read here.
    private static let deepest = 100
    /// As many elements as some hundred MB of memory hold.
    private static let most = 1_000_000

    /// Begins an element; refuses what is nested too deeply or has too many.
    func begin(_ name: String, _ attributes: [String: String]) {
        count += 1
        guard open.count < XMLTree.deepest else {
            return refuse("its elements are nested too deeply")
        }
        guard count <= XMLTree.most else { return refuse("it has too many elements") }
        let element = XMLElement(name: name, attributes: attributes)
        open.last?.children.append(element)
        if open.isEmpty { root = element }
        open.append(element)
    }

    /// Ends the innermost element.
    func end() { _ = open.popLast() }

    /// Adds text to the innermost element.
    func add(_ text: String) { open.last?.text += text }

    /// Gives up the document.
    func refuse(_ reason: String) { refusal = refusal ?? reason }
}
