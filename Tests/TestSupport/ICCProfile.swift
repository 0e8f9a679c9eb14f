/// Small ICC profiles, byte by byte from the specification (ICC.1:2010).
package struct ICCProfile {
    /// The function from a channel's values to light.
    package enum Curve {
        /// A power, stored as a multiple of 1/256.
        case gamma(Double)
        /// IEC 61966-2-1.
        case srgb
    }

    /// The profile.
    package let bytes: [UInt8]

    /// The profile of a screen: CIE XYZ of its primaries under D50, and a curve.
    package static func screen(_ name: String, primaries: [[Double]], curve: Curve) -> ICCProfile {
        let columns = zip(["rXYZ", "gXYZ", "bXYZ"], primaries).map { ($0, xyz($1)) }
        let curves = ["rTRC", "gTRC", "bTRC"].map { ($0, bytes(of: curve)) }
        return ICCProfile(
            class: "mntr", space: "RGB ", pcs: "XYZ ",
            tags: [("desc", description(name)), ("wtpt", xyz(d50))] + columns + curves)
    }

    /// The profile of a gray scale.
    package static func gray(_ name: String, curve: Curve) -> ICCProfile {
        ICCProfile(
            class: "mntr", space: "GRAY", pcs: "XYZ ",
            tags: [
                ("desc", description(name)), ("wtpt", xyz(d50)), ("kTRC", bytes(of: curve)),
            ])
    }

    /// A profile of four inks, each with two values, and linear between them: lut8Type on a grid of two.
    ///
    /// Perceptual and relative colorimetric are the same.
    ///
    /// - Parameter lab: CIE L*a*b* of a combination of cyan, magenta, yellow and black.
    package static func inks(
        _ name: String, deviceClass: String = "scnr", lab: ([Bool]) -> [Double]
    ) -> ICCProfile {
        let ramp = (0...255).map(UInt8.init)
        let nodes = (0..<16).flatMap { node in
            let color = lab((0..<4).map { node >> (3 - $0) & 1 == 1 })
            return [color[0] * 2.55, color[1] + 128, color[2] + 128].map { UInt8($0.rounded()) }
        }
        let identity = [1.0, 0, 0, 0, 1, 0, 0, 0, 1].flatMap(fixed)
        let table =
            Array("mft1".utf8) + [0, 0, 0, 0, 4, 3, 2, 0] + identity
            + (0..<4).flatMap { _ in ramp } + nodes + (0..<3).flatMap { _ in ramp }
        return ICCProfile(
            class: deviceClass, space: "CMYK", pcs: "Lab ",
            tags: [
                ("desc", description(name)), ("wtpt", xyz(d50)), ("A2B0", table), ("A2B1", table),
            ])
    }

    /// Display P3 by its published numbers.
    package static let displayP3 = screen(
        "Display P3",
        primaries: [
            [0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407],
        ], curve: .srgb)

    /// Adobe RGB (1998) by its published numbers.
    package static let adobeRGB = screen(
        "Compatible with Adobe RGB",
        primaries: [
            [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
        ], curve: .gamma(563.0 / 256))

    /// ProPhoto RGB by its published numbers.
    package static let proPhoto = screen(
        "ProPhoto RGB",
        primaries: [[0.79767, 0.28804, 0], [0.13519, 0.71188, 0], [0.03134, 0.00009, 0.82491]],
        curve: .gamma(1.8))

    /// sRGB by its published numbers.
    package static let srgb = screen(
        "sRGB",
        primaries: [
            [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410],
        ], curve: .srgb)

    /// A profile of any tags, aligned to multiples of four.
    package init(
        class deviceClass: String, space: String, pcs: String, tags: [(String, [UInt8])]
    ) {
        var (table, data) = (Self.big(tags.count), [UInt8]())
        for (name, content) in tags {
            table += Array(name.utf8) + Self.big(132 + 12 * tags.count + data.count)
            table += Self.big(content.count)
            data += content + [UInt8](repeating: 0, count: -content.count & 3)
        }
        let zeros = { [UInt8](repeating: 0, count: $0) }
        var header = Self.big(128 + table.count + data.count) + zeros(4) + [2, 0x40, 0, 0]
        header += Array((deviceClass + space + pcs).utf8) + zeros(12) + Array("acsp".utf8)
        header += zeros(28) + Self.d50.flatMap(Self.fixed) + zeros(48)
        bytes = header + table + data
    }

    /// The same profile with one more tag.
    package func adding(_ name: String, _ content: [UInt8]) -> ICCProfile {
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        func text(_ place: Int) -> String { String(decoding: bytes[place..<place + 4], as: UTF8.self) }
        let tags = (0..<number(128)).map { index in
            let entry = 132 + 12 * index
            let start = number(entry + 4)
            return (text(entry), Array(bytes[start..<start + number(entry + 8)]))
        }
        return ICCProfile(
            class: text(12), space: text(16), pcs: text(20), tags: tags + [(name, content)])
    }

    /// Any bytes, even invalid ones.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    private static let d50 = [0.9642, 1, 0.8249]

    private static func big(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// s15Fixed16Number.
    private static func fixed(_ value: Double) -> [UInt8] { big(Int((value * 65536).rounded())) }

    private static func xyz(_ value: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + big(0) + value.flatMap(fixed)
    }

    /// textDescriptionType; its parts for other scripts are empty.
    private static func description(_ text: String) -> [UInt8] {
        Array("desc".utf8) + big(0) + big(text.utf8.count + 1) + Array(text.utf8) + [0]
            + [UInt8](repeating: 0, count: 78)
    }

    private static func bytes(of curve: Curve) -> [UInt8] {
        switch curve {
        case .gamma(let exponent):
            let steps = Int((exponent * 256).rounded())
            return Array("curv".utf8) + big(0) + big(1) + [UInt8(steps >> 8), UInt8(steps & 255)]
        case .srgb:
            let numbers = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
            return Array("para".utf8) + big(0) + [0, 3, 0, 0] + numbers.flatMap(fixed)
        }
    }
}
