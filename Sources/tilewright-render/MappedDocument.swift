import Platform
import RenderProtocol

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
