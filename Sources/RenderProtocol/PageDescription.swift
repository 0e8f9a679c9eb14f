/// A request to open a page of a document.
package struct OpenRequest: Hashable, Codable, Sendable {
    /// The type of a document.
    package enum DocumentType: String, Codable, Sendable {
        /// PDF.
        case pdf
        /// SVG, perhaps compressed by gzip.
        case svg
    }

    /// The type of the document.
    package var type: DocumentType
    /// The page, counted from 1.
    package var page: Int
    /// The names of the layers to show; nil for those that the document shows by default.
    package var layers: [String]?
    /// The password of an encrypted document.
    package var password: String?
    /// The maximum number of bytes of memory for the renderer.
    package var memory: Int
    /// The maximum number of seconds of CPU time for each response.
    package var seconds: Int
    /// Whether the description lists all pages of the document; nil for no.
    package var listsPages: Bool?

    /// Makes a request for a page.
    package init(
        _ type: DocumentType, page: Int, layers: [String]? = nil, password: String? = nil, memory: Int,
        seconds: Int
    ) {
        self.type = type
        self.page = page
        self.layers = layers
        self.password = password
        self.memory = memory
        self.seconds = seconds
    }
}

/// A page of a document, as its renderer describes it.
///
/// Points are 72 per inch, from the top left corner of the visible page, after cropping and turning.
package struct PageDescription: Hashable, Codable, Sendable {
    /// The number of pages of the document.
    package var pageCount: Int
    /// The width of the page in points.
    package var width: Double
    /// The height of the page in points.
    package var height: Double
    /// The pixels per inch of the document's units: 96 for an SVG without units; nil if it has none.
    package var resolution: Double?
    /// The picture, if the page consists only of a picture.
    package var picture: Picture?
    /// The colour of the paper, if the page first fills itself with one colour: red, green, blue from 0 to
    /// 255.
    package var sheetColor: [Int]?
    /// Whether the page is drawn correctly only by matrices without rotation.
    package var staysUpright: Bool?
    /// All layers of the document.
    package var layers: [Layer]
    /// Fonts that the page uses but the document does not contain; they are replaced by others.
    package var missingFonts: [String]
    /// Other warnings for the user, one clause each.
    package var warnings: [String]
    /// The positions on the Earth that the page states.
    package var viewports: [GeospatialViewport]
    /// From the units of the document, which viewports use, to points: a, b, c, d, e, f of x' = a x + b y +
    /// c, y' = d x + e y + f.
    package var pointsFromUnits: [Double]
    /// The pages of the document from the first one on, at most 10 000, if the request asks for them. An SVG
    /// has no list.
    package var pages: [Entry]?

    /// A page in the list of all pages.
    package struct Entry: Hashable, Codable, Sendable {
        /// Its width in points.
        package var width: Double
        /// Its height in points.
        package var height: Double
        /// The label that the document gives the page; nil if it is only the page's number.
        package var label: String?
        /// The title of the first bookmark that leads to the page.
        package var bookmark: String?

        /// Describes a page.
        package init(width: Double, height: Double, label: String? = nil, bookmark: String? = nil) {
            (self.width, self.height, self.label, self.bookmark) = (width, height, label, bookmark)
        }
    }

    /// A picture that is the whole content of a page.
    package struct Picture: Hashable, Codable, Sendable {
        /// Its columns.
        package var columns: Int
        /// Its rows.
        package var rows: Int
        /// Its horizontal pixels per inch of the page.
        package var resolution: Double

        /// Describes a picture.
        package init(columns: Int, rows: Int, resolution: Double) {
            (self.columns, self.rows, self.resolution) = (columns, rows, resolution)
        }
    }

    /// A layer of a document.
    package struct Layer: Hashable, Codable, Sendable {
        /// Its name.
        package var name: String
        /// Whether it is shown.
        package var isShown: Bool

        /// Describes a layer.
        package init(name: String, isShown: Bool) { (self.name, self.isShown) = (name, isShown) }
    }

    /// Describes a page that has only a size.
    package init(pageCount: Int, width: Double, height: Double) {
        self.pageCount = pageCount
        (self.width, self.height) = (width, height)
        (layers, missingFonts, warnings, viewports) = ([], [], [], [])
        pointsFromUnits = [1, 0, 0, 0, 1, 0]
    }
}

/// A part of a page with its position on the Earth, as in the document: nothing is checked yet.
package struct GeospatialViewport: Hashable, Codable, Sendable {
    /// The form in which it states its position.
    package enum Form: String, Codable, Sendable {
        /// ISO 32000-2, 12.10: a viewport with a measure.
        case measure
        /// OGC 08-139: an LGIDict, of older maps.
        case lgi
    }

    /// The form in which it states its position.
    package var form: Form
    /// The name of the viewport, if it has one.
    package var name: String?
    /// For a measure: the viewport's `BBox` in units of the document.
    package var box: [Double]?
    /// For a measure: the neatline `Bounds`, pairs in the unit square of the box.
    package var bounds: [Double]?
    /// For a measure: `GPTS`, latitude and longitude in degrees, or y and x of the system.
    package var groundPoints: [Double]?
    /// For a measure: `LPTS`, pairs in the unit square of the box.
    package var boxPoints: [Double]?
    /// For a measure: the `Type` of its `GCS`, `GEOGCS` or `PROJCS`.
    package var systemType: String?
    /// For a measure: the number of its `GCS`.
    package var epsg: Int?
    /// For a measure: the text of its `GCS`.
    package var wkt: String?
    /// For an LGIDict: its `CTM`, from units of the document to coordinates.
    package var matrix: [Double]?
    /// For an LGIDict: its `Neatline`, pairs in units of the document.
    package var neatline: [Double]?
    /// For an LGIDict: `Registration`, rows of x, y in units of the document and x, y in coordinates.
    package var registration: [[Double]]?
    /// For an LGIDict: its `Projection`, with entries as text; entries of a nested dictionary have its name
    /// and a dot before theirs: `ProjectionType`, `Datum`, `Datum.Ellipsoid`, `CentralMeridian`.
    package var projection: [String: String]?

    /// Describes a part without any values.
    package init(_ form: Form) { self.form = form }
}
