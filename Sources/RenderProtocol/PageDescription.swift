/// A request to open a page of a document.
package struct OpenRequest: Hashable, Codable, Sendable {
    /// The type of a document.
    package enum DocumentType: String, Codable, Sendable {
        /// PDF.
        case pdf
        /// SVG, also compressed by gzip.
        case svg
    }

    /// The type of the document.
    package var type: DocumentType
    /// The page, counted from 1.
    package var page: Int
    /// The layers that are shown, by name; nil for those that the document shows.
    package var layers: [String]?
    /// The password of an encrypted document.
    package var password: String?
    /// Bytes of memory that the renderer may take.
    package var memory: Int
    /// Seconds of a processor that it may take for an answer.
    package var seconds: Int

    /// Asks for a page.
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
/// Points are 72 to the inch, from the top left corner of the page as it is seen: cropped and turned.
package struct PageDescription: Hashable, Codable, Sendable {
    /// How many pages the document has.
    package var pageCount: Int
    /// The width of the page in points.
    package var width: Double
    /// The height of the page in points.
    package var height: Double
    /// Pixels to the inch that its author counts in: 96 of an SVG without units; nil if it has none.
    package var resolution: Double?
    /// The picture, if the page is nothing but a picture.
    package var picture: Picture?
    /// The colour of the sheet, if the page paints all of itself in one colour first: red, green, blue from 0 to 255.
    package var sheetColor: [Int]?
    /// Whether the page is drawn rightly only by matrices that do not turn it.
    package var staysUpright: Bool?
    /// All layers of the document.
    package var layers: [Layer]
    /// Fonts that the page uses and the document does not contain: others replace them.
    package var missingFonts: [String]
    /// What else the user should know, a clause each.
    package var warnings: [String]
    /// Where the page says that it is on the Earth.
    package var viewports: [GeospatialViewport]
    /// From the units of the document, in which viewports count, to points: a, b, c, d, e, f of
    /// x' = a x + b y + c, y' = d x + e y + f.
    package var pointsFromUnits: [Double]

    /// A picture that is all of a page.
    package struct Picture: Hashable, Codable, Sendable {
        /// Its columns.
        package var columns: Int
        /// Its rows.
        package var rows: Int
        /// Pixels of it to the inch of the page, across.
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

    /// Describes a page with nothing but a size.
    package init(pageCount: Int, width: Double, height: Double) {
        self.pageCount = pageCount
        (self.width, self.height) = (width, height)
        (layers, missingFonts, warnings, viewports) = ([], [], [], [])
        pointsFromUnits = [1, 0, 0, 0, 1, 0]
    }
}

/// A part of a page that says where it is on the Earth, as in the document: nothing is checked yet.
package struct GeospatialViewport: Hashable, Codable, Sendable {
    /// How it says it.
    package enum Form: String, Codable, Sendable {
        /// ISO 32000-2, 12.10: a viewport with a measure.
        case measure
        /// OGC 08-139: an LGIDict, of older maps.
        case lgi
    }

    /// How it says it.
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
    /// For an LGIDict: its `Projection`, entries as text; those of a nested dictionary after its name and a dot:
    /// `ProjectionType`, `Datum`, `Datum.Ellipsoid`, `CentralMeridian`.
    package var projection: [String: String]?

    /// Describes a part that says nothing yet.
    package init(_ form: Form) { self.form = form }
}
