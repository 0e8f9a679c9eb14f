public import Tiling
public import Platform

/// Which view of a map is asked for. What is left open follows from the tiles that it shows.
public struct CameraRequest: Hashable, Sendable {
    /// The place in the middle, longitude and latitude in degrees; nil for the middle of the tiles.
    public var target: Point?
    /// The zoom; nil for the largest one at which all tiles are in a view that has the middle of them in its
    /// own, within the padding.
    public var zoom: Double?
    /// The direction of the upper edge, in degrees clockwise from north; nil for north.
    public var bearing: Double?
    /// The viewing angle in degrees from straight down; nil for 0.
    public var tilt: Double?
    /// Bounds in degrees to show, in the place of target, zoom, bearing and tilt. A west that is greater than
    /// the east crosses the antimeridian.
    public var fit: BoundingBox?
    /// What stays free around bounds that are shown, in points.
    public var padding = ViewInsets.standard
    /// Changes of the camera, in their order.
    public var updates: [CameraUpdate] = []
    /// Where the target may be; nil for anywhere.
    public var targetBounds: BoundingBox?
    /// The lowest zoom; nil for 0.
    public var minimumZoom: Double?
    /// The highest zoom; nil for 30.
    public var maximumZoom: Double?
    /// The view's size.
    public var size = ViewSize.standard

    /// Asks for a view of all tiles from straight above.
    public init() {}
}

extension CameraRequest {
    /// The view that is asked for: first the camera, then its updates in order; the limits hold all the time.
    ///
    /// - Parameter extent: that of the tiles; nil if there are none. It stands in for a target and a zoom that
    ///   are not given, and clamps nothing.
    /// - Throws: `.usage` if the request contradicts itself, if no zoom shows bounds, or if nothing says where
    ///   the camera is.
    public func view(of extent: TilesetExtent? = nil) throws(Failure) -> CameraView {
        try check()
        var view = try start(extent)
        for update in updates { try view.apply(update, padding: padding) }
        return view
    }

    /// The limits for a client that shows the tiles: those that are asked for, and in the place of others the
    /// tiles' own, as far as they let the camera be where it is.
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

    /// The limits that are asked for.
    private var limits: CameraLimits {
        let all = CameraPosition.zooms
        func within(_ zoom: Double) -> Double { min(max(zoom, all.lowerBound), all.upperBound) }
        let low = within(minimumZoom ?? all.lowerBound)
        return CameraLimits(
            targetBounds: targetBounds, zooms: low...max(low, within(maximumZoom ?? all.upperBound)))
    }

    /// The view before its updates.
    private func start(_ extent: TilesetExtent?) throws(Failure) -> CameraView {
        let origin = CameraPosition(
            target: target ?? Point(x: 0, y: 0), zoom: zoom ?? 0, bearing: bearing ?? 0, tilt: tilt ?? 0)
        var view = CameraView(origin, size: size, limits: limits)
        if let fit {
            try view.apply(.fit(fit), padding: padding)
            return view
        }
        if target != nil, zoom != nil { return view }
        guard let extent else { throw Self.nowhere }
        try view.show(
            extent.bounds, padding: padding, bearing: origin.bearing, tilt: tilt ?? 0, zoom: zoom)
        if let target { try view.apply(.target(target)) }
        return view
    }

    private static var nowhere: Failure {
        Failure(
            .usage, "nothing says where the camera is",
            remedy: "give --target LON,LAT and --zoom Z, or --fit W,S,E,N, or a tileset to show all of")
    }
}
