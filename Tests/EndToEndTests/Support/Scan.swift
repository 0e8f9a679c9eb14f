import TestSupport

/// A TIFF of several pages, uncompressed.
struct Scan {
    private var builder: TIFFBuilder

    /// Takes opaque pictures, one for each page.
    init(_ pages: [Picture]) {
        var builders: [TIFFBuilder] = []
        var data: [UInt8] = []
        for page in pages {
            let samples = page.rgba.enumerated().filter { $0.offset % 4 < 3 }.map(\.element)
            var builder = TIFFBuilder(width: page.width, height: page.height, data: samples)
            builder.setSamples(3, photometric: 2)
            builder.set(273, .long, [8 + data.count])
            data += samples
            builders.append(builder)
        }
        builder = builders[0]
        builder.data = data
        builder.others = builders.dropFirst().map(\.fields)
    }

    /// The file.
    var bytes: [UInt8] { builder.bytes }
}
