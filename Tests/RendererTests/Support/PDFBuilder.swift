import Foundation

/// A PDF of one page, written by hand.
struct PDFBuilder {
    /// The operators of the page.
    var contents: String
    /// Entries of the page's resources.
    var resources = ""
    /// Left, bottom, right, top.
    var mediaBox = "0 0 200 100"
    /// Further entries of the page.
    var page = ""
    /// Further entries of the catalogue.
    var catalog = ""
    /// Objects from number 5 on.
    var objects: [[UInt8]] = []
    /// How often the page is there.
    var pageCount = 1

    /// A PDF whose page draws something.
    init(_ contents: String) { self.contents = contents }

    /// A stream with its dictionary's entries.
    static func stream(_ entries: String, _ bytes: [UInt8]) -> [UInt8] {
        Array("<<\(entries)/Length \(bytes.count)>>stream\n".utf8) + bytes + Array("\nendstream".utf8)
    }

    /// An image of gray samples of 8 bits.
    static func image(_ columns: Int, _ rows: Int, _ sample: (Int, Int) -> UInt8) -> [UInt8] {
        let samples = (0..<rows).flatMap { row in (0..<columns).map { sample($0, row) } }
        return stream(
            "/Type/XObject/Subtype/Image/Width \(columns)/Height \(rows)/ColorSpace/DeviceGray/BitsPerComponent 8",
            samples)
    }

    /// The file.
    var bytes: [UInt8] {
        let further = (0..<pageCount - 1).map { 5 + objects.count + $0 }
        let kids = ([3] + further).map { "\($0) 0 R" }.joined(separator: " ")
        let leaf = Array(
            """
            <</Type/Page/Parent 2 0 R/MediaBox[\(mediaBox)]/Contents 4 0 R/Resources<<\(resources)>>\(page)>>
            """.utf8)
        let all =
            [
                Array("<</Type/Catalog/Pages 2 0 R \(catalog)>>".utf8),
                Array("<</Type/Pages/Kids[\(kids)]/Count \(pageCount)>>".utf8),
                leaf, Self.stream("", Array(contents.utf8)),
            ] + objects + further.map { _ in leaf }
        var file = Array("%PDF-1.7\n".utf8)
        var table = "xref\n0 \(all.count + 1)\n0000000000 65535 f \n"
        for (index, object) in all.enumerated() {
            let place = String(file.count)
            table += String(repeating: "0", count: 10 - place.count) + place + " 00000 n \n"
            file += Array("\(index + 1) 0 obj\n".utf8) + object + Array("\nendobj\n".utf8)
        }
        let end = "trailer<</Size \(all.count + 1)/Root 1 0 R>>\nstartxref\n\(file.count)\n%%EOF\n"
        return file + Array((table + end).utf8)
    }
}
