import Platform

/// Texts that C reads while this lives.
final class CStrings {
    /// One for each text.
    let pointers: [UnsafePointer<CChar>?]

    /// Copies texts.
    init(_ texts: [String]) { pointers = texts.map { UnsafePointer(strdup($0)) } }

    deinit { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
}
