import Raster

/// Tag 42112, in which GDAL writes down what it knows of a TIFF: `<Item name="SCALE" sample="0" role="scale">0.1</Item>`.
struct GDALMetadata {
    /// The tag.
    static let tag: UInt32 = 42112

    private var factors: [Int: Double] = [:]
    private var offsets: [Int: Double] = [:]

    /// Reads the text of the tag; nil if the file has none.
    init(_ text: String?) {
        // GDAL writes each item so; what another program wrote in other ways is left out.
        let item = /<Item\b([^<>]*)>([^<>]*)<\/Item>/
        for match in (text ?? "").matches(of: item) {
            guard let sample = match.1.firstMatch(of: /\bsample="([0-9]+)"/).flatMap({ Int($0.1) }),
                let role = match.1.firstMatch(of: /\brole="([a-z]+)"/)?.1, let value = Double(match.2)
            else { continue }
            if role == "scale" { factors[sample] = value }
            if role == "offset" { offsets[sample] = value }
        }
    }

    /// What some samples stand for, counted from 0; the identity if they differ.
    func scale(of samples: [Int]) -> SampleScale {
        let all = Set(
            samples.map { SampleScale(factor: factors[$0] ?? 1, offset: offsets[$0] ?? 0) ?? .identity })
        return all.count == 1 ? all.first ?? .identity : .identity
    }
}
