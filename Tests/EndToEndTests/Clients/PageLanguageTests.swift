import Foundation
import TestSupport
import Testing

/// The pages with browsers of several languages, on a phone and on a wide screen.
@Suite(
    .long,
    .enabled(if: Browser.isPresent, "not installed: chromium"),
    .enabled(if: MapLibraries.leaflet != nil, "not installed: Debian's libjs-leaflet"),
    .needs("python3", "bash"))
struct PageLanguageTests {
    private static let assets = ["--viewer-assets", MapLibraries.leaflet?.path ?? ""]
    /// What a browser asks for, what the page says it is, and a word of its view of the map and of its last step.
    private static let languages = [
        ("ar", "ar", "العرض", "حفظ النقاط"), ("fa", "fa", "نما", "ذخیرهٔ نقطه‌ها"),
        ("zh-CN", "zh-Hans", "视图", "保存控制点"), ("ja", "ja", "表示", "点を保存"),
        ("hi", "hi", "दृश्य", "बिंदु सहेजें"), ("de-AT", "de", "Ansicht", "Punkte speichern"),
        ("es", "es", "Vista", "Guardar los puntos"), ("fr-CA", "fr", "Affichage", "Enregistrer les points"),
        ("pt-BR", "pt", "Exibição", "Salvar os pontos"), ("fi", "en", "View", "Save the points"),
    ]

    private let campus: Campus

    init() throws { campus = try Campus() }

    /// Looks at a page on a phone and on a wide screen; the word is looked for where it is shown.
    private func check(
        _ page: URL, _ kind: String, _ wanted: String, _ language: String, _ word: String,
        shownOn sizes: Set<String> = ["phone", "wide"]
    ) throws {
        let said = try Browser.act(
            "Viewer/see_language.py", on: page, [kind, wanted] + Browser.screenshots("languages"))
        for (size, value) in said {
            let seen = try #require(value as? [String: Any])
            let isRightToLeft = ["ar", "fa"].contains(language)
            let what = Comment(rawValue: "\(kind), \(wanted), \(size)")
            #expect(seen["language"] as? String == language, what)
            #expect(seen["direction"] as? String == (isRightToLeft ? "rtl" : "ltr"), what)
            if size == "wide" { #expect(seen["isMirrored"] as? Bool == isRightToLeft, what) }
            for list in ["hidden", "cut", "unnamed", "problems"] {
                #expect(seen[list] as? [String] == [], "\(what), \(list)")
            }
            #expect(seen["wider"] as? Int == 0, what)
            let text = try #require(seen["text"] as? String)
            if sizes.contains(size) { #expect(text.split(separator: "\n").contains { $0 == word }, what) }
            #expect(!text.contains("undefined") && !text.contains("{"), what)
            let digits = text.unicodeScalars.filter { $0.properties.numericType == .decimal && !$0.isASCII }
            #expect(digits.isEmpty, "\(what): \(String(String.UnicodeScalarView(digits)))")
        }
    }

    @Test(
        "the page of viewer speaks the browser's language, also from a disk, and begins with the whole plan")
    func viewer() throws {
        try campus.succeed(["campus.yaml"])
        try campus.succeed(["viewer", "campus.yaml"] + Self.assets)
        try campus.succeed(["viewer", "tiles/mall"] + Self.assets)
        for (wanted, language, word, _) in Self.languages {
            try check(campus.file("tiles/mall/index.html"), "viewer", wanted, language, word)
        }
        try check(campus.file("tiles/index.html"), "viewer", "ar", "ar", "جميع المباني")
    }

    @Test("the page of place speaks the browser's language")
    func place() throws {
        try campus.succeed(
            ["place", "mall-0.png", "--near", "2,48", "--basemap", "none", "-o", "place.html"] + Self.assets)
        for (wanted, language, _, word) in Self.languages {
            try check(campus.file("place.html"), "place", wanted, language, word)
        }
    }

    @Test("the guide speaks the browser's language, with its frames", .needsServer)
    func guide() throws {
        let headings = [
            "ar": "أي الصفحات طوابق؟", "fa": "کدام صفحه‌ها طبقه‌اند؟", "zh-Hans": "哪些页面是楼层？",
            "ja": "どのページが階の平面図ですか？", "hi": "कौन-से पृष्ठ मंज़िलें हैं?",
            "de": "Welche Seiten sind Stockwerke?", "es": "¿Qué páginas son plantas?",
            "fr": "Quelles pages sont des étages ?", "pt": "Quais páginas são andares?",
            "en": "Which pages are floors?",
        ]
        // The folder's name is in the header.
        let (files, folder) = (FileManager.default, campus.file("Mall"))
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        try files.copyItem(at: campus.file("mall-0.png"), to: folder.appending(path: "mall-0.png"))
        let options = ["mall-0.png", "--no-browser"] + Self.assets
        let server = try TileServer(options, in: folder, command: "open")
        let page = try #require(URL(string: "\(server.address)/pages"))
        for (wanted, language, _, _) in Self.languages {
            try check(page, "guide", wanted, language, #require(headings[language]))
        }
    }

    @Test("the page that serve gives speaks the browser's language, with its links", .needsServer)
    func served() throws {
        try campus.succeed(["campus.yaml"])
        let server = try TileServer(["campus.yaml"] + Self.assets, in: campus.url)
        let page = try #require(URL(string: server.address))
        // On a phone there is no room for the addresses.
        try check(page, "viewer", "ar", "ar", "العناوين", shownOn: ["wide"])
        try check(page, "viewer", "hi", "hi", "पते", shownOn: ["wide"])
    }
}
