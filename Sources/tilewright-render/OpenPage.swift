import CDocuments
import Platform
import RenderProtocol
import Tiling

/// An open page.
final class OpenPage {
    private let document: OpaquePointer
    private let bytes: MappedDocument
    private let staysUpright: Bool

    /// Opens the page of the document in file descriptor 3.
    init(_ request: OpenRequest) throws(Refusal) {
        bytes = try MappedDocument()
        var opening = cd_opening()
        opening.bytes = UnsafeRawPointer(bytes.bytes.baseAddress)
        opening.size = bytes.bytes.count
        opening.page = Int32(clamping: request.page)
        opening.has_layers = request.layers != nil
        opening.lists_pages = request.listsPages == true
        var result: OpaquePointer?
        var message = cd_message()
        let names = CStrings(request.layers ?? [])
        let password = CStrings(request.password.map { [$0] } ?? [])
        opening.password = password.pointers.first ?? nil
        let status = names.pointers.withUnsafeBufferPointer { names in
            opening.layers = names.baseAddress
            opening.layer_count = names.count
            return request.type == .pdf
                ? cd_open_pdf(&opening, &result, &message) : cd_open_svg(&opening, &result, &message)
        }
        withExtendedLifetime((names, password)) {}
        guard status == CD_OK, let result else { throw .failure(RendererFailure(status, message)) }
        document = result
        staysUpright = request.type == .svg && bytes.hasGroups
    }

    deinit { cd_close(document) }

    /// The description of the page.
    var description: PageDescription {
        var page = PageDescription(cd_describe(document))
        page.staysUpright = staysUpright ? true : nil
        return page
    }

    /// Draws a window and passes on its pixels.
    func draw(
        _ request: DrawRequest,
        _ answer: (PagePixels.Form, UnsafeRawBufferPointer) throws(Refusal) -> Void
    ) throws(Refusal) {
        var window = cd_window(request)
        var pixels: UnsafePointer<UInt32>?
        var message = cd_message()
        let status = cd_draw(document, &window, &pixels, &message)
        guard status == CD_OK, let pixels else { throw .failure(RendererFailure(status, message)) }
        let all = UnsafeBufferPointer(start: pixels, count: request.window.width * request.window.height)
        let isUniform = all.allSatisfy { $0 == all[0] }
        let form: PagePixels.Form = isUniform ? (all[0] == 0 ? .transparent : .uniform) : .all
        let count = form == .all ? all.count : form == .uniform ? 1 : 0
        try answer(form, UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: all[..<count])))
    }
}

extension cd_window {
    /// The request as a C structure.
    init(_ request: DrawRequest) {
        let (m, base) = (request.matrix, request.base)
        self.init(
            matrix: (m.a, m.b, m.c, m.d, m.e, m.f),
            base: (base.a, base.b, base.c, base.d, base.e, base.f),
            column: Int64(request.window.columns.lowerBound),
            row: Int64(request.window.rows.lowerBound),
            width: Int32(request.window.width), height: Int32(request.window.height),
            clip: (request.clip.minX, request.clip.minY, request.clip.maxX, request.clip.maxY),
            thinnest_line: request.thinnestLine, palest_line: request.palestLine,
            is_one_of_many: request.isOneOfMany,
            is_aliased: request.isAliased)
    }
}

extension RendererFailure {
    /// The error that a C function returned.
    init(_ status: cd_status, _ message: cd_message) {
        let reason = message.text.map { String(cString: $0) }
        free(message.text)
        let cause: Cause =
            switch status {
            case CD_ENCRYPTED: .encrypted
            case CD_NO_PAGE: .noPage
            case CD_NO_LAYER: .noLayer
            case CD_OUT_OF_MEMORY: .memory
            case CD_BAD_REQUEST: .request
            default: .damaged
            }
        self.init(cause, reason ?? "out of memory")
    }
}

extension PageDescription {
    /// The page description that C returned.
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
        if page.listed_page_count > 0 {
            pages = UnsafeBufferPointer(start: page.pages, count: page.listed_page_count).map(Entry.init)
        }
    }

    private static func texts(_ start: UnsafePointer<UnsafePointer<CChar>?>?, _ count: Int) -> [String] {
        UnsafeBufferPointer(start: start, count: count).compactMap { $0.map { String(cString: $0) } }
    }
}

extension PageDescription.Entry {
    /// The entry of a list that C returned.
    init(_ page: cd_page_entry) {
        self.init(
            width: page.width, height: page.height, label: page.label.map { String(cString: $0) },
            bookmark: page.bookmark.map { String(cString: $0) })
    }
}

extension GeospatialViewport {
    /// The description of a part of a page that C returned.
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

/// Texts for C, valid as long as this object exists.
final class CStrings {
    /// A pointer for each text.
    let pointers: [UnsafePointer<CChar>?]

    /// Copies texts.
    init(_ texts: [String]) { pointers = texts.map { UnsafePointer(strdup($0)) } }

    deinit { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
}

/// The bytes of the document, which is file descriptor 3.
final class MappedDocument {
    /// The bytes.
    let bytes: UnsafeMutableRawBufferPointer

    /// Maps the document into memory.
    init() throws(Refusal) {
        let size: Int
        do throws(SystemError) {
            let file = try FileDescriptor(duplicating: Frame.documentDescriptor)
            size = try file.status().size
        } catch {
            throw .failure(RendererFailure(.request, "there is no document: \(error.text)"))
        }
        guard size > 0 else { throw .failure(RendererFailure(.damaged, "it is empty")) }
        let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, Frame.documentDescriptor, 0)
        guard let address, address != MAP_FAILED else {
            throw .failure(
                RendererFailure(.damaged, "it cannot be mapped: \(SystemError(code: errno).text)"))
        }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: size)
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }
}

extension MappedDocument {
    /// Whether an SVG may contain masks, filters or blended groups, which librsvg 2.54 draws on separate
    /// surfaces. It measures such a surface along the axes of the device, so the surface is too small or
    /// empty if the page is turned. A compressed document is not searched.
    var hasGroups: Bool {
        let isCompressed = bytes.count > 1 && bytes[0] == 0x1F && bytes[1] == 0x8B
        let names = [
            "<mask", ":mask", "mask:", "mask=", "<filter", ":filter", "filter:", "filter=", "mix-blend",
            "isolation",
        ]
        return isCompressed || names.contains { first($0, from: 0) != nil } || hasOpacity
    }

    /// Whether an `opacity` is not 1. Properties such as `fill-opacity` do not need a surface.
    private var hasOpacity: Bool {
        var place = first("opacity", from: 0)
        while let found = place {
            let end = found + "opacity".utf8.count
            let value = bytes[end...].prefix(8).drop { " :=\"'".utf8.contains($0) }
            let isPart = found > 0 && bytes[found - 1] == UInt8(ascii: "-")
            if !isPart, value.first != UInt8(ascii: "1") { return true }
            place = first("opacity", from: end)
        }
        return false
    }

    /// The first position of a text, searched from an offset.
    private func first(_ text: String, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        let text = Array(text.utf8)
        var place = start
        while place + text.count <= bytes.count {
            let room = bytes.count - text.count + 1 - place
            guard let found = memchr(base + place, Int32(text[0]), room) else { return nil }
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if memcmp(found, text, text.count) == 0 { return place }
            place += 1
        }
        return nil
    }
}
