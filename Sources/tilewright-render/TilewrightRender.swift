import CDocuments
import Files
import RenderProtocol

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The companion that draws documents: pages of PDF by poppler, SVG by librsvg.
@main
enum TilewrightRender {
    static func main() {
        if CommandLine.arguments.count > 1 || isatty(STDIN_FILENO) == 1 {
            print(Notice.text)
            return
        }
        signal(SIGPIPE, SIG_IGN)
        do throws(FrameChannel.Trouble) {
            let channel = FrameChannel(
                input: try descriptor(STDIN_FILENO), output: try descriptor(STDOUT_FILENO))
            try silence()
            var conversation = Conversation(channel: channel)
            try conversation.run()
        } catch {
            exit(error == .ended ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    /// What libraries print goes into a pipe that nobody reads: there may be no /dev here.
    private static func silence() throws(FrameChannel.Trouble) {
        cd_be_silent()
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, dup2(ends[1], STDOUT_FILENO) >= 0, dup2(ends[1], STDERR_FILENO) >= 0 else {
            throw .system(errno)
        }
        close(ends[0])
        close(ends[1])
    }

    private static func descriptor(_ number: Int32) throws(FrameChannel.Trouble) -> FileDescriptor {
        do throws(SystemError) { return try FileDescriptor(duplicating: number) } catch {
            throw .system(error.code)
        }
    }
}
