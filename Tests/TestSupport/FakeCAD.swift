package import Foundation

/// A program in place of `tilewright-cad` that does what a test wants: in Python, without ezdxf.
package enum FakeCAD {
    /// The text of the program.
    ///
    /// - Parameter answer: statements that answer `request`. `write(pdf())` writes a PDF of one page into file 4,
    ///   `say(dict)` a line, and `page(name=value, ...)` returns a description of the page: the model space at
    ///   the scale of the request, whose corner at the bottom left is 565 000, 5 932 000 in metres.
    package static func script(_ answer: String = plain) -> String {
        """
        #!\(python)
        import json, os, signal, sys, time
        if sys.argv[1:] == ['--version']:
            print('tilewright-cad, protocol 1, fake 1, other 2')
            sys.exit()
        request = json.loads(sys.stdin.read())
        folder = os.path.dirname(os.path.abspath(__file__))
        with open(folder + '/requests', 'a') as file:
            file.write(json.dumps(dict(request, number=os.getpid(), head=os.read(3, 64).decode('latin-1'))) + '\\n')
        WIDTH, HEIGHT = 600, 400
        def write(data): os.write(4, data)
        def say(answer):
            sys.stdout.write(json.dumps(answer) + '\\n')
            sys.stdout.flush()
        def pdf(content=b'0.2 0.3 0.4 RG 12 w 50 50 500 300 re S'):
            objects = [b'<</Type/Catalog/Pages 2 0 R>>', b'<</Type/Pages/Count 1/Kids[3 0 R]>>',
                b'<</Type/Page/Parent 2 0 R/MediaBox[0 0 %d %d]/Contents 4 0 R>>' % (WIDTH, HEIGHT),
                b'<</Length %d>>stream\\n%s\\nendstream' % (len(content), content)]
            text, places = b'%PDF-1.7\\n', []
            for number, entry in enumerate(objects):
                places.append(len(text))
                text += b'%d 0 obj%sendobj\\n' % (number + 1, entry)
            table = b''.join(b'%010d 00000 n \\n' % place for place in places)
            return (text + b'xref\\n0 5\\n0000000000 65535 f \\n' + table
                + b'trailer<</Root 1 0 R/Size 5>>\\nstartxref\\n%d\\n%%%%EOF' % len(text))
        def page(**changes):
            scale = request['scale'] or 100
            size = scale * 0.0254 / 72
            values = dict(
                width=WIDTH, height=HEIGHT, scale=scale, layout=request['layout'] or 'Model',
                layouts=['Model', 'A1'], unit='metres', metres_per_unit=1, is_unit_assumed=False,
                units_from_points=[size, 0, 565000, 0, -size, 5932000 + HEIGHT * size], geodata=None,
                layers=[dict(name='WALLS', state='shown', is_shown=True),
                    dict(name='TEXT', state='off', is_shown=False)],
                missing_fonts=[], warnings=[], files=[], entities=4)
            return {'page': dict(values, **changes)}
        \(answer.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n"))
        """ + "\n"
    }

    /// The path of Python itself: what the PATH has may be a script that looks for others there.
    private static let python: String = {
        let found = try? Python.run("import sys; print(sys.executable)").output
        return found?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "/usr/bin/python3"
    }()

    /// Draws a page.
    package static let plain = "write(pdf()); say(page())"

    /// A small drawing, as far as its first bytes tell.
    package static let drawing = "999\r\na comment\r\n  0\r\nSECTION\r\n  2\r\nHEADER\r\n  0\r\nEOF\r\n"

    /// Writes an executable file: by another process, since a file cannot be started while a process that was
    /// forked here has it open.
    package static func install(_ script: String = script(), at path: String) throws {
        let written = try Tool.run(
            "/bin/sh", ["-c", "cat > \"$0\" && chmod 755 \"$0\"", path], input: script)
        precondition(written.status == 0, written.errors)
    }

    /// The requests that programs in a folder got.
    package static func requests(in folder: URL) -> [[String: Any]] {
        let text = (try? String(contentsOf: folder.appending(path: "requests"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }
}
