import Platform
import Foundation
import RenderProtocol
import TestSupport

/// A renderer that does what a test wants: a program in Python.
struct FakeRenderer {
    let folder: TemporaryDirectory
    let program: CompanionProgram
    /// A document, which it never reads.
    let document: String

    /// - Parameters:
    ///   - page: statements that run on a request to open a page, whose description is `PAGE`.
    ///   - draw: statements that run on a request for pixels. `send(kind, bytes)` answers, `first()` is true
    ///     for the first renderer of the folder that calls it, `note(name, number)` records a number, and
    ///     `alive()` returns the numbers of the renderers that have not ended.
    init(greeting: String = "{\"version\": 1, \"libraries\": \"fake 1\"}", page: String? = nil, draw: String)
        throws
    {
        folder = try TemporaryDirectory()
        document = try folder.write("%PDF-1.7", to: "plan.pdf")
        let description = PageDescription(pageCount: 1, width: 100, height: 50)
        let frame = try Frame(.page, describing: description)
        let script = """
            #!/usr/bin/env python3
            import os, signal, struct, sys, time
            folder = os.path.dirname(os.path.abspath(__file__))
            def first():
                try: os.close(os.open(folder + '/asked', os.O_CREAT | os.O_EXCL)); return True
                except FileExistsError: return False
            def note(name, number): open(folder + '/' + name, 'a').write('%d\\n' % number)
            def alive():
                numbers = [int(line) for line in open(folder + '/started')]
                return [number for number in numbers if os.path.exists('/proc/%d/fd/0' % number)]
            PAGE = b'''\(String(decoding: frame.payload, as: UTF8.self))'''
            def send(kind, data):
                os.write(1, kind.encode() + struct.pack('<I', len(data)) + data)
            def read(count):
                data = b''
                while len(data) < count:
                    part = os.read(0, count - len(data))
                    if not part: sys.exit(0)
                    data += part
                return data
            note('started', os.getpid())
            send('HELO', b'''\(greeting)''')
            while True:
                kind = read(4).decode(); payload = read(struct.unpack('<I', read(4))[0])
                if kind == 'OPEN':
                    \(page ?? "send('PAGE', PAGE)")
                else:
                    \(draw)
            """
        // Written by another process: a file cannot be started while a process that was forked here has it open.
        let path = folder.path("renderer")
        let written = try Tool.run(
            "/bin/sh", ["-c", "cat > \"$0\" && chmod 755 \"$0\"", path], input: script)
        precondition(written.status == 0, written.errors)
        program = CompanionProgram(path: path)
    }

    /// The numbers of the processes that were started.
    var started: [Int32] { notes("started").map(Int32.init) }

    /// Whether a renderer has called `first()`.
    var wasAsked: Bool { FileManager.default.fileExists(atPath: folder.path("asked")) }

    /// The numbers that renderers recorded.
    func notes(_ name: String) -> [Int] {
        let text = try? String(contentsOfFile: folder.path(name), encoding: .utf8)
        return (text ?? "").split(separator: "\n").compactMap { Int($0) }
    }
}
