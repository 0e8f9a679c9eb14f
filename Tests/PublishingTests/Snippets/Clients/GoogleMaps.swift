// swift-format-ignore-file
// The public names of the Google Maps SDK for iOS, and of UIKit, that snippets use, after their
// references: https://developers.google.com/maps/documentation/ios-sdk/reference/swift.

@_exported import Foundation
import ImageIO
#if canImport(FoundationNetworking)
    @_exported import FoundationNetworking
#endif

public final class UIImage: Sendable {
    /// For tests: the bytes of the file.
    public let data: Data
    public init?(data: Data) { self.data = data }
    public init(cgImage: CGImage) { data = Data(cgImage.text.utf8) }
    fileprivate init() { data = Data() }
}

public struct CLLocationCoordinate2D: Sendable {
    public let latitude: Double
    public let longitude: Double
    public init(latitude: Double, longitude: Double) {
        (self.latitude, self.longitude) = (latitude, longitude)
    }
}

public final class GMSCoordinateBounds: Sendable {
    /// As for the first of two corners in the south-west.
    public let southWest: CLLocationCoordinate2D
    public let northEast: CLLocationCoordinate2D
    public init(coordinate: CLLocationCoordinate2D, coordinate other: CLLocationCoordinate2D) {
        (southWest, northEast) = (coordinate, other)
    }
}

public final class GMSCameraPosition: Sendable {
    public let target: CLLocationCoordinate2D
    public let zoom: Float
    public convenience init(latitude: Double, longitude: Double, zoom: Float) {
        self.init(latitude: latitude, longitude: longitude, zoom: zoom, bearing: 0, viewingAngle: 0)
    }
    public init(
        latitude: Double, longitude: Double, zoom: Float, bearing: Double, viewingAngle: Double
    ) {
        target = CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
        self.zoom = zoom
    }
}

@MainActor
open class GMSMapView {
    public init() {}
    open var camera = GMSCameraPosition(
        latitude: 0, longitude: 0, zoom: 0, bearing: 0, viewingAngle: 0)
    open var cameraTargetBounds: GMSCoordinateBounds?
    public private(set) var minZoom: Float = 2
    public private(set) var maxZoom: Float = 21
    open func setMinZoom(_ minZoom: Float, maxZoom: Float) {
        (self.minZoom, self.maxZoom) = (minZoom, maxZoom)
    }
}

public protocol GMSTileReceiver: AnyObject {
    func receiveTileWith(x: UInt, y: UInt, zoom: UInt, image: UIImage?)
}

open class GMSTileLayer {
    public init() {}
    open func requestTileFor(x: UInt, y: UInt, zoom: UInt, receiver: any GMSTileReceiver) {}
    open func clearTileCache() {}
    open weak var map: GMSMapView? {
        didSet { Self.shown = map == nil ? nil : self }
    }
    /// The layer that is on a map, for tests.
    nonisolated(unsafe) public static weak var shown: GMSTileLayer?
    open var zIndex: Int32 = 0
    open var tileSize = 256
    open var opacity: Float = 1
    open var fadeIn = true
}

public let kGMSTileLayerNoTile = UIImage()
