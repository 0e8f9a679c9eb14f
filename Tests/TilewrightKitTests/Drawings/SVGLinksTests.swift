import Platform
import Foundation
import TestSupport
import Testing

@testable import TilewrightKit

/// The links of an SVG, and the linked files that a renderer gets.
@Suite struct SVGLinksTests {
    @Test(
        "addresses are found where XML has them, but nowhere else",
        arguments: [
            ("<image href='a.png'/>", ["a.png"]), ("<image xlink:href=\"a b.png\" x='1'/>", ["a b.png"]),
            ("<svg:image x = '1' xlink:href = 'a.png' ></svg:image>", ["a.png"]),
            ("<g title='>'><image y='<' href=' ./b/a.png '/></g>", ["./b/a.png"]),
            ("<image href='a&amp;b.png'/><feImage href='c.jpg'/>", ["a&b.png", "c.jpg"]),
            ("<use href='#a'/><use xlink:href='b.svg#a'/>", ["b.svg#a"]),
            ("<?xml-stylesheet type='text/css' href='s.css'?><svg/>", ["s.css"]),
            ("<style>@import url('t.css'); @import \"u.css\";</style>", ["t.css", "u.css"]),
            ("<!-- <image href='a.png'/> --><![CDATA[<image href='b.png'/>]]>", []),
            ("<image href='data:image/png;base64,AA=='/><text href='a.png'>@import 'x.css'</text>", []),
            ("<image href='a.png", []), ("<image href=a.png/>", []), ("<image", []), ("<", []), ("<!--", []),
        ])
    func links(text: String, addresses: [String]) {
        #expect(SVGLinks(Array(text.utf8)).all.map(\.address) == addresses)
        for link in SVGLinks(Array(text.utf8)).all {
            guard let place = link.place else { continue }
            #expect(Array(text.utf8)[place.lowerBound - 1] == Array(text.utf8)[place.upperBound])
        }
    }

    @Test(
        "pictures in the document's folder and below count; others are left out with a warning")
    func content() throws {
        let folder = try TemporaryDirectory()
        let png = Data([0x89, 0x50, 0x4E, 0x47, 1, 2, 3])
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("plans/scans"), withIntermediateDirectories: true)
        for name in ["secret.png", "plans/a.png", "plans/scans/b c.png"] {
            try png.write(to: folder.url.appendingPathComponent(name))
        }
        try FileManager.default.createSymbolicLink(
            at: folder.url.appendingPathComponent("plans/link.png"),
            withDestinationURL: folder.url.appendingPathComponent("secret.png"))
        let left = [
            "../secret.png", folder.url.path + "/plans/a.png", "file://\(folder.url.path)/plans/a.png",
            "https://example.org/a.png", "link.png", "scans", "missing.png", "scans/../a.png", "a.png#b",
        ]
        let images = (["a.png", "./scans/b%20c.png"] + left).map { "<image href='\($0)'/>" }.joined()
        let text = "<svg>\(images)<use href='b.svg#c'/></svg>"
        let path = folder.url.appendingPathComponent("plans/plan.svg").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let content = try SVGContent(of: path, scratch: folder.url.path)
        #expect(
            content.pictures.map { $0.replacing(folder.url.path, with: "") } == [
                "/plans/a.png", "/plans/scans/b c.png",
            ])
        #expect(content.warnings.count == left.count + 1)
        #expect(zip(left, content.warnings).allSatisfy { $1.contains($0) || $0.utf8.count > 40 })
        let copy = try String(contentsOfFile: try #require(content.copy).path, encoding: .utf8)
        let address = "data:image/png;base64,\(png.base64EncodedString())"
        #expect(
            copy
                == text.replacing("'a.png'", with: "'\(address)'").replacing(
                    "./scans/b%20c.png", with: address))
        let names = try SVGContent(of: path, scratch: nil)
        #expect(names.copy == nil && names.pictures == content.pictures)
        try Data("<svg/>".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try SVGContent(of: path, scratch: folder.url.path).copy == nil)
    }
}
