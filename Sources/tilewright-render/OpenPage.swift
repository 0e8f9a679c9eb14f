import CDocuments
import RenderProtocol
import Tiling

/// A page that is open.
final class OpenPage {
    private let document: OpaquePointer
    private let bytes: MappedDocument
    private let staysUpright: Bool

    /// Opens the page of the document that is the open file 3.
    init(_ request: OpenRequest) throws(Refusal) {
        bytes = try MappedDocument()
        var opening = cd_opening()
        opening.bytes = UnsafeRawPointer(bytes.bytes.baseAddress)
        opening.size = bytes.bytes.count
        opening.page = Int32(clamping: request.page)
        opening.has_layers = request.layers != nil
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

    /// What the page is.
    var description: PageDescription {
        var page = PageDescription(cd_describe(document))
        page.staysUpright = staysUpright ? true : nil
        return page
    }

    /// Draws a window and hands on its pixels.
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
    /// The request, as C knows it.
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
    /// What a call in C left behind.
    init(_ status: cd_status, _ message: cd_message) {
        let reason = withUnsafeBytes(of: message.text) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let cause: Cause =
            switch status {
            case CD_ENCRYPTED: .encrypted
            case CD_NO_PAGE: .noPage
            case CD_NO_LAYER: .noLayer
            case CD_OUT_OF_MEMORY: .memory
            case CD_BAD_REQUEST: .request
            default: .damaged
            }
        self.init(cause, reason)
    }
}
