import Foundation

#if canImport(ImageIO)
    public import CoreGraphics
    import ImageIO
#endif

/// The part of one of the last tiles that a tile at a higher zoom shows.
struct TilePart: Hashable, Sendable {
    /// The tile that has the part. The part is 1/2^steps of the tile wide and high, and the x-th and y-th
    /// from the north-west.
    let zoom, column, row, steps, x, y: Int

    /// Where a tile's pixels come from: at the last zoom or below, from the whole tile itself.
    init(zoom: Int, column: Int, row: Int, lastZoom: Int) {
        steps = max(0, zoom - lastZoom)
        (self.zoom, self.column, self.row) = (zoom - steps, column >> steps, row >> steps)
        (x, y) = (column - self.column << steps, row - self.row << steps)
    }
}

#if canImport(ImageIO)
    extension TileArchive {
        /// The picture of a tile, beyond the last zoom and up to another one an enlarged part of one of the
        /// last tiles. Nil if there is none and none will come; throws a `TileError` if there is no answer now.
        @concurrent public func picture(zoom: Int, column: Int, row: Int, enlargedTo end: Int)
            async throws -> CGImage?
        {
            guard zoom <= end else { return nil }
            let part = TilePart(zoom: zoom, column: column, row: row, lastZoom: zooms.upperBound)
            return try part.picture(of: await tile(zoom: part.zoom, column: part.column, row: part.row))
        }

        /// The picture of a tile in the app, read at once.
        public func pictureNow(zoom: Int, column: Int, row: Int, enlargedTo end: Int) throws -> CGImage? {
            guard zoom <= end else { return nil }
            let part = TilePart(zoom: zoom, column: column, row: row, lastZoom: zooms.upperBound)
            return try part.picture(of: tileNow(zoom: part.zoom, column: part.column, row: part.row))
        }
    }

    extension TilePart {
        /// Throws a `TileError` if the tile cannot be decoded.
        fileprivate func picture(of tile: Tile) throws -> CGImage? {
            guard case .picture(let file) = tile else { return nil }
            if let source = CGImageSourceCreateWithData(file as CFData, nil),
                let whole = CGImageSourceCreateImageAtIndex(source, 0, nil),
                let picture = steps == 0 ? whole : enlarged(whole)
            {
                return picture
            }
            throw TileError(.noPicture, "tile \(zoom)/\(column)/\(row) cannot be decoded")
        }

        private func enlarged(_ picture: CGImage) -> CGImage? {
            let (width, height, count) = (picture.width, picture.height, 1 << steps)
            guard let space = CGColorSpace(name: CGColorSpace.sRGB),
                let context = CGContext(
                    data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
                    space: space, bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
            else { return nil }
            context.interpolationQuality = .high
            // The context is a window on the whole picture, so that pixels beyond the part are used at its
            // edges. It counts rows from the south.
            let (left, bottom) = (-x * width, -(count - 1 - y) * height)
            context.draw(
                picture, in: CGRect(x: left, y: bottom, width: count * width, height: count * height))
            return context.makeImage()
        }
    }
#endif
