import CArguments
import CConfinement
import CDocuments
import Platform
import RenderProtocol

/// The companion that draws documents: pages of PDF by poppler, SVG by librsvg.
@main
enum TilewrightRender {
    static func main() {
        let argument = ca_count() > 1 ? ca_argument(1).map { String(cString: $0) } : nil
        switch argument {
        case nil where isatty(STDIN_FILENO) != 1: converse()
        case nil, "--help", "-h": end(EXIT_SUCCESS, printing: Notice.help)
        case "--version": end(EXIT_SUCCESS, printing: Notice.version)
        case "--check":
            let (isConfined, text) = Notice.check()
            end(isConfined ? EXIT_SUCCESS : EXIT_FAILURE, printing: text)
        case .some(let argument):
            end(EX_USAGE, printing: "tilewright-render has no option '\(argument)'\n\n" + Notice.help)
        }
    }

    /// Prints a text, and ends the process.
    private static func end(_ status: Int32, printing text: String) -> Never {
        do {
            try FileDescriptor(duplicating: STDOUT_FILENO).write(Array((text + "\n").utf8))
        } catch {
            let line = "error: cannot write to standard output: \(error.text)\n"
            _ = try? FileDescriptor(duplicating: STDERR_FILENO).write(Array(line.utf8))
            exit(EX_IOERR)
        }
        exit(status)
    }

    private static func converse() {
        signal(SIGPIPE, SIG_IGN)
        do throws(FrameChannel.Trouble) {
            // The program that started this one may have left other files open.
            cf_confine(Frame.documentDescriptor + 1, nil, 0)
            let output = try duplicate(STDOUT_FILENO)
            let channel = FrameChannel(
                input: try descriptor(STDIN_FILENO), output: FileDescriptor(owning: output))
            try silence()
            cd_end_without_reader(output)
            var conversation = Conversation(channel: channel, output: output)
            try conversation.run()
        } catch {
            exit(error == .ended ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    /// Redirects the output of libraries into a pipe that is never read, because /dev may not exist here. The
    /// pipe's other end stays open, so that printing succeeds and `errno` keeps the reason why a library
    /// failed.
    private static func silence() throws(FrameChannel.Trouble) {
        cd_be_silent()
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0, dup2(ends[1], STDOUT_FILENO) >= 0,
            dup2(ends[1], STDERR_FILENO) >= 0
        else { throw .system(errno) }
        close(ends[1])
    }

    private static func duplicate(_ number: Int32) throws(FrameChannel.Trouble) -> Int32 {
        do throws(SystemError) { return try systemCall { fcntl(number, F_DUPFD_CLOEXEC, 0) } } catch {
            throw .system(error.code)
        }
    }

    private static func descriptor(_ number: Int32) throws(FrameChannel.Trouble) -> FileDescriptor {
        FileDescriptor(owning: try duplicate(number))
    }
}

/// The texts for users.
enum Notice {
    /// The help.
    static var help: String {
        """
        tilewright-render draws pages of PDF and SVG documents. tilewright starts it and sends requests through
        pipes; users do not call it.

          --version   print the version of the protocol and the drawing libraries
          --check     print which actions this system forbids while documents are drawn

        \(license)
        """
    }

    /// The version.
    static var version: String {
        """
        tilewright-render, protocol \(Frame.version), \(String(cString: cd_libraries()))
        \(license)
        """
    }

    private static let license = """
        Its own code is under the MIT license, like tilewright. It links poppler, which is under the GNU General
        Public License, version 2 or 3: if you distribute this program, that license applies.
        """

    /// Confines this process as before a document is read, and tries actions that must be forbidden.
    ///
    /// - Returns: false if a forbidden action other than reading other files succeeded, or if threads failed;
    ///   and the result of each attempt.
    static func check() -> (isConfined: Bool, text: String) {
        cf_confine(Frame.documentDescriptor, nil, 0)
        var text: UnsafePointer<CChar>?
        let isConfined = cf_check(&text)
        return (isConfined, text.map { String(cString: $0) } ?? "")
    }
}
