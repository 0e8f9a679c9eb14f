#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A message between the program and its renderer: what it is, and its bytes.
///
/// On the pipe: four letters that name the kind, the number of bytes that follow as 32 bits with the lowest byte
/// first, and those bytes. The renderer speaks first. Each request has one answer.
package struct Frame: Hashable, Sendable {
    /// What a frame is.
    package enum Kind: String, CaseIterable, Sendable {
        /// The renderer's first words, a `RendererGreeting`.
        case greeting = "HELO"
        /// A request to open a page, an `OpenRequest`. The document is the open file 3.
        case open = "OPEN"
        /// The answer, a `PageDescription`.
        case page = "PAGE"
        /// A request for pixels, a `DrawRequest`.
        case draw = "DRAW"
        /// The answer, a `PagePixels`.
        case pixels = "PIXL"
        /// The answer to a request that cannot be met, a `RendererFailure`.
        case failure = "FAIL"
    }

    /// What it is.
    package var kind: Kind
    /// Its bytes.
    package var payload: [UInt8]

    /// The version of the protocol. It is raised by a change after which older programs and newer renderers would
    /// not understand each other.
    package static let version = 1

    /// The open file of a renderer that is the document.
    package static let documentDescriptor: Int32 = 3

    /// Bytes before the payload.
    static let headerSize = 8

    /// Makes a frame.
    package init(_ kind: Kind, _ payload: [UInt8]) {
        (self.kind, self.payload) = (kind, payload)
    }

    /// The frame as it is sent.
    package var bytes: [UInt8] { Self.header(kind, payloadSize: payload.count) + payload }

    /// The bytes before a payload.
    static func header(_ kind: Kind, payloadSize: Int) -> [UInt8] {
        var bytes = Array(kind.rawValue.utf8)
        bytes.append(UInt32(payloadSize))
        return bytes
    }

    /// The most bytes of a frame of some kind: more is a violation of the protocol.
    package static func mostBytes(of kind: Kind) -> Int {
        switch kind {
        case .greeting: 1 << 12
        case .open: 1 << 20
        case .page: 1 << 24
        case .draw: DrawRequest.size
        case .pixels: PagePixels.headerSize + DrawRequest.mostPixels * PagePixels.bytesPerPixel
        case .failure: 1 << 16
        }
    }
}

extension Frame {
    /// A frame whose bytes are JSON.
    package init(_ kind: Kind, describing value: some Encodable) throws {
        self.init(kind, Array(try JSONEncoder().encode(value)))
    }

    /// What the JSON of a frame says.
    ///
    /// - Throws: `FrameChannel.Trouble.strange` if it is not of the type.
    package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(FrameChannel.Trouble)
        -> Value
    {
        do { return try JSONDecoder().decode(type, from: Data(payload)) } catch { throw .strange }
    }
}

/// What a renderer says first.
package struct RendererGreeting: Hashable, Codable, Sendable {
    /// The version of the protocol, `Frame.version`.
    package var version: Int
    /// The libraries that decide pixels, with their versions: `poppler 22.12.0, cairo 1.16.0, librsvg 2.54.7`.
    package var libraries: String

    /// Makes a greeting.
    package init(version: Int, libraries: String) { (self.version, self.libraries) = (version, libraries) }
}

/// Why a request cannot be met.
package struct RendererFailure: Error, Hashable, Codable, Sendable {
    /// What kind of reason it is.
    package enum Cause: String, Codable, Sendable {
        /// The document is damaged, or is of another type.
        case damaged
        /// The document is encrypted, and no password or another was given.
        case encrypted
        /// There is no such page.
        case noPage
        /// There is no such layer.
        case noLayer
        /// It takes more memory than is allowed.
        case memory
        /// The request is not of the protocol.
        case request
    }

    /// What kind of reason it is.
    package var cause: Cause
    /// A clause for people, in lower case, without a full stop.
    package var reason: String

    /// Makes a failure.
    package init(_ cause: Cause, _ reason: String) { (self.cause, self.reason) = (cause, reason) }
}

/// Reads numbers of fixed size, the lowest byte first.
struct ByteReader {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The next number; nil if there are too few bytes.
    mutating func uint32() -> UInt32? { next(4).map(UInt32.init(truncatingIfNeeded:)) }

    /// The next number; nil if there are too few bytes, or if they are not a finite number.
    mutating func finiteDouble() -> Double? {
        next(8).map(Double.init(bitPattern:)).flatMap { $0.isFinite ? $0 : nil }
    }

    private mutating func next(_ count: Int) -> UInt64? {
        guard bytes.count >= count else { return nil }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension [UInt8] {
    /// Adds a number, the lowest byte first.
    mutating func append(_ value: UInt32) {
        for shift in stride(from: 0, to: 32, by: 8) {
            append(UInt8(truncatingIfNeeded: value >> UInt32(shift)))
        }
    }

    /// Adds a number, the lowest byte first.
    mutating func append(_ value: Double) {
        for shift in stride(from: 0, to: 64, by: 8) {
            append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(shift)))
        }
    }
}
