public import Platform
public import Tiling

/// A request for a view of a map. Values that are nil follow from the tiles that the view shows.
public struct CameraRequest: Hashable, Sendable {
    /// The centre of the view, longitude and latitude in degrees; nil for the centre of the tiles.
    public var target: Point?
    /// The zoom; nil for the largest zoom at which a view of the tiles' centre shows all tiles within the
    /// padding.
    public var zoom: Double?
    /// The direction of the upper edge, in degrees clockwise from north; nil for north.
    public var bearing: Double?
    /// The viewing angle in degrees from straight down; nil for 0.
    public var tilt: Double?
    /// Bounds in degrees to show, instead of target, zoom, bearing and tilt. A west that is greater than the
    /// east crosses the antimeridian.
    public var fit: BoundingBox?
    /// The free space around bounds that are shown, in points.
    public var padding = ViewInsets.standard
    /// Changes of the camera, in order.
    public var updates: [CameraUpdate] = []
    /// The bounds of the target; nil for none.
    public var targetBounds: BoundingBox?
    /// The lowest zoom; nil for 0.
    public var minimumZoom: Double?
    /// The highest zoom; nil for 30.
    public var maximumZoom: Double?
    /// The view's size.
    public var size = ViewSize.standard

    /// Asks for a view of all tiles from straight above.
    public init() {}

    /// The view: the camera, then its updates in order, within the limits.
    ///
    /// - Parameter extent: the extent of the tiles, for a missing target and zoom; nil without tiles. It does
    ///   not limit the view.
    /// - Throws: `.usage` if the request contradicts itself, if no zoom shows the bounds, or if the camera
    ///   has no position.
    public func view(of extent: TilesetExtent? = nil) throws(Failure) -> CameraView {
        try check()
        var view = try start(extent)
        for update in updates { try view.apply(update, padding: padding) }
        return view
    }

    /// The limits for a client that shows the tiles: the requested limits, or else those of the tiles. Zooms
    /// of the tiles are widened to the camera's; their bounds are left out if the camera is outside.
    public func clientLimits(of view: CameraView, extent: TilesetExtent?) -> CameraLimits {
        var limits = limits
        guard let extent else { return limits }
        let zoom = view.camera.zoom
        let lowest = min(Double(extent.zooms.lowerBound), zoom.rounded(.down))
        let highest = max(Double(extent.zooms.upperBound), zoom.rounded(.up))
        let (low, high) = (minimumZoom ?? lowest, maximumZoom ?? highest)
        limits.zooms = min(low, high)...max(low, high)
        if targetBounds == nil {
            let own = CameraLimits(targetBounds: extent.bounds)
            let holdsTarget = own.clamping(view.camera) == view.camera
            limits.targetBounds = holdsTarget ? extent.bounds : nil
        }
        return limits
    }

    private var limits: CameraLimits {
        let all = CameraPosition.zooms
        func within(_ zoom: Double) -> Double { min(max(zoom, all.lowerBound), all.upperBound) }
        let low = within(minimumZoom ?? all.lowerBound)
        return CameraLimits(
            targetBounds: targetBounds, zooms: low...max(low, within(maximumZoom ?? all.upperBound)))
    }

    private func start(_ extent: TilesetExtent?) throws(Failure) -> CameraView {
        let origin = CameraPosition(
            target: target ?? Point(x: 0, y: 0), zoom: zoom ?? 0, bearing: bearing ?? 0, tilt: tilt ?? 0)
        var view = CameraView(origin, size: size, limits: limits)
        if let fit {
            try view.apply(.fit(fit), padding: padding)
            return view
        }
        if target != nil, zoom != nil { return view }
        guard let extent else {
            throw Failure(
                .usage, "the camera has no position",
                remedy: "give --target LON,LAT and --zoom Z, or --fit W,S,E,N, or a tileset to show whole")
        }
        try view.show(
            extent.bounds, padding: padding, bearing: origin.bearing, tilt: tilt ?? 0, zoom: zoom)
        if let target { try view.apply(.target(target)) }
        return view
    }

    /// Refuses contradictions, and values that are not numbers.
    ///
    /// - Throws: `.usage`.
    package func check() throws(Failure) {
        try checkNumbers()
        try checkFit()
        try checkLimits()
        guard padding.isValid else {
            throw Failure(.usage, "--padding must be 0 points or more along each edge")
        }
    }

    /// The options that place the camera.
    private var placing: [(name: String, number: Double?)] {
        [
            ("--target", target?.x), ("--target", target?.y), ("--zoom", zoom), ("--bearing", bearing),
            ("--tilt", tilt),
        ]
    }

    private func checkNumbers() throws(Failure) {
        let numbers = placing + [("--min-zoom", minimumZoom), ("--max-zoom", maximumZoom)]
        for (name, number) in numbers where number.map({ !$0.isFinite }) ?? false {
            throw Failure(.usage, "\(name) is not a number", remedy: "write a number, such as 17 or 17.5")
        }
    }

    /// Refuses options that a fit replaces.
    private func checkFit() throws(Failure) {
        guard let fit else { return }
        if let (name, _) = placing.first(where: { $0.number != nil }) {
            throw Failure(
                .usage, "--fit and \(name) both place the camera",
                remedy: "leave one out; to change the view afterwards, add --update zoomBy:-1, for example")
        }
        try Self.check(fit, "--fit")
    }

    private func checkLimits() throws(Failure) {
        if let targetBounds { try Self.check(targetBounds, "--target-bounds") }
        if let minimumZoom, let maximumZoom, minimumZoom > maximumZoom {
            let (low, high) = (minimumZoom.shortText, maximumZoom.shortText)
            throw Failure(.usage, "--min-zoom \(low) is greater than --max-zoom \(high)")
        }
    }

    /// Refuses bounds that are not on the Earth. A west greater than the east is allowed.
    private static func check(_ bounds: BoundingBox, _ name: String) throws(Failure) {
        func failure(_ reason: String) -> Failure {
            Failure(.usage, "the bounds of \(name) \(reason)", remedy: "give W,S,E,N in degrees")
        }
        let edges = [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY]
        guard edges.allSatisfy(\.isFinite) else { throw failure("are not numbers") }
        guard bounds.minY <= bounds.maxY else { throw failure("have their south above their north") }
        guard -90...90 ~= bounds.minY, -90...90 ~= bounds.maxY else {
            throw failure("have latitudes beyond 90 degrees")
        }
        guard abs(bounds.minX) <= 540, abs(bounds.maxX) <= 540 else {
            throw failure("have longitudes far beyond 180 degrees")
        }
    }
}

// The values of a camera's options as people write them.

extension Point {
    /// Reads `LON,LAT`.
    package init(parsingPlace text: String) throws(Failure) {
        let numbers = try NumberList.parse(text, names: ["LON", "LAT"])
        self.init(x: numbers[0], y: numbers[1])
    }
}

extension ViewInsets {
    /// Reads `P`, or `T,R,B,L`: clockwise from the top.
    package init(parsing text: String) throws(Failure) {
        try self.init(NumberList.parse(text, counts: [1, 4], form: "P or T,R,B,L"))
        guard isValid else {
            throw Failure(
                .usage, "the padding '\(text)' is negative",
                remedy: "give the margin in points: one number, or top,right,bottom,left")
        }
    }

    /// Makes insets of one number for all edges, or one for each.
    fileprivate init(_ numbers: [Double]) {
        self =
            numbers.count == 1
            ? ViewInsets(all: numbers[0])
            : ViewInsets(top: numbers[0], right: numbers[1], bottom: numbers[2], left: numbers[3])
    }
}

extension ViewSize {
    /// Reads `WIDTHxHEIGHT`, or `WIDTHxHEIGHT@SCALE`, in points and pixels per point.
    package init(parsing text: String) throws(Failure) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let edges = parts[0].split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let scale = parts.count == 1 ? 1 : Double(parts[1]) ?? 0
        guard parts.count <= 2, edges.count == 2,
            let size = ViewSize(width: edges[0], height: edges[1], scale: scale)
        else {
            throw Failure(
                .usage, "the size '\(text)' is not WIDTHxHEIGHT@SCALE",
                remedy: "give whole points, and 1 to 4 pixels per point: 390x844@2, or 1024x768")
        }
        self = size
    }

    /// The size as options write it.
    package var text: String { "\(width)x\(height)" + (scale == 1 ? "" : "@\(scale.shortText)") }
}

extension CameraUpdate {
    /// Reads `zoomIn`, `zoomOut`, `zoomTo:Z`, `zoomBy:D`, `zoomBy:D@X,Y`, `target:LON,LAT[,Z]`,
    /// `scrollBy:X,Y` or `fit:W,S,E,N[,PADDING]`.
    package init(parsing text: String) throws(Failure) {
        let colon = text.firstIndex(of: ":")
        let values = colon.map { String(text[text.index(after: $0)...]) }
        switch (String(text[..<(colon ?? text.endIndex)]), values) {
        case ("zoomIn", nil): self = .zoomIn
        case ("zoomOut", nil): self = .zoomOut
        case ("zoomTo", let values?): self = .zoomTo(try NumberList.parse(values, names: ["Z"])[0])
        case ("zoomBy", let values?): self = try .zoomBy(parsing: values)
        case ("target", let values?):
            let numbers = try NumberList.parse(values, counts: [2, 3], form: "LON,LAT or LON,LAT,Z")
            self = .target(
                Point(x: numbers[0], y: numbers[1]), zoom: numbers.count == 3 ? numbers[2] : nil)
        case ("scrollBy", let values?):
            let numbers = try NumberList.parse(values, names: ["X", "Y"])
            self = .scrollBy(x: numbers[0], y: numbers[1])
        case ("fit", let values?): self = try .fit(parsing: values)
        default:
            throw Failure(
                .usage, "'\(text)' is not an update of the camera",
                remedy: "the updates are zoomIn, zoomOut, zoomTo:Z, zoomBy:D, zoomBy:D@X,Y, target:LON,LAT, "
                    + "target:LON,LAT,Z, scrollBy:X,Y and fit:W,S,E,N[,PADDING]")
        }
    }

    private static func zoomBy(parsing text: String) throws(Failure) -> CameraUpdate {
        guard let mark = text.firstIndex(of: "@") else {
            return .zoomBy(try NumberList.parse(text, names: ["D"])[0])
        }
        let zooms = try NumberList.parse(String(text[..<mark]), names: ["D"])[0]
        let point = try NumberList.parse(String(text[text.index(after: mark)...]), names: ["X", "Y"])
        return .zoomBy(zooms, at: Point(x: point[0], y: point[1]))
    }

    /// Reads `W,S,E,N` and, if there are more numbers, a padding of one or of four.
    private static func fit(parsing text: String) throws(Failure) -> CameraUpdate {
        let numbers = try NumberList.parse(
            text, counts: [4, 5, 8], form: "W,S,E,N, W,S,E,N,P or W,S,E,N,T,R,B,L")
        let bounds = BoundingBox(minX: numbers[0], minY: numbers[1], maxX: numbers[2], maxY: numbers[3])
        return .fit(bounds, padding: numbers.count == 4 ? nil : ViewInsets(Array(numbers[4...])))
    }
}
