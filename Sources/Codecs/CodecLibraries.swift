import CCodec
package import Platform

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
