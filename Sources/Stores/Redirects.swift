import Platform
import Synchronization

/// The addresses to which servers redirect, so that each range needs one request.
final class Redirects: Sendable {
    /// Redirects of one request.
    static let most = 5
    private static let mostKept = 1000

    private let targets = Mutex<[StoreAddress: StoreAddress]>([:])

    /// Where the file of an address was found last.
    func target(of address: StoreAddress) -> StoreAddress? { targets.withLock { $0[address] } }

    /// Notes where the file of an address is.
    func note(_ target: StoreAddress, of address: StoreAddress) {
        targets.withLock { targets in
            if targets.count >= Self.mostKept { targets.removeAll() }
            targets[address] = target
        }
    }

    /// Forgets it: an address that was signed for a while no longer works.
    func forget(_ address: StoreAddress) { targets.withLock { $0[address] = nil } }
}

extension StoreAddress {
    /// The address to which an answer of this one leads.
    func redirected(by answer: Answer) throws -> StoreAddress {
        guard let location = try answer.field("location"), !location.isEmpty else {
            throw Trouble.refusal("the server redirects (\(answer.status)) without an address")
        }
        guard let target = resolving(location), !target.isBucket else {
            throw Trouble.refusal("the server redirects to an address that is not https://")
        }
        do { try target.check() } catch {
            throw Trouble.refusal("the server redirects to an address that is refused")
        }
        if scheme == .https, target.scheme != .https {
            throw Trouble.refusal("the server redirects from https:// to http://")
        }
        return target
    }

    /// The address that a reference means on this one (RFC 3986, 5.2); nil if its scheme is another one.
    func resolving(_ reference: String) -> StoreAddress? {
        let all = reference.utf8
        let text = all[..<(all.firstIndex(of: UInt8(ascii: "#")) ?? all.endIndex)]
        if text.starts(with: "//".utf8) { return StoreAddress("\(scheme.rawValue):\(text.text)") }
        let end = text.firstIndex { [UInt8(ascii: "/"), UInt8(ascii: "?")].contains($0) } ?? text.endIndex
        if text[..<end].contains(UInt8(ascii: ":")) { return StoreAddress(text.text) }
        let question = text.firstIndex(of: UInt8(ascii: "?"))
        let query = question.map { text[text.index(after: $0)...].text }
        let path = text[..<(question ?? text.endIndex)].text
        if path.isEmpty { return replacing(path: self.path, query: query ?? self.query) }
        let folder =
            path.utf8.first == UInt8(ascii: "/") ? "" : self.path.utf8.dropLast(fileName.utf8.count).text
        return replacing(path: Self.withoutDots(folder + path), query: query)
    }

    /// A path without `.` and `..` (RFC 3986, 5.2.4).
    private static func withoutDots(_ path: String) -> String {
        var parts: [String] = []
        let all = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(\.text)
        for part in all.dropFirst() {
            switch part {
            case ".": continue
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
        if let last = all.last, [".", ".."].contains(last) { parts.append("") }
        return "/" + parts.joined(separator: "/")
    }
}
