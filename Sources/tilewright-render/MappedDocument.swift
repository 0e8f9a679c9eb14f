import Platform
import RenderProtocol

/// The bytes of the document, which is the open file 3.
final class MappedDocument {
    /// The bytes.
    let bytes: UnsafeMutableRawBufferPointer

    /// Maps them.
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
