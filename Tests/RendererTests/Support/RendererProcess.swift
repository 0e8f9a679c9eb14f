import Platform
import Foundation
import RenderProtocol
import Testing
import Tiling

/// A renderer that runs, spoken to as the program does it.
final class RendererProcess {
    /// How it ended.
    enum End: Equatable {
        case exited(Int32)
        case killed(Int32)
    }

    private let process: pid_t
    private var channel: FrameChannel?
    private let sendingEnd: Int32
    private var end: End?
    /// What it said first.
    let greeting: RendererGreeting

    /// Starts one for the document in a file.
    init(_ path: String, environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        var (input, output): ([Int32], [Int32]) = ([0, 0], [0, 0])
        try #require(pipe(&input) == 0 && pipe(&output) == 0)
        process = try Self.spawn(path, input: input[0], output: output[1], environment)
        close(input[0])
        close(output[1])
        sendingEnd = input[1]
        let channel = FrameChannel(
            input: FileDescriptor(owning: output[0]), output: FileDescriptor(owning: input[1]))
        greeting = try channel.receive(.greeting, within: 60).decoded()
        self.channel = consume channel
    }

    deinit { if end == nil { kill(process, SIGKILL); _ = wait() } }

    /// The program that was built with the tests.
    static let program: String = {
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        let places = bundles + [Bundle.main.executableURL].compactMap { $0 }
        let programs = places.map { $0.deletingLastPathComponent().appending(path: "tilewright-render").path }
        return programs.first { FileManager.default.isExecutableFile(atPath: $0) } ?? "tilewright-render"
    }()

    private static func spawn(
        _ path: String, input: Int32, output: Int32, _ environment: [String: String]
    ) throws -> pid_t {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, Frame.documentDescriptor, path, O_RDONLY, 0)
        var arguments = [strdup(program), nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + variables { free(pointer) } }
        var process = pid_t()
        let code = posix_spawn(&process, program, &actions, nil, &arguments, &variables)
        try #require(code == 0, "cannot start '\(program)'")
        return process
    }

    /// Sends a frame, and waits for the answer.
    func ask(_ frame: Frame) throws -> Frame {
        guard channel != nil else { throw FrameChannel.Trouble.ended }
        try channel?.send(frame)
        guard let answer = try channel?.receive(.page, .pixels, .failure, within: 120) else {
            throw FrameChannel.Trouble.ended
        }
        return answer
    }

    /// Sends bytes that need not be a frame.
    func send(_ bytes: [UInt8]) throws {
        let written = bytes.withUnsafeBytes { write(sendingEnd, $0.baseAddress, $0.count) }
        try #require(written == bytes.count)
    }

    /// Lets go of both pipes.
    func hangUp() { channel = nil }

    /// Opens a page.
    func open(_ request: OpenRequest) throws -> PageDescription {
        let answer = try ask(Frame(.open, describing: request))
        if answer.kind == .failure { throw try answer.decoded() as RendererFailure }
        return try answer.decoded()
    }

    /// Draws a window.
    func draw(_ request: DrawRequest) throws -> DrawnWindow {
        let answer = try ask(request.frame)
        if answer.kind == .failure { throw try answer.decoded() as RendererFailure }
        let (width, height) = (request.window.width, request.window.height)
        let pixels = try #require(PagePixels(answer.payload, pixels: width * height))
        return DrawnWindow(pixels, width: width, height: height)
    }

    /// Waits for its end.
    func wait() -> End {
        if let end { return end }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        let signal = status & 0x7f
        let result: End = signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal)
        end = result
        return result
    }
}
