import Foundation
import TestSupport

/// A web server for a directory, on a port of its own. It answers requests for ranges of files whose
/// names begin with `ranges`, and sends all of others, as Python's own does.
///
/// A page that is ready later than its files are holds a picture `/gate`, which does not arrive until
/// somebody has asked for `/open`: the browser takes it for unfinished as long.
final class WebServer {
    private static let script = """
        import http.server, re, threading

        opened = threading.Semaphore(0)

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self):
                if self.path.split("?")[0] == "/gate":
                    opened.acquire(timeout=60)
                elif self.path == "/open":
                    opened.release()
                elif "/ranges" in self.path:
                    return self.send_range()
                else:
                    return super().do_GET()
                self.send_response(204)
                self.end_headers()

            def send_range(self):
                first, last = map(int, re.findall("[0-9]+", self.headers["Range"]))
                with open(self.translate_path(self.path), "rb") as file:
                    file.seek(first)
                    part = file.read(last + 1 - first)
                self.send_response(206)
                self.send_header("Content-Length", str(len(part)))
                self.end_headers()
                self.wfile.write(part)

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        print(server.server_port, flush=True)
        server.serve_forever()
        """

    private let process: ChildProcess
    private let log: URL
    /// Its address, without a slash at the end.
    let address: String

    /// Starts it, and waits until it listens.
    init(of directory: URL, log: URL) throws {
        self.log = log
        let output = try TemporaryDirectory()
        process = try ChildProcess(
            [Python.path() ?? "python3", "-c", Self.script], in: directory, output: output.path("port"),
            errors: log.path)
        address = try "http://127.0.0.1:\(process.port(printedIn: output.url.appending(path: "port")))"
    }

    /// The paths that were asked for, with the status of each answer.
    func requests() throws -> [(path: String, status: Int)] {
        try String(contentsOf: log, encoding: .utf8).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\"")
            guard parts.count > 2 else { return nil }
            let words = parts[1].split(separator: " ")
            let status = parts[2].split(separator: " ").first.flatMap { Int($0) }
            guard words.count > 1, let status else { return nil }
            return (String(words[1].prefix { $0 != "?" }), status)
        }
    }
}

extension ChildProcess {
    /// The port that a server prints, as a line in a file, when it listens.
    func port(printedIn file: URL) throws -> Int {
        var port: Int?
        while isRunning, port == nil {
            usleep(2000)
            let text = try String(contentsOf: file, encoding: .utf8)
            if text.hasSuffix("\n") { port = Int(text.dropLast()) }
        }
        guard let port else { throw CocoaError(.executableLoad) }
        return port
    }
}
