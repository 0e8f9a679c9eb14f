package import Tiling

/// What an image is that has no pixels of its own: a page of a document, drawn for whatever grid is asked for.
package struct PageInfo: Hashable, Sendable {
    /// A layer of the document.
    package struct Layer: Hashable, Sendable {
        /// Its name.
        package var name: String
        /// Whether it is shown.
        package var isShown: Bool

        /// Describes a layer.
        package init(_ name: String, isShown: Bool) { (self.name, self.isShown) = (name, isShown) }
    }

    /// Columns and rows of the image, which need be no whole numbers: the page's edges cut the last ones.
    package var size: Point
    /// Width and height of the page in millimetres.
    package var millimetres: Point
    /// Pixels to the inch in which places of the image are counted.
    package var resolution: Double
    /// Columns and rows of the picture, if the page is nothing but one.
    package var picture: Point?
    /// The layers of the document.
    package var layers: [Layer] = []
    /// The colour of the sheet, if the page paints all of itself in one colour first.
    package var sheetColor: RGBColor?

    /// Describes a page.
    package init(size: Point, millimetres: Point, resolution: Double) {
        (self.size, self.millimetres, self.resolution) = (size, millimetres, resolution)
    }
}
