package import ArgumentParser
package import Platform
package import TilewrightKit
package import WebRequests

/// The arguments of `serve`, in the program and in the companion that serves.
package struct ServeOptions: ParsableArguments {
    /// The companion that serves.
    package static let companion = "tilewright-serve"

    @Argument(
        help: ArgumentHelp(
            "Folders of tiles, archives, images with a position, or manifests. Addresses begin with the "
                + "name of the file or folder; with NAME=INPUT, they begin with NAME. Each floor of a "
                + "manifest has its own name.",
            valueName: "[NAME=]INPUT"),
        completion: .inputs,
        transform: { try ServedInput(parsing: $0) })
    package var inputs: [ServedInput]

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The address to listen on. 0.0.0.0 lets other machines connect; port 0 chooses a free port. "
                + "(default: 127.0.0.1:8080)",
            valueName: "HOST:PORT"),
        transform: { try ListenAddress($0) })
    package var listen: ListenAddress?

    @Option(
        help: ArgumentHelp(
            "The response for a tile that does not exist.", valueName: "404|204|transparent"))
    package var missing: MissingTileAnswer = .notFound

    @OptionGroup package var hosts: HostOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The origin of web pages that may read tiles, TileJSON and archives, or '*' for all. If the "
                + "option is given, even as '*', they may also read the indexes of buildings. (default: *, "
                + "without the indexes)",
            valueName: "ORIGIN"),
        transform: { try PageOrigin($0) })
    package var origin: PageOrigin?

    @Flag(
        help: ArgumentHelp(
            "Serve a page for placing images and floors on the map: at NAME/place, or at /place for a "
                + "manifest. It saves the points next to the images. Images then need no position."))
    package var place = false

    @OptionGroup package var page: PageOptions
    @OptionGroup(title: "Images") package var image: ImageOptions
    @OptionGroup(title: "Positions of images") package var position: PositionOptions
    @OptionGroup(title: "Tiles of images") package var tiles: TileOptions
    @OptionGroup(title: "Resources") package var machine: MachineOptions

    @Flag(name: .shortAndLong, help: "Print only results and errors.")
    package var quiet = false

    package init() {}

    package func validate() throws { _ = try request }

    /// The options as a request.
    ///
    /// - Throws: `.usage`.
    package var request: ServingRequest {
        get throws {
            var request = ServingRequest(inputs)
            let position = try position.request()
            request.image = image.request("", at: position).on(tiles.request.background)
            for input in request.images { try image.request(input.path, at: position).checkScale() }
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
                .usage, "--scheme tms does not apply to a server: its addresses count rows from the north",
                remedy: "leave it out; {-y} in a client's template counts from the south")
        }
        guard request.images.isEmpty, let option = (image.given + position.given + tiles.given).first else {
            return
        }
        throw Failure(
            .usage, "\(option) is for images, but no image is named",
            remedy: "leave it out; for floors, set it in the manifest; for tiles, serve their image instead")
    }
}

/// The names under which a server may be reached.
package struct HostOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Another host name of the server; repeat the option. The address of --listen is always allowed.",
            valueName: "NAME"),
        transform: { try AllowedHost($0) })
    package var allowHost: [AllowedHost] = []

    package init() {}
}

/// The argument of `--listen`.
package struct ListenAddress: Hashable, Sendable {
    /// A host and a port.
    package let authority: Authority

    /// The usual port of test servers, reachable only from this machine.
    package static let standard = ListenAddress(authority: Authority(host: "127.0.0.1", port: 8080))

    private init(authority: Authority) { self.authority = authority }

    /// Reads `HOST:PORT`.
    ///
    /// - Throws: `.usage`.
    package init(_ text: String) throws(Failure) {
        guard let authority = Authority(text), authority.port != nil else {
            throw Failure(
                .usage, "it is not an address with a port",
                remedy: "write 127.0.0.1:8080, or 0.0.0.0:8080 to let other machines connect")
        }
        self.init(authority: authority)
    }

    /// The host without brackets, as the system looks it up.
    package var host: String { authority.host.trimmingBrackets }
}

/// The response of a server for a tile that does not exist.
package enum MissingTileAnswer: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// 404, not found.
    case notFound = "404"
    /// 204, no content. Maps leave the place empty; after a 404, some enlarge the parent tile.
    case noContent = "204"
    /// A transparent tile.
    case transparent
}

/// The argument of `--allow-host`.
package struct AllowedHost: Hashable, Sendable {
    /// A host. Without a port, every port is allowed.
    package let authority: Authority

    /// Reads `HOST` or `HOST:PORT`.
    ///
    /// - Throws: `.usage`.
    package init(_ text: String) throws(Failure) {
        guard let authority = Authority(text) else {
            throw Failure(
                .usage, "it is not the name of a host",
                remedy: "write a name such as plans.example.org, or with a port: plans.example.org:8080")
        }
        self.authority = authority
    }
}

/// The argument of `--origin`.
package struct PageOrigin: Hashable, Sendable {
    /// The origin as browsers send it: a scheme and a host, without a path; or `*`.
    package let text: String

    /// Reads an origin, or `*`.
    ///
    /// - Throws: `.usage`.
    package init(_ text: String) throws(Failure) {
        let parts = text.split(separator: "://", maxSplits: 1).map(String.init)
        let isOrigin = parts.count == 2 && ["http", "https"].contains(parts[0]) && Authority(parts[1]) != nil
        guard text == "*" || isOrigin else {
            throw Failure(
                .usage, "it is not the origin of a page",
                remedy: "write an origin such as https://www.example.org, without a path, or '*' for all")
        }
        self.text = text
    }
}

extension String {
    /// An IPv6 address without its brackets.
    fileprivate var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
