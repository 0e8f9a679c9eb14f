/// Another source with one of its colours made transparent.
package final class NodataSource: RasterSource {
    /// A colour, and how far a pixel may be from it.
    package struct Color: Hashable, Sendable {
        /// Red, green and blue.
        package var channels: [UInt8]
        /// The largest difference in any channel that still counts as the colour.
        package var tolerance: Int

        /// Makes a colour of three channels.
        package init(red: UInt8, green: UInt8, blue: UInt8, tolerance: Int) {
            channels = [red, green, blue]
            self.tolerance = tolerance
        }
    }

    /// The other source's description; the pixels are RGBA.
    package let info: RasterInfo

    private let base: any RasterSource
    private let color: Color
    private let line: UnsafeMutableBufferPointer<UInt8>

    /// Makes a source.
    package init(_ base: any RasterSource, nodata color: Color) {
        self.base = base
        self.color = color
        var info = base.info
        info.pixelFormat = .rgba8
        // A colour can be told from another only where pixels have not been mixed.
        info.reductions = []
        self.info = info
        line = .allocate(capacity: base.info.width * base.info.pixelFormat.bytesPerPixel)
    }

    deinit {
        line.deallocate()
    }

    /// Decodes the next rows; see `RasterSource`.
    package func readRows(_ count: Int, into destination: UnsafeMutableRawPointer, stride: Int)
        throws
    {
        guard let address = line.baseAddress else { return }
        for row in 0..<count {
            try base.readRows(1, into: address, stride: line.count)
            let pixels = (destination + row * stride).assumingMemoryBound(to: UInt8.self)
            for column in 0..<info.width { convert(column, into: pixels + 4 * column) }
        }
    }

    private func convert(_ column: Int, into pixel: UnsafeMutablePointer<UInt8>) {
        let samples = base.info.pixelFormat.bytesPerPixel
        let first = column * samples
        let isGray = base.info.pixelFormat == .gray8
        var isNodata = true
        for channel in 0..<3 {
            let value = line[isGray ? first : first + channel]
            pixel[channel] = value
            let difference = abs(Int(value) - Int(color.channels[channel]))
            isNodata = isNodata && difference <= color.tolerance
        }
        pixel[3] = isNodata ? 0 : samples == 4 ? line[first + 3] : 255
    }
}
