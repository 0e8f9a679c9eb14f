/// The pixels of a window, as an answer brings them: red, green, blue and alpha of 8 bits in the order of cairo's
/// ARGB32 on a little-endian machine (blue, green, red, alpha), colours multiplied by alpha, rows without gaps.
package struct PagePixels: Hashable, Sendable {
    /// How much is sent.
    package enum Form: UInt32, Sendable {
        /// Nothing: all pixels are transparent.
        case transparent = 0
        /// One pixel, which stands for all.
        case uniform = 1
        /// All pixels.
        case all = 2
    }

    /// Bytes before the pixels: the form.
    package static let headerSize = 4
    /// Bytes of a pixel.
    package static let bytesPerPixel = 4

    /// How much is sent.
    package var form: Form
    /// The frame's payload, in which the pixels begin after `headerSize` bytes.
    package var payload: [UInt8]

    /// Reads the bytes of a frame; nil if they are not the pixels of so large a window.
    package init?(_ payload: [UInt8], pixels: Int) {
        var reader = ByteReader(payload[...])
        guard let form = reader.uint32().flatMap(Form.init) else { return nil }
        let count =
            switch form {
            case .transparent: 0
            case .uniform: 1
            case .all: pixels
            }
        guard payload.count == Self.headerSize + count * Self.bytesPerPixel else { return nil }
        (self.form, self.payload) = (form, payload)
    }

    /// The bytes before the pixels.
    package static func header(_ form: Form) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(form.rawValue)
        return bytes
    }
}
