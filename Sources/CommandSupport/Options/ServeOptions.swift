package import ArgumentParser
package import Platform
package import TilewrightKit
package import WebRequests

/// What `serve` takes, in the program and in the companion that does it.
package struct ServeOptions: ParsableArguments {
    /// The companion that serves.
    package static let companion = "tilewright-serve"

    @Argument(
        help: ArgumentHelp(
            "Folders of tiles, archives, images with a position, or manifests. Addresses begin with the name of "
                + "the file or the folder, or with NAME in NAME=INPUT; a manifest gives a name per floor.",
            valueName: "thing"),
        completion: .things,
        transform: { try ServedThing(parsing: $0) })
    package var things: [ServedThing]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Where to listen; 0.0.0.0 lets other machines in, and port 0 takes a free one. (default: 127.0.0.1:8080)",
            valueName: "HOST:PORT"),
        transform: { try ListenAddress($0) })
    package var listen: ListenAddress?

    @Option(
        help: ArgumentHelp(
            "The answer for a tile that does not exist.", valueName: "404|204|transparent"))
    package var missing: MissingTileAnswer = .notFound

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Another name of the server, besides the address that it listens on; repeat it.",
            valueName: "NAME"),
        transform: { try AllowedHost($0) })
    package var allowHost: [AllowedHost] = []

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The pages of other servers that may read tiles, TileJSON and archives; a page that is named may "
                + "also read the indexes of buildings. (default: *)",
            valueName: "ORIGIN"),
        transform: { try PageOrigin($0) })
    package var origin: PageOrigin?

    @Flag(
        help: ArgumentHelp(
            "Let images and floors be placed on the map, in the page at NAME/place, or at /place for a "
                + "manifest, which saves their points next to them. An image needs no position then."))
    package var place = false

    @OptionGroup package var page: PageOptions
    @OptionGroup(title: "Images") package var image: ImageOptions
    @OptionGroup(title: "Positions of images") package var position: PositionOptions
    @OptionGroup(title: "Tiles of images") package var tiles: TileOptions
    @OptionGroup(title: "Resources") package var machine: MachineOptions

    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    package var quiet = false

    package init() {}

    package func validate() throws { _ = try request }

    /// The request that the options make.
    ///
    /// - Throws: `.usage`.
    package var request: ServingRequest {
        get throws {
            var request = ServingRequest(things)
            request.image = image.request("", at: try position.request())
            request.pyramid = tiles.request
            request.resources = machine.request
            request.allowsPlacing = place
            try refuseOptions(request)
            return request
        }
    }

    private func refuseOptions(_ request: ServingRequest) throws {
        if tiles.form.scheme == .tms {
            throw Failure(
                .usage, "--scheme tms has no meaning for a server, whose addresses count rows from the north",
                remedy: "leave it out; {-y} in a client's template counts from the south")
        }
        guard request.images.isEmpty, let option = (image.given + position.given + tiles.given).first else {
            return
        }
        throw Failure(
            .usage, "\(option) is for images, and there is none",
            remedy: "leave it out; for a manifest, write it there, and for tiles, name their image")
    }
}

/// The argument of `--listen`.
package struct ListenAddress: Hashable, Sendable {
    /// A host, and a port.
    package let authority: Authority

    /// The port that servers for trying things out have, on this machine alone.
    package static let standard = ListenAddress(authority: Authority(host: "127.0.0.1", port: 8080))

    private init(authority: Authority) { self.authority = authority }

    /// Reads `HOST:PORT`.
    ///
    /// - Throws: `.usage`.
    package init(_ text: String) throws(Failure) {
        guard let authority = Authority(text), authority.port != nil else {
            throw Failure(
                .usage, "it is not an address with a port",
                remedy: "write 127.0.0.1:8080, or 0.0.0.0:8080 to let other machines in")
        }
        self.init(authority: authority)
    }

    /// What the system looks up: without brackets.
    package var host: String { authority.host.trimmingBrackets }
}

/// What a server answers for a tile that does not exist.
package enum MissingTileAnswer: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// 404, not found.
    case notFound = "404"
    /// 204, no content: maps that enlarge the parent of a tile that is not found leave the place empty.
    case noContent = "204"
    /// A transparent tile.
    case transparent
}

/// The argument of `--allow-host`.
package struct AllowedHost: Hashable, Sendable {
    /// A host; without a port, under any.
    package let authority: Authority

    /// Reads it.
    ///
    /// - Throws: `.usage`.
    package init(_ text: String) throws(Failure) {
        guard let authority = Authority(text) else {
            throw Failure(
                .usage, "it is not the name of a host",
                remedy: "write a name, as plans.example.org, or with a port, as plans.example.org:8080")
        }
        self.authority = authority
    }
}

/// The argument of `--origin`.
package struct PageOrigin: Hashable, Sendable {
    /// As the browser says it: a scheme and a host, without a path; or `*`.
    package let text: String

    /// Reads it.
    ///
    /// - Throws: `.usage`.
    package init(_ text: String) throws(Failure) {
        let parts = text.split(separator: "://", maxSplits: 1).map(String.init)
        let isOrigin = parts.count == 2 && ["http", "https"].contains(parts[0]) && Authority(parts[1]) != nil
        guard text == "*" || isOrigin else {
            throw Failure(
                .usage, "it is not the origin of a page",
                remedy: "write it as https://www.example.org, without a path, or '*' for all")
        }
        self.text = text
    }
}

extension String {
    /// An address of IPv6 without its brackets.
    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
