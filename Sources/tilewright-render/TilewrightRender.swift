import CArguments
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
            end(EX_USAGE, printing: "tilewright-render takes no '\(argument)'\n\n" + Notice.help)
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
            // Files of other parts of the program that started this one.
            cd_confine(Frame.documentDescriptor + 1)
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

    /// What libraries print goes into a pipe that nobody reads: there may be no /dev here. Its other end stays open,
    /// so that printing succeeds, and leaves `errno` to say why a library gave up.
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
