package import Raster
package import Tiling

/// Counts the colours of tiles in place of encoding them, for one worker.
package final class ColorCensus: TileEncoder {
    private var histogram = ColorHistogram()

    /// A census of no tiles.
    package init() {}

    /// Takes in what another has counted.
    package func merge(_ other: ColorCensus) { histogram.merge(other.histogram) }

    /// What has been counted, as bytes that depend on nothing else.
    package var bytes: [UInt8] { histogram.bytes }

    /// Takes in what another has counted, as its `bytes`.
    ///
    /// - Returns: whether they are such.
    package func merge(_ bytes: [UInt8]) -> Bool {
        guard let other = ColorHistogram(bytes: bytes) else { return false }
        histogram.merge(other)
        return true
    }

    /// The palette of at most `size` colours, 2 to 256, for all tiles; nil if they have no more than
    /// `size` colours.
    package func palette(size: Int) throws -> Palette? {
        try PaletteQuantizer.palette(of: histogram, size: size)
    }

    /// Counts the pixels; there is nothing to write.
    package func encode(_ pixels: TilePixels) throws -> [UInt8] {
        histogram.add(pixels.bytes)
        return []
    }
}

/// The censuses of a build's workers.
package struct CensusParts {
    private var parts: [ColorCensus] = []

    /// None yet.
    package init() {}

    /// Makes the census of one more worker.
    package mutating func make() -> ColorCensus {
        let part = ColorCensus()
        parts.append(part)
        return part
    }

    /// What all of them have counted, once they are done.
    package func sum() -> ColorCensus {
        guard let first = parts.first else { return ColorCensus() }
        for part in parts.dropFirst() { first.merge(part) }
        return first
    }
}

/// Takes tiles that are only counted: no tile is left out because it was staged before, so that a
/// resumed run finds the palette that it began with.
package struct CensusSink: TileSink {
    /// Makes a sink.
    package init() {}

    /// None.
    package var staged: Set<TileCoordinate> { [] }

    /// Does nothing.
    package mutating func write(_ tile: EncodedTile) {}
}
