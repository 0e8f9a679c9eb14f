import Diagnostics

/// The bands that somebody asks for: one is gray, three are red, green and blue, one more is alpha.
enum BandList {
    /// Fails where there is no such list of the bands of an image.
    static func check(_ bands: [Int], of count: Int, path: String) throws {
        if 1...4 ~= bands.count, bands.allSatisfy({ 1...count ~= $0 }) { return }
        throw Failure(
            .usage,
            "cannot take bands \(bands.map(String.init).joined(separator: ",")) of '\(path)': it "
                + "has \(count)",
            remedy: "one band is gray, three are red, green and blue, and one more is alpha")
    }
}
