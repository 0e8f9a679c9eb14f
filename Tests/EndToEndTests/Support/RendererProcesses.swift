import Foundation

/// Renderers that are at work for the programs of a test.
enum RendererProcesses {
    /// The numbers of the processes that are renderers and hold a document open as theirs.
    static func of(_ document: String) -> [pid_t] {
        let manager = FileManager.default
        let path = URL(filePath: document).resolvingSymlinksInPath().path
        return ((try? manager.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }.filter {
            number in
            let program = try? manager.destinationOfSymbolicLink(atPath: "/proc/\(number)/exe")
            let opened = try? manager.destinationOfSymbolicLink(atPath: "/proc/\(number)/fd/3")
            return program?.hasSuffix("tilewright-render") == true && opened == path
        }
    }

    /// Those that do something: one that is kept for the next window waits for it.
    static func drawing(_ document: String) -> [pid_t] {
        of(document).filter { number in
            let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
            return text.flatMap { $0.split(separator: ") ").last }?.hasPrefix("S") == false
        }
    }

    /// Waits until there are some, or none.
    ///
    /// - Parameter processes: looks for them.
    /// - Returns: the seconds that it took; nil if it took more than a minute.
    static func wait(
        for isThere: Bool, of document: String, _ processes: (String) -> [pid_t] = of
    ) -> Double? {
        let start = ContinuousClock.now
        while processes(document).isEmpty == isThere {
            if ContinuousClock.now - start > .seconds(60) { return nil }
            usleep(5000)
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }
}
