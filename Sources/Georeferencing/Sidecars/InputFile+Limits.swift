package import Platform

extension InputFile {
    /// Larger files are none of the kinds read here: hundreds of thousands of control points fit.
    /// A byte can cost 50 when it is parsed, if lines or fields are empty.
    private static let largestText = 8 << 20
    /// A larger XML file than GDAL's for an image, unless that has a table of attributes, or than a
    /// KML file for its overlays. A byte can cost 30.
    static let largestXML = 16 << 20

    /// The text of a small file beside an image, in UTF-8 or with a byte order mark; bytes that make no sense become
    /// replacement characters.
    package static func text(of path: String) throws -> String {
        String(decoding: TextEncoding.utf8(try bytes(of: path, atMost: largestText)), as: UTF8.self)
    }

    /// The bytes of an XML file.
    static func xml(of path: String) throws -> [UInt8] {
        try bytes(of: path, atMost: largestXML)
    }
}
