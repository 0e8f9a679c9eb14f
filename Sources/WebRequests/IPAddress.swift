#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Tells addresses from names, as inet_pton(3) reads them.
enum IPAddress {
    /// Whether it is four numbers with dots between them.
    static func isVersion4(_ text: some Collection<UInt8>) -> Bool {
        var address = in_addr()
        return text.reading { inet_pton(AF_INET, $0, &address) } == 1
    }

    /// Whether it is an address of IPv6, without brackets and without a zone.
    static func isVersion6(_ text: some Collection<UInt8>) -> Bool {
        var address = in6_addr()
        return text.reading { inet_pton(AF_INET6, $0, &address) } == 1
    }
}

extension Collection<UInt8> {
    /// What a function of C says of the bytes; 0 if a zero among them would end the text.
    fileprivate func reading(_ body: ([CChar]) -> Int32) -> Int32 {
        contains(0) ? 0 : body(map { CChar(bitPattern: $0) } + [0])
    }
}
