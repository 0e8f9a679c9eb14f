import ArgumentParser
import CommandSupport
import Platform
import TilewrightKit
import WebRequests

/// Guides from drawings to a page for colleagues, in the browser.
struct Open: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Makes the tiles of a building in the browser, from its drawings to a page for colleagues.")

    @OptionGroup var options: OpenOptions

    func run() async throws { try await SignalWatch.run(advice: nil) { try await serve() } }

    private func serve() async throws {
        let project = try PlanProject(options.plans)
        let server = try await listen()
        let responder = GuideResponder(
            project, placing: options.placing,
            rule: server.hostRule(allowed: options.hosts.allowHost.map(\.authority)),
            policy: try AnswerPolicy(options))
        let address = server.addresses.first ?? ""
        let isOpen = !options.noBrowser && Browser.open(address)
        if !options.quiet { announce(address, port: server.port, isOpen: isOpen) }
        do { try await server.run(responder) } catch {
            // The next build goes on with what this one has made.
            await responder.build.cancel()
            throw error
        }
    }

    private func listen() async throws -> TileServer {
        if let address = options.listen { return try await TileServer.listen(on: address) }
        do { return try await TileServer.listen(on: .standard) } catch let failure as Failure {
            guard failure.kind == .outputRefused else { throw failure }
            return try await TileServer.listen(on: ListenAddress("127.0.0.1:0"))
        }
    }

    private func announce(_ address: String, port: Int, isOpen: Bool) {
        Console.say(isOpen ? "the browser shows \(address)" : "open \(address) in a browser")
        if !isOpen, !options.noBrowser, options.listen == nil {
            Console.say(
                "for a browser on another machine, run there: ssh -L \(port):127.0.0.1:\(port) \(login)")
        }
        Console.say("everything is saved beside the plans; Ctrl+C ends the program")
    }

    /// The user and this machine, as `ssh` on another machine takes them.
    private var login: String {
        let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "USER"
        // If someone is logged in from another machine, the address at which this one was reached.
        let connection = getenv("SSH_CONNECTION").map { String(cString: $0) }?.split(separator: " ") ?? []
        if connection.count == 4 { return "\(user)@\(connection[2])" }
        let name = String(unsafeUninitializedCapacity: 256) { name in
            name.withMemoryRebound(to: CChar.self) { name in
                guard let start = name.baseAddress, gethostname(start, name.count) == 0 else { return 0 }
                return strnlen(start, name.count)
            }
        }
        return "\(user)@\(name)"
    }
}

/// The user's browser.
enum Browser {
    #if os(macOS)
        private static let name = "open"
        private static let hasScreen = true
    #else
        private static let name = "xdg-open"
        // Without a screen, it might start a browser for terminals.
        private static let hasScreen = ["DISPLAY", "WAYLAND_DISPLAY"].contains { (name: String) in
            getenv(name).map { $0.pointee != 0 } ?? false
        }
    #endif

    /// Opens an address; posix_spawn(3).
    ///
    /// - Returns: false if there is no browser.
    static func open(_ address: String) -> Bool {
        guard hasScreen, let program = CompanionProgram(named: name) else { return false }
        var actions = SpawnActions()
        for (number, mode) in [(0, O_RDONLY), (1, O_WRONLY), (2, O_WRONLY)] {
            posix_spawn_file_actions_addopen(&actions.value, Int32(number), "/dev/null", mode, 0)
        }
        var words = [program.path, address].map { (word: String) in strdup(word) }
        words.append(nil)
        defer { words.forEach { free($0) } }
        var process = pid_t()
        return posix_spawn(&process, program.path, &actions.value, nil, &words, environ) == 0
    }

    /// The files of a new process.
    private struct SpawnActions: ~Copyable {
        #if canImport(Glibc)
            var value = posix_spawn_file_actions_t()
        #else
            var value: posix_spawn_file_actions_t?
        #endif

        init() { posix_spawn_file_actions_init(&value) }

        deinit {
            var value = value
            posix_spawn_file_actions_destroy(&value)
        }
    }
}
