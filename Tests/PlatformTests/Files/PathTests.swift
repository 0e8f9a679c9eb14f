import Testing

@testable import Platform

@Suite struct PathTests {
    @Test(
        "a path is split at its last slash",
        arguments: [
            ("a/b/c.png", "a/b", "c.png"), ("c.png", ".", "c.png"), ("/c.png", "/", "c.png"),
            ("a//b", "a/", "b"), ("a/", "a", ""), ("/", "/", ""), ("", ".", ""), ("..", ".", ".."),
        ])
    func split(path: String, directory: String, name: String) {
        #expect(path.splitPath == (directory, name))
    }

    @Test(
        "slashes at the end do not count for the directory and the name",
        arguments: [
            ("a/b/", "a", "b"), ("a/b", "a", "b"), ("a//", ".", "a"), ("/", "/", "/"), ("//", "/", "/"),
            ("/a/", "/", "a"), ("name", ".", "name"), ("../x", "..", "x"),
        ])
    func trailingSlash(path: String, directory: String, name: String) {
        #expect(path.parentDirectory == directory)
        #expect(path.fileName == (path == "//" ? "//" : name))
    }

    @Test(
        "an extension begins at the last dot of the name, unless the name begins with it",
        arguments: [
            ("a/plan.tar.gz", "a/plan.tar", "gz", "plan.tar"), ("a.b/plan", "a.b/plan", "", "plan"),
            (".hidden", ".hidden", "", ".hidden"), ("a/.b.png", "a/.b", "png", ".b"),
            ("plan.", "plan", "", "plan"), ("Plan.PNG", "Plan", "PNG", "Plan"),
        ])
    func extensions(path: String, stem: String, fileExtension: String, fileStem: String) {
        #expect(path.splitExtension == (stem, fileExtension))
        #expect(path.fileStem == fileStem)
    }

    @Test("a slash or a dot before a combining accent is still a separator")
    func accents() {
        #expect("a/\u{301}b.png".splitPath == ("a", "\u{301}b.png"))
        #expect("a/\u{301}b/".parentDirectory == "a")
        #expect("a/plan.\u{301}".splitExtension == ("a/plan", "\u{301}"))
    }

    @Test("a relative path goes up, and then down")
    func relative() {
        #expect(
            RelativePath.components(from: "/none/a/b", to: "/none/c/d.png") == ["..", "..", "c", "d.png"])
        #expect(RelativePath.components(from: "/none/a", to: "/none/a").isEmpty)
    }
}
