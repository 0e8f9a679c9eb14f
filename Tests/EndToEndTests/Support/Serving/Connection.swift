import Foundation

/// A connection to a server on this machine, over which anything can be sent: also what no library would.
final class Connection {
    private let socket: Int32
    private var buffer = Data()

    /// Connects.
    init(port: Int) throws {
        #if canImport(Glibc)
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // A server that does not answer fails the test, and does not stop it.
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(socket) }

    /// Sends text as it is.
    func send(_ text: String) throws { try send(Data(text.utf8)) }

    /// Sends bytes.
    func send(_ bytes: Data) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw POSIXError(.EPIPE) }
            rest = rest.dropFirst(count)
        }
    }

    /// Goes, whatever the server still has to say.
    func leave() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Says that nothing more is sent.
    func finishSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Reads an answer.
    ///
    /// - Throws: if the connection ends before it does.
    func answer(isToHead: Bool = false) throws -> HTTPAnswer {
        let head = try head()
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let status = Int(lines[0].split(separator: " ")[1]) ?? 0
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] =
                parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let length =
            isToHead || [100, 204, 304].contains(status) ? 0 : Int(fields["content-length"] ?? "") ?? 0
        while buffer.count < length { try fill() }
        let body = Data(buffer.prefix(length))
        buffer.removeFirst(length)
        return HTTPAnswer(status: status, fields: fields, body: body)
    }

    /// What stands before the empty line.
    private func head() throws -> Data {
        while true {
            if let end = buffer.firstRange(of: Data("\r\n\r\n".utf8)) {
                defer { buffer.removeSubrange(..<end.upperBound) }
                return buffer[..<end.lowerBound]
            }
            try fill()
        }
    }

    /// Whether the server has ended the connection, and has sent nothing more.
    func isAtEnd() -> Bool {
        if !buffer.isEmpty { return false }
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, 0) <= 0
    }

    private func fill() throws {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(socket, &bytes, bytes.count, 0)
        guard count > 0 else { throw POSIXError(.ECONNRESET) }
        buffer.append(contentsOf: bytes[..<count])
    }
}
