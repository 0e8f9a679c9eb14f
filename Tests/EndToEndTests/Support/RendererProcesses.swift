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

    /// Waits until there are some, or none.
    ///
    /// - Returns: the seconds that it took; nil if it took more than a minute.
    static func wait(for isThere: Bool, of document: String) -> Double? {
        let start = ContinuousClock.now
        while of(document).isEmpty == isThere {
            if ContinuousClock.now - start > .seconds(60) { return nil }
            usleep(5000)
        }
        return (ContinuousClock.now - start) / .seconds(1)
    }
}
