import RenderProtocol

/// Pixels as red, green, blue and alpha, colours multiplied by alpha.
struct DrawnWindow: Equatable {
    /// How the renderer sent them.
    let form: PagePixels.Form
    /// Columns.
    let width: Int
    /// Rows.
    let height: Int
    /// Blue, green, red, alpha of each pixel, row by row.
    private let bytes: [UInt8]

    /// Unpacks an answer.
    init(_ pixels: PagePixels, width: Int, height: Int) {
        (form, self.width, self.height) = (pixels.form, width, height)
        let sent = Array(pixels.payload[PagePixels.headerSize...])
        bytes =
            switch pixels.form {
            case .transparent: [UInt8](repeating: 0, count: width * height * 4)
            case .uniform: (0..<width * height).flatMap { _ in sent }
            case .all: sent
            }
    }

    /// A pixel: red, green, blue, alpha.
    subscript(column: Int, row: Int) -> [Int] {
        let start = (row * width + column) * 4
        return [2, 1, 0, 3].map { Int(bytes[start + $0]) }
    }

    /// A pixel over white: red, green, blue.
    func onWhite(_ column: Int, _ row: Int) -> [Int] {
        let pixel = self[column, row]
        return pixel[..<3].map { $0 + 255 - pixel[3] }
    }

    /// The sum of all alphas, in pixels.
    var ink: Double {
        Double(stride(from: 3, to: bytes.count, by: 4).reduce(0) { $0 + Int(bytes[$1]) }) / 255
    }
}
