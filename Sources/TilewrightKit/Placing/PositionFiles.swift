import Platform
import Georeferencing
import Raster

/// What the image's own file and the files beside it say of where it lies, in their order of
/// precedence.
struct PositionFiles {
    /// What the command line names in place of the files' own systems.
    let crs: CRS?

    private let image: ImageRequest
    private let info: RasterInfo
    private let drawn: PageImage?
    private let auxiliary: PAMFile?
    private let keepsPoints: Bool

    /// Looks for the files of an image.
    ///
    /// - Parameters:
    ///   - image: the image; the position that it asks for does not count.
    ///   - info: what its file says.
    ///   - drawn: the page, if it is one that is drawn.
    ///   - crs: see above.
    ///   - keepsPoints: whether control points are to be fitted even if a transform meets them.
    init(
        of image: ImageRequest, info: RasterInfo, drawn: PageImage? = nil, crs: CRS?, keepsPoints: Bool
    ) throws {
        self.image = image
        self.info = info
        self.drawn = drawn
        self.crs = crs
        self.keepsPoints = keepsPoints
        auxiliary = try PAMFile.find(beside: image.path, page: image.pageNumber)
    }

    /// The first position of all; nil if no file has one.
    func position() throws -> Position? {
        for find in candidates { if let position = try find() { return position } }
        return nil
    }

    /// All positions that can be made out, in their order.
    func positions() -> [Position] { candidates.compactMap { try? $0() } }

    private var candidates: [() throws -> Position?] {
        let points = { try QGISPoints.find(beside: image.path, page: image.pageNumber) }
        let ofFile: [() throws -> Position?] = [
            { try points().map { .pointsFile($0, crs) } },
            { try WorldFile.find(beside: image.path).map(worldFile) },
        ]
        if image.pageNumber == 1 || auxiliary?.isOfPage == true {
            return [ofAuxiliary, ofOverlay, ofTags, ofDocument] + ofFile
        }
        // What a page says of itself, or is said of it alone, comes before what is said of the file.
        let own = QGISPoints.path(beside: image.path, page: image.pageNumber)
        return [
            ofOverlay, ofTags, ofDocument, { try points() == own ? .pointsFile(own, crs) : nil }, ofAuxiliary,
        ] + ofFile
    }

    private func ofAuxiliary() throws -> Position? {
        guard let auxiliary, let form = try auxiliary.eastFirstForm(on: info.pixelUnits) else { return nil }
        return try stored("'\(auxiliary.path)'", form)
    }

    /// A KMZ says where its image lies.
    private func ofOverlay() throws -> Position? {
        guard try KMZFile.isKMZ(image.path) else { return nil }
        return .kml(image.path, try KMZFile(contentsOf: image.path).position(image.page))
    }

    private func ofDocument() throws -> Position? {
        try drawn?.position(crs: crs).map { .document($0) }
    }

    private func ofTags() throws -> Position? {
        try info.geoTIFFTags?.positionForm().map { try stored("GeoTIFF tags", $0) }
    }

    /// A world file; without a `.prj` its system is the one that another file of the image names.
    func worldFile(_ path: String) throws -> Position {
        if let crs { return .worldFile(path, crs) }
        let isNamed = try WorldFile.findProjection(beside: path) != nil
        return .worldFile(path, isNamed ? nil : try ownCRS())
    }

    private func stored(
        _ source: String, _ form: StoredPosition.Form
    ) throws -> Position {
        guard let crs = try crs ?? ownCRS() ?? projectionBeside() else {
            throw Failure(
                .badInput,
                "its position comes from \(source) without a coordinate reference system",
                remedy:
                    "add --crs EPSG:3857 if they are Web Mercator metres, --crs EPSG:4326 if they "
                    + "are degrees, or put a .prj file beside it")
        }
        return .stored(
            try StoredPosition(
                source: source, form: form, crs: crs, keepsPoints: keepsPoints))
    }

    /// The system that the image's own files name.
    private func ownCRS() throws -> CRS? {
        if let crs = try auxiliary?.crs() { return crs }
        guard let tags = info.geoTIFFTags else { return nil }
        return try CRS(geoTIFF: tags)
    }

    private func projectionBeside() throws -> CRS? {
        guard let path = try WorldFile.findProjection(beside: image.path) else { return nil }
        return try CRS(contentsOf: path)
    }
}
