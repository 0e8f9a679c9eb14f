import Platform
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The lines of `--progress json`, which `progress.schema.json` describes. With it, standard error holds only
/// such lines.
package enum EventLine {
    /// The kinds of lines.
    package enum Name: String, Sendable { case start, progress, warning, floor, result, error }

    private static let wanted = Mutex(false)

    /// Whether standard error is for programs.
    package static var areWanted: Bool { wanted.withLock { $0 } }

    /// From now on, standard error is for programs.
    static func begin() { wanted.withLock { $0 = true } }

    /// The line of an event.
    ///
    /// - Parameter members: further members, in this order; JSON without the braces around it.
    static func text(_ event: Name, _ members: String) -> String {
        let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let line = "{\"event\":\"\(event.rawValue)\",\"time\":\"\(time)\""
        return (members.isEmpty ? line : "\(line),\(members)") + "}"
    }

    /// The members of a value, without the braces around them.
    static func members(of value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only a number that is not finite could not be encoded.
        guard let data = try? encoder.encode(value) else { return "" }
        return String(decoding: data, as: UTF8.self).dropFirst().dropLast().description
    }
}

extension Console {
    /// Tells a program of an event; prints nothing if no program listens.
    ///
    /// - Parameter members: further members, in this order; JSON without the braces around it.
    package static func tell(_ event: EventLine.Name, _ members: String) {
        if EventLine.areWanted { show(json: EventLine.text(event, members)) }
    }

    /// Tells a program of an event.
    package static func tell(_ event: EventLine.Name, _ value: some Encodable) {
        tell(event, EventLine.members(of: value))
    }

    /// Tells programs of an event, or people in a line.
    package static func say(_ line: String, as event: EventLine.Name, _ value: some Encodable) {
        if EventLine.areWanted { tell(event, value) } else { say(line) }
    }
}

/// The members of the event `start`.
struct RunStart: Encodable {
    /// The command's name, such as `build`.
    let command: String
    /// The program's version.
    let program: String
}

/// The only member of an event that says something to people.
package struct RunMessage: Encodable {
    private let message: String

    /// Makes a message.
    package init(_ message: String) { self.message = message }
}
