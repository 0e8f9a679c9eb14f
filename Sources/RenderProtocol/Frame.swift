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

    /// The version of the protocol. It is raised when a program and a renderer of before and after a change would
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

    /// The frame as it stands on the pipe.
    package var bytes: [UInt8] {
        var bytes = Array(kind.rawValue.utf8)
        bytes.append(UInt32(payload.count))
        return bytes + payload
    }

    /// The most bytes of a frame of some kind: who gets more talks to something else.
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
