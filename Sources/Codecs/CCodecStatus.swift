import CCodec
package import Platform

extension cc_status {
    /// Throws the failure that a status of the C code stands for.
    ///
    /// - Parameter action: what was tried, on which file; nil if the caller adds it to the C code's message.
    func check(_ action: @autoclosure () -> String?, _ message: cc_message) throws(Failure) {
        guard self != CC_OK else { return }
        throw Failure(kind, (action().map { "\($0): " } ?? "") + message.string)
    }

    private var kind: Failure.Kind {
        switch self {
        case CC_CANNOT_OPEN: .missingInput
        case CC_READ_FAILED: .inputOutput
        case CC_OUT_OF_MEMORY: .systemLimit
        default: .badInput
        }
    }
}

/// The handle that a call of the C code makes.
///
/// - Parameter action: what was tried, on which file; nil if the caller adds it.
func opened(
    _ action: @autoclosure () -> String?,
    _ open: (_ handle: inout OpaquePointer?, _ message: inout cc_message) -> cc_status
) throws(Failure) -> OpaquePointer {
    var handle: OpaquePointer?
    var message = cc_message()
    try open(&handle, &message).check(action(), message)
    return handle.unwrapped("a call that succeeds has made one")
}

extension cc_message {
    /// The text up to its NUL.
    var string: String { String(terminated: text) }
}

extension String {
    /// Makes a string of a C array, which Swift sees as a tuple, up to its NUL.
    init<Characters>(terminated characters: Characters) {
        self = withUnsafeBytes(of: characters) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

/// The libraries that decode and encode images, and convert their colours.
package enum CodecLibraries {
    /// All of them, with their versions.
    package static var versions: [LibraryVersion] {
        let loaded = [CC_LIBPNG, CC_LIBTIFF, CC_LIBWEBP, CC_LIBHEIF, CC_LCMS]
        let compiled = [CC_LIBJPEG, CC_LIBDEFLATE]
        return loaded.map { version(of: $0, isOfHeaders: false) }
            + compiled.map { version(of: $0, isOfHeaders: true) }
    }

    private static func version(of library: cc_library, isOfHeaders: Bool) -> LibraryVersion {
        let words = library.nameAndVersion.split(separator: " ", maxSplits: 1)
        return LibraryVersion(
            String(words[0]), words.count > 1 ? String(words[1]) : nil, isOfHeaders: isOfHeaders)
    }
}

extension cc_library {
    /// The library's name and version, as in `libtiff 4.5.0`.
    var nameAndVersion: String {
        var name = cc_message()
        cc_library_version(self, &name)
        return name.string
    }
}
