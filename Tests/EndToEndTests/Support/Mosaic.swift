import Foundation

/// The tiles of one zoom of a tree, put together.
struct Mosaic {
    /// The pixels; transparent if a tile is missing.
    let picture: Picture
    /// The pixel of the zoom's matrix that is the picture's first.
    let origin: (column: Int, row: Int)
    /// Columns and rows of the tiles that are there.
    let tiles: Set<[Int]>

    /// Reads all tiles of a zoom that have names of a form.
    ///
    /// - Parameter form: a name with `Z`, `X` and `Y` for the numbers.
    init(
        of tree: URL, zoom: Int, tileSize: Int = 256, form: String = "Z/X/Y.png"
    ) throws {
        let pattern = NSRegularExpression.escapedPattern(for: form)
            .replacing("Z", with: "\(zoom)")
            .replacing("X", with: "([0-9]+)").replacing("Y", with: "([0-9]+)")
        let names = try NSRegularExpression(pattern: "^\(pattern)$")
        var tiles: [[Int]: Picture] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: tree.path) {
            let range = NSRange(path.startIndex..., in: path)
            guard let match = names.firstMatch(in: path, range: range),
                let column = Range(match.range(at: 1), in: path).flatMap({ Int(path[$0]) }),
                let row = Range(match.range(at: 2), in: path).flatMap({ Int(path[$0]) })
            else { continue }
            tiles[[column, row]] = try Picture(contentsOf: tree.appending(path: path).path)
        }
        self.init(tiles, tileSize: tileSize)
    }

    /// Takes a picture of a part of the zoom's matrix, such as a browser's.
    init(picture: Picture, origin: (column: Int, row: Int)) {
        (self.picture, self.origin, tiles) = (picture, origin, [])
    }

    private init(_ pictures: [[Int]: Picture], tileSize size: Int) {
        tiles = Set(pictures.keys)
        let (columns, rows) = (pictures.keys.map { $0[0] }, pictures.keys.map { $0[1] })
        let (left, top) = (columns.min() ?? 0, rows.min() ?? 0)
        origin = (left * size, top * size)
        var mosaic = Picture(
            width: ((columns.max() ?? -1) - left + 1) * size,
            height: ((rows.max() ?? -1) - top + 1) * size)
        for (address, tile) in pictures {
            precondition(tile.width == size && tile.height == size, "tiles have the size asked for")
            for row in 0..<size {
                let start = ((address[1] - top) * size + row) * mosaic.width
                let index = (start + (address[0] - left) * size) * 4
                mosaic.rgba.replaceSubrange(
                    index..<index + size * 4, with: tile.rgba[row * size * 4..<(row + 1) * size * 4]
                )
            }
        }
        picture = mosaic
    }

    /// The same pixels of the zoom's matrix as another mosaic shows.
    func picture(like other: Mosaic) -> Picture {
        let left = other.origin.column - origin.column
        let top = other.origin.row - origin.row
        return picture.part(left..<left + other.picture.width, top..<top + other.picture.height)
    }
}
