import Foundation
import Testing

/// Luma and chroma as another decoder wrote them, in the format of yuv4mpeg2.
struct PlanarImage {
    private var width = 0
    private var height = 0
    private var bits = 8
    private var isFull = false
    private var (shiftX, shiftY) = (0, 0)
    /// One plane of gray, or three.
    private var planes: [[Double]] = []

    /// Reads a file of one frame.
    init(_ data: Data) throws {
        let bytes = Array(data)
        let end = try #require(bytes.firstIndex(of: 10))
        let fields = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
        func field(_ letter: Character) -> String {
            fields.first { $0.first == letter }.map { String($0.dropFirst()) } ?? ""
        }
        (width, height) = (try #require(Int(field("W"))), try #require(Int(field("H"))))
        let form = field("C")
        isFull = fields.contains("XCOLORRANGE=FULL")
        bits = form.contains("p10") || form == "mono10" ? 10 : form.contains("p12") ? 12 : 8
        (shiftX, shiftY) = form.hasPrefix("420") ? (1, 1) : form.hasPrefix("422") ? (1, 0) : (0, 0)
        var next = end + 1 + "FRAME\n".utf8.count
        for plane in 0..<(form.hasPrefix("mono") ? 1 : 3) {
            let count = plane == 0 ? width * height : chromaWidth * chromaHeight
            planes.append(
                (0..<count).map {
                    bits == 8
                        ? Double(bytes[next + $0])
                        : Double(Int(bytes[next + 2 * $0]) | Int(bytes[next + 2 * $0 + 1]) << 8)
                })
            next += count * (bits == 8 ? 1 : 2)
        }
        #expect(next == bytes.count)
    }

    private var chromaWidth: Int { (width + shiftX) >> shiftX }
    private var chromaHeight: Int { (height + shiftY) >> shiftY }

    /// The exact colours in levels of 0 to 255, by the equations of ITU-T H.273, 8.3; chroma between samples is
    /// interpolated, each in the middle of the pixels that it stands for.
    ///
    /// - Parameter weights: what red and blue add to luma; nil if the planes are green, blue and red.
    func levels(weights: (red: Double, blue: Double)?) -> [Double] {
        let unit = Double(1 << (bits - 8))
        let largest = Double(1 << bits) - 1
        let (black, range) = isFull ? (0, largest) : (16 * unit, 219 * unit)
        let chromaRange = isFull ? largest : 224 * unit
        return (0..<width * height).flatMap { index in
            let luma = (planes[0][index] - black) / range
            guard planes.count == 3 else { return [Self.level(luma)] }
            let (x, y) = (index % width, index / width)
            guard let weights else {
                let others = [1, 2].map { (chroma($0, x, y) - black) / range }
                return [others[1], luma, others[0]].map(Self.level)
            }
            let blue = (chroma(1, x, y) - 128 * unit) / chromaRange
            let red = (chroma(2, x, y) - 128 * unit) / chromaRange
            let r = luma + 2 * (1 - weights.red) * red
            let b = luma + 2 * (1 - weights.blue) * blue
            let g = (luma - weights.red * r - weights.blue * b) / (1 - weights.red - weights.blue)
            return [r, g, b].map(Self.level)
        }
    }

    private static func level(_ value: Double) -> Double { min(max(value, 0), 1) * 255 }

    private func chroma(_ plane: Int, _ x: Int, _ y: Int) -> Double {
        let columns = Self.neighbours(x, shift: shiftX, count: chromaWidth)
        let rows = Self.neighbours(y, shift: shiftY, count: chromaHeight)
        func row(_ row: Int) -> Double {
            0.75 * planes[plane][row * chromaWidth + columns.near]
                + 0.25 * planes[plane][row * chromaWidth + columns.far]
        }
        return 0.75 * row(rows.near) + 0.25 * row(rows.far)
    }

    private static func neighbours(_ place: Int, shift: Int, count: Int) -> (near: Int, far: Int) {
        if shift == 0 { return (place, place) }
        let near = place / 2
        return (near, min(max(place % 2 == 0 ? near - 1 : near + 1, 0), count - 1))
    }
}
