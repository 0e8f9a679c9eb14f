import Platform
import Stores

/// Objects in a bucket, below a prefix or next to one object.
struct BucketStore: ObjectStore {
    private let store: Store
    private let place: StoreAddress
    private let isOneObject: Bool

    /// Checks an address; asks nothing.
    ///
    /// - Parameter isOneObject: whether it is the address of one object.
    /// - Throws: `.usage` if it is not that of a bucket, `.systemLimit` if the library for transfers is
    ///   missing.
    init(_ text: String, isOneObject: Bool) throws {
        guard let place = StoreAddress(text) else {
            throw Self.refusal(text, "it is not an address", remedy: "write s3://BUCKET/PREFIX")
        }
        guard place.isBucket else {
            throw Self.refusal(
                place.title, "files can be put only into a bucket",
                remedy: "write s3://BUCKET/PREFIX; to a web server, copy the output with rsync")
        }
        var prefix = Substring(text)
        while prefix.utf8.last == UInt8(ascii: "/"), prefix.utf8.count > "s3://".utf8.count {
            prefix.removeLast()
        }
        if !isOneObject, let folder = StoreAddress(String(prefix)), folder.fileName.isEmpty {
            // A bucket without a prefix is a place, too.
            try StoreAddress("\(prefix)/\(Publication.listName)")?.check()
        } else {
            try StoreAddress(isOneObject ? text : String(prefix))?.check()
        }
        (self.place, self.isOneObject) = (place, isOneObject)
        store = try Store.shared()
    }

    private static func refusal(_ address: String, _ why: String, remedy: String) -> Failure {
        Failure(.usage, cannot: "publish to '\(address.excerpt(300))'", why, remedy: remedy)
    }

    private func address(of key: String) -> StoreAddress {
        isOneObject ? place.sibling(named: key) : place.appending(key)
    }

    func title(of key: String) -> String { address(of: key).title }

    func bytes(of key: String, atMost most: Int) throws -> [UInt8]? {
        try store.bytes(of: address(of: key), atMost: most)
    }

    func head(of key: String, count: Int) throws -> [UInt8]? {
        try store.open(address(of: key), first: count)?.head
    }

    func put(_ bytes: [UInt8], at key: String, _ headers: ObjectHeaders) throws {
        try store.put(bytes, at: address(of: key), Store.Headers(headers))
    }

    func put(fileAt path: String, size: Int, at key: String, _ headers: ObjectHeaders) throws {
        try store.put(fileAt: path, size: size, at: address(of: key), Store.Headers(headers))
    }

    func remove(_ key: String) throws { try store.remove(address(of: key)) }
}

extension Store.Headers {
    fileprivate init(_ headers: ObjectHeaders) {
        self.init(contentType: headers.contentType, cacheControl: headers.cacheControl)
    }
}
