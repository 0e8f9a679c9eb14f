/// The brands that a file of the ISO base media format says it is of: the box `ftyp` (ISO/IEC 14496-12, 4.3).
struct HEIFBrands {
    /// The major brand, then those that it is compatible with.
    private let brands: [String]

    /// Reads the brands in a file's first bytes; nil if it has none.
    init?(_ head: [UInt8]) {
        guard head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) else { return nil }
        let size = head[0..<4].reduce(0) { $0 << 8 | Int($1) }
        // Behind the major brand stands a version.
        let compatible = stride(from: 16, to: min(size, head.count) - 3, by: 4)
        brands = ([8] + compatible).map { String(decoding: head[$0..<$0 + 4], as: UTF8.self) }
    }

    /// Whether it is an AVIF image or sequence.
    var isAVIF: Bool { !Self.heic.contains(brands[0]) && brands.contains { Self.avif.contains($0) } }

    /// Whether it is an image or a sequence of another coding, most likely HEVC.
    var isHEIC: Bool { !isAVIF && brands.contains { Self.heic.contains($0) || Self.any.contains($0) } }

    private static let avif: Set = ["avif", "avis", "avio"]
    private static let heic: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
    /// Of images and sequences, whatever their coding.
    private static let any: Set = ["mif1", "mif2", "mif3", "msf1", "miaf"]
}
