import Foundation
import Georeferencing

extension GeoTIFFTags {
    /// The tags of the first image in a little-endian classic TIFF, as GDAL writes it.
    init(ofTIFF path: String) throws {
        let bytes = try Data(contentsOf: URL(filePath: path))
        func number(_ offset: Int, _ size: Int) -> Int {
            bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let sizes = [2: 1, 3: 2, 12: 8]
        var found: [Int: [Data]] = [:]
        let directory = number(4, 4)
        for entry in 0..<number(directory, 2) {
            let start = directory + 2 + 12 * entry
            let (tag, type, count) = (
                number(start, 2), number(start + 2, 2), number(start + 4, 4)
            )
            guard let size = sizes[type] else { continue }
            let data = size * count <= 4 ? start + 8 : number(start + 8, 4)
            found[tag] = (0..<count).map { bytes[data + $0 * size..<data + ($0 + 1) * size] }
        }
        func doubles(_ tag: Int) -> [Double] {
            (found[tag] ?? []).map { value in
                Double(bitPattern: value.reversed().reduce(0) { $0 << 8 | UInt64($1) })
            }
        }
        self.init(
            pixelScale: doubles(33550), tiepoints: doubles(33922), transformation: doubles(34264),
            keyDirectory: (found[34735] ?? []).map {
                $0.reversed().reduce(0) { $0 << 8 | UInt16($1) }
            },
            doubleParameters: doubles(34736),
            asciiParameters: String(
                String.UnicodeScalarView(
                    (found[34737] ?? []).joined().filter { $0 != 0 }.map(Unicode.Scalar.init))))
    }
}
