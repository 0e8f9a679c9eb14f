import CDocuments
import RenderProtocol

extension PageDescription {
    /// What C knows of a page.
    init(_ page: cd_page) {
        self.init(pageCount: Int(page.page_count), width: page.width, height: page.height)
        resolution = page.resolution > 0 ? page.resolution : nil
        if page.picture_columns > 0 {
            picture = Picture(
                columns: Int(page.picture_columns), rows: Int(page.picture_rows),
                resolution: page.picture_resolution)
        }
        let (color, m) = (page.sheet_color, page.points_from_units)
        sheetColor = page.has_sheet_color ? [Int(color.0), Int(color.1), Int(color.2)] : nil
        pointsFromUnits = [m.0, m.1, m.2, m.3, m.4, m.5]
        layers = UnsafeBufferPointer(start: page.layers, count: page.layer_count)
            .map { Layer(name: String(cString: $0.name), isShown: $0.is_shown) }
        missingFonts = Self.texts(page.missing_fonts, page.missing_font_count)
        warnings = Self.texts(page.warnings, page.warning_count)
        viewports = UnsafeBufferPointer(start: page.viewports, count: page.viewport_count)
            .map(GeospatialViewport.init)
    }

    private static func texts(_ start: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int) -> [String] {
        UnsafeBufferPointer(start: start, count: count).compactMap { $0.map { String(cString: $0) } }
    }
}

extension GeospatialViewport {
    /// What C knows of a part of a page.
    init(_ viewport: cd_viewport) {
        self.init(viewport.is_lgi ? .lgi : .measure)
        name = viewport.name.map { String(cString: $0) }
        box = Self.numbers(viewport.box)
        bounds = Self.numbers(viewport.bounds)
        groundPoints = Self.numbers(viewport.ground_points)
        boxPoints = Self.numbers(viewport.box_points)
        systemType = viewport.system_type.map { String(cString: $0) }
        epsg = viewport.epsg == 0 ? nil : Int(viewport.epsg)
        wkt = viewport.wkt.map { String(cString: $0) }
        matrix = Self.numbers(viewport.matrix)
        neatline = Self.numbers(viewport.neatline)
        registration = Self.numbers(viewport.registration).map { numbers in
            stride(from: 0, to: numbers.count, by: 4).map { Array(numbers[$0..<$0 + 4]) }
        }
        projection = Self.entries(viewport.projection, viewport.projection_count)
    }

    private static func numbers(_ numbers: cd_numbers) -> [Double]? {
        numbers.count == 0 ? nil : Array(UnsafeBufferPointer(start: numbers.values, count: numbers.count))
    }

    private static func entries(_ start: UnsafePointer<cd_entry>?, _ count: Int) -> [String: String]? {
        guard count > 0 else { return nil }
        let entries = UnsafeBufferPointer(start: start, count: count)
            .map { (String(cString: $0.name), String(cString: $0.value)) }
        return Dictionary(entries) { first, _ in first }
    }
}
